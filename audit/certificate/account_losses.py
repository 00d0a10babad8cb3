"""Laws of what one release loses, for the check of certificates of accounts.

Of a claim the worst mechanism is randomized response (Kairouz, Oh and Viswanath 2015, Theorem 3.3).
Probabilities are rounded up: an account of them is an upper end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.certificate.document import TooLarge
from audit.certificate.fixed_point import FixedPoint, Pair

__all__ = [
    "MOST_OUTCOMES",
    "FiniteLoss",
    "LossUnit",
    "NormalLoss",
    "StepLoss",
    "claimed_loss",
    "discrete_gaussian_loss",
    "geometric_loss",
    "listed_loss",
]

ZERO, ONE = Fraction(0), Fraction(1)

MOST_LOSS = 1_000
"""Of one release: what loses more is no privacy, and its exponentials are long."""
MOST_OUTCOMES = 6_000
"""Of one release: a product of more is not gone through either."""


@final
@dataclass(frozen=True, slots=True)
class LossUnit:
    """A number whose multiples losses are: rational, or the logarithm of a rational above 1."""

    of: Fraction
    is_logarithm: bool = False


@final
@dataclass(frozen=True, slots=True)
class NormalLoss:
    """N(mu, 1) against N(0, 1)."""

    mu_squared: Fraction


@final
@dataclass(frozen=True, slots=True, eq=False)
class FiniteLoss:
    """Losses that are multiples of a unit, and at least their probabilities."""

    unit: LossUnit
    masses: Callable[[FixedPoint], dict[int, int]]
    """Probabilities by multiple, rounded up."""
    largest: int | None
    """The largest multiple; None where there is none."""
    beyond: Callable[[FixedPoint], int] | None = None
    """At least the probability of losses that are left out."""
    is_whole: bool = True
    """Whether the release loses as much as this, and not at most."""


@final
@dataclass(frozen=True, slots=True)
class StepLoss:
    """What one release loses: nothing, or a law, after the probability of losing everything."""

    law: NormalLoss | FiniteLoss | None
    kept: Fraction = ONE
    """The probability of not losing everything."""


def _check_loss(loss: Fraction) -> None:
    if loss > MOST_LOSS:
        msg = f"a release that loses more than {MOST_LOSS} is not gone through"
        raise TooLarge(msg)


def _check_outcomes(number: int) -> None:
    if number > MOST_OUTCOMES:
        msg = f"a release of more than {MOST_OUTCOMES} outcomes is not gone through"
        raise TooLarge(msg)


def claimed_loss(epsilon: Fraction, *, is_whole: bool) -> FiniteLoss | None:
    """e^epsilon / (1 + e^epsilon) at epsilon, and the rest at -epsilon."""
    _check_loss(epsilon)
    if not epsilon:
        return None

    def masses(numbers: FixedPoint) -> dict[int, int]:
        odds = {sign: numbers.exponential(numbers.pair(-sign * epsilon)) for sign in (-1, 1)}
        return {sign: numbers.inverse(_one_and(numbers, x))[1] for sign, x in odds.items()}

    return FiniteLoss(LossUnit(epsilon), masses, 1, is_whole=is_whole)


def _one_and(numbers: FixedPoint, other: Pair) -> Pair:
    one = numbers.pair(ONE)
    return one[0] + other[0], one[1] + other[1]


def geometric_loss(shift: int, t: Fraction) -> FiniteLoss | None:
    """Noise x of probability (1 - a) / (1 + a) a^|x|, a = e^(-1/t), at 0 and at the shift.

    The loss at x is (shift - 2 x) / t between 0 and the shift, and beyond as at the nearer end.
    """
    _check_loss(shift / t)
    _check_outcomes(shift)
    if not shift:
        return None

    def masses(numbers: FixedPoint) -> dict[int, int]:
        one, ratio = numbers.pair(ONE), numbers.exponential(numbers.pair(-1 / t))
        end = numbers.inverse(_one_and(numbers, ratio))  # the sum of a^|x| (1 - a) over x <= 0
        inner = numbers.times(end, (one[0] - ratio[1], one[1] - ratio[0]))
        found, power = {}, one
        for x in range(shift + 1):
            share = end if x in (0, shift) else inner
            found[shift - 2 * x] = numbers.times(share, power)[1]
            power = numbers.times(power, ratio)
        return found

    return FiniteLoss(LossUnit(1 / t), masses, shift)


def discrete_gaussian_loss(shift: int, variance: Fraction) -> FiniteLoss | None:
    """Integers x with weights e^(-x^2 / (2 variance)), at 0 and at the shift.

    The loss at x is shift (shift - 2 x) / (2 variance).
    """
    _check_outcomes(shift)
    if not shift:
        return None

    def reach(numbers: FixedPoint) -> int:
        """Where a weight is below 2^-places: ln 2 is less than 7/10."""
        last = math.isqrt(int(variance * numbers.places * Fraction(7, 5))) + 1
        _check_outcomes(2 * last + shift)
        return last

    def weight(numbers: FixedPoint, x: int) -> Pair:
        return numbers.exponential(numbers.pair(-Fraction(x * x) / (2 * variance)))

    def masses(numbers: FixedPoint) -> dict[int, int]:
        last = reach(numbers)
        weights = [weight(numbers, x) for x in range(last + shift + 1)]
        least = weights[0][0] + 2 * sum(low for low, _ in weights[1:])
        share = numbers.inverse((least, least))
        places = range(-last, last + shift + 1)
        return {shift - 2 * x: numbers.times(weights[abs(x)], share)[1] for x in places}

    def beyond(numbers: FixedPoint) -> int:
        """Both tails: beyond the last, weights fall by e^(-last / variance) at least."""
        last, one = reach(numbers), 1 << numbers.places
        fall = numbers.exponential(numbers.pair(-Fraction(last) / variance))[1]
        rest = numbers.inverse((max(one - fall, 1), max(one - fall, 1)))
        return 2 * numbers.times(weight(numbers, last), rest)[1]

    return FiniteLoss(LossUnit(Fraction(shift) / (2 * variance)), masses, None, beyond)


def listed_loss(rows: list[tuple[Fraction, Fraction]]) -> StepLoss:
    """Outcomes with their probabilities (p, q); TooLarge if ratios are not one and its inverse."""
    kept = sum((p for p, q in rows if q), start=ZERO)
    found: dict[Fraction, Fraction] = {}
    for p, q in rows:
        if p and q:
            found[p / q] = found.get(p / q, ZERO) + p / kept
    bases = {max(ratio, 1 / ratio) for ratio in found} - {ONE}
    if len(bases) > 1:
        msg = "listed probabilities of more than one ratio and its inverse are not gone through"
        raise TooLarge(msg)
    if not bases:
        return StepLoss(None, kept)
    (base,) = bases
    _check_loss(Fraction(base.numerator.bit_length() - base.denominator.bit_length()))
    signs = {(ratio > 1) - (ratio < 1): mass for ratio, mass in found.items()}

    def masses(numbers: FixedPoint) -> dict[int, int]:
        return {at: numbers.ceiling(mass) for at, mass in signs.items()}

    return StepLoss(FiniteLoss(LossUnit(base, is_logarithm=True), masses, max(signs)), kept)
