"""Local hashing: a public random hash, and randomized response on the value's hash.

Wang, Blocki, Li, Jha, USENIX Security 2017: binary (BLH, g = 2) and optimized (OLH, g = e^eps + 1)
local hashing; ldp-audit's ABLH and AOLH have a delta. The hash is murmur3 of str(v) modulo g, its
seed uniform on {0..seeds-1}; the literature draws it from a larger range, which changes no ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, PureDP
from mechanisms.corpus.approximate_local import ApproximateResponse
from mechanisms.corpus.finite import least_epsilon_of
from mechanisms.corpus.local import ZERO_ONE, category
from mechanisms.corpus.rappor import murmur3
from mechanisms.corpus.vectors import Pairs, Vector, both_ways, claim_listed
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = ["LocalHashing"]

VALUES = 10_000
"""Values are smaller than this."""


@final
@dataclass(frozen=True, slots=True)
class LocalHashing:
    """Rows (seed, noisy hash); `g` 0 stands for e^eps + 1, rounded."""

    epsilon: Fraction
    delta: Fraction
    g: int
    seeds: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(self, epsilon: Number = 1, delta: Number = 0, g: int = 0, seeds: int = 20) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "delta", check_fraction(delta, "delta", at_least=0, below=1))
        cells = g or round(math.exp(self.epsilon)) + 1
        object.__setattr__(self, "g", check_integer(cells, "g", at_least=2))
        object.__setattr__(self, "seeds", check_integer(seeds, "seeds", at_least=1))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon, or (epsilon, delta)."""
        level = ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)
        return claim_listed(level, "Wang et al. 2017", "local hashing")

    def hashes(self, data: Any) -> NDArray[np.int64]:
        """Hash of the value under each seed, shape (seeds,)."""
        text = str(category(data, VALUES)).encode()
        return np.array([murmur3(text, seed) % self.g for seed in range(self.seeds)])

    def law(self, data: Any) -> Vector:
        """Probabilities of (seed, hash), shape (seeds, g)."""
        response = ApproximateResponse(self.epsilon, self.delta, self.g)
        laws = np.array([response.law(value) for value in range(self.g)])
        return np.asarray(laws[self.hashes(data)] / self.seeds)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw, shape (size, 2)."""
        seed = rng.integers(self.seeds, size=check_size(size))
        sums = np.cumsum(self.law(data) * self.seeds, axis=1)[seed, :-1]
        return np.column_stack([seed, (rng.random(size)[:, None] >= sums).sum(axis=1)])

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return the least epsilon at the claimed delta."""

        def loss(x: Any, y: Any) -> float:
            return least_epsilon_of(self.law(x).ravel(), self.law(y).ravel(), float(self.delta))

        return both_ways(loss, data, neighbor)
