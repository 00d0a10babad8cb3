"""Distances of two answers, exactly.

Every double is a rational number, so sums of differences and of their squares are computed as
fractions, and nothing is rounded before a distance is held against a claim; an L2 distance is held
against it by its square. NaN equals NaN and an infinity itself, and each is infinitely far from all
else; so are answers of different shapes.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import final

from audit.stability.answers import Keyed, Value, key_of, shape_of
from mechanisms.errors import InvalidArgument


class Norm(StrEnum):
    """How far apart two answers are."""

    L1 = "l1"
    L2 = "l2"
    LINF = "linf"
    HAMMING = "hamming"
    """The number of rows that differ, of data sets of equal length."""
    CHANGE_ONE = "change-one"
    """The same of multisets of equal size."""
    SYMMETRIC = "symmetric"
    """The number of rows that one multiset has and the other has not."""
    INSERT_DELETE = "insert-delete"
    """The number of rows to insert and delete: m + n - 2 (longest common subsequence)."""
    DISCRETE = "discrete"
    """1 for answers that differ."""


@final
@dataclass(frozen=True, slots=True)
class Distance:
    """A distance, or the square of one."""

    exact: Fraction | None
    """None where it is infinite."""
    is_square: bool = False
    """Whether it is the square."""

    def exceeds(self, bound: Fraction) -> bool:
        """Whether it is above a claim; decided in rational numbers."""
        if self.exact is None:
            return True
        return self.exact > (bound * bound if self.is_square else bound)

    def rank(self, bound: Fraction) -> float:
        """Its ratio to a bound: for the order of a search, and for people; nothing rests on it."""
        if self.exact is None or (bound == 0 and self.exact):
            return math.inf
        if bound == 0:
            return 0.0
        return (
            _root(self.exact / (bound * bound)) if self.is_square else _double(self.exact / bound)
        )

    @property
    def is_zero(self) -> bool:
        """Whether the answers are the same."""
        return self.exact == 0

    def __float__(self) -> float:
        if self.exact is None:
            return math.inf
        return _root(self.exact) if self.is_square else _double(self.exact)

    def __str__(self) -> str:
        """As a fraction; a root that is no fraction stands as one."""
        if self.exact is None:
            return "inf"
        if not self.is_square:
            return str(self.exact)
        top, bottom = math.isqrt(self.exact.numerator), math.isqrt(self.exact.denominator)
        root = Fraction(top, bottom)
        return str(root) if root * root == self.exact else f"sqrt({self.exact})"


INFINITE = Distance(None)
"""Of answers that have none: of other shapes, or NaN on one side."""


def _double(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf


def _root(square: Fraction) -> float:
    """The root of a fraction that may be beyond doubles though its root is not."""
    if not square:
        return 0.0
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = float(square / Fraction(4) ** shift)
    try:
        return math.ldexp(math.sqrt(scaled), shift)
    except OverflowError:
        return math.inf


def distance(norm: Norm, first: Value, second: Value) -> Distance:
    """How far apart two answers are.

    Raises InvalidArgument if they are not what the norm is of.
    """
    return MEASURES[norm](first, second)


def _differences(first: Value, second: Value) -> Iterator[Fraction | None]:
    """Absolute differences of the numbers that differ; None for an infinite one."""
    match first, second:
        case tuple(), tuple():
            for one, other in zip(first, second, strict=True):
                yield from _differences(one, other)
        case Keyed(values=ones), Keyed(values=others):
            yield from _differences(ones, others)
        case ((int() | float() | Fraction()), (int() | float() | Fraction())):
            if key_of(first) != key_of(second):
                finite = math.isfinite(first) if isinstance(first, float) else True
                finite &= math.isfinite(second) if isinstance(second, float) else True
                yield abs(Fraction(first) - Fraction(second)) if finite else None
        case _ if first != second:
            msg = (
                f"a norm is of numbers, and the answers hold {type(first).__name__}; "
                "--norm discrete is of answers of any kind"
            )
            raise InvalidArgument(msg)


def _numeric(
    combine: Callable[[Sequence[Fraction]], Fraction], *, is_square: bool = False
) -> Callable[[Value, Value], Distance]:
    def measure(first: Value, second: Value) -> Distance:
        if shape_of(first) != shape_of(second):
            return INFINITE
        found = list(_differences(first, second))
        finite = [one for one in found if one is not None]
        if len(finite) < len(found):
            return INFINITE
        return Distance(combine(finite), is_square)

    return measure


Keys = list[Hashable]


def _of_rows(count: Callable[[Keys, Keys], int | None]) -> Callable[[Value, Value], Distance]:
    """A distance of data sets; None is infinite."""

    def measure(first: Value, second: Value) -> Distance:
        sides = [[key_of(row) for row in side] for side in (first, second) if type(side) is tuple]
        if not sides:
            msg = (
                "this norm is of data sets, and an answer is no sequence of rows; --norm l1, l2 "
                "and linf are of numbers, discrete of answers of any kind"
            )
            raise InvalidArgument(msg)
        found = None if len(sides) < 2 else count(sides[0], sides[1])
        return INFINITE if found is None else Distance(Fraction(found))

    return measure


def _only(first: Keys, second: Keys) -> tuple[int, int]:
    """Rows that only one has, of each."""
    one, other = Counter(first), Counter(second)
    return (one - other).total(), (other - one).total()


def common_length(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence.

    By bits: those of `free` are the places of `first` that end no longer subsequence yet.

    References
    ----------
    Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004.
    """
    places: dict[Hashable, int] = {}
    for place, key in enumerate(first):
        places[key] = places.get(key, 0) | (1 << place)
    whole = (1 << len(first)) - 1
    free = whole
    for key in second:
        used = free & places.get(key, 0)
        free = ((free + used) | (free - used)) & whole
    return len(first) - free.bit_count()


MEASURES: dict[Norm, Callable[[Value, Value], Distance]] = {
    Norm.L1: _numeric(lambda parts: sum(parts, Fraction(0))),
    Norm.L2: _numeric(lambda parts: sum((x * x for x in parts), Fraction(0)), is_square=True),
    Norm.LINF: _numeric(lambda parts: max(parts, default=Fraction(0))),
    Norm.HAMMING: _of_rows(lambda x, y: sum(map(operator.ne, x, y)) if len(x) == len(y) else None),
    Norm.CHANGE_ONE: _of_rows(lambda x, y: max(_only(x, y)) if len(x) == len(y) else None),
    Norm.SYMMETRIC: _of_rows(lambda x, y: sum(_only(x, y))),
    Norm.INSERT_DELETE: _of_rows(lambda x, y: len(x) + len(y) - 2 * common_length(x, y)),
    Norm.DISCRETE: lambda x, y: Distance(Fraction(int(key_of(x) != key_of(y)))),
}
"""By norm."""
