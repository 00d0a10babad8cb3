"""First-order interval jets: enclosures of a function's values and derivatives on a cell.

The jet of a function f on a cell X holds a ball V with f(x) in V for all x of X, and for each
variable a ball S_i that contains every (generalized) partial derivative of f on X, so that

    f(y) - f(x) = s_1 (y_1 - x_1) + s_2 (y_2 - x_2)    for all x, y of X, with some s_i in S_i

(mean-value theorem; at a kink of abs the derivative is the hull of both sides, which contains
Clarke's). Where no derivative is known (the rest of a series), the slopes are unknown and the
values remain. `audit.exact.jets.arithmetic` makes jets an `Arithmetic`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Protocol, final, runtime_checkable

from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints

__all__ = ["Jet", "Ranging", "Slopes", "divided", "scaled"]

Slopes = tuple[Ball, ...] | None
"""One ball for each variable; empty for a constant, None where no derivative is known."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Jet:
    """Enclosures of the values and of the gradient of a function on a cell.

    The four operations take jets, balls, integers and Fractions (exact), never floats; powers are
    integral. `<` and its kin are decided for the whole cell, or raise `Undecided`.
    """

    value: Ball
    """Contains the function's values on the cell."""
    slopes: Slopes = ()
    """Contain its derivatives; `()` for a constant, None if unknown."""

    def __add__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.value + other.value, _sum(self.slopes, other.slopes))
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value + other, self.slopes)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            slopes = _difference(self.slopes, other.slopes)
            return Jet(self.value - other.value, slopes)
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value - other, self.slopes)
        return NotImplemented

    def __rsub__(self, other: Ball | Fraction | int) -> Jet:
        if isinstance(other, Ball | Fraction | int):
            return Jet(other - self.value, _negative(self.slopes))
        return NotImplemented

    def __mul__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            left, right = scaled(self.slopes, other.value), scaled(other.slopes, self.value)
            return Jet(self.value * other.value, _sum(left, right))
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value * other, scaled(self.slopes, other))
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            quotient = self.value / other.value
            top = _difference(self.slopes, scaled(other.slopes, quotient))
            return Jet(quotient, divided(top, other.value))
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value / other, divided(self.slopes, other))
        return NotImplemented

    def __rtruediv__(self, other: Ball | Fraction | int) -> Jet:
        if isinstance(other, Ball | Fraction | int):
            quotient = other / self.value
            return Jet(quotient, divided(scaled(self.slopes, -quotient), self.value))
        return NotImplemented

    def __pow__(self, exponent: int) -> Jet:
        if exponent < 0:
            return (1 / self) ** -exponent
        if exponent == 0:
            return Jet(Balls(self.value.bits).rational(Fraction(1)))
        slopes = scaled(self.slopes, _power(self.value, exponent - 1) * exponent)
        return Jet(_power(self.value, exponent), slopes)

    def __neg__(self) -> Jet:
        return Jet(-self.value, _negative(self.slopes))

    def __abs__(self) -> Jet:
        if certainly_less(self.value, 0) is False:
            return self
        if certainly_less(0, self.value) is False:
            return -self
        return Jet(abs(self.value), scaled(self.slopes, _both_signs(self.value.bits)))

    def __floor__(self) -> int:
        lower, upper = (math.floor(end) for end in endpoints(self.value))
        if lower != upper:
            msg = f"cannot decide the floor of {self.value!r}"
            raise Undecided(msg)
        return lower

    def __lt__(self, other: Jet | Ranging | Ball | Fraction | int) -> bool:
        return self.value < _value(other)

    def __gt__(self, other: Jet | Ranging | Ball | Fraction | int) -> bool:
        return self.value > _value(other)

    def __le__(self, other: Jet | Ranging | Ball | Fraction | int) -> bool:
        return not self.value > _value(other)

    def __ge__(self, other: Jet | Ranging | Ball | Fraction | int) -> bool:
        return not self.value < _value(other)


@runtime_checkable
class Ranging(Protocol):
    """What ranges over a cell and can be turned into a jet: a point, a positive function."""

    def number(self) -> Jet:
        """Return value and slopes over the cell."""
        ...


def _sum(left: Slopes, right: Slopes) -> Slopes:
    if left is None or right is None:
        return None
    if not left or not right:
        return left or right
    return tuple(s + t for s, t in zip(left, right, strict=True))


def _difference(left: Slopes, right: Slopes) -> Slopes:
    if left is None or right is None:
        return None
    if not left or not right:
        return left or _negative(right)
    return tuple(s - t for s, t in zip(left, right, strict=True))


def _negative(slopes: Slopes) -> Slopes:
    return slopes and tuple(-s for s in slopes)


def scaled(slopes: Slopes, factor: Ball | Fraction | int) -> Slopes:
    """Multiply slopes by a factor."""
    return slopes and tuple(s * factor for s in slopes)


def divided(slopes: Slopes, divisor: Ball | Fraction | int) -> Slopes:
    """Divide slopes by a divisor."""
    return slopes and tuple(s / divisor for s in slopes)


def _power(value: Ball, exponent: int) -> Ball:
    """Enclose value^exponent by squaring, for exponent >= 0; even powers are not negative."""
    numbers = Balls(value.bits)
    result = numbers.rational(Fraction(1))
    for digit in f"{exponent:b}":
        result = result * result
        if digit == "1":
            result = result * value
    if exponent % 2 == 0 and certainly_less(0, result) is None:
        low, high = sorted(map(abs, endpoints(value)))
        least = low if certainly_less(0, abs(value)) else Fraction(0)
        return numbers.between(least**exponent, high**exponent)
    return result


@cache
def _both_signs(bits: int) -> Ball:
    return Balls(bits).between(Fraction(-1), Fraction(1))


def _value(other: Jet | Ranging | Ball | Fraction | int) -> Ball | Fraction | int:
    if isinstance(other, Jet):
        return other.value
    return other.number().value if isinstance(other, Ranging) else other
