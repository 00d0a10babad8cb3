"""Truncated geometric noise on {0..n} with integer cumulative weights (Balcer and Vadhan 2018).

With k = ceil(ln(2 / epsilon)) the level is ln(1 + 2^-k): at epsilon = 1/10 that is 0.1178, so the
claim epsilon is false (the base-two logarithm would give k = 5 and 0.0308).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.vectors import Pairs, claim_pure, one_entry_pairs, scalar
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = ["TruncatedGeometric"]


@final
@dataclass(frozen=True, slots=True)
class TruncatedGeometric:
    """Algorithm 4.8 with the natural logarithm, as in DP-Sniper's benchmark."""

    epsilon: Fraction
    n: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, epsilon: Number = "1/10", n: int = 5) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0, at_most=1))
        object.__setattr__(self, "n", check_integer(n, "n", at_least=2))
        if self.total > np.iinfo(np.int64).max:
            msg = f"the total weight must fit 64 bits, got epsilon={epsilon!r}, n={n!r}"
            raise InvalidArgument(msg)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon, which fails."""
        return claim_pure(self.epsilon, "Balcer and Vadhan 2018", "Algorithm 4.8, ln for log2")

    @property
    def k(self) -> int:
        """Number of bits of the ratio 1 + 2^-k."""
        return math.ceil(math.log(2 / self.epsilon))

    @property
    def total(self) -> int:
        """Sum d of the weights."""
        return int((2 ** (self.k + 1) + 1) * (2**self.k + 1) ** (self.n - 1))

    def cumulative(self, c: int) -> list[int]:
        """Return F(z) for z = 0..n, at the count c."""
        a, d, k, n = 2**self.k, self.total, self.k, self.n
        below = [2 ** (k * (c - z)) * (a + 1) ** (n - (c - z)) for z in range(c)]
        rest = [d - 2 ** (k * (z - c + 1)) * (a + 1) ** (n - 1 - (z - c)) for z in range(c, n)]
        return [*below, *rest, d]

    def law(self, data: Any) -> list[Fraction]:
        """Exact probabilities of the outputs 0..n."""
        c = round(scalar(data))
        if not 0 <= c <= self.n:
            msg = f"data must be a count from 0 to {self.n}, got data={data!r}"
            raise InvalidArgument(msg)
        steps = np.diff(np.array([0, *self.cumulative(c)], dtype=object))
        return [Fraction(int(step), self.total) for step in steps]

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw, shape (size,): least z with F(z) >= U, U uniform on {1..d}."""
        weights = np.array([int(p * self.total) for p in self.law(data)])
        u = rng.integers(1, self.total, check_size(size), endpoint=True)
        return np.searchsorted(np.cumsum(weights), u).astype(np.int64)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Largest log ratio of the exact probabilities."""
        laws = zip(self.law(data), self.law(neighbor), strict=True)
        return math.log(max(max(p / q, q / p) for p, q in laws))
