"""Exact points that range over a box: affine functions of its coordinates, with exact ends.

Formulas over an `Arithmetic` take exact points and turn them into numbers by `rational`. A `Point`
is such a point for all places of a box at once: sums and multiples stay exact, so that the sign of
abs(z - a) and the branch of z < a are decided exactly, also on a box that ends at a. Decisions are
made for the interior of a second box, the `piece`: a formula with a jump at the end of its piece
is extended to the end as it is inside (one-sided limit).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, final

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Undecided

__all__ = ["Box", "Lifting", "Point", "points"]

Box = tuple[tuple[Fraction, Fraction], ...]
"""Sides, lower and upper end of each."""


class Lifting(Protocol):
    """An arithmetic that points can be turned into numbers of."""

    def ranging(self, point: Point) -> Any:
        """Return the affine function over the box of the point."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The affine function offset + sum of coefficients times coordinates, over a box.

    Sums, differences and multiples by integers and Fractions are points; all else is a number of
    the arithmetic.
    """

    offset: Fraction
    coefficients: tuple[Fraction, ...]
    """One for each coordinate."""
    box: Box
    piece: Box
    """Where values are taken; where signs and comparisons are decided (in its interior). The piece
    contains the box."""
    arithmetic: Lifting
    """What all but exact steps are computed in."""

    def range(self) -> tuple[Fraction, Fraction]:
        """Least and largest value over the box, exactly."""
        return self._over(self.box)

    def _over(self, box: Box) -> tuple[Fraction, Fraction]:
        lower = upper = self.offset
        for c, (left, right) in zip(self.coefficients, box, strict=True):
            if c == 1:
                lower, upper = lower + left, upper + right
            elif c.numerator > 0:
                lower, upper = lower + c * left, upper + c * right
            elif c:
                lower, upper = lower + c * right, upper + c * left
        return lower, upper

    def number(self) -> Any:
        """Return the function over the box as a number of its arithmetic."""
        return self.arithmetic.ranging(self)

    @property
    def fixed(self) -> bool:
        """Whether the box is a single place."""
        return all(left == right for left, right in self.box)

    def _like(self, offset: Fraction, coefficients: tuple[Fraction, ...]) -> Point:
        return Point(offset, coefficients, self.box, self.piece, self.arithmetic)

    def _times(self, factor: Fraction | int) -> Point:
        return self._like(self.offset * factor, tuple(c * factor for c in self.coefficients))

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Point):
            both = zip(self.coefficients, other.coefficients, strict=True)
            return self._like(self.offset + other.offset, tuple(a + b for a, b in both))
        if isinstance(other, Fraction | int):
            return self._like(self.offset + other, self.coefficients)
        return self.number() + other

    __radd__ = __add__

    def __neg__(self) -> Point:
        return self._times(-1)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return self._times(other)
        return self.number() * _plain(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return self._times(1 / Fraction(other))
        return self.number() / _plain(other)

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.number()

    def __pow__(self, exponent: int) -> Any:
        return self.number() ** exponent

    def __abs__(self) -> Any:
        lower, upper = self._over(self.piece)
        if lower >= 0:
            return self
        return -self if upper <= 0 else abs(self.number())

    def __floor__(self) -> int:
        lower, upper = self._over(self.piece)
        if math.floor(lower) < math.ceil(upper) - 1:
            msg = f"cannot decide the floor of the points {self.range()!r}"
            raise Undecided(msg)
        return math.floor(lower)

    def __lt__(self, other: Any) -> bool:
        return _below(self, other)

    def __gt__(self, other: Any) -> bool:
        return _above(self, other)

    def __le__(self, other: Any) -> bool:
        return not _above(self, other)

    def __ge__(self, other: Any) -> bool:
        return not _below(self, other)


def points(box: Box, piece: Box, arithmetic: Lifting) -> tuple[Point, ...]:
    """Return the coordinates of a box as points.

    `box`, `piece`: one or more sides; `piece` contains `box`. `arithmetic`: what all but exact
    steps are computed in, such as a `JetArithmetic`. Raises InvalidArgument if a side is reversed
    or leaves the piece.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.jets.arithmetic import JetArithmetic
    >>> from audit.exact.jets.points import points
    >>> from proofs_check.enclosure import Balls
    >>> box = ((Fraction(1), Fraction(2)),)
    >>> (x,) = points(box, box, JetArithmetic(Balls(64)))
    >>> (abs(x - 1) - x).range(), x > 1
    ((Fraction(-1, 1), Fraction(-1, 1)), True)
    """
    for (left, right), (low, high) in zip(box, piece, strict=True):
        if not low <= left <= right <= high:
            msg = f"box must have ordered sides within piece, got box={box!r}, piece={piece!r}"
            raise InvalidArgument(msg)
    unit = [Fraction(0)] * len(box)
    return tuple(
        Point(Fraction(0), (*unit[:i], Fraction(1), *unit[i + 1 :]), box, piece, arithmetic)
        for i in range(len(box))
    )


def _plain(other: Any) -> Any:
    return other.number() if isinstance(other, Point) else other


def _below(point: Point, other: Any) -> bool:
    """Whether point < other in the interior of the piece, for all of it or for none."""
    if not isinstance(other, Point | Fraction | int):
        return bool(point.number() < other)
    difference: Point = point - other
    lower, upper = difference._over(point.piece)
    if upper < 0 or (upper == 0 and lower < 0):
        return True
    if lower >= 0:
        return False
    msg = f"cannot decide on which side of {other!r} the points {point.range()!r} lie"
    raise Undecided(msg)


def _above(point: Point, other: Any) -> bool:
    if isinstance(other, Point | Fraction | int):
        return _below(-point, -other)
    return bool(point.number() > other)
