"""Exact points that range over a cell: affine functions of its places, with exact ends.

Formulas over an `Arithmetic` take exact points and turn them into numbers by `rational`. A `Point`
is such a point for all places of a cell at once: sums and multiples stay exact, so that the sign of
abs(z - a) and the branch of z < a are decided exactly, also on a cell that ends at a. Decisions are
made for the interior of a second interval, the `piece`: a formula with a jump at the end of its
piece is extended to the end as it is inside (one-sided limit).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, final

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Undecided

Interval = tuple[Fraction, Fraction]
"""Lower and upper end."""


class Lifting(Protocol):
    """An arithmetic that points can be turned into numbers of."""

    def ranging(self, point: Point) -> Any:
        """Return the affine function over the cell of the point."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The affine function offset + coefficient x for all x of a cell.

    Sums, differences and multiples by integers and Fractions are points; all else is a number of
    the arithmetic.
    """

    offset: Fraction
    coefficient: Fraction
    cell: Interval
    piece: Interval
    """Where values are taken; where signs and comparisons are decided (in its interior). The piece
    contains the cell."""
    arithmetic: Lifting
    """What all but exact steps are computed in."""

    def range(self) -> Interval:
        """Least and largest value over the cell, exactly."""
        return self._over(self.cell)

    def _over(self, interval: Interval) -> Interval:
        ends = (self.offset + self.coefficient * end for end in interval)
        lower, upper = ends if self.coefficient >= 0 else reversed([*ends])
        return lower, upper

    def number(self) -> Any:
        """Return the function over the cell as a number of its arithmetic."""
        return self.arithmetic.ranging(self)

    @property
    def fixed(self) -> bool:
        """Whether the cell is a single place."""
        return self.cell[0] == self.cell[1]

    def _like(self, offset: Fraction, coefficient: Fraction) -> Point:
        return Point(offset, coefficient, self.cell, self.piece, self.arithmetic)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Point):
            return self._like(self.offset + other.offset, self.coefficient + other.coefficient)
        if isinstance(other, Fraction | int):
            return self._like(self.offset + other, self.coefficient)
        return self.number() + other

    __radd__ = __add__

    def __neg__(self) -> Point:
        return self._like(-self.offset, -self.coefficient)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return self._like(self.offset * other, self.coefficient * other)
        return self.number() * _plain(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return self * (1 / Fraction(other))
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


def point_of(cell: Interval, piece: Interval, arithmetic: Lifting) -> Point:
    """Return the place in a cell as a point.

    `piece`: contains the cell. `arithmetic`: what all but exact steps are computed in, such as a
    `JetArithmetic`. Raises InvalidArgument if the cell is reversed or leaves the piece.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.jets.jet import JetArithmetic
    >>> from audit.exact.jets.points import point_of
    >>> from proofs_check.enclosure import Balls
    >>> cell = Fraction(1), Fraction(2)
    >>> x = point_of(cell, cell, JetArithmetic(Balls(64)))
    >>> (abs(x - 1) - x).range(), x > 1
    ((Fraction(-1, 1), Fraction(-1, 1)), True)
    """
    if not piece[0] <= cell[0] <= cell[1] <= piece[1]:
        msg = f"cell must have ordered ends within piece, got cell={cell!r}, piece={piece!r}"
        raise InvalidArgument(msg)
    return Point(Fraction(0), Fraction(1), cell, piece, arithmetic)


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
