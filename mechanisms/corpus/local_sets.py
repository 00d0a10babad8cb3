"""Local protocols that report a set of values: subset selection and histogram encoding.

Subset selection (Ye and Barg 2018; Wang et al. 2016): w = k / (e^eps + 1), at least 1, values; the
true one is among them with p = w e^eps / (w e^eps + k - w), the others uniform. Histogram encoding
(Wang et al. 2017): Lap(2 / epsilon) on each entry of the indicator vector, released (SHE) or
compared with a threshold (THE), the one of least variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.finite import bits_loss, least_epsilon_of
from mechanisms.corpus.gaussian import indicator
from mechanisms.corpus.local import ZERO_ONE, category
from mechanisms.corpus.quadrature import log_survival
from mechanisms.corpus.vectors import Pairs, Vector, both_ways, claim_pure
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = ["HistogramEncoding", "SubsetSelection"]


@final
@dataclass(frozen=True, slots=True)
class SubsetSelection:
    """A set of w of the k values, as an indicator vector."""

    epsilon: Fraction
    k: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(self, epsilon: Number = 1, k: int = 8) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "k", check_integer(k, "k", at_least=2))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon."""
        return claim_pure(self.epsilon, "Ye and Barg 2018", "subset selection")

    @property
    def size(self) -> int:
        """Number w of values in the set."""
        return max(1, round(self.k / (math.exp(self.epsilon) + 1)))

    def law(self, data: Any) -> Vector:
        """Probabilities of the sets, in the order of `itertools.combinations`."""
        value, boost = category(data, self.k), math.exp(self.epsilon)
        sets = combinations(range(self.k), self.size)
        weights = np.array([boost if value in chosen else 1.0 for chosen in sets])
        return np.asarray(weights / weights.sum())

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int8]:
        """Draw, shape (size, k): w places of the smallest keys, the true one first or last."""
        value, w, boost = category(data, self.k), self.size, math.exp(self.epsilon)
        keys = rng.random((check_size(size), self.k))
        inside = rng.random(size) < w * boost / (w * boost + self.k - w)
        keys[:, value] = np.where(inside, -1, 2)
        return (keys.argsort(axis=1).argsort(axis=1) < w).astype(np.int8)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Largest log ratio of the probabilities."""
        return both_ways(lambda x, y: least_epsilon_of(self.law(x), self.law(y)), data, neighbor)


@final
@dataclass(frozen=True, slots=True)
class HistogramEncoding:
    """Noisy indicator vector (SHE); `thresholded` releases which entries exceed it (THE)."""

    epsilon: Fraction
    k: int
    thresholded: bool
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(self, epsilon: Number = 1, k: int = 5, *, thresholded: bool = False) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "k", check_integer(k, "k", at_least=2))
        object.__setattr__(self, "thresholded", thresholded)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon: two values are 2 apart in l1."""
        return claim_pure(self.epsilon, "Wang et al. 2017", "histogram encoding")

    @property
    def threshold(self) -> float:
        """The threshold in (1/2, 1) that minimizes q (1 - q) / (p - q)^2."""
        from scipy.optimize import minimize_scalar

        def variance(t: float) -> float:
            p, q = np.exp(log_survival([t - 1, t], float(2 / self.epsilon)))
            return float(q * (1 - q) / (p - q) ** 2)

        return float(minimize_scalar(variance, bounds=(0.5, 1), method="bounded").x)

    def bits(self, data: Any) -> Vector:
        """Probability of a 1 in each thresholded entry, shape (k,)."""
        above = self.threshold - indicator(data, self.k)
        return np.exp(log_survival(above, float(2 / self.epsilon)))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Draw, shape (size, k)."""
        noise = rng.laplace(scale=float(2 / self.epsilon), size=(check_size(size), self.k))
        noisy = noise + indicator(data, self.k)
        return (noisy > self.threshold).astype(np.int8) if self.thresholded else noisy

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """L1 distance over the scale; thresholded, the sum of the bits' largest log ratios."""
        if self.thresholded:
            return both_ways(lambda x, y: bits_loss(self.bits(x), self.bits(y)), data, neighbor)
        apart = np.abs(indicator(data, self.k) - indicator(neighbor, self.k)).sum()
        return float(apart) * float(self.epsilon) / 2
