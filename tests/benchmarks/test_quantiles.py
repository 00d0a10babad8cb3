"""Intervals of the 0.9 quantile cover it, and goals are judged by them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.quantiles import Quantile, ranks


@pytest.mark.parametrize(
    ("runs", "lower", "upper"),
    [(60, 49, 59), (100, 84, 96), (200, 171, 189), (300, 259, 281), (600, 525, 555)],
)
def test_ranks_are_those_of_the_binomial_law(runs: int, lower: int, upper: int) -> None:
    """It must hold that each end misses with probability at most .025, and the next one more."""
    assert ranks(runs) == (lower, upper)
    assert binom.cdf(lower - 1, runs, 0.9) <= 0.025 < binom.cdf(lower, runs, 0.9)
    assert binom.sf(upper - 1, runs, 0.9) <= 0.025 < binom.sf(upper - 2, runs, 0.9)


def test_few_runs_have_no_upper_end() -> None:
    """It must hold that of 35 runs nothing bounds the quantile from above, and of 36 something."""
    assert math.isinf(Quantile.of([1.0] * 35).high)
    assert Quantile.of([1.0] * 36).high == 1.0


def test_intervals_cover_the_quantile(dp_rng: np.random.Generator) -> None:
    """It must hold that at most 5 % of the intervals miss, and that narrower ones miss more."""
    true, repeats = -math.log(0.1), 4_000
    draws = np.sort(dp_rng.exponential(size=(repeats, 60)), axis=1)
    ends = np.array([[(q := Quantile.of(row.tolist())).low, q.high] for row in draws])
    missed = int(((ends[:, 0] > true) | (ends[:, 1] < true)).sum())
    assert missed <= binom.isf(1e-9, repeats, 0.05)
    narrow = int(((draws[:, 51] > true) | (draws[:, 55] < true)).sum())
    assert narrow > binom.isf(1e-9, repeats, 0.05)


@pytest.mark.parametrize(
    ("goal", "says"), [(100, "met"), (99, "met"), (98, "open"), (84, "open"), (83, "missed")]
)
def test_goals_are_met_by_the_upper_end(goal: int, says: str) -> None:
    """It must hold that a goal within the interval is open, whatever the quantile itself is."""
    draws = [float(i) for i in range(1, 101)]  # [84, 96] of 100 runs
    shifted = [d + 3 if d >= 90 else d for d in draws]
    quantile = Quantile.of(shifted)
    assert (quantile.low, quantile.high) == (84, 99)
    assert quantile.verdict(goal) == says


def test_runs_without_a_refutation_count_as_infinite() -> None:
    """It must hold that a goal is not met where more than a tenth of the runs found nothing."""
    quantile = Quantile.of([10.0] * 50 + [math.inf] * 10)
    assert math.isinf(quantile.value)
    assert quantile.verdict(1e9) != "met"
    assert Quantile.of([10.0] * 40 + [math.inf] * 20).verdict(1e9) == "missed"
