"""Recheck the total of an account: what a list of steps loses together, from what they are.

Nothing is taken from what found it: steps are stated again (`account_steps`), and added up in
integers of the standard library.

* Normal laws are one, with the sum of the mu^2: delta = Q(e / mu - mu / 2) - exp(e) Q(e / mu + mu
  / 2) with Q the upper tail of N(0, 1) (Balle and Wang 2018, Theorem 8).
* Finite laws whose losses are multiples of one unit: probabilities are rounded up, multiplied by
  convolution, and rounded up again. The excess does not decrease in any of them (ENG-K3).
* Both: the mean of the normal laws' delta at e less the other losses.
* What is lost altogether: delta = 1 - (product of what is kept) (1 - delta of the rest).
* A delta of 0: the sum of the largest losses.

Products dominate the composition in either direction (ENG-K1), and delta is the larger one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, final

from audit.certificate.account_steps import (
    MOST_OUTCOMES,
    FiniteLoss,
    LossUnit,
    NormalLoss,
    StepLoss,
    step_losses,
)
from audit.certificate.certificate_form import TooLarge
from audit.certificate.fixed_point import FixedPoint, Pair
from mechanisms.errors import CertificateError

MOST_DIGITS = 800_000
"""Binary ones of a product: 2,400 losses at delta 1e-5, half a second with all of its squares."""


@final
@dataclass(frozen=True, slots=True)
class LossProduct:
    """At least the probabilities of losses first, first + stride, ... times the unit."""

    masses: list[int]
    first: int
    stride: int
    unit: LossUnit
    beyond: int
    """At least the probability of losses that are left out."""


def loss_product(parts: Sequence[tuple[FiniteLoss, int]], numbers: FixedPoint) -> LossProduct:
    """The law of the sum of so many losses of each law.

    Raises TooLarge if they have no common unit, or are too many.
    """
    unit = _common_unit(law.unit for law, _ in parts)
    laws, beyond, outcomes = [], 0, 0
    for law, count in parts:
        factor = 1 if unit.is_logarithm else int(law.unit.of / unit.of)
        laws.append(({at * factor: p for at, p in law.masses(numbers).items()}, count))
        beyond += count * (0 if law.beyond is None else law.beyond(numbers))
        outcomes += len(laws[-1][0])
        if outcomes > MOST_OUTCOMES:  # a product of them has as many: those left need no look
            msg = f"laws of more than {MOST_OUTCOMES} outcomes are not gone through"
            raise TooLarge(msg)
    lows = [min(masses) for masses, _ in laws]
    gaps = [at - low for (masses, _), low in zip(laws, lows, strict=True) for at in masses]
    stride = math.gcd(*gaps) or 1
    nodes = 1 + sum(count * (max(m) - min(m)) // stride for m, count in laws)
    digits = 2 * numbers.places + 8 * (nodes.bit_length() // 8 + 2)
    if nodes * digits > MOST_DIGITS:
        msg = f"a product of {nodes} losses is not gone through"
        raise TooLarge(msg)
    slots = _Slots(numbers.places // 8, digits // 8)
    rows = [
        slots.power([masses.get(at, 0) for at in range(low, max(masses) + 1, stride)], count)
        for (masses, count), low in zip(laws, lows, strict=True)
    ]
    first = sum(low * count for low, (_, count) in zip(lows, laws, strict=True))
    return LossProduct(reduce(slots.times, rows), first, stride, unit, beyond)


def _common_unit(units: Iterable[LossUnit]) -> LossUnit:
    """The largest number of which all units are multiples."""
    known = sorted(set(units), key=lambda unit: (unit.is_logarithm, unit.of))
    if any(unit.is_logarithm for unit in known):
        if len(known) > 1:
            msg = "losses without a common unit are not gone through"
            raise TooLarge(msg)
        return known[0]
    under = math.lcm(*(unit.of.denominator for unit in known))
    return LossUnit(Fraction(math.gcd(*(int(unit.of * under) for unit in known)), under))


@final
@dataclass(frozen=True, slots=True)
class _Slots:
    """Products of sums by products of integers, in slots of bytes that hold every coefficient."""

    places: int
    """Bytes behind the point of a coefficient."""
    width: int
    """Bytes of a slot."""

    def times(self, first: list[int], second: list[int]) -> list[int]:
        """Multiply, and round each coefficient up."""
        size = len(first) + len(second) - 1
        whole = self._packed(first) * self._packed(second)
        data = whole.to_bytes(size * self.width, "little")
        unit = 1 << (8 * self.places)
        starts = range(0, len(data), self.width)
        found = (int.from_bytes(data[at : at + self.width], "little") for at in starts)
        return [-(-one // unit) for one in found]

    def power(self, base: list[int], exponent: int) -> list[int]:
        """Multiply so many of one, at least 1."""
        result: list[int] | None = None
        while True:
            if exponent & 1:
                result = base if result is None else self.times(result, base)
            exponent >>= 1
            if not exponent:
                assert result is not None
                return result
            base = self.times(base, base)

    def _packed(self, numbers: list[int]) -> int:
        return int.from_bytes(b"".join(n.to_bytes(self.width, "little") for n in numbers), "little")


ACCOUNT = "account"
"""In the place of a mechanism."""

AS_STATED = "all neighbors, if every step is as stated"
"""What a certificate of an account speaks of."""

LEMMAS_OF_ACCOUNTS = ["ENG-K1", "ENG-K3"]
"""Claims of the ledger on which every such sum rests."""

MOST_STEPS = 100
MOST_EXPONENT = 400
"""Of the exponentials of a normal tail: seconds grow as its cube, and 3,000 take 14."""
MOST_MIXED = 16
"""Losses beside normal laws, of which each takes a normal tail: 50 milliseconds at most."""
PLACES = 128
"""Binary digits beyond those of the delta."""
CLOSE = Fraction(1, 2**40)
"""What is above a claimed delta by less of it is not told from it."""


@final
@dataclass(frozen=True, slots=True)
class TogetherLost:
    """At least what is lost together."""

    delta: Fraction
    """At the claimed epsilon."""
    is_whole: bool
    """Whether no step was taken as a claim that says less than is known of it."""


def account_sentence(parameters: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    """Say what a certificate of an account proves."""
    found = []
    for step in parameters["steps"]:
        told = (f"{name} = {step[name]}" for name in sorted(step) if name not in ("event", "count"))
        found.append(f"{step['count']} of {step['event']} ({', '.join(told)})")
    level = f"epsilon = {claim['epsilon']}, delta = {claim['delta']} ({claim['relation']})"
    return f"{'; '.join(found) or 'no steps'}: together {level} for {AS_STATED}"


def lost_together(steps: object, relation: str, epsilon: Fraction, delta: Fraction) -> TogetherLost:
    """At least the delta of all steps at an epsilon.

    Raises CertificateError if a step is stated wrongly, TooLarge if it is not gone through.
    """
    if not isinstance(steps, list) or len(steps) > MOST_STEPS:
        msg = f"steps must be a list of at most {MOST_STEPS}"
        raise CertificateError(msg)
    read = [step_losses(step, relation) for step in steps]
    found = []
    for side in (0, 1):
        parts = [(both[side], count) for both, count in read if count]
        found.append(_one_way(parts, epsilon, delta))
    laws = [both[0].law for both, _ in read]
    return TogetherLost(
        max(found), all(law.is_whole for law in laws if isinstance(law, FiniteLoss))
    )


def _one_way(parts: Sequence[tuple[StepLoss, int]], epsilon: Fraction, delta: Fraction) -> Fraction:
    """At least delta in one direction."""
    normal = [(step.law, count) for step, count in parts if isinstance(step.law, NormalLoss)]
    finite = [(step.law, count) for step, count in parts if isinstance(step.law, FiniteLoss)]
    if not delta:
        is_lost = normal or any(step.kept != 1 for step, _ in parts)
        return Fraction(1) if is_lost or not _is_within(finite, epsilon) else Fraction(0)
    digits = max(delta.denominator.bit_length() - delta.numerator.bit_length(), 0)
    numbers = FixedPoint(8 * -(-(PLACES + digits) // 8))
    mu_squared = sum((law.mu_squared * count for law, count in normal), start=Fraction(0))
    excess = 0
    if finite:
        product = loss_product(finite, numbers)
        if normal:
            excess = _mixed_excess(product, mu_squared, epsilon, numbers)
        else:
            excess = _finite_excess(product, epsilon, numbers)
    elif normal:
        excess = _normal_excess(mu_squared, epsilon, numbers)
    one = kept = 1 << numbers.places
    for step, count in parts:
        kept = kept * _power(numbers.pair(step.kept)[0], count, numbers) >> numbers.places
    left = kept * max(one - excess, 0) >> numbers.places
    return Fraction(one - left, one)


def _power(base: int, exponent: int, numbers: FixedPoint) -> int:
    """A power of a number of at most 1, rounded down."""
    result = 1 << numbers.places
    while exponent:
        if exponent & 1:
            result = result * base >> numbers.places
        base = base * base >> numbers.places
        exponent >>= 1
    return result


def _is_within(parts: Sequence[tuple[FiniteLoss, int]], epsilon: Fraction) -> bool:
    """Whether the largest losses are certainly at most epsilon together."""
    numbers, total, most = FixedPoint(2 * PLACES), Fraction(0), 0
    for law, count in parts:
        if law.largest is None:
            return False
        if law.unit.is_logarithm:
            ends = numbers.logarithm(law.unit.of)
            most += max(count * law.largest * end for end in ends)
        else:
            total += count * law.largest * law.unit.of
    return total + Fraction(most, 1 << numbers.places) <= epsilon


def _normal_excess(mu_squared: Fraction, epsilon: Fraction, numbers: FixedPoint) -> int:
    """At least the delta of N(mu, 1) against N(0, 1), at any epsilon."""
    exponent = epsilon**2 / (2 * mu_squared) + abs(epsilon) + mu_squared / 8
    if exponent > MOST_EXPONENT:
        return _far_excess(mu_squared, epsilon, numbers)
    fine = FixedPoint(numbers.places + 3 * math.ceil(exponent))
    mu, at = fine.root(fine.pair(mu_squared)), fine.pair(epsilon)
    mean = fine.times(at, fine.inverse(mu))
    half = mu[0] // 2, -(-mu[1] // 2)
    near = fine.normal_tail((mean[0] - half[1], mean[1] - half[0]))
    far = fine.normal_tail((mean[0] + half[0], mean[1] + half[1]))
    lost = fine.times(fine.exponential(at), (max(far[0], 0), max(far[1], 0)))
    return -(-(near[1] - lost[0]) >> (fine.places - numbers.places))


def _far_excess(mu_squared: Fraction, epsilon: Fraction, numbers: FixedPoint) -> int:
    """The same where it is nothing beside delta: Q(x) <= exp(-x^2 / 2) / 2 for x >= 0."""
    exponent = max(epsilon - mu_squared / 2, Fraction(0)) ** 2 / (2 * mu_squared)
    exponent = min(exponent, Fraction(numbers.places))
    found = -(-numbers.exponential(numbers.pair(-exponent))[1] // 2)
    if found > 1 << (PLACES // 2):  # a delta is about 2^PLACES units
        msg = f"exponentials of more than {MOST_EXPONENT} are not gone through"
        raise TooLarge(msg)
    return found


def _finite_excess(product: LossProduct, epsilon: Fraction, numbers: FixedPoint) -> int:
    """At least the sum of p (1 - e^(epsilon - loss)) over all losses above epsilon."""
    fine = FixedPoint(2 * numbers.places)
    size, at = _size(product.unit, fine), fine.pair(epsilon)
    if product.unit.is_logarithm:
        below = at[0] // size[1]
        if at[1] // size[0] != below:
            msg = "an epsilon is too near to a loss to tell which is larger"
            raise TooLarge(msg)
    else:
        below = math.floor(epsilon / product.unit.of)
    start = max((below - product.first) // product.stride + 1, 0)
    kept = product.masses[start:]
    if not kept:
        return product.beyond
    loss = product.first + start * product.stride
    apart = [end - loss * other for end in at for other in size]
    ratio = fine.exponential((min(apart), max(apart)))[0]
    step = fine.exponential((-product.stride * size[1], -product.stride * size[0]))[0]
    total = 0
    for mass in reversed(kept):
        total = (total * step >> fine.places) + (mass << numbers.places)
    spared = total * ratio >> fine.places
    return product.beyond + sum(kept) - (spared >> numbers.places)


def _size(unit: LossUnit, numbers: FixedPoint) -> Pair:
    return numbers.logarithm(unit.of) if unit.is_logarithm else numbers.pair(unit.of)


def _mixed_excess(
    product: LossProduct, mu_squared: Fraction, epsilon: Fraction, numbers: FixedPoint
) -> int:
    """At least the mean of the normal laws' delta at epsilon less the other losses."""
    if len(product.masses) > MOST_MIXED:
        msg = f"normal laws beside more than {MOST_MIXED} losses are not gone through"
        raise TooLarge(msg)
    fine, total = FixedPoint(2 * numbers.places), 0
    size, one = _size(product.unit, fine), 1 << fine.places
    for number, mass in enumerate(product.masses):
        loss = product.first + number * product.stride
        least = math.floor(epsilon * one) - max(loss * end for end in size)
        excess = _normal_excess(mu_squared, Fraction(least, one), numbers)
        total -= -mass * excess >> numbers.places
    return product.beyond + total
