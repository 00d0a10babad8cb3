"""Balls that several tables need: b = e^(-eps), and where the variance of each noise is least."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from proofs_check.enclosure import Ball, Balls
from proofs_check.papers.ksw.common import decay
from proofs_check.papers.ksw.noise.l1_moments import best_l1_y
from proofs_check.papers.ksw.noise.staircase import best_y_cubed
from proofs_check.tables.keys import NumberKey

__all__ = ["EPSILON", "MEAN", "N", "b_of", "best_l1", "best_y"]

EPSILON = NumberKey("epsilon", "Privacy budget.", above=0)
"""A privacy budget."""

N = NumberKey("n", "Number of records.", at_least=1, whole=True)
"""A number of records."""

MEAN = NumberKey(
    "mean",
    "Mean of the records, from 0 at the lower bound to 1 at the upper.",
    at_least=0,
    at_most=1,
)
"""Where the mean lies between the bounds."""


@lru_cache(maxsize=64)
def b_of(epsilon: Fraction, bits: int) -> Ball:
    """B = e^(-eps)."""
    return decay(epsilon, numbers=Balls(bits))


@lru_cache(maxsize=64)
def best_y(epsilon: Fraction, bits: int) -> Ball:
    """y* of the staircase with the least variance (KSW-S2)."""
    return Balls(bits).root(best_y_cubed(b_of(epsilon, bits)), 3)


@lru_cache(maxsize=64)
def best_l1(polynomial: Callable[..., Any], epsilon: Fraction, bits: int) -> Ball:
    """Y of the l1-staircase with the least moment that the polynomial belongs to (KSW-S4)."""
    return best_l1_y(polynomial, b_of(epsilon, bits), bits=bits * 3 // 4)
