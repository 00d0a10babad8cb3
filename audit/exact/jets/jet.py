"""First-order interval jets: enclosures of a function's values and derivative on a cell.

The jet of a function f on a cell X holds a ball V with f(x) in V for all x of X, and a ball S that
contains every (generalized) derivative of f on X, so that

    f(y) - f(x) = s (y - x)    for all x, y of X, with some s in S

(mean-value theorem; at a kink of abs the derivative is the hull of both sides, which contains
Clarke's). Where no derivative is known (the rest of a series), the slope is unknown and the values
remain.

Positive functions are kept as jets of their logarithms. Products, quotients and powers are then
exact sums, and with u, v the two logarithms

    ln(e^u + e^v) = u + ln(1 + e^(v - u)),

whose slope u' + w (v' - u'), w = 1 - 1 / (1 + e^(v - u)), lies between the slopes of u and v
(softmax weights). A density that spans many orders of magnitude on a cell keeps tight slopes,
where enclosures of value and derivative apart say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Protocol, final, runtime_checkable

from audit.exact.jets.points import Point
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints

Slope = Ball | int | None
"""0 for a constant, None where no derivative is known."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Jet:
    """Enclosures of the values and of the derivative of a function on a cell.

    The four operations take jets, balls, integers and Fractions (exact), never floats; powers are
    integral. `<` and its kin are decided for the whole cell, or raise `Undecided`.
    """

    value: Ball
    """Contains the function's values on the cell."""
    slope: Slope = 0
    """Contains its derivatives; 0 for a constant, None if unknown."""

    def __add__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.value + other.value, _sum(self.slope, other.slope))
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value + other, self.slope)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.value - other.value, _sum(self.slope, _negative(other.slope)))
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value - other, self.slope)
        return NotImplemented

    def __rsub__(self, other: Ball | Fraction | int) -> Jet:
        if isinstance(other, Ball | Fraction | int):
            return Jet(other - self.value, _negative(self.slope))
        return NotImplemented

    def __mul__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            left, right = _scaled(self.slope, other.value), _scaled(other.slope, self.value)
            return Jet(self.value * other.value, _sum(left, right))
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value * other, _scaled(self.slope, other))
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Jet | Ball | Fraction | int) -> Jet:
        if isinstance(other, Jet):
            quotient = self.value / other.value
            top = _sum(self.slope, _negative(_scaled(other.slope, quotient)))
            return Jet(quotient, _divided(top, other.value))
        if isinstance(other, Ball | Fraction | int):
            return Jet(self.value / other, _divided(self.slope, other))
        return NotImplemented

    def __rtruediv__(self, other: Ball | Fraction | int) -> Jet:
        if isinstance(other, Ball | Fraction | int):
            quotient = other / self.value
            return Jet(quotient, _divided(_scaled(self.slope, -quotient), self.value))
        return NotImplemented

    def __pow__(self, exponent: int) -> Jet:
        if exponent < 0:
            return (1 / self) ** -exponent
        if exponent == 0:
            return Jet(Balls(self.value.bits).rational(Fraction(1)))
        slope = _scaled(self.slope, _power(self.value, exponent - 1) * exponent)
        return Jet(_power(self.value, exponent), slope)

    def __neg__(self) -> Jet:
        return Jet(-self.value, _negative(self.slope))

    def __abs__(self) -> Jet:
        if certainly_less(self.value, 0) is False:
            return self
        if certainly_less(0, self.value) is False:
            return -self
        return Jet(abs(self.value), _scaled(self.slope, _both_signs(self.value.bits)))

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
        """Return value and slope over the cell."""
        ...


def _sum(left: Slope, right: Slope) -> Slope:
    if left is None or right is None:
        return None
    if isinstance(left, int) or isinstance(right, int):
        return right if isinstance(left, int) else left
    return left + right


def _negative(slope: Slope) -> Slope:
    return -slope if isinstance(slope, Ball) else slope


def _scaled(slope: Slope, factor: Ball | Fraction | int) -> Slope:
    return slope * factor if isinstance(slope, Ball) else slope


def _divided(slope: Slope, divisor: Ball | Fraction | int) -> Slope:
    return slope / divisor if isinstance(slope, Ball) else slope


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


@final
@dataclass(frozen=True, slots=True, eq=False)
class Positive:
    """The function e^log on a cell.

    Sums, products and quotients with positive numbers, and powers, stay positive; all else is
    computed as a `Jet`.
    """

    log: Jet

    def number(self) -> Jet:
        """Return value and slope of the function itself."""
        value = _exp_ball(self.log.value)
        return Jet(value, _scaled(self.log.slope, value))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int) and other == 0:  # where `sum` begins
            return self
        log = _log_of(other, self.log)
        return self.number() + _plain(other) if log is None else Positive(_log_sum(self.log, log))

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        log = _log_of(other, self.log)
        return self.number() * _plain(other) if log is None else Positive(self.log + log)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        log = _log_of(other, self.log)
        return self.number() / _plain(other) if log is None else Positive(self.log - log)

    def __rtruediv__(self, other: Any) -> Any:
        log = _log_of(other, self.log)
        return _plain(other) / self.number() if log is None else Positive(log - self.log)

    def __pow__(self, exponent: int) -> Positive:
        return Positive(self.log * exponent)

    def __neg__(self) -> Jet:
        return -self.number()

    def __abs__(self) -> Positive:
        return self

    def __sub__(self, other: Any) -> Any:
        return self.number() - _plain(other)

    def __rsub__(self, other: Any) -> Any:
        return _plain(other) - self.number()

    def __lt__(self, other: Any) -> bool:
        return bool(self.number() < _plain(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.number() > _plain(other))

    def __le__(self, other: Any) -> bool:
        return bool(self.number() <= _plain(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self.number() >= _plain(other))


def _exp_ball(x: Ball) -> Ball:
    """Enclose e^x; over a wide ball by the values at its ends, so that it stays positive."""
    numbers = Balls(x.bits)
    power = numbers.exp(x)
    if certainly_less(0, power):
        return power
    return _between_ends(numbers, numbers.exp, x)


def _between_ends(numbers: Balls, increasing: Callable[[Ball], Ball], x: Ball) -> Ball:
    low, high = (increasing(numbers.rational(end)) for end in endpoints(x))
    return low + (high - low) * numbers.between(Fraction(0), Fraction(1))


def _plain(other: Any) -> Any:
    return other.number() if isinstance(other, Ranging) else other


def _log_of(other: Any, like: Jet) -> Jet | None:
    """Logarithm of a positive function, or of a certainly positive constant; else None."""
    if isinstance(other, Positive):
        return other.log
    if isinstance(other, Fraction | int):
        return _constant(Fraction(other), like.value.bits) if other > 0 else None
    if isinstance(other, Jet) and isinstance(other.slope, int) and certainly_less(0, other.value):
        return Jet(Balls(like.value.bits).log(other.value))
    return None


@lru_cache(maxsize=1024)
def _constant(value: Fraction, bits: int) -> Jet:
    numbers = Balls(bits)
    return Jet(numbers.log(numbers.rational(value)))


def _log_sum(u: Jet, v: Jet) -> Jet:
    """Return ln(e^u + e^v)."""
    numbers = Balls(max(u.value.bits, v.value.bits))
    gap = v - u
    if certainly_less(0, gap.value):  # the larger of the two goes first
        u, v, gap = v, u, -gap
    total = numbers.exp(gap.value) + 1
    if certainly_less(0, total):
        rise, weight = numbers.log(total), 1 - 1 / total
    else:
        rise = _between_ends(numbers, lambda z: numbers.log(numbers.exp(z) + 1), gap.value)
        weight = _between_ends(numbers, lambda z: 1 - 1 / (numbers.exp(z) + 1), gap.value)
    return Jet(u.value + rise, (u + gap * weight).slope)


@final
@dataclass(frozen=True, slots=True)
class JetArithmetic:
    """Jets as an `Arithmetic`, at the working precision of some balls.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.jets.jet import JetArithmetic
    >>> from audit.exact.jets.points import point_of
    >>> from proofs_check.enclosure import Ball, Balls
    >>> cell = Fraction(-1), Fraction(1)
    >>> numbers = JetArithmetic(Balls(64))
    >>> x = point_of(cell, cell, numbers)
    >>> numbers.rational(numbers.exp(-x)).slope < 0
    True
    """

    numbers: Balls
    """Arithmetic of the values and slopes."""

    def ranging(self, point: Point) -> Jet:
        """Return value and slope of an affine function over its cell; a constant at one place."""
        lower, upper = point.range()
        if point.fixed:
            return Jet(self.numbers.rational(lower))
        slope = _enclosed(self.numbers, point.coefficient)
        return Jet(self.numbers.between(lower, upper), slope)

    def rational(self, value: Fraction | Jet | Ranging) -> Jet:
        """Convert an exact number, or an exact point that ranges over a cell."""
        if isinstance(value, Jet):
            return value
        if isinstance(value, Fraction | int):
            return Jet(_enclosed(self.numbers, value))
        return value.number()

    def between(self, lower: Fraction | Jet | Ranging, upper: Fraction | Jet | Ranging) -> Jet:
        """Stand for an unknown function between two; nothing is known of its derivative."""
        low, high = self.rational(lower), self.rational(upper)
        unit = self.numbers.between(Fraction(0), Fraction(1))
        return Jet(low.value + (high.value - low.value) * unit, None)

    def pi(self) -> Jet:
        """Return the circle constant."""
        return Jet(self.numbers.pi())

    def exp(self, x: Jet | Ranging | Fraction) -> Positive:
        """Return e^x."""
        return Positive(self.rational(x))

    def log(self, x: Jet | Ranging | Fraction) -> Jet:
        """Return the natural logarithm; the values must be certainly positive."""
        if isinstance(x, Positive):
            return x.log
        u = self.rational(x)
        return Jet(self.numbers.log(u.value), _divided(u.slope, u.value))

    def sqrt(self, x: Jet | Ranging | Fraction) -> Any:
        """Return the square root; the values must be certainly positive."""
        if isinstance(x, Positive):
            return Positive(x.log / 2)
        u = self.rational(x)
        root = self.numbers.sqrt(u.value)
        return Jet(root, _divided(u.slope, root * 2))

    def erfc(self, x: Jet | Ranging | Fraction) -> Jet:
        """Return the complementary error function; its derivative is -2 e^(-x^2) / sqrt(pi)."""
        u = self.rational(x)
        value = self.numbers.erfc(u.value)
        if isinstance(u.slope, int):
            return Jet(value)
        bell = self.numbers.exp(-(u.value * u.value)) / self.numbers.sqrt(self.numbers.pi())
        return Jet(value, _scaled(u.slope, bell * -2))


@lru_cache(maxsize=4096)
def _enclosed(numbers: Balls, value: Fraction | int) -> Ball:
    """Enclose a constant of a formula: the same ones return on every cell."""
    return numbers.rational(Fraction(value))
