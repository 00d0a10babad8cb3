"""Report noisy max, released as the index or (wrongly) as the value of the largest noisy answer.

Variants 1 to 4 of the literature: index with Laplace noise, index with exponential noise, value
with Laplace noise, value with exponential noise; Gumbel noise gives the exponential mechanism.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.quadrature import log_cdf, log_density, panels
from mechanisms.corpus.vectors import Pairs, Vector, any_entry_pairs, claim_pure, vector
from mechanisms.validation import Number, check_choice, check_fraction, check_size

__all__ = ["NoisyMax"]

NOISES = ("laplace", "exponential", "gumbel")


@final
@dataclass(frozen=True, slots=True)
class NoisyMax:
    """Argmax (or, with `value`, max) of x + noise of scale 2 / epsilon."""

    epsilon: Fraction
    noise: str
    value: bool
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = any_entry_pairs(5)

    def __init__(
        self, epsilon: Number = "1/10", noise: str = "laplace", *, value: bool = False
    ) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        choices = NOISES[:2] if value else NOISES
        object.__setattr__(self, "noise", check_choice(noise, "noise", choices))
        object.__setattr__(self, "value", value)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon; each entry may differ by 1."""
        return claim_pure(self.epsilon, "Dwork and Roth 2014", "Claim 3.9 (report noisy max)")

    @property
    def scale(self) -> float:
        """Scale of the noise."""
        return float(2 / self.epsilon)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Draw, shape (size,): indices from 0, or values."""
        x = vector(data)
        shape = (check_size(size), x.size)
        draw: dict[str, Any] = {
            "laplace": rng.laplace,
            "exponential": rng.exponential,
            "gumbel": rng.gumbel,
        }
        noisy = x + draw[self.noise](scale=self.scale, size=shape)
        return np.asarray(noisy.max(axis=1) if self.value else noisy.argmax(axis=1))

    def law(self, data: Any) -> Vector:
        """Probabilities of the indices, shape (n,)."""
        x = vector(data)
        if self.noise == "gumbel":
            weights = np.exp((x - x.max()) / self.scale)
            return np.asarray(weights / weights.sum())
        return _law_of_index(x, self.scale, self.noise)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Largest log ratio of indices, or of the densities of the value, in both directions."""
        x, y = vector(data), vector(neighbor)
        if not self.value:
            return float(np.abs(np.log(self.law(x) / self.law(y))).max())
        t = panels(np.concatenate([x, y]), (self.scale,))[0]
        if self.noise == "exponential":
            # at its lower end the density vanishes like a power: the number of largest answers
            if [x.max(), (x == x.max()).sum()] != [y.max(), (y == y.max()).sum()]:
                return math.inf
            t = t[t > x.max()]
        logs = [_log_max(t, answers, self.scale, self.noise) for answers in (x, y)]
        return float(np.abs(logs[0] - logs[1]).max())


def _law_of_index(x: Vector, scale: float, noise: str) -> Vector:
    """Integral of one noisy answer's density times the others' cdfs, for each index."""
    _, t, w = panels(x, (scale,))
    densities, below = _parts(t[..., None] - x, scale, noise)
    total = below.sum(axis=-1, keepdims=True)
    inside = np.isfinite(total)
    others = np.where(inside, total, 0) - np.where(inside, below, 0)
    winners = np.where(inside, np.exp(densities + others), 0)
    return np.asarray((w[..., None] * winners).sum(axis=(0, 1)))


def _log_max(t: Vector, x: Vector, scale: float, noise: str) -> Vector:
    """Ln of the density of the largest noisy answer: the product times the sum of hazards."""
    densities, below = _parts(t[:, None] - x, scale, noise)
    return np.asarray(below.sum(axis=1) + np.log(np.exp(densities - below).sum(axis=1)))


def _parts(u: Vector, scale: float, noise: str) -> tuple[Vector, Vector]:
    """Ln of density and cdf of the noise, elementwise."""
    if noise == "laplace":
        return log_density(u, scale), log_cdf(u, scale)
    inside = u > 0
    v = np.where(inside, u, 1.0) / scale
    density = np.where(inside, -v - math.log(scale), -np.inf)
    return density, np.where(inside, np.log(-np.expm1(-v)), -np.inf)
