"""Laws of one record that have a density: uniform, normal, tilted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.utility.record_laws import Function

Array = NDArray[np.float64]

FAR = 40.0
"""Beyond so many scales a density with an exponential tail is below 1e-17 of the whole."""

SCANNED = 101
"""Places where the size of an integrand is looked at."""


@final
@dataclass(frozen=True, slots=True)
class Uniform:
    """Uniform between two numbers, low < high."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2

    @property
    def variance(self) -> float:
        """Its variance."""
        return (self.high - self.low) ** 2 / 12

    @property
    def median(self) -> float:
        """The middle."""
        return self.mean

    @property
    def symmetric(self) -> bool:
        """It is."""
        return True

    @property
    def normal(self) -> bool:
        """It is not."""
        return False

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        return float(((self.high - self.low) / 2) ** order / (order + 1))

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""
        width = self.high - self.low
        return _integral(lambda x: function(x) / width, (self.low, self.high), kinks)

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records."""
        return rng.uniform(self.low, self.high, size)


@final
@dataclass(frozen=True, slots=True)
class Normal:
    """Gauss's law with a mean and a standard deviation greater than 0."""

    mu: float
    sigma: float

    @property
    def mean(self) -> float:
        """Its mean."""
        return self.mu

    @property
    def variance(self) -> float:
        """Its variance."""
        return self.sigma**2

    @property
    def median(self) -> float:
        """Its mean."""
        return self.mu

    @property
    def symmetric(self) -> bool:
        """It is."""
        return True

    @property
    def normal(self) -> bool:
        """It is."""
        return True

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order = sigma^order 2^(order / 2) Gamma((order + 1) / 2) / sqrt(pi)."""
        log = order / 2 * math.log(2) + math.lgamma((order + 1) / 2) - math.log(math.pi) / 2
        return float(self.sigma**order * math.exp(log))

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""

        def weighted(x: float) -> float:
            z = (x - self.mu) / self.sigma
            return function(x) * math.exp(-z * z / 2) / (self.sigma * math.sqrt(2 * math.pi))

        reach = FAR / 4 * self.sigma
        return _integral(weighted, (self.mu - reach, self.mu + reach), (self.mu, *kinks))

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records."""
        return rng.normal(self.mu, self.sigma, size)


@final
@dataclass(frozen=True, slots=True)
class Tilted:
    """Density (1 - eta^2) / 2 e^(-|x| + eta x), -1 < eta < 1."""

    eta: float

    @property
    def mean(self) -> float:
        """The derivative of -log(1 - eta^2)."""
        return 2 * self.eta / (1 - self.eta**2)

    @property
    def variance(self) -> float:
        """Its second derivative."""
        square = self.eta**2
        return 2 * (1 + square) / (1 - square) ** 2

    @property
    def median(self) -> float:
        """Where half of the mass lies below."""
        size = abs(self.eta)
        return math.copysign(math.log1p(size) / (1 - size), self.eta)

    @property
    def symmetric(self) -> bool:
        """Only without a tilt."""
        return self.eta == 0

    @property
    def normal(self) -> bool:
        """It is not."""
        return False

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        center = self.mean
        return self.expectation(lambda x: abs(x - center) ** order, (center,))

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""
        weight = (1 - self.eta**2) / 2

        def weighted(x: float) -> float:
            return function(x) * weight * math.exp(-abs(x) + self.eta * x)

        ends = -FAR / (1 + self.eta), FAR / (1 - self.eta)
        return _integral(weighted, ends, (0.0, *kinks))

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records: a sign, and an exponential variate of its side."""
        right = rng.random(size) < (1 + self.eta) / 2
        length = rng.standard_exponential(size)
        return np.where(right, length / (1 - self.eta), -length / (1 + self.eta))


def _integral(function: Function, ends: tuple[float, float], kinks: tuple[float, ...]) -> float:
    """Integral over an interval, to about 12 digits of the integral of its size."""
    from scipy.integrate import quad

    lower, upper = ends
    cuts = sorted({lower, upper, *(k for k in kinks if lower < k < upper)})
    places = np.linspace(lower, upper, SCANNED)
    size = float(np.mean([abs(function(float(x))) for x in places])) * (upper - lower)
    parts = (
        quad(function, a, b, epsabs=1e-13 * size, epsrel=1e-12, limit=400)[0]
        for a, b in pairwise(cuts)
    )
    return math.fsum(parts)
