"""Exact mean squared errors of Algorithms 1 to 3 (KSW-X2 to X6)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from proofs_check.enclosure import Ball, Balls
from proofs_check.papers.ksw.error.hourglass_law import (
    best_hourglass,
    enough_lines,
    hourglass_error,
)
from proofs_check.papers.ksw.error.l1_law import l1_error
from proofs_check.papers.ksw.error.laplace_error import (
    INDEPENDENT,
    SHIFTED,
    TRANSFORMED,
    Algorithm,
    mean_square_error,
)
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.noise import EPSILON, MEAN, N
from proofs_check.tables.table import Table

__all__ = ["TABLE", "hourglass_at", "laplace_error"]

LEAST_BITS = 128
"""Precision at which the lines that `enough_lines` counts suffice."""


@lru_cache(maxsize=256)
def laplace_error(algorithm: Algorithm, N: Fraction, mean: Fraction, bits: int) -> Ball:
    """Error with Laplace noise in units of (u - l)^2; Algorithm 1 alone is not symmetric."""
    if algorithm is not INDEPENDENT:
        mean = min(mean, 1 - mean)
    return mean_square_error(algorithm, N, mean, numbers=Balls(bits * 3 // 4))


def _laplace(algorithm: Algorithm) -> Callable[[Point, int], Ball]:
    return lambda at, bits: laplace_error(algorithm, at["n"] * at["epsilon"], at["mean"], bits)


def hourglass_at(at: Point, bits: int) -> Any:
    """Error of Algorithm 3 with hourglass noise; more lines with more bits."""
    numbers, epsilon = Balls(bits), at["epsilon"]
    mean = min(at["mean"], 1 - at["mean"])  # both have the same error
    lines = enough_lines(epsilon) * (bits // LEAST_BITS)
    return hourglass_error(
        best_hourglass(epsilon, numbers=numbers), int(at["n"]), mean, lines, numbers=numbers
    )


def _l1_staircase(at: Point, bits: int) -> Any:
    """Error with l1-staircase noise; none where a radius that matters is larger than n."""
    n, mean = int(at["n"]), min(at["mean"], 1 - at["mean"])
    try:
        return l1_error(at["epsilon"], n, mean, numbers=Balls(bits)) / n**2
    except ValueError:
        return None


TABLE = Table(
    name="mse",
    about=(
        "E (output - mean)^2 over (u - l)^2 for n records of some mean in [l, u] (Algorithm 1: in "
        "[0, 1]); all hide n (add-remove). Every mean in [0, 1] is meant, whatever the records."
    ),
    keys=(N, EPSILON, MEAN),
    columns=(
        Column(
            "algorithm_1_laplace",
            "(u - l)^2",
            "Algorithm 1, independent Laplace noise.",
            ("KSW-X4",),
            _laplace(INDEPENDENT),
        ),
        Column(
            "algorithm_2_laplace",
            "(u - l)^2",
            "Algorithm 2, shifted Laplace noise.",
            ("KSW-X3",),
            _laplace(SHIFTED),
        ),
        Column(
            "algorithm_3_laplace",
            "(u - l)^2",
            "Algorithm 3 with Laplace noise.",
            ("KSW-X2",),
            _laplace(TRANSFORMED),
        ),
        Column(
            "algorithm_3_hourglass",
            "(u - l)^2",
            "Algorithm 3 with the hourglass at gamma*; a noisy count of 0 gives the midpoint.",
            ("KSW-X5",),
            hourglass_at,
        ),
        Column(
            "algorithm_3_l1_staircase",
            "(u - l)^2",
            "Algorithm 3 with the best two-dimensional staircase; empty for few records.",
            ("KSW-X6",),
            _l1_staircase,
            Rounding.OUTWARD,
            12,
        ),
    ),
    default=({"n": "1000", "epsilon": "0.1,0.5,1,5,10", "mean": "0,0.01,0.1,0.5,1"},),
)
"""The table."""
