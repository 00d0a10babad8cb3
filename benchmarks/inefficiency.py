"""How many more draws the default configuration needs than the oracle's bet on the known event.

The power statement `detectable` divides the draws (less the first 200 that only learn) by this
factor. Rows are events of probability p whose loss is `true` against a claim; the oracle's draws
are those at which its bet refutes with probability 0.9 (exact); the engine's are the 0.9 quantile
of the draws to a refutation over seeds. Run: python -m benchmarks.inefficiency
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from joblib import Parallel, delayed

from audit.engine.grids import grid_of
from audit.engine.neighbors import Pair
from audit.engine.power import LEARNING_DRAWS, inefficiency, oracle_power
from audit.engine.sequential import Settings, audit
from audit.targets import Target
from audit.verdict import Verdict
from mechanisms.claims import (
    Level,
    Order,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    ZeroConcentratedDP,
)

SEEDS = 60


@final
@dataclass(frozen=True, slots=True)
class Row:
    """An event, and the claim that it breaks: its probability, its loss, level, false alarms."""

    mass: float
    true: float
    level: Level
    false_alarm: float = 0.05

    @property
    def claim(self) -> PrivacyClaim:
        """The claim, for listed pairs."""
        return PrivacyClaim(self.level, Relation.LISTED, Source("benchmark", "stated"))


ROWS = [
    Row(0.5, 1.0, PureDP("0.8")),
    Row(0.5, 1.3, PureDP(1)),
    Row(0.5, 1.3, PureDP(1), 1e-4),
    Row(0.1, 1.5, PureDP(1)),
    Row(0.1, 1.5, PureDP(1), 1e-4),
    Row(0.01, 3.0, PureDP(1)),
    Row(0.01, 3.0, PureDP(1), 1e-4),
    Row(0.001, 6.0, PureDP(1)),
    Row(0.0001, 10.0, PureDP(1)),
    Row(0.5, 0.8, ZeroConcentratedDP("0.1")),
    Row(0.1, 2.2, ZeroConcentratedDP("0.1")),
    Row(0.01, 7.0, ZeroConcentratedDP("0.03")),
    Row(0.001, 10.0, ZeroConcentratedDP("0.005")),
    Row(0.0001, 12.0, ZeroConcentratedDP("0.0005")),
    Row(0.5, 0.8, RenyiDP(2, "0.25")),
    Row(0.1, 2.2, RenyiDP(2, "0.25")),
    Row(0.1, 2.5, RenyiDP(2, "0.5")),
    Row(0.1, 2.5, RenyiDP("1.5", "0.2")),
    Row(0.1, 2.0, RenyiDP(8, 1)),
    Row(0.01, 3.0, RenyiDP(8, 1)),
]


def event_sampler(p: float, q: float) -> Any:
    """Continuous output: uniform on [0, 1), with an event [0.3, 0.3 + .) of probability p or q."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        inside = rng.random(size) < (p if data == 0 else q)
        return np.where(inside, 0.3 + 0.1 * rng.random(size), 0.5 + 0.5 * rng.random(size))

    return draw


def draws_to_refute(row: Row, seed: int) -> float:
    """Draws of each arm of the batch that refuted; infinite if none did."""
    target = Target(
        name="event",
        draw=event_sampler(row.mass, row.mass * math.exp(-row.true)),
        claim=None,
        order=Order.FREE,
    )
    settings = Settings(
        seed=seed,
        false_alarm=row.false_alarm,
        ideal=True,
        budget_samples=4_000_000,
        budget_seconds=600,
    )
    samples: list[int] = []
    result = audit(
        target,
        row.claim,
        [Pair("event", 0.0, 1.0)],
        settings,
        progress=lambda done, _: samples.append(done),
    )
    return samples[-1] / 2 if result.verdict is Verdict.REFUTED else math.inf


def oracle_draws(row: Row) -> int:
    """Smallest n at which the oracle's bet has power 0.9."""
    grid = grid_of(row.claim)

    def found(draws: int) -> bool:
        power = oracle_power(row.mass, row.true, draws, grid=grid, false_alarm=row.false_alarm)
        return power >= 0.9

    lower, upper = 1, 2
    while not found(upper):
        lower, upper = upper, 2 * upper
    while upper - lower > max(1.0, 0.005 * upper):
        middle = (lower + upper) // 2
        lower, upper = (lower, middle) if found(middle) else (middle, upper)
    return upper


def main() -> None:
    """Print the table."""
    print(f"{SEEDS} seeds a row; assumed: the factor behind the power statement")
    names = "mass | true | claim | false alarm | oracle n | engine q90 | engine median"
    print(f"| {names} | factor | assumed |")
    print("|---" * 9 + "|")
    with Parallel(n_jobs=2) as parallel:
        for row in ROWS:
            draws = parallel(delayed(draws_to_refute)(row, seed) for seed in range(SEEDS))
            oracle, q90 = oracle_draws(row), float(np.quantile(draws, 0.9, method="higher"))
            factor = (q90 - LEARNING_DRAWS) / oracle
            event = f"| {row.mass} | {row.true} | {row.level} | {row.false_alarm} "
            median = np.median(draws)
            assumed = inefficiency(row.mass, grid_of(row.claim))
            figures = f"{oracle} | {q90:.0f} | {median:.0f} | {factor:.2f} | {assumed}"
            print(f"{event}| {figures} |", flush=True)


if __name__ == "__main__":
    main()
