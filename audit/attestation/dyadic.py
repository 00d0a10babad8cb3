"""Rational enclosures with the standard library alone: what `proofs_check.enclosure` does by flint.

A `Ball` is an interval whose ends are rounded outward to so many binary digits. e^x for x >= 0 is
the 2^n-th power of e^(x / 2^n), whose argument is below 1/256, by Taylor sums of integers rounded
down for the lower end and up for the upper one; e^(-x) is 1 / e^x. The logarithm of m 2^k, m in
[3/4, 3/2), is k ln 2 + 2 artanh((m - 1) / (m + 1)), by sums that are rounded likewise.

Numbers that need no rounding stay exact, as flint's do, so that both write the same decimals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

__all__ = ["Ball", "Balls", "certainly_less", "endpoints"]

GUARD = 32
"""Binary digits beyond those of the ends: 8 would do for 200 terms of a sum."""


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
    if x < 0:
        lower, upper = _exp(-x, bits)
        return 1 / upper, 1 / lower
    halvings = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 1) + 8
    places = bits + halvings + GUARD
    over, under = x.numerator << places, x.denominator << halvings
    low, high = over // under, -(-over // under)
    least, most = _taylor(low, places, up=False), _taylor(high, places, up=True)
    for _ in range(halvings):
        least, most = least * least >> places, -(-most * most >> places)
    return Fraction(least, 1 << places), Fraction(most, 1 << places)


def _taylor(x: int, places: int, *, up: bool) -> int:
    """1 + x + x^2 / 2 + ... of x / 2^places below 1/256, rounded down or up."""
    total = term = 1 << places
    k = 0
    while term > 1:  # rounded up a term never becomes 0
        k += 1
        term = -(-term * x // (k << places)) if up else term * x // (k << places)
        total += term
    return total + up  # what is left is below a last term that is one unit or none


@lru_cache(maxsize=2**10)
def _log(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    if x == 1:
        return Fraction(0), Fraction(0)
    k = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** k  # between 1/2 and 2
    if m >= Fraction(3, 2):
        k, m = k + 1, m / 2
    elif m < Fraction(3, 4):
        k, m = k - 1, m * 2
    places = bits + abs(k).bit_length() + GUARD
    inner, two = _artanh((m - 1) / (m + 1), places), _artanh(Fraction(1, 3), places)
    least, most = sorted((k * two[0], k * two[1]))
    unit = Fraction(2, 1 << places)
    return unit * (least + inner[0]), unit * (most + inner[1])


def _artanh(z: Fraction, places: int) -> tuple[int, int]:
    """Enclose 2^places (z + z^3 / 3 + z^5 / 5 + ...), |z| <= 1/3."""
    if z < 0:
        lower, upper = _artanh(-z, places)
        return -upper, -lower
    over, under = z.numerator, z.denominator
    low, high = (over << places) // under, -(-(over << places) // under)
    least, most, k = low, high, 1
    while high > 1:  # rounded up a power never becomes 0
        low = low * over * over // (under * under)
        high = -(-high * over * over // (under * under))
        k += 2
        least, most = least + low // k, most - (-high // k)
    return least, most + 1  # what is left is below a last term of one unit
