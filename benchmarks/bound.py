"""Tightness of mode "bound": gap of the limit to the truth.

Laplace noise of scale 1 on 0 against 1, error rate 0.05, `ideal`; n draws of each data set on
average, 2 n in all, a fifth of them in training. Beside it what the tests themselves would reach on
the best event (all outputs beyond the larger value) with the other four fifths, in equal arms.

Run: python -m benchmarks.bound [--few 20]
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from audit.draws.settings import Settings
from audit.engine import berger_boos
from audit.engine.bound.bound_audit import audit
from audit.engine.bound.conditional import conditional_epsilon_lower
from audit.engine.two_binomials import Counts
from audit.pairs.worst_cases import Pair
from audit.targets.target import Target
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

ALPHA = 0.05
TRUE = 1.0
PAIR = Pair("0 and 1", 0.0, 1.0)
CLAIM = PrivacyClaim(PureDP(1), Relation.LISTED, Source("user", "benchmark"))


@final
@dataclass(frozen=True, slots=True)
class Row:
    """Draws of each arm, repetitions, and the goal for the mean gap."""

    draws: int
    repetitions: int
    goal: float


def laplace(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Scalar data plus Laplace noise of scale 1."""
    return data + rng.laplace(size=size)


def run(row: Row) -> tuple[np.ndarray, float]:
    """Gaps of all repetitions, and seconds of each."""
    target = Target(
        name="laplace", draw=laplace, claim=None, order=Order.FREE, seedable=True, bounds=None
    )
    started = time.process_time()
    gaps = [
        TRUE
        - audit(
            target,
            CLAIM,
            [PAIR],
            Settings(seed=seed, false_alarm=ALPHA, budget_samples=2 * row.draws, ideal=True),
        ).limits["epsilon"]
        for seed in range(row.repetitions)
    ]
    return np.array(gaps), (time.process_time() - started) / row.repetitions


def known_event(draws: int) -> tuple[float, float]:
    """Gaps of Berger-Boos and of the conditional test at the mean counts of the best event."""
    n = 4 * draws // 5
    hits, other = round(n / 2), round(n / 2 * math.exp(-TRUE))
    spread = math.sqrt(1 / hits + 1 / other)
    grid = np.linspace(TRUE - 6 * spread, TRUE, 1_201).tolist()
    unconditional = berger_boos.epsilon_lower(Counts(hits, other, n, n), 0.0, grid, alpha=ALPHA)
    return TRUE - unconditional, TRUE - conditional_epsilon_lower(hits, other, ALPHA)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=20, help="repetitions at 1e6")
    rows = [Row(100_000, 100, 0.0175), Row(1_000_000, parser.parse_args().few, 0.0053)]
    print(
        "| n | runs | mean gap | standard error | goal | above the truth | known event: "
        "Berger-Boos | conditional | CPU s/run |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        gaps, seconds = run(row)
        error = gaps.std(ddof=1) / math.sqrt(gaps.size)
        known = known_event(row.draws)
        goal = f"{row.goal}, {'met' if gaps.mean() <= row.goal else 'missed'}"
        print(
            f"| {row.draws:.0e} | {gaps.size} | {gaps.mean():.4f} | {error:.4f} | {goal} "
            f"| {(gaps < 0).sum()} | {known[0]:.4f} | {known[1]:.4f} | {seconds:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
