"""Binomial laws over exact numbers: what several theorems enumerate. States no claim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Any

__all__ = ["binomial", "lower_limit", "mean_over_counts", "tail", "tail_derivative", "upper_limit"]

STEPS = 2**14
"""Limits are rounded outward to multiples of 1 / STEPS."""


def binomial(n: int, x: int, p: Any) -> Any:
    """P(X = x) for X ~ Bin(n, p)."""
    return comb(n, x) * p**x * (1 - p) ** (n - x)


def tail(n: int, least: int, p: Any) -> Any:
    """P(X >= least) for X ~ Bin(n, p)."""
    return sum((binomial(n, x, p) for x in range(max(least, 0), n + 1)), start=0 * p)


def tail_derivative(n: int, least: int, p: Any) -> Any:
    """d/dp P(X >= least) = n C(n - 1, least - 1) p^(least - 1) (1 - p)^(n - least), 1 <= least."""
    return n * comb(n - 1, least - 1) * p ** (least - 1) * (1 - p) ** (n - least)


def lower_limit(n: int, x: int, level: Fraction) -> Fraction:
    """Largest multiple of 1 / STEPS with P(X >= x) <= level: Clopper and Pearson's, rounded down."""
    low, high = 0, STEPS
    while high - low > 1:
        middle = (low + high) // 2
        if tail(n, x, Fraction(middle, STEPS)) <= level:
            low = middle
        else:
            high = middle
    return Fraction(low, STEPS)


def upper_limit(n: int, x: int, level: Fraction) -> Fraction:
    """Smallest multiple of 1 / STEPS with P(X <= x) <= level: Clopper and Pearson's, rounded up."""
    return 1 - lower_limit(n, n - x, level)


def mean_over_counts(value: Callable[[int, int], Any], sizes: Sequence[int], p: Any, q: Any) -> Any:
    """Mean of a function of the hits of two independent arms, exactly."""
    first, second = sizes
    return sum(
        binomial(first, x, p) * binomial(second, y, q) * value(x, y)
        for x in range(first + 1)
        for y in range(second + 1)
    )
