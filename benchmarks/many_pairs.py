"""How many pairs at once are drawn from: draws and processor time, and the power that is stated.

Of 40 pairs one holds a violation at the limit of the power statement: an interval of probability
0.1 whose loss is 5/3 of the claim, with the default number of draws at `resolution = 0.667`. All
other pairs are at the claim. The same pairs without the violation show what CONSISTENT costs.

Run: python -m benchmarks.many_pairs [--seeds 60]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from audit.draws.settings import Settings
from audit.engine import allocation
from audit.engine.power import draws_needed
from audit.engine.rounds import FIRST_RUN_SHARE
from audit.engine.sequential import audit
from audit.engine.upper import with_reserve
from audit.levels import grid_of
from audit.pairs.neighbors import Pair
from audit.targets.load import Order
from audit.targets.target import Target
from audit.verdict import Verdict
from benchmarks.throughput import CLAIM

PAIRS, LOSS, MASS, RATE, RESOLUTION = 40, 5 / 3, 0.1, 1e-3, 0.667
SCHEDULES = ((20, 1.06, 2.0), (64, 1.15, 2.0), (64, 1.15, 4.0))
"""Smallest batch, growth of the most suspicious pair, and of the least-sampled one."""
NAMES = "SMALLEST_OF_MANY_PAIRS", "GROWTH_OF_MANY_PAIRS", "GROWTH_OF_LEAST_SAMPLED"
SOUND_RUNS = 3

Draw = Callable[[NDArray[np.float64], int, np.random.Generator], NDArray[np.float64]]


def drawn_from(broken: int | None) -> Draw:
    """A target whose data are [pair, side]; the pair `broken` loses more than is claimed."""

    def draw(data: NDArray[np.float64], size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        pair, side = data
        inside = rng.random(size) < MASS * math.exp(-side * (LOSS if pair == broken else 1.0))
        other = 0.9 * rng.random(size)
        return np.where(inside, 0.4 + 0.1 * rng.random(size), other + 0.1 * (other > 0.4))

    return draw


@contextmanager
def scheduled(schedule: Sequence[float]) -> Iterator[None]:
    """Share the draws by another schedule."""
    kept = [getattr(allocation, name) for name in NAMES]
    for name, value in zip(NAMES, schedule, strict=True):
        setattr(allocation, name, value)
    try:
        yield
    finally:
        for name, value in zip(NAMES, kept, strict=True):
            setattr(allocation, name, value)


def runs(seeds: int, *, broken: bool) -> tuple[int, float, float]:
    """Count the refuted runs; mean samples and processor seconds of a run."""
    pairs = [Pair(f"{i}", np.array([i, 0.0]), np.array([i, 1.0])) for i in range(PAIRS)]
    needed = draws_needed(
        grid_of(CLAIM, coarse=True), false_alarm=FIRST_RUN_SHARE * RATE, resolution=RESOLUTION
    )
    budget = with_reserve(math.ceil(2 * PAIRS * allocation.MARGIN * needed) + 2, CLAIM.level)
    refuted, samples, started = 0, 0, time.process_time()
    for seed in range(seeds):
        settings = Settings(
            seed=seed,
            false_alarm=RATE,
            ideal=True,
            budget_samples=budget,
            budget_seconds=1e6,
            resolution=RESOLUTION,
            shrink=False,
        )
        target = Target(
            "one interval", drawn_from(seed % PAIRS if broken else None), None, Order.FREE
        )
        result = audit(target, CLAIM, pairs, settings)
        refuted += result.verdict is Verdict.REFUTED
        samples += result.samples
    return refuted, samples / seeds, (time.process_time() - started) / seeds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=60)
    seeds = parser.parse_args().seeds
    print("| smallest batch, growths | found | samples | seconds | without a violation |")
    print("|---|---|---|---|---|")
    for schedule in SCHEDULES:
        with scheduled(schedule):
            refuted, samples, seconds = runs(seeds, broken=True)
            alarms, _, sound = runs(SOUND_RUNS, broken=False)
        name = ", ".join(f"{part:g}" for part in schedule)
        print(
            f"| {name} | {refuted} of {seeds} | {samples:,.0f} "
            f"| {seconds:.2f} | {sound:.2f} ({alarms} alarms) |",
            flush=True,
        )


if __name__ == "__main__":
    main()
