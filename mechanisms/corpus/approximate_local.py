"""Local protocols with a delta: ldp-audit's AGRR and ASUE (Wang et al., local hashing's delta).

AGRR keeps the value with p = (e^eps + (k - 1) delta) / (e^eps + k - 1). ASUE reports the true bit
with p = (e^eps - s) / (e^eps - 1) and the others with q = 1 - p, s^2 = e^eps (1 - delta) + delta.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim
from mechanisms.corpus.finite import bits_law, least_epsilon_of
from mechanisms.corpus.laws import OutcomeLaw
from mechanisms.corpus.local import ZERO_ONE, category
from mechanisms.corpus.vectors import Pairs, Vector, both_ways, claim_listed
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = ["ApproximateResponse", "ApproximateUnary"]

PAPER = "Arcolezi and Gambs 2023"


@final
@dataclass(frozen=True, slots=True)
class ApproximateResponse:
    """The value with probability p, else one of the other k - 1 (AGRR)."""

    epsilon: Fraction
    delta: Fraction
    k: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(self, epsilon: Number = 1, delta: Number = "1e-5", k: int = 5) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "delta", check_fraction(delta, "delta", at_least=0, below=1))
        object.__setattr__(self, "k", check_integer(k, "k", at_least=2))

    @property
    def claim(self) -> PrivacyClaim:
        """(epsilon, delta)."""
        return claim_listed(ApproxDP(self.epsilon, self.delta), PAPER, "AGRR")

    def law(self, data: Any) -> Vector:
        """Probabilities of the outputs, shape (k,)."""
        value, boost, delta = category(data, self.k), math.exp(self.epsilon), float(self.delta)
        law = np.full(self.k, (1 - delta) / (boost + self.k - 1))
        law[value] = (boost + (self.k - 1) * delta) / (boost + self.k - 1)
        return law

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw, shape (size,)."""
        u = rng.random(check_size(size))
        return np.searchsorted(np.cumsum(self.law(data))[:-1], u, side="right").astype(np.int64)

    def exact_law(self, data: Any) -> OutcomeLaw:
        """Law of the release."""
        value, others = category(data, self.k), self.k - 1

        def formula(numbers: Any) -> dict[Hashable, Any]:
            boost = numbers.exp(numbers.rational(self.epsilon))
            total, rest = boost + others, numbers.rational(1 - self.delta)
            return {
                z: (boost + others * self.delta if z == value else rest) / total
                for z in range(self.k)
            }

        return OutcomeLaw(formula)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return the least epsilon at the claimed delta."""

        def loss(x: Any, y: Any) -> float:
            return least_epsilon_of(self.law(x), self.law(y), float(self.delta))

        return both_ways(loss, data, neighbor)


@final
@dataclass(frozen=True, slots=True)
class ApproximateUnary:
    """One bit for each of k values: 1 with p at the true one, with 1 - p elsewhere (ASUE)."""

    epsilon: Fraction
    delta: Fraction
    k: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(self, epsilon: Number = 1, delta: Number = "1e-5", k: int = 5) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "delta", check_fraction(delta, "delta", at_least=0, below=1))
        object.__setattr__(self, "k", check_integer(k, "k", at_least=2))

    @property
    def claim(self) -> PrivacyClaim:
        """(epsilon, delta)."""
        return claim_listed(ApproxDP(self.epsilon, self.delta), PAPER, "ASUE")

    def bits(self, data: Any) -> Vector:
        """Probability of a 1 in each bit, shape (k,)."""
        boost, delta = math.exp(self.epsilon), float(self.delta)
        p = (boost - math.sqrt(boost * (1 - delta) + delta)) / (boost - 1)
        return np.where(np.arange(self.k) == category(data, self.k), p, 1 - p)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int8]:
        """Draw, shape (size, k)."""
        return (rng.random((check_size(size), self.k)) < self.bits(data)).astype(np.int8)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return the least epsilon at the claimed delta; bits of equal law tell nothing."""
        x, y = self.bits(data), self.bits(neighbor)
        apart = x != y

        def loss(a: Vector, b: Vector) -> float:
            return least_epsilon_of(bits_law(a[apart]), bits_law(b[apart]), float(self.delta))

        return both_ways(loss, x, y)
