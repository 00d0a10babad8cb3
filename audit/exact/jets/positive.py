"""Positive functions on a cell, kept as jets of their logarithms.

Products, quotients and powers are then exact sums, and with u, v the two logarithms

    ln(e^u + e^v) = u + ln(1 + e^(v - u)),

whose slope u' + w (v' - u'), w = 1 - 1 / (1 + e^(v - u)), lies between the slopes of u and v
(softmax weights). A density that spans many orders of magnitude on a cell keeps tight slopes,
where enclosures of value and derivative apart say nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

from audit.exact.jets.jet import Jet, Ranging, scaled
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

__all__ = ["Positive", "exp_ball"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Positive:
    """The function e^log on a cell.

    Sums, products and quotients with positive numbers, and powers, stay positive; all else is
    computed as a `Jet`.
    """

    log: Jet

    def number(self) -> Jet:
        """Return value and slopes of the function itself."""
        value = exp_ball(self.log.value)
        return Jet(value, scaled(self.log.slopes, value))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int) and other == 0:  # where `sum` begins
            return self
        log = _log(other, self.log)
        return self.number() + _plain(other) if log is None else Positive(_log_sum(self.log, log))

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        log = _log(other, self.log)
        return self.number() * _plain(other) if log is None else Positive(self.log + log)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        log = _log(other, self.log)
        return self.number() / _plain(other) if log is None else Positive(self.log - log)

    def __rtruediv__(self, other: Any) -> Any:
        log = _log(other, self.log)
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


def exp_ball(x: Ball) -> Ball:
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


def _log(other: Any, like: Jet) -> Jet | None:
    """Logarithm of a positive function, or of a certainly positive constant; else None."""
    if isinstance(other, Positive):
        return other.log
    numbers = Balls(like.value.bits)
    if isinstance(other, Fraction | int):
        return _constant(Fraction(other), like.value.bits) if other > 0 else None
    if isinstance(other, Jet) and other.slopes == () and certainly_less(0, other.value):
        return Jet(numbers.log(other.value))
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
    return Jet(u.value + rise, (u + gap * weight).slopes)
