"""Rational enclosures with the standard library alone: what `proofs_check.enclosure` does by flint.

A `Ball` is an interval whose ends are rounded outward to so many binary digits. The series of e^x
and ln x are those of `audit.certificate.fixed_point`; e^(-x) is 1 / e^x.

Numbers that need no rounding stay exact, as flint's do, so that both write the same decimals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

from audit.certificate.fixed_point import FixedPoint, Pair

__all__ = ["Ball", "Balls", "certainly_less", "endpoints"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """An interval that contains the number it stands for."""

    lower: Fraction
    upper: Fraction
    bits: int

    def __add__(self, other: Ball) -> Ball:
        bits = max(self.bits, other.bits)
        return _outward(self.lower + other.lower, self.upper + other.upper, bits)

    def __mul__(self, other: Fraction) -> Ball:
        ends = sorted((self.lower * other, self.upper * other))
        return _outward(ends[0], ends[1], self.bits)

    def __truediv__(self, other: Ball) -> Ball:
        if other.lower <= 0:
            msg = "a ball that reaches 0 is no divisor"
            raise ArithmeticError(msg)
        ends = [x / y for x in (self.lower, self.upper) for y in (other.lower, other.upper)]
        return _outward(min(ends), max(ends), max(self.bits, other.bits))


@final
@dataclass(frozen=True, slots=True)
class Balls:
    """Enclosures at a working precision."""

    bits: int

    def rational(self, value: Fraction) -> Ball:
        """Enclose an exact rational."""
        return _outward(value, value, self.bits)

    def exp(self, x: Ball) -> Ball:
        """Return e^x."""
        return _outward(_exp(x.lower, self.bits)[0], _exp(x.upper, self.bits)[1], self.bits)

    def log(self, x: Ball) -> Ball:
        """Return the natural logarithm; the ball must be positive."""
        if x.lower <= 0:
            msg = "a ball that reaches 0 has no logarithm"
            raise ArithmeticError(msg)
        return _outward(_log(x.lower, self.bits)[0], _log(x.upper, self.bits)[1], self.bits)


def endpoints(x: Ball) -> tuple[Fraction, Fraction]:
    """Ends of the ball: lower, upper."""
    return x.lower, x.upper


def certainly_less(x: Ball | int, y: Ball | int) -> bool | None:
    """Whether x < y: True or False where certain, None where the balls cannot tell."""
    (a, b), (c, d) = _ends(x), _ends(y)
    if b < c:
        return True
    return False if a >= d else None


def _ends(x: Ball | int) -> tuple[Fraction, Fraction]:
    return (x.lower, x.upper) if isinstance(x, Ball) else (Fraction(x), Fraction(x))


def _outward(lower: Fraction, upper: Fraction, bits: int) -> Ball:
    return Ball(-_rounded_up(-lower, bits), _rounded_up(upper, bits), bits)


def _rounded_up(value: Fraction, bits: int) -> Fraction:
    over, under = value.numerator, value.denominator
    shift = over.bit_length() - under.bit_length() - bits
    if shift >= 0:
        return Fraction(-(-over // (under << shift)) << shift)
    return Fraction(-((-over << -shift) // under), 1 << -shift)


@lru_cache(maxsize=2**14)
def _exp(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    if x == 0:
        return Fraction(1), Fraction(1)
    if x < 0:  # places say nothing of digits far behind the point
        lower, upper = _exp(-x, bits)
        return 1 / upper, 1 / lower
    numbers = FixedPoint(bits)
    return _ends_of(numbers, numbers.exponential(numbers.pair(x)))


@lru_cache(maxsize=2**10)
def _log(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    if x == 1:
        return Fraction(0), Fraction(0)
    twos = x.numerator.bit_length() - x.denominator.bit_length()  # each adds an error of ln 2
    numbers = FixedPoint(bits + abs(twos).bit_length())
    return _ends_of(numbers, numbers.logarithm(x))


def _ends_of(numbers: FixedPoint, pair: Pair) -> tuple[Fraction, Fraction]:
    lower, upper = (Fraction(end, 1 << numbers.places) for end in pair)
    return lower, upper
