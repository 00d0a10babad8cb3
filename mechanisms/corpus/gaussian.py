"""Gaussian noise, on one answer and on an indicator vector, with the least epsilon at a delta.

N(0, 1) and N(m, 1) satisfy (epsilon, delta) both ways round if and only if
Phi(m/2 - epsilon/m) - e^epsilon Phi(-m/2 - epsilon/m) <= delta (Balle and Wang 2018, Theorem 8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, GaussianDP, Order, PrivacyClaim
from mechanisms.corpus.laws import BellLaw
from mechanisms.corpus.local import ZERO_ONE, category
from mechanisms.corpus.vectors import Pairs, Vector, claim_listed, one_entry_pairs, scalar
from mechanisms.implications import gaussian_to_approx
from mechanisms.laws import Moved
from mechanisms.validation import Number, check_choice, check_fraction, check_integer, check_size

__all__ = ["GaussianHistogram", "GaussianNoise"]

MOST = 100.0
"""Largest epsilon that is looked for."""

FINEST_STEP = 52
"""By 2^-52 of itself a double is the next one."""


def delta_of(epsilon: float, m: float) -> float:
    """Return the hockey-stick divergence of N(0, 1) and N(m, 1) at e^epsilon."""
    from scipy.special import log_ndtr

    below, above = log_ndtr(m / 2 - epsilon / m), log_ndtr(-m / 2 - epsilon / m)
    return math.exp(below) - math.exp(epsilon + above)


def least_sigma(epsilon: Fraction, delta: Fraction) -> float:
    """Return the least standard deviation for which (epsilon, delta) holds at distance 1, or more.

    It is rounded up, by about 1e-10 of itself: the root in double precision may lie below the least
    one, and a claim that is missed by 1e-17 is false. `gaussian_to_approx` bounds delta from above.
    """
    from scipy.optimize import brentq

    def excess(log_m: float) -> float:
        return delta_of(float(epsilon), math.exp(log_m)) - float(delta)

    root = math.exp(-brentq(excess, -12, 6, xtol=1e-14))
    steps = (root * (1 + 2.0**-power) for power in range(FINEST_STEP, 0, -1))
    return next(
        sigma
        for sigma in steps
        if gaussian_to_approx(GaussianDP(1 / Fraction(sigma)), epsilon).delta <= delta
    )


def least_epsilon(m: float, delta: float) -> float:
    """Return the least epsilon for which N(0, 1) and N(m, 1) satisfy (epsilon, delta)."""
    from scipy.optimize import brentq

    if m == 0 or delta_of(0.0, m) <= delta:
        return 0.0
    return float(brentq(lambda eps: delta_of(eps, m) - delta, 0, MOST, xtol=1e-13))


@final
@dataclass(frozen=True, slots=True)
class GaussianNoise:
    """x + N(0, sigma^2), sigma the least for which (epsilon, delta) holds at distance 1."""

    epsilon: Fraction
    delta: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, epsilon: Number = 1, delta: Number = "1/100") -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "delta", check_fraction(delta, "delta", above=0, below=1))

    @property
    def claim(self) -> PrivacyClaim:
        """(epsilon, delta)."""
        return claim_listed(ApproxDP(self.epsilon, self.delta), "Balle and Wang 2018", "Theorem 8")

    @property
    def sigma(self) -> float:
        """Standard deviation of the noise."""
        return least_sigma(self.epsilon, self.delta)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size,)."""
        return scalar(data) + rng.normal(scale=self.sigma, size=check_size(size))

    def exact_law(self, data: Any) -> Moved:
        """Law of the release, at the double that sigma is."""
        return Moved(BellLaw(Fraction(self.sigma)), scalar(data))

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return the least epsilon at the claimed delta, at most 100."""
        return least_epsilon(abs(scalar(data) - scalar(neighbor)) / self.sigma, float(self.delta))


@final
@dataclass(frozen=True, slots=True)
class GaussianHistogram:
    """The indicator vector of a value of {0..k-1} plus N(0, sigma^2) in each place.

    Two values are sqrt(2) apart. `kind` "analytic": the least sigma for (epsilon, delta);
    "classic": sigma = sqrt(2) sqrt(2 ln(1.25 / delta)) / epsilon, proved for epsilon <= 1.
    """

    epsilon: Fraction
    delta: Fraction
    k: int
    kind: str
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = ZERO_ONE

    def __init__(
        self, epsilon: Number = 1, delta: Number = "1e-5", k: int = 5, kind: str = "analytic"
    ) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "delta", check_fraction(delta, "delta", above=0, below=1))
        object.__setattr__(self, "k", check_integer(k, "k", at_least=2))
        object.__setattr__(self, "kind", check_choice(kind, "kind", ("analytic", "classic")))

    @property
    def claim(self) -> PrivacyClaim:
        """(epsilon, delta)."""
        item = "analytic and classic Gaussian mechanism (AGM, GM)"
        return claim_listed(ApproxDP(self.epsilon, self.delta), "Arcolezi and Gambs 2023", item)

    @property
    def sigma(self) -> float:
        """Standard deviation of the noise."""
        if self.kind == "classic":
            return math.sqrt(4 * math.log(1.25 / float(self.delta))) / float(self.epsilon)
        # by which `least_sigma` rounds up is far more than the rounding of this product
        return math.sqrt(2) * least_sigma(self.epsilon, self.delta)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size, k)."""
        noise = rng.normal(scale=self.sigma, size=(check_size(size), self.k))
        return noise + indicator(data, self.k)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Return the least epsilon at the claimed delta, at most 100."""
        apart = np.linalg.norm(indicator(data, self.k) - indicator(neighbor, self.k))
        return least_epsilon(float(apart) / self.sigma, float(self.delta))


def indicator(data: Any, k: int) -> Vector:
    """Return the vector with a 1 at the value's place, shape (k,)."""
    return np.asarray(np.eye(k)[category(data, k)])
