"""Noisy sums: prefix sums, one total, and the running sum with block totals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.vectors import (
    Pairs,
    Vector,
    any_entry_pairs,
    claim_pure,
    one_entry_pairs,
    vector,
)
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = ["NoisySum", "PrefixSum", "SmartSum"]


@final
@dataclass(frozen=True, slots=True)
class PrefixSum:
    """Partial sums of x_i + Lap(1 / epsilon): epsilon if one entry differs, n epsilon if all do."""

    epsilon: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = any_entry_pairs(10)

    def __init__(self, epsilon: Number = "1/10") -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure 10 epsilon: all ten entries may differ by 1."""
        return claim_pure(10 * self.epsilon, "Wang et al. 2019", "prefix sum, ten entries differ")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size, n)."""
        x = vector(data)
        noise = rng.laplace(scale=float(1 / self.epsilon), size=(check_size(size), x.size))
        return np.cumsum(x + noise, axis=1)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return epsilon times the l1 distance: differences undo the sums."""
        return float(self.epsilon) * float(np.abs(vector(data) - vector(neighbor)).sum())


@final
@dataclass(frozen=True, slots=True)
class NoisySum:
    """Sum of x plus Lap(1 / epsilon); `halved` draws Lap(1 / (2 epsilon))."""

    epsilon: Fraction
    halved: bool
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(5)

    def __init__(self, epsilon: Number = "1/10", *, halved: bool = False) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "halved", halved)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon; neighbors differ by 1 in one entry."""
        return claim_pure(self.epsilon, "Wang et al. 2020", "partialsum and badpartialsum")

    @property
    def scale(self) -> float:
        """Scale of the noise."""
        return float(1 / (self.epsilon * (1 + self.halved)))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size,)."""
        return float(vector(data).sum()) + rng.laplace(scale=self.scale, size=check_size(size))

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return the distance of the sums over the scale."""
        return abs(float(vector(data).sum() - vector(neighbor).sum())) / self.scale


@final
@dataclass(frozen=True, slots=True)
class SmartSum:
    """Running sums with Lap(1 / epsilon) a step; each `block`-th releases its block's total.

    `bare` puts no noise on the block totals.
    """

    epsilon: Fraction
    block: int
    bare: bool
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(6)

    def __init__(self, epsilon: Number = "1/10", block: int = 3, *, bare: bool = False) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "block", check_integer(block, "block", at_least=2))
        object.__setattr__(self, "bare", bare)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure 2 epsilon; neighbors differ by 1 in one entry."""
        return claim_pure(2 * self.epsilon, "Wang et al. 2020", "smartsum and badsmartsum")

    def _parts(self, x: Vector) -> tuple[Vector, Vector]:
        """Entries released by a step of their own, and totals of whole blocks."""
        steps = x[np.arange(x.size) % self.block != self.block - 1]
        whole = x[: x.size // self.block * self.block].reshape(-1, self.block)
        return steps, whole.sum(axis=1)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size, n): the sum so far after each entry."""
        x = vector(data)
        noise = rng.laplace(scale=float(1 / self.epsilon), size=(check_size(size), x.size))
        out, before = np.empty_like(noise), np.zeros(size)
        for start in range(0, x.size, self.block):
            part = slice(start, start + self.block)
            out[:, part] = before[:, None] + np.cumsum(x[part] + noise[:, part], axis=1)
            last = start + self.block - 1
            if last < x.size:
                before = before + x[part].sum() + (0 if self.bare else noise[:, last])
                out[:, last] = before
        return out

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return epsilon times the l1 distance of entries and totals; outputs determine both."""
        (steps, totals), (other_steps, other_totals) = map(
            self._parts, (vector(data), vector(neighbor))
        )
        apart = float(np.abs(totals - other_totals).sum())
        if self.bare and apart:
            return math.inf
        return float(self.epsilon) * (float(np.abs(steps - other_steps).sum()) + apart)
