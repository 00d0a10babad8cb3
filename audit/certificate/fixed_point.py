"""Integers over 2^places between which a number lies, by the standard library alone.

e^x for x >= 0 is the 2^n-th power of e^(x / 2^n), whose argument is below 1/256, by Taylor sums; a
logarithm is 2 artanh((m - 1) / (m + 1)) and multiples of ln 2. The upper tail of the normal law is

    Q(x) = 1/2 - exp(-x^2 / 2) / sqrt(2 pi) (x + x^3 / 3 + x^5 / (3 5) + x^7 / (3 5 7) + ...).

Every sum is made twice: rounded down term by term, and rounded up with a bound of what is left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

Pair = tuple[int, int]
"""A lower and an upper end, in units of 2^-places."""

SPARE = 64
"""Binary digits beyond those of the ends: exp(2^20) loses 28, a sum of 10^5 terms 17."""


@final
@dataclass(frozen=True, slots=True)
class FixedPoint:
    """Numbers in units of 2^-places."""

    places: int

    def pair(self, value: Fraction) -> Pair:
        """Enclose a rational number."""
        over, under = value.numerator << self.places, value.denominator
        return over // under, -(-over // under)

    def ceiling(self, value: Fraction) -> int:
        """Round a rational number up."""
        return self.pair(value)[1]

    def times(self, first: Pair, second: Pair) -> Pair:
        """Enclose a product."""
        ends = [x * y for x in first for y in second]
        return min(ends) >> self.places, -(-max(ends) >> self.places)

    def inverse(self, value: Pair) -> Pair:
        """Enclose 1 over a number above 0."""
        if value[0] <= 0:
            msg = "what may be 0 has no inverse"
            raise ArithmeticError(msg)
        one = 1 << (2 * self.places)
        return one // value[1], -(-one // value[0])

    def root(self, value: Pair) -> Pair:
        """Enclose the square root of a number of at least 0."""
        return math.isqrt(value[0] << self.places), math.isqrt(value[1] << self.places) + 1

    def exponential(self, value: Pair) -> Pair:
        """Enclose e^x."""
        return self._exp(value[0])[0], self._exp(value[1])[1]

    def _exp(self, x: int) -> Pair:
        if x < 0:
            return self.inverse(self._exp(-x))
        halvings = max(x.bit_length() - self.places, 0) + 8
        inner = self.places + halvings + SPARE
        start = x << (inner - self.places)
        least, most = start >> halvings, -(-start >> halvings)
        low = high = 1 << inner
        term, number = 1 << inner, 0
        while term > 0:
            number += 1
            term = term * least // (number << inner)
            low += term
        term, number = 1 << inner, 0
        while term > 1:
            number += 1
            term = -(-term * most // (number << inner))
            high += term
        high += 1  # what is left is less than the last term, which is one unit
        for _ in range(halvings):
            low, high = low * low >> inner, -(-high * high >> inner)
        shift = inner - self.places
        return low >> shift, -(-high >> shift)

    def logarithm(self, value: Fraction) -> Pair:
        """Enclose the logarithm of a rational number above 0."""
        twos = value.numerator.bit_length() - value.denominator.bit_length()
        mantissa = value / Fraction(2) ** twos  # between 1/2 and 2
        inner, two = self._artanh((mantissa - 1) / (mantissa + 1)), self._artanh(Fraction(1, 3))
        ends = twos * two[0], twos * two[1]
        return 2 * (inner[0] + min(ends)), 2 * (inner[1] + max(ends))

    def _artanh(self, z: Fraction) -> Pair:
        """Of z between -1/3 and 1/3."""
        if z < 0:
            low, high = self._artanh(-z)
            return -high, -low
        least, most = self.pair(z)
        square = self.times((least, most), (least, most))
        low, high, number = least, most, 1
        while most > 1:
            least, most = least * square[0] >> self.places, -(-most * square[1] >> self.places)
            number += 2
            low, high = low + least // number, high - (-most // number)
        return low, high + 1

    def pi(self) -> Pair:
        """Enclose it: 16 arctan(1/5) - 4 arctan(1/239) (Machin 1706)."""
        inner = self.places + SPARE
        total = terms = 0
        for factor, base in ((16, 5), (-4, 239)):
            power, number, sign = (1 << inner) // base, 1, factor
            while power:
                total += sign * (power // number)
                power //= base * base
                number, sign, terms = number + 2, -sign, terms + 1
        wrong = 64 * terms  # each term is off by less than 3 units, times 16
        return (total - wrong) >> SPARE, -(-(total + wrong) >> SPARE)

    def normal_tail(self, x: Pair) -> Pair:
        """Enclose the mass of the standard normal law above x."""
        half = 1 << (self.places - 1)
        least, most = self._centered(x[0])[0], self._centered(x[1])[1]
        return half - most, half - least

    def _centered(self, x: int) -> Pair:
        """The mass between 0 and x, of its sign."""
        if x < 0:
            low, high = self._centered(-x)
            return -high, -low
        square = self.times((x, x), (x, x))
        low = high = least = most = x
        number = 1
        while most > 1 or 2 * square[1] > number << self.places:
            number += 2
            unit = number << self.places
            least, most = least * square[0] // unit, -(-most * square[1] // unit)
            low, high = low + least, high + most
        high += most  # from here on each term is at most half of the one before
        two_pi = self.root((2 * self.pi()[0], 2 * self.pi()[1]))
        density = self.exponential((-square[1] // 2, -(square[0] // 2)))
        return self.times((low, high), self.times(density, self.inverse(two_pi)))
