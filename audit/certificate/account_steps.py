"""Steps of accounts, stated again for the check of certificates.

`sensitivity` is the most that one record contributes: answers to neighbors are that far apart when
a record is added or removed, and twice as far when one is replaced, unless `swap_sensitivity` says
otherwise. Laplace noise is taken as the claim that it keeps, scalar over scale.

Of a claim the worst mechanism is randomized response (Kairouz, Oh and Viswanath 2015, Theorem 3.3).
Probabilities are rounded up: an account of them is an upper end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, final

from audit.certificate.certificate_form import TooLarge, number
from audit.certificate.fixed_point import FixedPoint, Pair
from mechanisms.errors import CertificateError

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


MOST_RELEASES = 10**9
MOST_ROWS = 1_000
LARGEST = Fraction(10**400)

BothWays = tuple[StepLoss, StepLoss]
"""To remove and to add a record; or to replace it, and the other way round."""

StepWords = Mapping[str, Any]


@final
@dataclass(frozen=True, slots=True)
class StatedEvent:
    """An event: what it loses, the words that it needs and may have, and its relations."""

    losses: Callable[[StepWords, str], BothWays]
    needs: tuple[str, ...]
    may: tuple[str, ...] = ()
    relations: tuple[str, ...] = ("add-remove", "swap")


def _wrong(reason: str) -> NoReturn:
    msg = f"a step is stated wrongly: {reason}"
    raise CertificateError(msg)


def _above_zero(words: StepWords, name: str) -> Fraction:
    found = number(words[name], name)
    if found <= 0:
        _wrong(f"{name} must be above 0, got {found}")
    return found


def _up_to(words: StepWords, name: str, most: Fraction = LARGEST) -> Fraction:
    found = number(words[name], name)
    if not 0 <= found <= most:
        _wrong(f"{name} must be between 0 and {most}, got {found}")
    return found


def _apart(words: StepWords, relation: str) -> Fraction:
    """How far answers to neighbors are apart."""
    once = _up_to(words, "sensitivity")
    twice = _up_to(words, "swap_sensitivity") if "swap_sensitivity" in words else 2 * once
    return twice if relation == "swap" else once


def _whole_apart(words: StepWords, relation: str) -> int:
    found = _apart(words, relation)
    if found.denominator != 1:
        _wrong(f"answers on a grid are an integer apart, got {found}")
    return int(found)


def _alike(law: NormalLoss | FiniteLoss | None, kept: Fraction = Fraction(1)) -> BothWays:
    return StepLoss(law, kept), StepLoss(law, kept)


def _gaussian_step(words: StepWords, relation: str) -> BothWays:
    mu = _apart(words, relation) / _above_zero(words, "sigma")
    return _alike(NormalLoss(mu**2) if mu else None)


def _gdp_step(words: StepWords, relation: str) -> BothWays:
    del relation
    mu = _up_to(words, "mu")
    return _alike(NormalLoss(mu**2) if mu else None)


def _laplace_step(words: StepWords, relation: str) -> BothWays:
    epsilon = _apart(words, relation) / _above_zero(words, "scale")
    return _alike(claimed_loss(epsilon, is_whole=False))


def _geometric_step(words: StepWords, relation: str) -> BothWays:
    return _alike(geometric_loss(_whole_apart(words, relation), _above_zero(words, "t")))


def _discrete_gaussian_step(words: StepWords, relation: str) -> BothWays:
    variance = _above_zero(words, "sigma_squared")
    return _alike(discrete_gaussian_loss(_whole_apart(words, relation), variance))


def _claimed_step(words: StepWords, relation: str) -> BothWays:
    del relation
    delta = _up_to(words, "delta", Fraction(1)) if "delta" in words else Fraction(0)
    return _alike(claimed_loss(_up_to(words, "epsilon"), is_whole=True), 1 - delta)


def _response_step(words: StepWords, relation: str) -> BothWays:
    del relation
    keep, categories = _up_to(words, "keep", Fraction(1)), words["categories"]
    if type(categories) is not int or not 2 <= categories <= MOST_RELEASES:
        _wrong(f"categories must be an integer of at least 2, got {categories!r}")
    other = (1 - keep) / categories
    rest = 1 - keep - 2 * other
    rows = [(keep + other, other), (other, keep + other), (rest, rest)]
    return listed_loss(rows), listed_loss(rows)


def _listed_step(words: StepWords, relation: str) -> BothWays:
    del relation
    sides = []
    for name in ("p", "q"):
        if type(words[name]) is not list or len(words[name]) > MOST_ROWS:
            _wrong(f"{name} must be a list of at most {MOST_ROWS} probabilities")
        side = [number(one, name) for one in words[name]]
        if any(one < 0 for one in side) or sum(side) != 1:
            _wrong(f"{name} must be probabilities that add up to 1")
        sides.append(side)
    if len(sides[0]) != len(sides[1]):
        _wrong("p and q must be as long")
    rows = list(zip(*sides, strict=True))
    return listed_loss(rows), listed_loss([(q, p) for p, q in rows])


ONE_MORE = ("swap_sensitivity",)
CLAIMED = ("add-remove", "swap", "listed")

ACCOUNT_STEPS: Mapping[str, StatedEvent] = {
    "gaussian": StatedEvent(_gaussian_step, ("sigma", "sensitivity"), ONE_MORE),
    "laplace": StatedEvent(_laplace_step, ("scale", "sensitivity"), ONE_MORE),
    "geometric": StatedEvent(_geometric_step, ("t", "sensitivity"), ONE_MORE),
    "discrete-gaussian": StatedEvent(
        _discrete_gaussian_step, ("sigma_squared", "sensitivity"), ONE_MORE
    ),
    "randomized-response": StatedEvent(_response_step, ("keep", "categories"), (), ("swap",)),
    "pure-dp": StatedEvent(_claimed_step, ("epsilon",), (), CLAIMED),
    "approx-dp": StatedEvent(_claimed_step, ("epsilon", "delta"), (), CLAIMED),
    "gdp": StatedEvent(_gdp_step, ("mu",), (), CLAIMED),
    "law": StatedEvent(_listed_step, ("p", "q"), (), ("listed",)),
}
"""By name; of any other event there are no certificates."""


def step_losses(words: object, relation: str) -> tuple[BothWays, int]:
    """What a step loses, and how often it is released.

    Raises CertificateError if it is stated wrongly, TooLarge if it is not gone through.
    """
    name = words.get("event") if isinstance(words, dict) else None
    if not isinstance(words, dict) or not isinstance(name, str) or name not in ACCOUNT_STEPS:
        _wrong(f"event must be one of {', '.join(ACCOUNT_STEPS)}, got {name!r}")
    stated = ACCOUNT_STEPS[name]
    needed = {"event", "count", *stated.needs}
    if not needed <= set(words) <= needed | set(stated.may):
        _wrong(f"{name} has the words {', '.join(sorted(needed | set(stated.may)))}")
    if relation not in stated.relations:
        _wrong(f"{name} has no stated law under {relation}")
    count = words["count"]
    if type(count) is not int or not 0 <= count <= MOST_RELEASES:
        _wrong(f"count must be an integer of 0 to {MOST_RELEASES}, got {count!r}")
    return stated.losses(words, relation), count
