"""Gaussian noise, and the calibration of its scale to (epsilon, delta) (Balle and Wang 2018).

N(0, sigma^2) on a query of sensitivity D is mu-Gaussian private with mu = D / sigma; it is
(epsilon, delta)-private if and only if delta >= Phi(mu/2 - epsilon/mu) -
e^epsilon Phi(-mu/2 - epsilon/mu) (Theorem 8 of [1]).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.claims import GaussianDP
from mechanisms.implications import gaussian_to_approx
from mechanisms.noise.parameters import check_scale
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["Gaussian", "GaussianLaw"]


@final
@dataclass(frozen=True, slots=True)
class Gaussian:
    """Gaussian law N(0, sigma^2): mu-Gaussian private with mu = sensitivity / sigma.

    Parameters
    ----------
    sigma : int, float, str or Fraction
        Standard deviation, in the unit of the data, from 1e-75 to 1e75.
    sensitivity : int, float, str or Fraction
        Greater than 0, in the unit of the data.

    References
    ----------
    .. [1] Balle, Wang, "Improving the Gaussian mechanism for differential privacy: analytical
       calibration and optimal denoising", ICML 2018, Theorem 8.
    .. [2] Dong, Roth, Su, "Gaussian differential privacy", JRSS-B 2022, Theorem 2.7.
    """

    sigma: Fraction
    sensitivity: Fraction
    dimension: ClassVar[int] = 1

    def __init__(self, sigma: Number = 1, sensitivity: Number = 1) -> None:
        object.__setattr__(self, "sigma", check_scale(sigma, "sigma"))
        object.__setattr__(self, "sensitivity", check_fraction(sensitivity, "sensitivity", above=0))

    @classmethod
    def from_approx_dp(cls, epsilon: Number, delta: Number, sensitivity: Number = 1) -> Gaussian:
        """Make the law of least sigma that is (epsilon, delta)-private.

        `epsilon`: from 0 to 500. `delta`: from 1e-300, and less than 1. `sensitivity`: in the unit
        of the data. Returns: sigma is a double, rounded up: the bound on delta that
        `mechanisms.implications.gaussian_to_approx` rounds up is at most `delta`.
        """
        exact_epsilon = check_fraction(epsilon, "epsilon", at_least=0, at_most=500)
        exact_delta = check_fraction(delta, "delta", at_least=Fraction(1, 10**300), below=1)
        exact_sensitivity = check_fraction(sensitivity, "sensitivity", above=0)

        def private(sigma: float) -> bool:
            mu = GaussianDP(1 / Fraction(sigma))
            return gaussian_to_approx(mu, exact_epsilon).delta <= exact_delta

        unit_sigma = _least(private)
        return cls(Fraction(unit_sigma) * exact_sensitivity, exact_sensitivity)

    @property
    def mu(self) -> GaussianDP:
        """The privacy level: mu = sensitivity / sigma."""
        return GaussianDP(self.sensitivity / self.sigma)

    def density(self, z: ArrayLike) -> NDArray[np.float64]:
        """Density at z, elementwise."""
        sigma = float(self.sigma)
        x = np.asarray(z, dtype=np.float64) / sigma
        return np.asarray(np.exp(-(x**2) / 2) / (sigma * math.sqrt(2 * math.pi)))

    def cdf(self, z: ArrayLike) -> NDArray[np.float64]:
        """P(Z <= z), elementwise."""
        from scipy.special import ndtr

        return np.asarray(ndtr(np.asarray(z, dtype=np.float64) / float(self.sigma)))

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Inverse of the cdf on (0, 1), elementwise."""
        from scipy.special import ndtri

        return np.asarray(float(self.sigma) * ndtri(np.asarray(p, dtype=np.float64)))

    def mean_absolute(self) -> float:
        """E|Z| = sigma sqrt(2 / pi)."""
        return float(self.sigma) * math.sqrt(2 / math.pi)

    def variance(self) -> float:
        """E Z^2 = sigma^2."""
        return float(self.sigma) ** 2

    def fourth_moment(self) -> float:
        """E Z^4 = 3 sigma^4."""
        return 3 * float(self.sigma) ** 4

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw `size` independent variates, shape (size,), in the unit of the data."""
        return rng.normal(scale=float(self.sigma), size=check_size(size))

    def exact_law(self) -> GaussianLaw:
        """State the law as data."""
        return GaussianLaw(self.sigma)


def _least(private: Callable[[float], bool]) -> float:
    """Least double for which an increasing condition holds (bisection; it holds at the result)."""
    upper = 1.0
    while not private(upper):
        upper *= 2
    while private(upper / 2):
        upper /= 2
    lower = upper / 2
    while math.nextafter(lower, upper) < upper:
        middle = (lower + upper) / 2
        lower, upper = (lower, middle) if private(middle) else (middle, upper)
    return upper


@final
@dataclass(frozen=True, slots=True)
class GaussianLaw:
    """Density of N(0, sigma^2)."""

    sigma: Fraction

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:  # noqa: ARG002
        """One formula holds everywhere."""
        return ()

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Fraction, Any]:  # noqa: ARG002
        """No point has positive probability."""
        return {}

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Return -(z / sigma)^2 / 2 - ln(sigma sqrt(2 pi))."""
        root = numbers.sqrt(numbers.rational(Fraction(2)) * numbers.pi())
        scale = numbers.rational(self.sigma) * root
        return numbers.rational(-((point / self.sigma) ** 2) / 2) - numbers.log(scale)
