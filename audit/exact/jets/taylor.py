"""Taylor enclosures of one variable, and integrals by them.

The series of f about x holds balls for the coefficients f^(k)(x) / k!; over a cell X each ball
contains the coefficient at every x of X. With the series at the center c of a cell of half-width h,
up to the order n - 1, and its n-th coefficient R over the whole cell (n even),

    integral of f over the cell = sum over even k < n of 2 a_k h^(k + 1) / (k + 1)
                                  + R 2 h^(n + 1) / (n + 1).

`TaylorArithmetic` is an `Arithmetic`: a formula written over that protocol runs on series. Cells
about a kink inside the interval, where no series exists, are made so small that values suffice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.exact.jets.jet import JetArithmetic
from audit.exact.jets.points import Interval, Point, point_of
from audit.exact.jets.supremum import Formula
from proofs_check.enclosure import Ball, Balls, Undecided, endpoints

ORDER = 14
"""Order of the remainder; even."""

BUDGET = 4_000
"""Most cells of an integral, where no other number is asked for."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Coefficients of a function about a point or, as enclosures, about all points of a cell."""

    terms: tuple[Ball, ...]
    """From the constant on, at least one; those left out are 0."""
    order: int
    """Largest power that is kept."""

    def number(self) -> Series:
        """Return the series itself."""
        return self

    def _lift(self, other: Any) -> Series | None:
        if isinstance(other, Point):
            other = other.number()
        if isinstance(other, Series):
            return other
        if isinstance(other, Fraction | int):
            return Series((Balls(self.terms[0].bits).rational(Fraction(other)),), self.order)
        return None

    def __add__(self, other: Any) -> Any:
        that = self._lift(other)
        if that is None:
            return NotImplemented
        long, short = sorted((self.terms, that.terms), key=len, reverse=True)
        both = tuple(a + b for a, b in zip(long, short, strict=False))
        return Series(both + long[len(short) :], self.order)

    __radd__ = __add__

    def __neg__(self) -> Series:
        return Series(tuple(-a for a in self.terms), self.order)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return Series(tuple(a * other for a in self.terms), self.order)
        that = self._lift(other)
        if that is None:
            return NotImplemented
        size = min(len(self.terms) + len(that.terms) - 1, self.order + 1)
        return Series(tuple(_dot(self.terms, that.terms, k) for k in range(size)), self.order)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Fraction | int):
            return Series(tuple(a / other for a in self.terms), self.order)
        that = self._lift(other)
        if that is None:
            return NotImplemented
        b = that.terms
        if len(b) == 1:
            return Series(tuple(a / b[0] for a in self.terms), self.order)
        found: list[Ball] = []
        for k in range(self.order + 1):
            rest = _partial(found, b, k)
            top = self.terms[k] - rest if k < len(self.terms) else -rest
            found.append(top / b[0])
        return Series(tuple(found), self.order)

    def __rtruediv__(self, other: Any) -> Any:
        that = self._lift(other)
        return NotImplemented if that is None else that / self

    def __pow__(self, exponent: int) -> Series:
        if exponent < 0:
            result: Series = (1 / self) ** -exponent
            return result
        result = Series((Balls(self.terms[0].bits).rational(Fraction(1)),), self.order)
        for _ in range(exponent):
            result = result * self
        return result

    def __abs__(self) -> Series:
        return -self if self < 0 else self

    def __lt__(self, other: Any) -> bool:
        that = self._lift(other)
        return self.terms[0] < (other if that is None else that.terms[0])

    def __gt__(self, other: Any) -> bool:
        that = self._lift(other)
        return self.terms[0] > (other if that is None else that.terms[0])

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other


@final
@dataclass(frozen=True, slots=True)
class TaylorArithmetic:
    """Series as an `Arithmetic`."""

    numbers: Balls
    """Arithmetic of the coefficients."""
    order: int = ORDER
    """Largest power that is kept."""

    def ranging(self, point: Point) -> Series:
        """Return the series of an affine function about the places of its cell."""
        value = self.numbers.between(*point.range())
        return Series((value, self.numbers.rational(point.coefficient)), self.order)

    def rational(self, value: Any) -> Series:
        """Convert an exact number or a point."""
        if isinstance(value, Fraction | int):
            return self._constant(self.numbers.rational(Fraction(value)))
        found: Series = value.number()
        return found

    def _constant(self, value: Ball) -> Series:
        return Series((value,), self.order)

    def between(self, lower: Any, upper: Any) -> Series:
        """Refuse: the derivatives of the rest of a series are not known."""
        msg = f"the derivatives of a number between {lower!r} and {upper!r} are not known"
        raise Undecided(msg)

    def pi(self) -> Series:
        """Return the circle constant."""
        return self._constant(self.numbers.pi())

    def exp(self, x: Any) -> Series:
        """Return e^x: k e_k = sum of j a_j e_(k - j)."""
        a = self.rational(x).terms
        found = [self.numbers.exp(a[0])]
        if len(a) == 1:
            return self._constant(found[0])
        weighted = tuple(c * j for j, c in enumerate(a))
        for k in range(1, self.order + 1):
            found.append(_partial(found, weighted, k) / k)
        return Series(tuple(found), self.order)

    def log(self, x: Any) -> Series:
        """Return the natural logarithm: the integral of x' / x."""
        u = self.rational(x)
        first = self.numbers.log(u.terms[0])
        return self._constant(first) if len(u.terms) == 1 else _integrated(first, _slope(u) / u)

    def sqrt(self, x: Any) -> Series:
        """Return the square root: e^(ln(x) / 2)."""
        u = self.rational(x)
        if len(u.terms) == 1:
            return self._constant(self.numbers.sqrt(u.terms[0]))
        return self.exp(self.log(u) / 2)

    def erfc(self, x: Any) -> Series:
        """Return the complementary error function: the integral of -2 e^(-x^2) x' / sqrt(pi)."""
        u = self.rational(x)
        first = self.numbers.erfc(u.terms[0])
        if len(u.terms) == 1:
            return self._constant(first)
        bell = self.exp(-(u * u)) * _slope(u) * self._constant(self.numbers.sqrt(self.numbers.pi()))
        return _integrated(first, bell * -2 / self._constant(self.numbers.pi()))


def taylor_integral(
    log_density: Formula,
    lower: Fraction,
    upper: Fraction,
    numbers: Balls,
    tolerance: Fraction,
    *,
    piece: Interval | None = None,
    budget: int = BUDGET,
) -> Ball:
    """Enclose the integral of e^(log_density) over an interval by adaptive Taylor cells.

    `log_density`: the formula, over an `Arithmetic`. `lower`, `upper`: the interval, inside one
    piece of the formula. `numbers`: working precision. `tolerance`: width of the enclosure to aim
    for. `piece`: the piece whose formula holds; by default the interval. `budget`: most cells to
    evaluate. Raises Undecided if more cells would be needed: the formula is singular, or the
    tolerance finer than the working precision.
    """
    total = numbers.rational(Fraction(0))
    whole = piece or (lower, upper)
    pending, cells = [(lower, upper)], 0
    while pending:
        left, right = pending.pop()
        cells += 1
        if cells > budget:
            msg = (
                f"the integral from {lower} to {upper} needs more than {budget} cells (where the "
                "formula changes at a point, breakpoints must name it)"
            )
            raise Undecided(msg)
        found = _cell(log_density, left, right, whole, numbers)
        if found is None:
            found = _rough(log_density, left, right, whole, numbers)
        if found is not None:
            low, high = endpoints(found)
            if high - low <= tolerance * (right - left) / (upper - lower):
                total = total + found
                continue
        middle = (left + right) / 2
        pending += [(left, middle), (middle, right)]
    return total


def _cell(
    log_density: Formula,
    left: Fraction,
    right: Fraction,
    piece: Interval,
    numbers: Balls,
) -> Ball | None:
    arithmetic, middle, half = TaylorArithmetic(numbers), (left + right) / 2, (right - left) / 2
    try:
        center, cell = (
            arithmetic.exp(log_density(point_of(cell, piece, arithmetic), arithmetic)).terms
            for cell in ((middle, middle), (left, right))
        )
    except Undecided:
        return None
    total = numbers.rational(Fraction(0))
    for k in range(0, ORDER, 2):
        if k < len(center):
            total = total + center[k] * (2 * half ** (k + 1) / (k + 1))
    if len(cell) > ORDER:
        total = total + cell[ORDER] * (2 * half ** (ORDER + 1) / (ORDER + 1))
    return total


def _rough(
    log_density: Formula,
    left: Fraction,
    right: Fraction,
    piece: Interval,
    numbers: Balls,
) -> Ball | None:
    """Enclose the integral by the width and the values: all that is left at a kink."""
    arithmetic = JetArithmetic(numbers)
    try:
        x = point_of((left, right), piece, arithmetic)
        value = arithmetic.rational(log_density(x, arithmetic)).value
        return numbers.exp(value) * (right - left)
    except Undecided:
        return None


def _dot(a: Sequence[Ball], b: Sequence[Ball], k: int) -> Ball:
    """Sum of a_j b_(k - j) over all j for which both exist."""
    places = range(max(0, k - len(b) + 1), min(k, len(a) - 1) + 1)
    total = a[places[0]] * b[k - places[0]]
    for j in places[1:]:
        total = total + a[j] * b[k - j]
    return total


def _partial(found: Sequence[Ball], b: Sequence[Ball], k: int) -> Ball:
    """Sum of found_(k - j) b_j over j >= 1."""
    total = Balls(b[0].bits).rational(Fraction(0))
    for j in range(1, min(k, len(b) - 1) + 1):
        total = total + found[k - j] * b[j]
    return total


def _slope(u: Series) -> Series:
    return Series(tuple(a * k for k, a in enumerate(u.terms))[1:], u.order)


def _integrated(first: Ball, slope: Series) -> Series:
    rest = tuple(a / (k + 1) for k, a in enumerate(slope.terms[: slope.order]))
    return Series((first, *rest), slope.order)
