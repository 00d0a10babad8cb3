"""DPUCOARSE: thresholds, exact deltas and sample sizes (TRI, Section 4.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.enclosure import Undecided, certainly_less, endpoints
from proofs_check.papers.tri.chapter4.coarse_exact import exact_delta, lowered_threshold
from proofs_check.papers.tri.chapter4.coarse_law import threshold, total_delta
from proofs_check.papers.tri.chapter4.coarse_sizes import sample_sizes
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.noise import EPSILON
from proofs_check.tables.table import Table
from proofs_check.tables.trilemma_keys import DELTA, enclosed

__all__ = ["TABLE"]


def _threshold(at: Point, bits: int) -> Any:
    return threshold(at["epsilon"], enclosed(bits).log(1 / at["delta"]))


def _proved(at: Point, bits: int) -> Any:
    return total_delta(at["epsilon"], at["delta"], enclosed(bits).exp)


def _exact(at: Point, bits: int) -> Any:
    f, epsilon, delta = enclosed(bits), at["epsilon"], at["delta"]
    if certainly_less(2 * (f.exp(epsilon / 2) - 1), delta):
        return None
    return exact_delta(epsilon, f.log(1 / delta), f.exp)


def _lowered(at: Point, bits: int) -> Any:
    f, epsilon, delta = enclosed(bits), at["epsilon"], at["delta"]
    if certainly_less(1 - f.exp(-epsilon / 2), delta) or 2 * delta > 1:
        return None
    return lowered_threshold(epsilon, f.log(1 / (2 * delta)))


def _size(at: Point, bits: int) -> Fraction:
    """The smallest n that is at least its three bounds, gamma = delta^2.

    From the larger of the first two bounds on, n less the third one is convex in n: where it is
    negative there, it changes its sign once.
    """
    f, epsilon, delta = enclosed(bits), at["epsilon"], at["delta"]

    def enough(n: int) -> bool:
        third = sample_sizes(Fraction(n), epsilon, delta, delta**2, numbers=f)[2]
        below = certainly_less(third, n)
        if below is None:
            msg = f"whether {n} records are enough is not certain"
            raise Undecided(msg)
        return below

    first, second, _ = sample_sizes(Fraction(1), epsilon, delta, delta**2, numbers=f)
    least = max(_up(first), _up(second))
    if enough(least):
        return Fraction(least)
    step = 1
    while not enough(least + step):
        step *= 2
    lower, upper = least + step // 2, least + step
    while upper - lower > 1:
        between = (lower + upper) // 2
        lower, upper = (lower, between) if enough(between) else (between, upper)
    return Fraction(upper)


def _up(x: Any) -> int:
    """The smallest integer that is at least x."""
    ends = {-(-end.numerator // end.denominator) for end in endpoints(enclosed(64).ball(x))}
    if len(ends) > 1:
        msg = f"the integer above {x!r} is not certain"
        raise Undecided(msg)
    return ends.pop()


TABLE = Table(
    name="coarse",
    about=(
        "The coarse estimate of Algorithm 1 counts records in bins of width 1 and releases the "
        "fullest one if its noisy count exceeds a threshold: (epsilon, delta)-private under swap."
    ),
    keys=(EPSILON, DELTA),
    columns=(
        Column(
            "threshold", "records", "2 + (2 / epsilon) log(1 / delta).", ("TRI-A.DPUC",), _threshold
        ),
        Column("delta_proved", "1", "What the printed proof gives.", ("TRI-P4.1.1",), _proved),
        Column(
            "delta_exact",
            "1",
            "The exact delta; empty where it is not known (delta > 2 (e^(epsilon/2) - 1)).",
            ("TRI-P4.1.1-exact",),
            _exact,
        ),
        Column(
            "threshold_lowered",
            "records",
            "The threshold at which the exact delta is delta (delta <= 1 - e^(-epsilon/2)).",
            ("TRI-P4.1.1-exact",),
            _lowered,
        ),
        Column(
            "size",
            "records",
            "The smallest n1 of Theorem 4.2.1: fails with probability at most delta^2 (4.1).",
            ("TRI-E4.1", "TRI-P4.1.3"),
            _size,
            Rounding.EXACT,
        ),
    ),
    default=({"epsilon": "0.1,0.5,0.9,1,2", "delta": "1e-9,1e-6,1e-3,0.01,0.05,0.1"},),
)
"""The table."""
