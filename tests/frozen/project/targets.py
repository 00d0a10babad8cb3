"""Mechanisms of a user, of every kind that a command may be pointed at."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source, TradeOff
from mechanisms.utility_claims import Quantity, UtilityClaim


def total(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Noise of scale 1 on a sum of records in [0, 1]; NaN counts 0."""
    return np.nan_to_num(np.clip(data, 0, 1)).sum() + rng.laplace(size=size)


def half(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Half of the noise that epsilon = 1 needs."""
    return np.nan_to_num(np.clip(data, 0, 1)).sum() + rng.laplace(scale=0.5, size=size)


def mean(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A mean of a public number of records in [0, 1]."""
    return np.nan_to_num(np.clip(data, 0, 1)).mean() + rng.laplace(scale=1 / len(data), size=size)


def clipped(data: Any, size: int, rng: np.random.Generator) -> Any:
    """The same, clipped to [0, 1]: its errors have a mean."""
    return np.clip(mean(data, size, rng), 0, 1)


def gauss(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Noise of standard deviation 1 on a number."""
    return float(np.sum(data)) + rng.normal(size=size)


def named(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Records with names, of which a noisy count is taken."""
    return [{"count": int(len(data["x"]) + n), "sign": "+"} for n in rng.geometric(0.6, size)]


def vector(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A histogram of three places, a cell of which has half of its noise."""
    counts = np.array([np.sum(np.asarray(data) == place) for place in range(3)], dtype=float)
    return counts + rng.laplace(size=(size, 3)) * np.array([1, 1, 0.5])


def one_by_one(data: Any, seed: int) -> float:
    """One draw a call; it fails where there are no records."""
    if len(data) == 0:
        msg = "no records"
        raise ValueError(msg)
    return float(np.clip(np.nan_to_num(data), 0, 1).sum()) + np.random.default_rng(seed).laplace()


_calls = count()


def drifting(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Its law moves with every call."""
    return rng.normal(size=size) + next(_calls)


def weighted(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Records of three users with budgets 1, 1/10, 1."""
    return np.nan_to_num(np.clip(data, 0, 1)) @ np.array([1.0, 0.1, 1.0]) + rng.laplace(size=size)


class Line:
    """Noise on a number, claimed by its trade-off function."""

    claim = PrivacyClaim(
        TradeOff(((0, 1), ("0.2", "0.5"), ("0.5", "0.2"), (1, 0))),
        Relation.LISTED,
        Source("user", "a line"),
    )
    order = Order.FIXED

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Any:
        """Draw."""
        return float(data) + rng.laplace(size=size)


class Stated:
    """A mean with bounds, and what is promised of its errors."""

    claim = PrivacyClaim(PureDP(1), Relation.SWAP, Source("user", "noisy mean"))
    order = Order.FREE
    low, high = Fraction(0), Fraction(1)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Any:
        """Draw."""
        return np.mean(np.clip(np.nan_to_num(data), 0, 1)) + rng.laplace(
            scale=1 / len(data), size=size
        )

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """No bias, and twice the squared scale of the noise."""
        scale, source = Fraction(1, len(data)), Source("user", "Laplace noise")
        return (
            UtilityClaim(Quantity.BIAS, 0, source, symmetric=True),
            UtilityClaim(Quantity.MSE, 2 * scale**2, source, exactly=True, square=24 * scale**4),
        )
