"""Where Algorithm 3 begins to be the better one, and where bounds begin to fail (KSW-ER10, ER11).

Each number is a crossing: a sign is certainly - just below it and + just above it. Whether there is
another one elsewhere is not decided.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from proofs_check.enclosure import Ball, Balls
from proofs_check.papers.ksw.bounds.laplace_bounds import (
    shifted_leading_constant,
    transformed_leading_constant,
)
from proofs_check.papers.ksw.error.laplace_error import SHIFTED, TRANSFORMED, Algorithm
from proofs_check.tables.column import Column, Point
from proofs_check.tables.keys import NumberKey
from proofs_check.tables.mse import laplace_error
from proofs_check.tables.search import crossing, first_positive
from proofs_check.tables.table import Table

__all__ = ["TABLE"]

FIRST, LAST = Fraction(1, 4), Fraction(2**16)
"""Values of N between which a crossing is looked for."""

FACTOR = 4
"""Step of the values of N that are looked at."""

DIGITS = 10

HALF_MEAN = NumberKey(
    "mean",
    "Mean of the records, up to the middle: p and 1 - p have the same errors.",
    at_least=0,
    at_most=Fraction(1, 2),
)
"""Where the mean lies."""

Function = Callable[[Fraction], Ball]


def _scaled(algorithm: Algorithm, N: Fraction, mean: Fraction, bits: int) -> Ball:
    return laplace_error(algorithm, N, mean, bits) * N**2


@lru_cache(maxsize=256)
def _root(gap: Callable[[Fraction, Fraction, int], Ball], mean: Fraction, bits: int) -> Any:
    """Enclose the first crossing found on the way up, in steps of a factor."""

    def function(N: Fraction) -> Ball:
        return gap(N, mean, bits)

    ends = first_positive(function, FIRST, Fraction(FACTOR), LAST)
    if ends is None:
        return None
    return Balls(bits).between(*crossing(function, *ends, ends[0] / 10 ** (DIGITS + bits // 64)))


def _order(N: Fraction, mean: Fraction, bits: int) -> Ball:
    return _scaled(SHIFTED, N, mean, bits) / _scaled(TRANSFORMED, N, mean, bits) - 1


def _transformed(N: Fraction, mean: Fraction, bits: int) -> Any:
    return _scaled(TRANSFORMED, N, mean, bits) - transformed_leading_constant(mean)


def _shifted(N: Fraction, mean: Fraction, bits: int) -> Any:
    return _scaled(SHIFTED, N, mean, bits) - shifted_leading_constant(mean)


def _column(name: str, says: str, claims: tuple[str, ...], gap: Any) -> Column:
    def value(at: Point, bits: int) -> Any:
        return _root(gap, at["mean"], bits)

    return Column(name, "1", says, claims, value, digits=DIGITS)


TABLE = Table(
    name="crossover",
    about=(
        f"Laplace noise. Looked for from N = {FIRST} up to {LAST} in steps of a factor {FACTOR}; "
        "an empty cell says that nothing was found."
    ),
    keys=(HALF_MEAN,),
    columns=(
        _column(
            "algorithm_2_better_below",
            "Below it the error of Algorithm 2 is smaller than that of Algorithm 3 (erratum 10).",
            ("KSW-X2", "KSW-X3"),
            _order,
        ),
        _column(
            "theorem_1_fails_above",
            "Above it the first bound of Theorem 1, without its o(1), is too small (erratum 11).",
            ("KSW-X2", "KSW-T1"),
            _transformed,
        ),
        _column(
            "lemma_2_fails_above",
            "Above it the first bound of Lemma 2 (Algorithm 2), without its o(1), is too small.",
            ("KSW-X3", "KSW-L2"),
            _shifted,
        ),
    ),
    default=({"mean": "0,0.01,0.1,0.3,0.5"},),
)
"""The table."""
