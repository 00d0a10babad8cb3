"""How many pairs at once are drawn from: draws and processor time, and the power that is stated.

Of 40 pairs one holds a violation at the limit of the power statement: an interval of probability
0.1 whose loss is 5/3 of the claim, with the default number of draws at `resolution = 0.667`. All
other pairs are at the claim. The same pairs without the violation show what CONSISTENT costs. In
long runs all of 20 million draws go to the worst-case pairs of a mean whose count has half of its
noise: the largest exact loss of a pair is 1.13 at a claim of 1.

Run: python -m benchmarks.many_pairs [--seeds 60] [--long 8]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.draws.settings import Settings
from audit.engine import allocation
from audit.engine.detectable_power import draws_needed
from audit.engine.loop import FIRST_RUN_SHARE
from audit.engine.sequential import audit
from audit.engine.upper import with_reserve
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair, worst_case_pairs
from audit.results.verdict import Verdict
from audit.targets.domain import Declared, Domain
from audit.targets.target import Target
from benchmarks.throughput import CLAIM
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

PAIRS, LOSS, MASS, RATE, RESOLUTION = 40, 5 / 3, 0.1, 1e-3, 0.667
SCHEDULES = ((20, 1.06, 2.0, 2.0), (64, 1.15, 2.0, 2.0), (64, 1.15, 4.0, 4.0), (64, 1.15, 4.0, 2.0))
"""Smallest batch, growth of the most suspicious pair, and of the least-sampled one at first and
later."""
NAMES = (
    *("SMALLEST_OF_MANY_PAIRS", "GROWTH_OF_MANY_PAIRS"),
    *("GROWTH_OF_LEAST_SAMPLED", "GROWTH_OF_LEAST_SAMPLED_LATER"),
)
SOUND_RUNS = 3
BOUNDS = Fraction(0), Fraction(1)
LONG_BUDGET, LONG_RATE, COUNT_SCALE = 20_000_000, 0.05, 0.5

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


def noisy_ratio(
    data: NDArray[np.float64], size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The centered mean (KSW, Algorithm 2) on [0, 1], half of the count's noise left out."""
    total = (data - 0.5).sum() + rng.laplace(size=size)
    count = len(data) + rng.laplace(scale=COUNT_SCALE, size=size)
    return np.clip(total / count, -0.5, 0.5) + 0.5


def long_runs(seeds: int) -> int:
    """Count the refuted of long runs on the worst-case pairs of a mean."""
    claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("benchmark", "stated"))
    target = Target("a ratio", noisy_ratio, None, Order.FREE, bounds=BOUNDS)
    pairs = worst_case_pairs(Domain(Relation.ADD_REMOVE, bounds=BOUNDS, records=Declared.DECLARED))
    refuted = 0
    for seed in range(1, seeds + 1):
        settings = Settings(
            seed=seed,
            false_alarm=LONG_RATE,
            ideal=True,
            budget_samples=LONG_BUDGET,
            budget_seconds=1e6,
        )
        refuted += audit(target, claim, pairs, settings).verdict is Verdict.REFUTED
    return refuted


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--long", type=int, default=8)
    asked = parser.parse_args()
    seeds = asked.seeds
    print("| smallest batch, growths | found | samples | seconds | no violation | long runs |")
    print("|---|---|---|---|---|---|")
    for schedule in SCHEDULES:
        with scheduled(schedule):
            refuted, samples, seconds = runs(seeds, broken=True)
            alarms, _, sound = runs(SOUND_RUNS, broken=False)
            found = long_runs(asked.long)
        name = ", ".join(f"{part:g}" for part in schedule)
        print(
            f"| {name} | {refuted} of {seeds} | {samples:,.0f} "
            f"| {seconds:.2f} | {sound:.2f} ({alarms} alarms) | {found} of {asked.long} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
