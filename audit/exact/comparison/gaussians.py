"""Hockey-stick divergence of two Gaussian laws of one variance, in closed form.

N(a, sigma^2) and N(b, sigma^2) have, with mu = |a - b| / sigma,

    delta(epsilon) = Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu),

Phi(x) = erfc(-x / sqrt(2)) / 2 (Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary
2.13), in both directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.comparison.cells import Gap
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls

NUMBERS = Balls(192)
LONGEST = 20
"""Letters of an end of an event."""


def normal(x: Ball | Fraction, numbers: Balls = NUMBERS) -> Ball:
    """Enclose Phi(x), also far out to the left."""
    point = numbers.rational(x) if isinstance(x, Fraction) else x
    return numbers.erfc(-point / numbers.sqrt(numbers.rational(Fraction(2)))) / 2


def gaussian_chances(
    mu_squared: Fraction, epsilon: Fraction, numbers: Balls = NUMBERS
) -> tuple[Ball, Ball]:
    """Enclose the probabilities of {p > e^epsilon q} under both laws; mu^2 is greater than 0."""
    mu = numbers.sqrt(numbers.rational(mu_squared))
    return normal(mu / 2 - epsilon / mu, numbers), normal(-mu / 2 - epsilon / mu, numbers)


def gaussian_delta(mu: Fraction, epsilon: Fraction, numbers: Balls | None = None) -> Ball:
    """Enclose delta(epsilon) of N(0, 1) against N(mu, 1).

    `mu`: distance of the means over the standard deviation, greater than 0. `epsilon`: any
    rational. `numbers`: working precision; 128 bits by default. Raises InvalidArgument if `mu` is
    not positive.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.comparison.gaussians import gaussian_delta
    >>> gaussian_delta(Fraction(1), Fraction(1))
    Ball([0.12693673750664394580 +/- 8.30e-22])
    """
    if mu <= 0:
        msg = f"mu must be positive, got mu={mu!r}"
        raise InvalidArgument(msg)
    numbers, epsilon = numbers or Balls(128), Fraction(epsilon)
    p, q = gaussian_chances(Fraction(mu) ** 2, epsilon, numbers)
    return p - numbers.exp(numbers.rational(epsilon)) * q


@final
@dataclass(frozen=True, slots=True)
class OfGaussians:
    """N(first, variance) against N(second, variance): everything in closed form.

    Its Renyi divergence of order a is a mu^2 / 2 (van Erven and Harremoes 2014, equation (10)).
    """

    first: Fraction
    second: Fraction
    variance: Fraction
    lemmas: tuple[str, ...] = ("Gaussian laws of one variance, in closed form",)
    cells: int = 2

    @property
    def mu_squared(self) -> Fraction:
        """Squared distance of the means over the variance."""
        return (self.first - self.second) ** 2 / self.variance

    @property
    def rho(self) -> Fraction:
        """Half of it."""
        return self.mu_squared / 2

    def at_most(self, epsilon: Fraction) -> bool:
        """Whether the laws are one: else the log-ratio is linear and has no bound."""
        return not self.mu_squared and epsilon >= 0

    def loss(self) -> tuple[Fraction, Fraction] | None:
        """Infinite, of different laws."""
        return None if self.mu_squared else (Fraction(0), Fraction(0))

    def gap(self, epsilon: Fraction) -> Gap:
        """The half-line on which the ratio is above e^epsilon."""
        away = self.first - self.second
        if not away:
            value = 1 - NUMBERS.exp(NUMBERS.rational(min(epsilon, Fraction(0))))
            one = NUMBERS.rational(Fraction(epsilon < 0))
            return Gap("any output" if epsilon < 0 else "no output", one, one, value, value)
        factor = NUMBERS.exp(NUMBERS.rational(epsilon))
        p, q = gaussian_chances(self.mu_squared, epsilon)
        most = p - factor * q
        end = (self.first + self.second) / 2 + epsilon * self.variance / away
        if len(str(end)) > LONGEST:  # an event that can be read, and is nearly as good
            end = Fraction(f"{float(end):.12g}")
            side = (1 if away > 0 else -1) / NUMBERS.sqrt(NUMBERS.rational(self.variance))
            p, q = (normal(side * (mean - end), NUMBERS) for mean in (self.first, self.second))
        return Gap(f"z {'>' if away > 0 else '<'} {end}", p, q, p - factor * q, most)

    def renyi(self, order: Fraction) -> tuple[Fraction, Fraction]:
        """Exactly."""
        return order * self.rho, order * self.rho
