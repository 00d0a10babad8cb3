"""Curvature of a formula on a half-line: whether it is concave, and its slopes out to infinity.

Rules of convex calculus, run over an `Arithmetic`: a `Bend` knows of a function of y >= start
whether it is convex, concave or both, and the range of its slope, exactly. Sums and multiples keep
curvature, |u| and u^2 of a straight u are convex, and ln(e^u + e^v) is convex for convex u and v
with a slope between theirs (Boyd and Vandenberghe 2004, sections 3.1.5 and 3.2). What the rules do
not show raises `NoForm`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.exact.forms.closed_forms import NoForm
from audit.exact.jets.supremum import Formula

End = Fraction | None
"""End of a range of slopes; None stands for infinity."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """What is known of a function on y >= start."""

    convex: bool
    concave: bool
    """Both for a straight line."""
    low: End
    high: End
    """Range of the slope; None stands for no end."""
    at_start: Fraction | None
    """Value at the start, if it is a known rational."""
    start: Fraction
    """Where the half-line begins."""

    @property
    def is_constant(self) -> bool:
        """Whether the slope is 0 everywhere."""
        return self.low == 0 == self.high

    @property
    def is_straight(self) -> bool:
        """Whether the function is a known polynomial of degree 1 or 0."""
        return self.convex and self.concave and self.low == self.high and self.at_start is not None

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            value = None if self.at_start is None else self.at_start + other
            return Bend(self.convex, self.concave, self.low, self.high, value, self.start)
        if not isinstance(other, Bend):
            return NotImplemented
        value = None
        if self.at_start is not None and other.at_start is not None:
            value = self.at_start + other.at_start
        return Bend(
            self.convex and other.convex,
            self.concave and other.concave,
            None if self.low is None or other.low is None else self.low + other.low,
            None if self.high is None or other.high is None else self.high + other.high,
            value,
            self.start,
        )

    __radd__ = __add__

    def __neg__(self) -> Bend:
        return Bend(
            self.concave,
            self.convex,
            None if self.high is None else -self.high,
            None if self.low is None else -self.low,
            None if self.at_start is None else -self.at_start,
            self.start,
        )

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Bend):
            if other.is_constant and other.at_start is not None:
                return self * other.at_start
            if self.is_constant and self.at_start is not None:
                return other * self.at_start
            if self.is_constant and other.is_constant:
                return _constant(None, self.start)
            return _refused("a product of two functions")
        if not isinstance(other, Fraction | int):
            return NotImplemented
        if other < 0:
            return -self * -other
        if other == 0:
            return _constant(Fraction(0), self.start)
        low, high, value = (
            None if x is None else x * other for x in (self.low, self.high, self.at_start)
        )
        return Bend(self.convex, self.concave, low, high, value, self.start)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return self * (1 / Fraction(other))
        if isinstance(other, Bend) and other.is_constant:
            if other.at_start is not None:
                return self / other.at_start
            if self.is_constant:
                return _constant(None, self.start)
        return _refused("a quotient of two functions")

    def __rtruediv__(self, other: Any) -> Any:
        return _constant(Fraction(other), self.start) / self

    def __pow__(self, exponent: int) -> Any:
        if self.is_constant:
            value = self.at_start
            return _constant(None if value is None else value**exponent, self.start)
        if exponent != 2 or not self.is_straight or self.at_start is None or self.low is None:
            return _refused("a power")
        first = 2 * self.at_start * self.low  # the slope of u^2 is 2 u u', growing from here
        return Bend(True, False, first, None, self.at_start**2, self.start)

    def __abs__(self) -> Bend:
        if not self.is_straight or self.at_start is None or self.low is None:
            return Bend(False, False, None, None, _refused("an absolute value"), self.start)
        if self.at_start * self.low >= 0:
            sign = -1 if self.at_start < 0 or (self.at_start == 0 and self.low < 0) else 1
            result: Bend = self * sign
            return result
        return Bend(True, False, -abs(self.low), abs(self.low), abs(self.at_start), self.start)

    def __lt__(self, other: Any) -> bool:
        return _negative(self - other)

    def __gt__(self, other: Any) -> bool:
        return _negative(other - self)

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other


@final
@dataclass(frozen=True, slots=True, eq=False)
class BendPower:
    """The function e^log."""

    log: Bend

    def __add__(self, other: Any) -> BendPower:
        if isinstance(other, Fraction | int) and other == 0:  # where `sum` begins
            return self
        that = _log_of(other, self.log.start)
        ends = (self.log.low, that.low), (self.log.high, that.high)
        low, high = (None if x is None or y is None else (x, y) for x, y in ends)
        return BendPower(
            Bend(
                self.log.convex and that.convex,
                False,
                None if low is None else min(low),
                None if high is None else max(high),
                None,
                self.log.start,
            )
        )

    __radd__ = __add__

    def __mul__(self, other: Any) -> BendPower:
        return BendPower(self.log + _log_of(other, self.log.start))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> BendPower:
        return BendPower(self.log - _log_of(other, self.log.start))

    def __rtruediv__(self, other: Any) -> BendPower:
        return BendPower(_log_of(other, self.log.start) - self.log)

    def __pow__(self, exponent: int) -> BendPower:
        return BendPower(self.log * exponent)


@final
@dataclass(frozen=True, slots=True)
class Curvature:
    """Bends as an `Arithmetic`."""

    start: Fraction
    """Where the half-line begins."""

    def point(self, sign: int = 1) -> Bend:
        """Return the point y of the half-line, or -y."""
        slope = Fraction(sign)
        return Bend(True, True, slope, slope, slope * self.start, self.start)

    def rational(self, value: Any) -> Any:
        """Convert an exact number; functions of the point stay as they are."""
        if isinstance(value, Fraction | int):
            return _constant(Fraction(value), self.start)
        return value

    def between(self, lower: Any, upper: Any) -> Any:
        """Refuse: the rest of a series has unknown curvature."""
        return _refused(f"a number between {lower!r} and {upper!r}")

    def pi(self) -> Bend:
        """Return the circle constant."""
        return _constant(None, self.start)

    def exp(self, x: Any) -> BendPower:
        """Return e^x."""
        return BendPower(self.rational(x))

    def log(self, x: Any) -> Bend:
        """Return the natural logarithm."""
        if isinstance(x, BendPower):
            return x.log
        return self._of_constant(x)

    def sqrt(self, x: Any) -> Any:
        """Return the square root."""
        if isinstance(x, BendPower):
            return BendPower(x.log / 2)
        return self._of_constant(x)

    def erfc(self, x: Any) -> Bend:
        """Return the complementary error function of a constant."""
        return self._of_constant(x)

    def _of_constant(self, x: Any) -> Bend:
        u = self.rational(x)
        if not isinstance(u, Bend) or not u.is_constant:
            _refused("a function of the point")
        return _constant(None, self.start)


def curvature_of(log_density: Formula, start: Fraction, *, sign: int = 1) -> Bend:
    """Return curvature and slopes of a formula on y >= start, y = sign * x.

    Raises NoForm if the rules do not show them.
    """
    arithmetic = Curvature(start)
    try:
        found = arithmetic.rational(log_density(arithmetic.point(sign), arithmetic))
    except TypeError as exc:  # an operation that the rules do not know
        raise NoForm(str(exc)) from exc
    return found if isinstance(found, Bend) else Bend(*_refused("a density"))


def _constant(value: Fraction | None, start: Fraction) -> Bend:
    return Bend(True, True, Fraction(0), Fraction(0), value, start)


def _log_of(other: Any, start: Fraction) -> Bend:
    """Logarithm of a positive number; of a constant nothing but its slope is known."""
    if isinstance(other, BendPower):
        return other.log
    positive = isinstance(other, Fraction | int) and other > 0
    known = isinstance(other, Bend) and other.is_constant and (other.at_start or 0) > 0
    if not positive and not known:
        _refused("a sum or product with what is not certainly positive")
    return _constant(None, start)


def _negative(difference: Any) -> bool:
    """Sign of a straight function for y > start, exactly."""
    if not isinstance(difference, Bend) or not difference.is_straight:
        return bool(_refused("a comparison"))
    value, slope = difference.at_start or Fraction(0), difference.low or Fraction(0)
    if value * slope < 0:
        return bool(_refused("a comparison whose answer changes"))
    return value < 0 or slope < 0


def _refused(what: str) -> Any:
    msg = f"{what} has no known curvature"
    raise NoForm(msg)
