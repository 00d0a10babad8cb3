"""Speed and memory of the whole loop: drawing, encoding, counting, betting.

Each measurement is made in a process of its own, after a small audit that imports what is
imported lazily. Speed is in processor time, of the loop and of its sampler alone (the same blocks
from the same streams), in turn, three times: other processes on the machine change wall time, and
this less. Goals are shares of the loop that are not the sampler's, the least of the three, and for
83 pairs a time and its ratio to a single pair's. No claim here is refuted, so every run spends its
budget.

Scaling compares the wall time of one process and of workers, of both backends, for a sampler that
computes and one that waits (for another machine, or a device): on a busy machine only the second
means much, so the load is printed beside it; and whether the report is the same bytes.

Run: python -m benchmarks.throughput [--samples 1000000,10000000] [--rows 0,1] [--scaling]
[--first-audit]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import get_context
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.blocks import blocks_of, draw_block
from audit.draws.settings import Settings
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.counts.backends import open_source
from audit.engine.counts.source import CountSource
from audit.engine.privacy_record import record
from audit.engine.sequential import audit
from audit.pairs.worst_cases import Pair
from audit.results.document import Provenance
from audit.results.sampled_result import AuditResult
from audit.targets.load import load_target
from audit.targets.target import Target
from benchmarks import first_audit
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

SEED = 1
SAMPLES = "1000000,10000000"
FEW_SAMPLES, MANY_SAMPLES = 1_000_000, 10_000_000
SCALING_SAMPLES = 4_000_000
WORKERS = ((1, "loky"), (2, "loky"), (2, "dask"))
"""One process is this one."""
WARM_UP = 4_000
CLAIM = PrivacyClaim(PureDP("11/10"), Relation.LISTED, Source("user", "benchmarks/throughput.py"))
LATTICE = 2.0**30
COORDINATES, FEWER_COORDINATES = 40, 20
PAIRS = 83
TURNS = 3
MOST_SECONDS_OF_PAIRS = 3.0
"""Goal of the processor time of 83 pairs at 1e6 samples."""
MEGABYTE = 1024  # getrusage counts KiB on Linux

HEADER = (
    "| sampler | configuration | samples | sampler ns/draw | loop ns/draw | overhead / sampler "
    "| overhead / loop | goal | loop s | peak RSS MB |\n|" + "---|" * 10
)
SCALING_HEADER = (
    "| sampler | processes | samples | wall s | speed-up | same report | load |\n|" + "---|" * 7
)


def laplace(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Numpy's own Laplace noise: as fast as samplers get."""
    return data + rng.laplace(size=size)


def on_a_lattice(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Laplace noise on multiples of 2^-30, on which the float lattices find nothing."""
    return np.round((data + rng.laplace(size=size)) * LATTICE) / LATTICE


def vector(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Laplace noise on 40 coordinates, one of which moves."""
    return _coordinates(data, size, COORDINATES, rng)


def shorter_vector(data: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The same on 20."""
    return _coordinates(data, size, FEWER_COORDINATES, rng)


def _coordinates(
    data: float, size: int, columns: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    noise = rng.laplace(size=(size, columns))
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
    """What is audited, on which pairs, and with what configuration.

    `most_share` is the goal at 1e7 samples, of the overhead in the loop's time.
    """

    name: str
    configuration: str
    draw: Draw
    pair: Pair
    columns: int = 1
    most_share: float | None = None
    more_pairs: list[Pair] = field(default_factory=list)

    @property
    def pairs(self) -> list[Pair]:
        """All of them."""
        return [self.pair, *self.more_pairs]

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
MORE_SCALARS = [Pair(f"pair {i}", 10.0 * i, 10.0 * i + 1) for i in range(1, PAIRS)]
RECORDS = Pair("3 and 4 ones", np.ones(3), np.ones(4))
ROWS = (
    Row("Laplace", "one table (--ideal)", laplace, SCALARS, 1, 0.6),
    Row("Laplace on 2^-30", "everything on", on_a_lattice, SCALARS),
    Row("ksw.transformed-laplace", "one table (--ideal)", registered, RECORDS, 1, 0.4),
    Row("ksw.transformed-laplace", "everything on", registered, RECORDS),
    Row("Laplace, 40 coordinates", "--ideal", vector, SCALARS, COORDINATES + 1),
    Row("Laplace, 20 coordinates", "--ideal", shorter_vector, SCALARS, FEWER_COORDINATES + 1),
    Row("Laplace, 83 pairs", "--ideal", laplace, SCALARS, more_pairs=MORE_SCALARS),
)
ONE_AND_MANY = (
    f"{ROWS[0].name}, {ROWS[0].configuration}",
    f"{ROWS[-1].name}, {ROWS[-1].configuration}",
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
    megabytes: float


def audited(row: Row, samples: int, source: CountSource | None = None) -> AuditResult:
    """Audit a row to the end of a budget."""
    target = Target(row.name, row.draw, None, Order.FREE)
    settings = Settings(
        seed=SEED, false_alarm=0.05, budget_samples=samples, budget_seconds=1e6, ideal=row.ideal
    )
    result = audit(target, CLAIM, row.pairs, settings, source=source)
    assert result.stopped_by == "samples"
    return result


def drawn(row: Row, samples: int) -> None:
    """Draw as often, in blocks of the same sizes, and nothing else."""
    target = Target(row.name, row.draw, None, Order.FREE)
    place = BatchPlace(SEED, Purpose.RUN, batch=1)
    for data in (row.pair.data, row.pair.neighbor):
        for block in blocks_of((samples // 2,), columns=row.columns):
            draw_block(target, [data], place, block)


def measured(place: int, samples: int) -> Cost:
    """Measure a row in this process: sampler and loop in turn, the least of each."""
    row = ROWS[place]
    audited(row, max(WARM_UP, 100 * len(row.pairs)))
    alone, loops = [], []
    for _ in range(TURNS):
        start = time.process_time()
        drawn(row, samples)
        middle = time.process_time()
        audited(row, samples)
        alone.append(middle - start)
        loops.append(time.process_time() - middle)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    return Cost(min(alone), min(loops), peak)


def goal_of(row: Row, samples: int, cost: Cost) -> str:
    """The goal of a row and whether it is met; "-" where it has none."""
    if row.more_pairs and samples == FEW_SAMPLES:
        met = "met" if cost.loop <= MOST_SECONDS_OF_PAIRS else "MISSED"
        return f"{MOST_SECONDS_OF_PAIRS:g} s, {met}"
    if row.most_share is None or samples < MANY_SAMPLES:
        return "-"
    met = "met" if 1 - cost.sampler / cost.loop <= row.most_share else "MISSED"
    return f"{row.most_share:.0%} of the loop, {met}"


def scaled(row: Row, jobs: int, backend: str, samples: int) -> tuple[float, bytes]:
    """Wall time with some processes, their start included, and the report without the time."""
    source = open_source(jobs, backend)
    started = time.monotonic()
    result = audited(row, samples, source)
    seconds = time.monotonic() - started
    written = record(replace(result, seconds=0.0), Provenance(""))
    return seconds, json.dumps(written, sort_keys=True).encode()


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
    parser.add_argument("--first-audit", action="store_true", help="in fresh processes")
    options = parser.parse_args()
    print(HEADER)
    loops: dict[tuple[str, int], float] = {}
    for place in map(int, filter(None, options.rows.split(","))):
        row = ROWS[place]
        for samples in map(int, options.samples.split(",")):
            cost = apart(measured, place, samples)
            loops[f"{row.name}, {row.configuration}", samples] = cost.loop
            each, whole = (seconds / samples * 1e9 for seconds in (cost.sampler, cost.loop))
            print(
                f"| {row.name} | {row.configuration} | {samples:.0e} | {each:.0f} | {whole:.0f} "
                f"| {whole / each - 1:.0%} | {1 - each / whole:.0%} "
                f"| {goal_of(row, samples, cost)} | {cost.loop:.2f} | {cost.megabytes:.0f} |",
                flush=True,
            )
    for samples in map(int, options.samples.split(",")):
        one, many = (loops.get((name, samples)) for name in ONE_AND_MANY)
        if one and many:
            print(f"\n83 pairs over a single one at {samples:.0e} samples: {many / one:.1f}")
    if options.first_audit:
        print(f"\n1e6 draws of each arm: {first_audit.measured()} (best of 3)")
    if options.scaling:
        print("\n" + SCALING_HEADER)
        for row in SLOW:
            audited(row, WARM_UP)
            alone, report = 0.0, b""
            for jobs, backend in WORKERS:
                wall, written = scaled(row, jobs, backend, SCALING_SAMPLES)
                alone, report = alone or wall, report or written
                words = f"{jobs} workers ({backend})" if jobs > 1 else "this process"
                same = "yes" if written == report else "NO"
                print(
                    f"| {row.name} | {words} | {SCALING_SAMPLES:.0e} | {wall:.1f} "
                    f"| {alone / wall:.2f} | {same} | {os.getloadavg()[0]:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
