"""How many more draws the default configuration needs than the oracle's bet on the known event.

The power statement `detectable` divides the draws (less the first 200 that only learn) by this
factor. Rows are events of probability p whose loss is `true`, claimed `claim`; the oracle's draws
are those at which its bet refutes with probability 0.9 (exact); the engine's are the 0.9 quantile
of the draws to a refutation over seeds. Run: python -m benchmarks.inefficiency
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from audit.engine.lines import lines_of
from audit.engine.neighbors import Pair
from audit.engine.power import INEFFICIENCY, LEARNING_DRAWS, oracle_power
from audit.engine.sequential import Settings, audit
from audit.targets import Target
from audit.verdict import Verdict
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

SEEDS = 60
ROWS = [
    # mass, true epsilon, claimed epsilon, false alarm
    (0.5, 1.0, 0.8, 0.05),
    (0.5, 1.3, 1.0, 0.05),
    (0.5, 1.3, 1.0, 1e-4),
    (0.1, 1.5, 1.0, 0.05),
    (0.1, 1.5, 1.0, 1e-4),
    (0.01, 3.0, 1.0, 0.05),
    (0.01, 3.0, 1.0, 1e-4),
    (0.001, 6.0, 1.0, 0.05),
    (0.0001, 10.0, 1.0, 0.05),
]


def event_sampler(p: float, q: float) -> Any:
    """Continuous output: uniform on [0, 1), with an event [0.3, 0.3 + .) of probability p or q."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        inside = rng.random(size) < (p if data == 0 else q)
        return np.where(inside, 0.3 + 0.1 * rng.random(size), 0.5 + 0.5 * rng.random(size))

    return draw


def draws_to_refute(row: tuple[float, float, float, float], seed: int) -> float:
    """Draws of each arm of the batch that refuted; infinite if none did."""
    mass, true, claim, false_alarm = row
    target = Target(
        name="event",
        draw=event_sampler(mass, mass * math.exp(-true)),
        claim=None,
        order=Order.FREE,
    )
    promise = PrivacyClaim(PureDP(claim), Relation.LISTED, Source("benchmark", "stated"))
    settings = Settings(
        seed=seed, false_alarm=false_alarm, ideal=True, budget_samples=4_000_000, budget_seconds=600
    )
    samples: list[int] = []
    result = audit(
        target,
        promise,
        [Pair("event", 0.0, 1.0)],
        settings,
        progress=lambda done, _: samples.append(done),
    )
    return samples[-1] / 2 if result.verdict is Verdict.REFUTED else math.inf


def oracle_draws(row: tuple[float, float, float, float]) -> int:
    """Smallest n at which the oracle's bet has power 0.9."""
    mass, true, claim, false_alarm = row
    grid = lines_of(PureDP(claim), Relation.LISTED)
    lower, upper = 1, 2
    while oracle_power(mass, true, upper, grid=grid, false_alarm=false_alarm) < 0.9:
        lower, upper = upper, 2 * upper
    while upper - lower > 0.005 * upper:
        middle = (lower + upper) // 2
        found = oracle_power(mass, true, middle, grid=grid, false_alarm=false_alarm) >= 0.9
        lower, upper = (lower, middle) if found else (middle, upper)
    return upper


def main() -> None:
    """Print the table."""
    print(f"{SEEDS} seeds a row; the product assumes {INEFFICIENCY}")
    print("| mass | true | claim | false alarm | oracle n | engine q90 | engine median | factor |")
    print("|---|---|---|---|---|---|---|---|")
    with Parallel(n_jobs=2) as parallel:
        for row in ROWS:
            draws = parallel(delayed(draws_to_refute)(row, seed) for seed in range(SEEDS))
            oracle, q90 = oracle_draws(row), float(np.quantile(draws, 0.9, method="higher"))
            factor = (q90 - LEARNING_DRAWS) / oracle
            mass, true, claim, false_alarm = row
            print(
                f"| {mass} | {true} | {claim} | {false_alarm} | {oracle} | {q90:.0f} "
                f"| {np.median(draws):.0f} | {factor:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
