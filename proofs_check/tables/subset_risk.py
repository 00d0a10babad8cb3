"""Subset risk of the mean of given data: between which bounds it lies (SUB, Lemma 3.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.enclosure import Balls, certainly_less
from proofs_check.papers.sub.common import mean, spread
from proofs_check.papers.sub.mean.noisy_size_error import count_reach, noisy_data_bound
from proofs_check.papers.sub.risk.risk_of_means import risk_bounds, three_point_factor
from proofs_check.tables.column import Column, Point, Rounding
from proofs_check.tables.keys import NumberKey, VectorKey
from proofs_check.tables.table import Rival, Table

__all__ = ["TABLE"]

ONE = Fraction(1)
RADIUS, GAMMA = Fraction(1000), Fraction(10)
"""Public bounds and resolution of the subset mean, the latter a two-hundredth of the range."""


def _points(at: Point) -> int | None:
    """K = 1 / eps where it is whole and smaller than n."""
    k = 1 / at["epsilon"]
    return int(k) if k.denominator == 1 and k < len(at["records"]) else None


def _difference(at: Point, bits: int = 0) -> Fraction | None:
    del bits
    k = _points(at)
    return None if k is None else spread(at["records"], k)


def _scaled(at: Point, factor: Any) -> Any:
    difference = _difference(at)
    return None if difference is None else difference * factor


def _printed(at: Point, bits: int) -> Any:
    """1 / (2 e^2) of Lemma 3.2 as printed: with f = 1 / (1 + e^2) it is f / (2 (1 - f))."""
    numbers = Balls(bits)
    factor, _ = risk_bounds(numbers.rational(ONE), numbers.rational(ONE), numbers=numbers)
    return _scaled(at, factor / (2 * (1 - factor)))


def _two_points(at: Point, bits: int) -> Any:
    numbers = Balls(bits)
    low, _ = risk_bounds(numbers.rational(ONE), numbers.rational(ONE), numbers=numbers)
    return _scaled(at, low)


def _three_points(at: Point, bits: int) -> Any:
    numbers = Balls(bits)
    return _scaled(at, three_point_factor(numbers.rational(ONE), numbers=numbers))


def _upper(at: Point, bits: int) -> Any:
    numbers = Balls(bits)
    _, high = risk_bounds(ONE, numbers.rational(ONE), numbers=numbers)
    return _scaled(at, high)


def _noisy_size(at: Point, bits: int) -> Any:
    """The bound of SUB-T3.1b; None where a condition of it is not certain."""
    k, count = _points(at), len(at["records"])
    if k is None or max(map(abs, at["records"])) > RADIUS:
        return None
    numbers = Balls(bits)
    n, radius, eps = (numbers.rational(Fraction(x)) for x in (count, RADIUS, at["epsilon"]))
    eta = numbers.rational(min(GAMMA / (RADIUS * count), Fraction(1, 2)))
    t = count_reach(eps, eta, numbers=numbers)
    if certainly_less(k, n - t) is not True:
        return None
    alpha, finest = GAMMA / (n - t), GAMMA / (n + t)
    if certainly_less(1, 2 * (radius / alpha) ** 2 * eps * (n - t)) is not True:
        return None
    beta = 2 / eps * numbers.log(2 * (radius / finest) ** 2 * eps * (n + t))
    if certainly_less(2 * (k + 2 * beta + 1), n) is not True:
        return None
    zeta = alpha / (radius * (n - t) * eps)
    difference = numbers.rational(spread(at["records"], k))
    return noisy_data_bound(n, radius, eps, t, (alpha, zeta, beta), eta, difference)


TABLE = Table(
    name="subset-risk",
    about=(
        "How large the expected error of an epsilon-private (add-remove) mean must be for the data "
        "or for a subset without at most K = 1 / epsilon points. Empty: K is not whole, or there "
        "are not more than K points."
    ),
    keys=(
        VectorKey("records", 'The data, in runs: "0*6 1 2" is six zeros, a one and a two.'),
        NumberKey("epsilon", "Privacy budget.", above=0, at_most=1),
    ),
    columns=(
        Column(
            "n",
            "records",
            "Number of records.",
            ("SUB-D1",),
            lambda at, _: len(at["records"]),
            Rounding.EXACT,
        ),
        Column(
            "mean",
            "unit of the records",
            "Mean of the data.",
            ("SUB-D1",),
            lambda at, _: mean(at["records"]),
        ),
        Column(
            "K", "records", "1 / epsilon.", ("SUB-D1",), lambda at, _: _points(at), Rounding.EXACT
        ),
        Column(
            "difference",
            "unit of the records",
            "Mean without the K smallest points less that without the K largest.",
            ("SUB-L3.2",),
            _difference,
        ),
        Column(
            "lower_printed",
            "unit of the records",
            "difference / (2 e^2), as printed.",
            ("SUB-L3.2", "SUB-L4.4s"),
            _printed,
        ),
        Column(
            "lower_two_points",
            "unit of the records",
            "difference / (1 + e^2), from two of the subsets.",
            ("SUB-L4.4s",),
            _two_points,
        ),
        Column(
            "lower",
            "unit of the records",
            "difference / (2 + e - 1/e), from three; attained by the data 0, 1 at epsilon = 1.",
            ("SUB-L3.2",),
            _three_points,
        ),
        Column(
            "upper",
            "unit of the records",
            "difference / 2: a constant in the middle does it.",
            ("SUB-L3.2",),
            _upper,
        ),
        Column(
            "upper_printed",
            "unit of the records",
            "difference, as printed.",
            ("SUB-L3.2",),
            _difference,
        ),
        Column(
            "noisy_size_bound",
            "unit of the records",
            "Mean absolute error of sub.subset-mean-noisy-size as it is proved, with bounds of "
            "-1000 and 1000; epsilon is a third. Safe, and not sharp: --empirical measures beside "
            "it. Empty: too few records.",
            ("SUB-T3.1b",),
            _noisy_size,
        ),
    ),
    default=(
        {"records": "0*6 1 2 3 10", "epsilon": "0.5,1"},
        {"records": "0 1; 0:1:lin:101", "epsilon": "1"},
        {"records": "0*3 1", "epsilon": "0.5"},
        {"records": "0:1:lin:101; 0*500 1*500", "epsilon": "0.1"},
        {"records": "0*500 1*500; 0:1:lin:1001; 0*990 100*10", "epsilon": "1"},
    ),
    rivals=(
        Rival(
            "sub.subset-mean-noisy-size",
            "unit of the records",
            "Mean absolute error on the data, with bounds of -1000 and 1000; epsilon is a third.",
        ),
        Rival("sub.bounded-mean", "unit of the records", "The same of the bounded mean."),
        Rival(
            "sub.histogram-mean",
            "unit of the records",
            "The same of a histogram, then a clip (n public).",
        ),
        Rival(
            "sub.moment-mean",
            "unit of the records",
            "The same of a noisy center, then clipped moments (n public).",
        ),
        Rival(
            "sub.radius-mean",
            "unit of the records",
            "The same of a private center and radius (n public).",
        ),
    ),
)
"""The table."""
