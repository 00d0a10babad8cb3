"""Exact output law of Algorithm 3 with Laplace noise, for every data set (KSW-X1).

With w = high - low, A = epsilon s1, B = epsilon s2, N = A + B and X = (mean_hat - low) / w, for
0 <= x < 1 and tau = x B - (1 - x) A,

    P(X > x) = S(tau; 1 - x, x) + e^-N (1 - 2 x + B - A) / 4,
    S(tau; alpha, beta) = P(alpha L1 + beta L2 > tau),    L1, L2 standard Laplace.

What remains at the two ends is an atom; between them the law has a density.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.add_remove.grid import exact_sums
from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_epsilon
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_bounds, check_fraction

__all__ = ["TransformedLaplaceLaw", "laplace_sum_tail"]

_TERMS = 40  # of a series whose rest is then below 2^-400 of it


def laplace_sum_tail(tau: ArrayLike, alpha: ArrayLike, beta: ArrayLike) -> NDArray[np.float64]:
    """P(alpha L1 + beta L2 > tau) for tau >= 0, L1 and L2 standard Laplace, elementwise.

    With the larger scale a, the smaller b and g = tau / b - tau / a this is

        (a^2 e^(-tau / a) - b^2 e^(-tau / b)) / (2 (a^2 - b^2))
            = e^(-tau / a) / 2 (1 + b tau / (a (a + b)) (1 - e^-g) / g),

    a sum of positive terms that is regular where the scales meet (g = 0) or one vanishes.

    `tau`, `alpha`, `beta`: all at least 0; not both scales 0.

    References
    ----------
    .. [1] KSW-X1, the function S.
    """
    tau, alpha, beta = np.broadcast_arrays(
        *(np.asarray(v, dtype=np.float64) for v in (tau, alpha, beta))
    )
    a, b = np.maximum(alpha, beta), np.minimum(alpha, beta)
    with np.errstate(over="ignore"):  # a scale near 0 has an infinite gap: it does not matter then
        gap = np.divide(tau * (a - b), a * b, out=np.zeros(tau.shape), where=b > 0)
    quotient = np.divide(-np.expm1(-gap), gap, out=np.ones(tau.shape), where=gap > 0)
    return np.asarray(np.exp(-tau / a) / 2 * (1 + b * tau / (a * (a + b)) * quotient))


@final
@dataclass(frozen=True, slots=True)
class TransformedLaplaceLaw:
    """Law of Algorithm 3 with Laplace noise: an atom at each bound, a density between them.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, Algorithm 3; the law is KSW-X1.
    """

    epsilon: Fraction
    first: Fraction
    second: Fraction
    """The sums s1 = sum x' and s2 = sum (1 - x'), at least 0; both 0 for empty data."""
    low: Fraction
    high: Fraction

    def __init__(
        self, epsilon: Number, first: Number, second: Number, low: Number = 0, high: Number = 1
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "first", check_fraction(first, "first", at_least=0))
        object.__setattr__(self, "second", check_fraction(second, "second", at_least=0))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)

    @classmethod
    def from_data(
        cls, data: Any, epsilon: Number, low: Number = 0, high: Number = 1
    ) -> TransformedLaplaceLaw:
        """State the law on a data set, array_like of shape (n,), read as the mechanism reads it."""
        sums = exact_sums(data, *check_bounds(low, high))
        first, second = Fraction(sums.first, sums.grid), Fraction(sums.second, sums.grid)
        return cls(epsilon, first, second, low, high)

    def cdf(self, x: ArrayLike) -> NDArray[np.float64]:
        """P(mean_hat <= x), elementwise, x in the unit of the data."""
        x = np.asarray(x, dtype=np.float64)
        if self.low == self.high:
            return np.where(x < float(self.low), 0.0, 1.0)
        A, B = float(self.epsilon * self.first), float(self.epsilon * self.second)
        unit = np.clip((x - float(self.low)) / float(self.high - self.low), 0, 1)
        tau = unit * B - (1 - unit) * A
        tail = laplace_sum_tail(np.abs(tau), 1 - unit, unit)
        correction = np.exp(-(A + B)) * (1 - 2 * unit + B - A) / 4
        inside = np.where(tau < 0, tail, 1 - tail) - correction
        return np.where(x < float(self.low), 0.0, np.where(x < float(self.high), inside, 1.0))

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Bounds and true mean, where the formula changes; those in [lower, upper], ascending."""
        points = {self.low, self.high}
        if self.first + self.second > 0:
            mean = self.first / (self.first + self.second)
            points.add(self.low + (self.high - self.low) * mean)
        return tuple(sorted(p for p in points if lower <= p <= upper))

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Fraction, Any]:
        """Probability of `low` and of `high`."""
        if self.low == self.high:
            return {self.low: numbers.rational(Fraction(1))}
        A, B = self.epsilon * self.first, self.epsilon * self.second
        return {self.low: _atom(A, B, numbers=numbers), self.high: _atom(B, A, numbers=numbers)}

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Logarithm of the density, the derivative of the tail, strictly between the bounds."""
        if not self.low < point < self.high:
            msg = f"point must lie strictly between {self.low} and {self.high}, got point={point!r}"
            raise InvalidArgument(msg)
        width = self.high - self.low
        x = (point - self.low) / width
        A, B = self.epsilon * self.first, self.epsilon * self.second
        if x * B < (1 - x) * A:
            x, A, B = 1 - x, B, A
        largest, density = _density(x, A, B, numbers=numbers)
        return numbers.log(density / numbers.rational(width)) - numbers.rational(largest)


def _atom(A: Fraction, B: Fraction, *, numbers: Arithmetic[Any]) -> Any:
    """P(X = 0) = e^-A / 2 - e^-N (1 + B - A) / 4; P(X = 1) with A and B exchanged."""
    half, rest = numbers.rational(Fraction(1, 2)), numbers.rational((1 + B - A) / 4)
    return half * numbers.exp(numbers.rational(-A)) - rest * numbers.exp(numbers.rational(-A - B))


def _density(
    x: Fraction, A: Fraction, B: Fraction, *, numbers: Arithmetic[Any]
) -> tuple[Fraction, Any]:
    """Density of X at 0 < x < 1, tau >= 0, as (m, e^m f(x)) with m the least exponent.

    f(x) is the integral of |r| e^(-|r x - A| - |r (1 - x) - B|) / 4 over all real r: the noisy
    sums (r x, r (1 - x)) are those with ratio x. With a = A / x, b = B / (1 - x), c = 1 - 2 x,

        4 f(x) = 2 e^-N + (a - 1) e^(a - N) + (b + 1) e^(N - b) + M,
        M = integral of r e^(A - B + c r) over a < r < b.

    The closed form of M is singular at c = 0, where `_middle_near_half` takes over.
    """

    def scaled(exponent: Fraction) -> Any:
        return numbers.exp(numbers.rational(largest - exponent))

    N, a, b, c = A + B, A / x, B / (1 - x), 1 - 2 * x
    largest = min(N - a, b - N)
    at_a, at_b = scaled(N - a), scaled(b - N)
    if abs(2 * N - a - b) <= 2:
        middle = _middle_near_half(a, b, N, numbers=numbers) * scaled((b - a) / 2)
    else:
        ends = numbers.rational(b) * at_b - numbers.rational(a) * at_a
        middle = (ends - (at_b - at_a) / numbers.rational(c)) / numbers.rational(c)
    total = (
        numbers.rational(Fraction(2)) * scaled(N)
        + numbers.rational(a - 1) * at_a
        + numbers.rational(b + 1) * at_b
        + middle
    )
    return largest, total / numbers.rational(Fraction(4))


def _middle_near_half(a: Fraction, b: Fraction, N: Fraction, *, numbers: Arithmetic[Any]) -> Any:
    """M e^h for small c, as a series that is regular at c = 0.

    With h = (b - a) / 2, r = (a + b) / 2 and z = c h = N - r, |z| <= 1, it is

        2 h times the sum over j >= 0 of z^(2 j) (r + h z / (2 j + 3)) / (2 j + 1)!.

    The terms are not negative; those from the j-th on are together below 4 r z^(2 j) / (2 j + 1)!.
    """
    h, r = (b - a) / 2, (a + b) / 2
    z = N - r
    total = numbers.between(Fraction(0), 4 * r / math.factorial(2 * _TERMS + 1))
    for j in reversed(range(_TERMS)):
        term = (r + h * z / (2 * j + 3)) / math.factorial(2 * j + 1)
        total = numbers.rational(term) + numbers.rational(z**2) * total
    return numbers.rational(2 * h) * total
