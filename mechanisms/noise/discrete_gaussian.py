"""Discrete Gaussian noise: pmf proportional to e^(-k^2 / (2 sigma^2)) on the integers.

Moved by an integer d, its Renyi divergence of order a is at most a d^2 / (2 sigma^2), with equality
where a d is an integer: the moment is e^(a (a - 1) d^2 / (2 sigma^2)) times the normalizer about
the point a d over the one about 0, and the normalizer is largest about integers (Poisson summation;
Canonne, Kamath and Steinke 2020, Proposition 5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.claims import ZeroConcentratedDP
from mechanisms.laws import LatticeAtoms, integers
from mechanisms.noise.geometric import Geometric
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = ["DiscreteGaussian", "DiscreteGaussianLaw"]

LEAST, MOST = Fraction(1, 10), 10_000
"""Of sigma: the variance is a normal double, and a table of the law has fewer than 10^6 rows."""

REACH = 40
"""Standard deviations that a table of the law holds: e^(-REACH^2 / 2) is no double."""

BLOCK = 1 << 16
"""Most proposals at a time."""


@final
@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """Gaussian law on the integers: zero-concentrated with rho = sensitivity^2 / (2 sigma^2).

    Parameters
    ----------
    sigma : int, float, str or Fraction
        From 1/10 to 10,000; the standard deviation is a little less.
    sensitivity : int
        At least 1.

    References
    ----------
    .. [1] Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS
       2020, Theorem 4 and Algorithm 3.
    """

    sigma: Fraction
    sensitivity: int

    def __init__(self, sigma: Number = 1, sensitivity: int = 1) -> None:
        check_fraction(sigma, "sigma", above=0)
        exact_sigma = check_fraction(sigma, "sigma", at_least=LEAST, at_most=MOST)
        object.__setattr__(self, "sigma", exact_sigma)
        object.__setattr__(
            self, "sensitivity", check_integer(sensitivity, "sensitivity", at_least=1)
        )

    @property
    def dimension(self) -> int:
        """Number of coordinates of one draw."""
        return 1

    @property
    def rho(self) -> ZeroConcentratedDP:
        """The privacy level: rho = (sensitivity / sigma)^2 / 2."""
        return ZeroConcentratedDP((self.sensitivity / self.sigma) ** 2 / 2)

    def pmf(self, k: ArrayLike) -> NDArray[np.float64]:
        """P(K = k), elementwise; 0 off the integers."""
        x = np.asarray(k, dtype=np.float64)
        _, total = _tails(self.sigma)
        return np.where(x == np.floor(x), np.exp(-((x / float(self.sigma)) ** 2) / 2) / total, 0)

    def cdf(self, k: ArrayLike) -> NDArray[np.float64]:
        """P(K <= k), elementwise."""
        x = np.floor(np.asarray(k, dtype=np.float64))
        tails, _ = _tails(self.sigma)
        place = np.minimum(np.where(x < 0, -x, x + 1), tails.size - 1).astype(np.int64)
        return np.where(x < 0, tails[place], 1 - tails[place])

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Smallest integer k with P(K <= k) >= p, elementwise, for p in (0, 1)."""
        p = np.asarray(p, dtype=np.float64)
        tails, _ = _tails(self.sigma)
        below = tails.size - 1 - np.searchsorted(tails[:0:-1], p, side="left")
        above = np.searchsorted(1 - tails[1:], p, side="left")
        return np.where(below > 0, -below, above).astype(np.float64)

    def mean_absolute(self) -> float:
        """E|K|, by its sum."""
        return self._moment(1)

    def variance(self) -> float:
        """E K^2, by its sum."""
        return self._moment(2)

    def fourth_moment(self) -> float:
        """E K^4, by its sum."""
        return self._moment(4)

    def _moment(self, order: int) -> float:
        tails, _ = _tails(self.sigma)
        k = np.arange(tails.size, dtype=np.float64)
        return 2 * math.fsum(k**order * self.pmf(k))

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw `size` independent integers, shape (size,).

        A draw Y of the discrete Laplace law of scale t = floor(sigma) + 1 is kept with probability
        e^(-(|Y| - sigma^2 / t)^2 / (2 sigma^2)) [1, Algorithm 3].
        """
        draws, filled = np.empty(check_size(size), dtype=np.int64), 0
        scale = math.floor(self.sigma) + 1
        proposal, center = Geometric(1, scale), float(self.sigma**2 / scale)
        while filled < size:
            proposed = proposal.sample(min(2 * (size - filled) + 16, BLOCK), rng=rng)
            away = (np.abs(proposed) - center) / float(self.sigma)
            kept = proposed[rng.random(proposed.size) < np.exp(-(away**2) / 2)][: size - filled]
            draws[filled : filled + kept.size] = kept
            filled += kept.size
        return draws

    def exact_law(self) -> DiscreteGaussianLaw:
        """State the law as data."""
        return DiscreteGaussianLaw(self.sigma)


@lru_cache(maxsize=32)
def _tails(sigma: Fraction) -> tuple[NDArray[np.float64], float]:
    """P(K >= k) for k = 0, 1, ..., and the normalizer."""
    k = np.arange(math.ceil(REACH * sigma) + 2, dtype=np.float64)
    sums = np.cumsum(np.exp(-((k / float(sigma)) ** 2) / 2)[::-1])[::-1]
    total = 2 * float(sums[0]) - 1
    return sums / total, total


@final
@dataclass(frozen=True, slots=True)
class DiscreteGaussianLaw:
    """Pmf e^(-k^2 / (2 sigma^2)) / theta on the integers, theta the sum of all e^(...)."""

    sigma: Fraction

    @property
    def lattice_sigma(self) -> Fraction:
        """States that the pmf is proportional to e^(-k^2 / (2 lattice_sigma^2)) at all integers."""
        return self.sigma

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Integers of [lower, upper]: the atoms."""
        return integers(lower, upper)

    def atoms(self, numbers: Arithmetic[Any]) -> LatticeAtoms:
        """Every integer."""
        return LatticeAtoms(1, lambda point: numbers.exp(self.log_density(point, numbers)))

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Return -(k / sigma)^2 / 2 - ln theta, at an integer."""
        over: Any = numbers
        theta = _log_theta(self.sigma, numbers=over)
        return numbers.rational(-((point / self.sigma) ** 2) / 2) - theta


@lru_cache(maxsize=64)
def _log_theta(sigma: Fraction, *, numbers: Any) -> Any:
    """Logarithm of the sum of e^(-k^2 / (2 sigma^2)), or of its Poisson dual for a sigma above 1.

    The dual is sigma sqrt(2 pi) times the sum of e^(-2 (pi sigma j)^2). The terms that are left
    out are below e^-150 (of |k| >= 18, sigma <= 1) or e^-315 (of |j| >= 4) each, and fall faster
    than by half.
    """
    one = numbers.rational(Fraction(1))
    if sigma <= 1:
        powers = [numbers.rational(-((k / sigma) ** 2) / 2) for k in range(1, 18)]
        rest, scale = numbers.between(Fraction(0), Fraction(1, 2**210)), one
    else:
        square = numbers.pi() * numbers.pi() * numbers.rational(-2 * sigma**2)
        powers = [square * numbers.rational(Fraction(j * j)) for j in range(1, 4)]
        rest = numbers.between(Fraction(0), Fraction(1, 2**450))
        root = numbers.sqrt(numbers.rational(Fraction(2)) * numbers.pi())
        scale = root * numbers.rational(sigma)
    total = one + rest
    for power in powers:
        term = numbers.exp(power)
        total = total + term + term
    return numbers.log(scale * total)
