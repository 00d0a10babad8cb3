"""The mean of DP-Auditorium with a noised count for the mean and for its noise scale.

A negative noised count makes the noise scale negative, and a lower limit of 1e-12 turns it into
almost no noise. One noised count is used for both (our reading of `mechanisms/mean.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.vectors import Pairs, claim_pure, vector
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["AuditoriumMean"]

LEAST_SCALE = 1e-12


@final
@dataclass(frozen=True, slots=True)
class AuditoriumMean:
    """Sum over noised count plus Laplace noise, of records in [0, 1]; half of epsilon for each."""

    epsilon: Fraction
    order: ClassVar[Order] = Order.FREE
    pairs: ClassVar[Pairs] = (
        (np.zeros(1), np.array([0.0, 1.0])),
        (np.zeros(5), np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])),
    )

    def __init__(self, epsilon: Number = 1) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon; one record more or less."""
        return claim_pure(self.epsilon, "DP-Auditorium", "MeanMechanism with both flags")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size,), from records of shape (n,), clipped to [0, 1]."""
        x, half = np.clip(vector(data), 0, 1), float(self.epsilon / 2)
        count = x.size + rng.laplace(scale=1 / half, size=check_size(size))
        scale = np.maximum(1 / (half * count), LEAST_SCALE)
        return np.asarray(x.sum() / count + scale * rng.laplace(size=size))

    def density_at_zero(self, data: Any) -> float:
        """Density of the output 0: half E[count+] e^(-half sum) / 2, and the share without noise.

        With a negative count the output is within 1e-12 of sum / count: at 0 only where sum = 0.
        """
        x, half = np.clip(vector(data), 0, 1), float(self.epsilon / 2)
        negative = math.exp(-x.size * half) / 2
        positive_part = x.size + negative / half
        noisy = half * positive_part * math.exp(-half * x.sum()) / 2
        return noisy + (negative / (2 * LEAST_SCALE) if x.sum() == 0 else 0)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Log ratio of the densities at 0, where the loss peaks if exactly one sum is 0."""
        if (np.sum(data) == 0) == (np.sum(neighbor) == 0):
            msg = f"exactly one sum must be 0, got data={data!r}, neighbor={neighbor!r}"
            raise InvalidArgument(msg)
        return abs(math.log(self.density_at_zero(data) / self.density_at_zero(neighbor)))
