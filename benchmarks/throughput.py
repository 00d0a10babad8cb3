"""Speed and memory of the whole loop: drawing, encoding, counting, betting.

Each measurement is made in a process of its own, after a small audit that imports what is
imported lazily. Speed is in processor time, of the loop and of its sampler alone (the same blocks
from the same streams): other processes on the machine change wall time, and this less. No claim
here is refuted, so every run spends its budget.

Scaling compares the wall time of one process and of workers, for a sampler that computes and one
that waits (for another machine, or a device): on a busy machine only the second means much, so the
load is printed beside it.

Run: python -m benchmarks.throughput [--samples 1000000,10000000] [--rows 0,1] [--scaling]
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.blocks import blocks_of, draw_block
from audit.draws.settings import Settings
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.counts.loky import LokyWorkers
from audit.engine.counts.source import CountSource
from audit.engine.sequential import audit
from audit.pairs.neighbors import Pair
from audit.targets.load import load_target
from audit.targets.target import Target
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

SEED = 1
SAMPLES = "1000000,10000000"
SCALING_SAMPLES = 4_000_000
WARM_UP = 4_000
CLAIM = PrivacyClaim(PureDP("11/10"), Relation.LISTED, Source("user", "benchmarks/throughput.py"))
LATTICE = 2.0**30
COORDINATES = 40
MEGABYTE = 1024  # getrusage counts KiB on Linux

HEADER = (
    "| sampler | configuration | samples | sampler ns/draw | loop ns/draw | overhead / sampler "
    "| overhead / loop | peak RSS MB |\n|" + "---|" * 8
)
SCALING_HEADER = "| sampler | processes | samples | wall s | speed-up | load |\n|" + "---|" * 6


def laplace(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Numpy's own Laplace noise: as fast as samplers get."""
    return data + rng.laplace(size=size)


def on_a_lattice(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Laplace noise on multiples of 2^-30, on which the float lattices find nothing."""
    return np.round((data + rng.laplace(size=size)) * LATTICE) / LATTICE


def vector(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Laplace noise on 40 coordinates, one of which moves."""
    noise = rng.laplace(size=(size, COORDINATES))
    noise[:, 3] += data
    return noise


def costly(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """A draw that takes about 1 us, as a real mechanism's may: 50 variates for one."""
    return data + rng.laplace(size=(size, 50))[:, 0]


def waiting(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """A draw that takes 5 us, of which the processor knows nothing."""
    time.sleep(5e-6 * size)
    return data + rng.laplace(size=size)


Draw = Callable[[Any, int, np.random.Generator], Any]


@final
@dataclass(frozen=True, slots=True)
class Row:
    """What is audited, on which pair, and with what configuration."""

    name: str
    configuration: str
    draw: Draw
    pair: Pair
    columns: int = 1

    @property
    def ideal(self) -> bool:
        """Whether the float lattices are left out."""
        return self.configuration != "everything on"


@cache
def mean() -> Target:
    """Load the registered mean, once in each process."""
    return load_target("ksw.transformed-laplace")


def registered(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Draw from `ksw.transformed-laplace`, a mean of a few records."""
    return mean().draw(data, size, rng)


SCALARS = Pair("0 and 1", 0.0, 1.0)
RECORDS = Pair("3 and 4 ones", np.ones(3), np.ones(4))
ROWS = (
    Row("Laplace", "one table (--ideal)", laplace, SCALARS),
    Row("Laplace on 2^-30", "everything on", on_a_lattice, SCALARS),
    Row("ksw.transformed-laplace", "one table (--ideal)", registered, RECORDS),
    Row("ksw.transformed-laplace", "everything on", registered, RECORDS),
    Row("Laplace, 40 coordinates", "--ideal", vector, SCALARS, COORDINATES + 1),
)
SLOW = (
    Row("computes 1 us a draw", "--ideal", costly, SCALARS),
    Row("waits 5 us a draw", "--ideal", waiting, SCALARS),
)


@final
@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the sampler alone and of the loop, and the peak of resident memory."""

    sampler: float
    loop: float
    wall: float
    megabytes: float


def audited(row: Row, samples: int, source: CountSource | None = None) -> float:
    """Audit a row to the end of a budget, and return the wall time."""
    target = Target(row.name, row.draw, None, Order.FREE)
    settings = Settings(
        seed=SEED, false_alarm=0.05, budget_samples=samples, budget_seconds=1e6, ideal=row.ideal
    )
    started = time.monotonic()
    result = audit(target, CLAIM, [row.pair], settings, source=source)
    assert result.stopped_by == "samples"
    return time.monotonic() - started


def drawn(row: Row, samples: int) -> None:
    """Draw as often, in blocks of the same sizes, and nothing else."""
    target = Target(row.name, row.draw, None, Order.FREE)
    place = BatchPlace(SEED, Purpose.RUN, batch=1)
    for data in (row.pair.data, row.pair.neighbor):
        for block in blocks_of((samples // 2,), columns=row.columns):
            draw_block(target, [data], place, block)


def measured(place: int, samples: int) -> Cost:
    """Measure a row in this process."""
    row = ROWS[place]
    audited(row, WARM_UP)
    start = time.process_time()
    drawn(row, samples)
    middle = time.process_time()
    wall = audited(row, samples)
    end = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    return Cost(middle - start, end - middle, wall, peak)


def scaled(row: Row, workers: int, samples: int) -> float:
    """Wall time with some workers; 0 for this process alone."""
    return audited(row, samples, CountSource(LokyWorkers(workers)) if workers else None)


def apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", default=SAMPLES, help="all arms together, separated by commas")
    parser.add_argument("--rows", default=",".join(map(str, range(len(ROWS)))))
    parser.add_argument("--scaling", action="store_true")
    options = parser.parse_args()
    print(HEADER)
    for place in map(int, filter(None, options.rows.split(","))):
        row = ROWS[place]
        for samples in map(int, options.samples.split(",")):
            cost = apart(measured, place, samples)
            each, whole = (seconds / samples * 1e9 for seconds in (cost.sampler, cost.loop))
            print(
                f"| {row.name} | {row.configuration} | {samples:.0e} | {each:.0f} | {whole:.0f} "
                f"| {whole / each - 1:.0%} | {1 - each / whole:.0%} | {cost.megabytes:.0f} |",
                flush=True,
            )
    if options.scaling:
        print("\n" + SCALING_HEADER)
        for row in SLOW:
            audited(row, WARM_UP)
            alone = 0.0
            for workers in (0, 1, 2):
                wall = scaled(row, workers, SCALING_SAMPLES)
                alone = alone or wall
                words = f"{workers} workers" if workers else "no workers"
                speed, load = alone / wall, os.getloadavg()[0]
                print(
                    f"| {row.name} | {words} | {SCALING_SAMPLES:.0e} | {wall:.1f} | {speed:.2f} "
                    f"| {load:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
