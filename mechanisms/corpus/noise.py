"""Noise on one or more numbers: Laplace and its relatives, geometric."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.laws import TwoSidedLaw
from mechanisms.corpus.vectors import (
    Pairs,
    claim_pure,
    one_entry_pairs,
    scalar,
    vector,
)
from mechanisms.laws import Moved
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = [
    "GeometricNoise",
    "LaplaceNoise",
    "NoisyHistogram",
    "ParallelLaplace",
    "SnappedLaplace",
]


@final
@dataclass(frozen=True, slots=True)
class LaplaceNoise:
    """x + Lap(1 / epsilon): epsilon-private, and exactly so in both tails."""

    epsilon: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, epsilon: Number = "1/10") -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon."""
        return claim_pure(self.epsilon, "Dwork et al. 2006", "Laplace mechanism")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size,)."""
        return scalar(data) + rng.laplace(scale=float(1 / self.epsilon), size=check_size(size))

    def exact_law(self, data: Any) -> Moved:
        """Law of the release."""
        return Moved(TwoSidedLaw(self.epsilon), scalar(data))

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return epsilon |x - y|."""
        return float(self.epsilon) * abs(scalar(data) - scalar(neighbor))


@final
@dataclass(frozen=True, slots=True)
class SnappedLaplace:
    """Laplace noise rounded to a power of two and clamped (Mironov 2012, snapping).

    With b = (1 + B 2^-49) / epsilon and L the least power of two >= b: the output is
    clamp(L round((clamp(x) + s b ln U) / L)) to [-B, B], s a fair sign.
    """

    epsilon: Fraction
    bound: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, epsilon: Number = "1/10", bound: int = 1000) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "bound", check_integer(bound, "bound", at_least=1))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon."""
        return claim_pure(self.epsilon, "Mironov 2012", "snapping mechanism")

    @property
    def scale(self) -> float:
        """Scale b of the noise."""
        return float((1 + self.bound * Fraction(1, 2**49)) / self.epsilon)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size,): multiples of L, or an end."""
        bound, step = self.bound, 2.0 ** math.ceil(math.log2(self.scale))
        sign = rng.choice([-1.0, 1.0], check_size(size))
        noisy = np.clip(scalar(data), -bound, bound)
        noisy = noisy + sign * self.scale * np.log1p(-rng.random(size))
        return np.asarray(np.clip(step * np.round(noisy / step), -bound, bound))

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return |x - y| / b for clamped answers: the ratio of the ends' atoms, of real noise.

        Both answers must be a step L inside the bounds, or the end's atom is not all tail.
        """
        x, y = np.clip([scalar(data), scalar(neighbor)], -self.bound, self.bound)
        return abs(float(x - y)) / self.scale


@final
@dataclass(frozen=True, slots=True)
class GeometricNoise:
    """x + G - G' with P(G = k) proportional to e^(-epsilon k): tight at every output."""

    epsilon: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, epsilon: Number = "1/10") -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon."""
        return claim_pure(self.epsilon, "Ghosh et al. 2009", "geometric mechanism")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw, shape (size,); the answer is rounded to an integer."""
        p, n = -math.expm1(-float(self.epsilon)), check_size(size)
        return round(scalar(data)) + rng.geometric(p, n) - rng.geometric(p, n)

    def exact_law(self, data: Any) -> Moved:
        """Law of the release."""
        return Moved(TwoSidedLaw(self.epsilon, on_integers=True), round(scalar(data)))

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return epsilon |x - y| for integer answers."""
        return float(self.epsilon) * abs(round(scalar(data)) - round(scalar(neighbor)))


@final
@dataclass(frozen=True, slots=True)
class NoisyHistogram:
    """x + Lap(1 / epsilon) in each cell; `inverted` draws Lap(epsilon), the wrong way round."""

    epsilon: Fraction
    inverted: bool
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(5)

    def __init__(self, epsilon: Number = "1/10", *, inverted: bool = False) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "inverted", inverted)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon; neighbors differ by 1 in one cell."""
        return claim_pure(self.epsilon, "Ding et al. 2018", "histogram, correct and incorrect")

    @property
    def scale(self) -> float:
        """Scale of the noise."""
        return float(self.epsilon if self.inverted else 1 / self.epsilon)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size, n)."""
        x = vector(data)
        return x + rng.laplace(scale=self.scale, size=(check_size(size), x.size))

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return the l1 distance over the scale."""
        return float(np.abs(vector(data) - vector(neighbor)).sum()) / self.scale


@final
@dataclass(frozen=True, slots=True)
class ParallelLaplace:
    """`count` independent releases x + Lap(count / epsilon) of one answer."""

    epsilon: Fraction
    count: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, epsilon: Number = "1/10", count: int = 20) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "count", check_integer(count, "count", at_least=1))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon, by composition; tight where all noises agree in sign."""
        return claim_pure(self.epsilon, "Bichsel et al. 2021", "LaplaceParallel")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size, count)."""
        scale = float(self.count / self.epsilon)
        return scalar(data) + rng.laplace(scale=scale, size=(check_size(size), self.count))

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return epsilon |x - y|."""
        return float(self.epsilon) * abs(scalar(data) - scalar(neighbor))
