"""Losses and laws of a private quantile by their definitions, for tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

Limits = tuple[Fraction, Fraction]
"""Ranks that lose nothing: most, least."""


def centered(count: int) -> Limits:
    """Limits around the middle of `count` records."""
    return Fraction(count, 2), Fraction(count, 2)


def at_rank(rank: int) -> Limits:
    """Limits at an integer rank."""
    return Fraction(rank - 1), Fraction(rank)


def slow_loss(data: Iterable[float], x: float, limits: Limits) -> Fraction:
    """max(0, #{y < x} - most, least - #{y <= x}), counted one by one."""
    data = list(data)
    most, least = limits
    under, upto = sum(y < x for y in data), sum(y <= x for y in data)
    return max(Fraction(0), under - most, least - upto)


def fewest_changes(data: Sequence[int], x: int, rank: int, points: Sequence[int]) -> int:
    """Fewest records to replace so that the rank-th smallest is x, by trying all other data."""
    others = product(points, repeat=len(data))
    reached = (other for other in others if sorted(other)[rank - 1] == x)
    return min(sum(a != b for a, b in zip(data, other, strict=True)) for other in reached)


def slow_law(
    data: Sequence[float], points: Sequence[float], epsilon: float, limits: Limits
) -> NDArray[np.float64]:
    """Probability of each point, proportional to e^(-epsilon loss / 2)."""
    losses = [float(slow_loss(data, x, limits)) for x in points]
    weights = np.array([math.exp(epsilon / 2 * (min(losses) - loss)) for loss in losses])
    return np.asarray(weights / weights.sum())
