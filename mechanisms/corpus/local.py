"""Local protocols on one value of {0..k-1}: randomized response and unary encodings."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.finite import bits_loss
from mechanisms.corpus.laws import OutcomeLaw
from mechanisms.corpus.vectors import Pairs, Vector, both_ways, claim_pure, scalar
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, check_fraction, check_integer, check_size

__all__ = ["RandomizedResponse", "UnaryEncoding"]

ZERO_ONE: Pairs = ((np.zeros(1), np.ones(1)),)


def category(data: Any, k: int) -> int:
    """Read a value of {0..k-1}."""
    value = scalar(data)
    if value not in range(k):
        msg = f"data must be an integer from 0 to {k - 1}, got data={data!r}"
        raise InvalidArgument(msg)
    return int(value)


@final
@dataclass(frozen=True, slots=True)
class RandomizedResponse:
    """The value with probability e^eps / (e^eps + k - 1), else one of the others."""

    epsilon: Fraction
    k: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(self, epsilon: Number = 1, k: int = 2) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "k", check_integer(k, "k", at_least=2))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon."""
        return claim_pure(self.epsilon, "Kairouz, Oh, Viswanath 2016", "k-ary randomized response")

    def law(self, data: Any) -> Vector:
        """Probabilities of the outputs, shape (k,)."""
        weights = np.ones(self.k)
        weights[category(data, self.k)] = math.exp(float(self.epsilon))
        return np.asarray(weights / weights.sum())

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw, shape (size,)."""
        value, kept = category(data, self.k), float(self.law(data).max())
        shift = rng.integers(1, self.k, check_size(size))
        shift[rng.random(size) < kept] = 0
        return (value + shift) % self.k

    def exact_law(self, data: Any) -> OutcomeLaw:
        """Law of the release."""
        value = category(data, self.k)

        def formula(numbers: Any) -> dict[Hashable, Any]:
            boost = numbers.exp(numbers.rational(self.epsilon))
            one = numbers.rational(Fraction(1))
            total = boost + one * (self.k - 1)
            return {z: (boost if z == value else one) / total for z in range(self.k)}

        return OutcomeLaw(formula)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Largest log ratio of the probabilities."""
        return float(np.abs(np.log(self.law(data) / self.law(neighbor))).max())


@final
@dataclass(frozen=True, slots=True)
class UnaryEncoding:
    """One bit for each of k values: the true one is 1 with probability p, the others with q.

    `kind` "symmetric": p = e^(eps/2) / (e^(eps/2) + 1), q = 1 - p; "optimized": p = 1/2,
    q = 1 / (e^eps + 1). `sticky` keeps the noise of the true bit where it is not set, so that it
    is 1 with probability p + (1 - p) q: the client of pure-ldp before 1.2.0.
    """

    epsilon: Fraction
    k: int
    kind: str
    sticky: bool
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(
        self, epsilon: Number = 1, k: int = 5, kind: str = "symmetric", *, sticky: bool = False
    ) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "k", check_integer(k, "k", at_least=2))
        object.__setattr__(self, "kind", check_choice(kind, "kind", ("symmetric", "optimized")))
        object.__setattr__(self, "sticky", sticky)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon."""
        paper, item = "Wang et al. 2017", "unary encodings"
        if self.sticky:
            paper, item = "Arcolezi and Gambs 2023", "UE of pure-ldp 1.1.2 (pure-LDP issue 11)"
        return claim_pure(self.epsilon, paper, item)

    def bits(self, data: Any) -> Vector:
        """Probability of a 1 in each bit, shape (k,)."""
        eps = float(self.epsilon)
        p = 1 / (1 + math.exp(-eps / 2)) if self.kind == "symmetric" else 0.5
        q = 1 - p if self.kind == "symmetric" else 1 / (math.exp(eps) + 1)
        ones = np.full(self.k, q)
        ones[category(data, self.k)] = p + (1 - p) * q if self.sticky else p
        return ones

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int8]:
        """Draw, shape (size, k)."""
        return (rng.random((check_size(size), self.k)) < self.bits(data)).astype(np.int8)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Sum of the bits' largest log ratios, in the worse direction."""
        return both_ways(lambda x, y: bits_loss(self.bits(x), self.bits(y)), data, neighbor)
