"""Affine forms on a region, and programs run on all points of a region at once.

A stated law is a short program: absolute values, floors, comparisons, the four operations. Run on
`Affine` forms instead of numbers it takes one path through its cases wherever the region decides
each comparison, and gives the law as an affine form there; where a comparison is open, `explore`
cuts the region in two and runs the program again on each part. Nothing is sampled and nothing
rounded: what holds on the leaves holds everywhere. Forms with a real variable are compared up to
the points where they are equal (a null set of a density), forms of integers exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, TypeVar, final

from audit.exact.steps import step
from audit.exact.symbolic.region import Region, Vector
from mechanisms.errors import InvalidArgument

__all__ = ["Affine", "NotAffine", "constant", "explore", "variables"]

T = TypeVar("T")
MOST_CASES = 20000


class NotAffine(InvalidArgument):
    """The program does what affine forms cannot: powers, floors without bounds, other functions."""


class _Open(Exception):
    """A comparison is open; the parts of the region on which it is decided."""

    def __init__(self, *parts: Region | None) -> None:
        super().__init__()
        self.parts = tuple(part for part in parts if part is not None)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Affine:
    """c_1 x_1 + ... + c_k x_k + c_0 for the variables x of a region."""

    region: Region
    """Where comparisons are decided."""
    vector: Vector
    """c_1, ..., c_k, c_0."""

    @property
    def free(self) -> bool:
        """Whether no variable occurs."""
        return not any(self.vector[:-1])

    def __add__(self, other: Affine | Fraction | int) -> Affine:
        if isinstance(other, Affine):
            sums = (a + b for a, b in zip(self.vector, other.vector, strict=True))
            return Affine(self.region, tuple(sums))
        if not isinstance(other, Fraction | int):
            return NotImplemented  # a logarithm, which knows how to add a form
        return Affine(self.region, (*self.vector[:-1], self.vector[-1] + other))

    __radd__ = __add__

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | Fraction | int) -> Affine:
        return self + -other

    def __rsub__(self, other: Fraction | int) -> Affine:
        return -self + other

    def __mul__(self, factor: Affine | Fraction | int) -> Affine:
        if isinstance(factor, Affine):
            msg = f"a product of two forms is not affine: {self!r} * {factor!r}"
            raise NotAffine(msg)
        return Affine(self.region, tuple(c * factor for c in self.vector))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Fraction | int) -> Affine:
        return self * (1 / Fraction(divisor))

    def __pow__(self, exponent: int) -> NoReturn:
        msg = f"a power of a form is not affine: {self!r} ** {exponent!r}"
        raise NotAffine(msg)

    def __ge__(self, other: Affine | Fraction | int) -> bool:
        return _nonnegative(self - other)

    def __lt__(self, other: Affine | Fraction | int) -> bool:
        return not self >= other

    def __le__(self, other: Affine | Fraction | int) -> bool:
        return _nonnegative(other - self)

    def __gt__(self, other: Affine | Fraction | int) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Affine | Fraction | int):
            return NotImplemented
        return bool(self >= other) and bool(self <= other)

    __hash__ = None  # type: ignore[assignment]  # equality depends on the region

    def __abs__(self) -> Affine:
        return self if self >= 0 else -self

    def __floor__(self) -> Affine:
        """Whole multiples of integer variables pass; the rest must lie between two integers."""
        whole = tuple(
            c if is_integer and c.denominator == 1 else Fraction(0)
            for c, is_integer in zip(self.vector, self.region.integral, strict=False)
        )
        rest = self - Affine(self.region, (*whole, Fraction(0)))
        lower, upper = self.region.range(rest.vector)
        if lower is None or upper is None:
            msg = f"the floor of a form without bounds has no end of cases: {self!r}"
            raise NotAffine(msg)
        steps = range(math.floor(lower), math.floor(upper) + 1)
        floor = next(k for k in steps if k == steps[-1] or rest < k + 1)  # may cut the region
        return Affine(self.region, (*whole, Fraction(floor)))

    def range(self) -> tuple[Fraction | None, Fraction | None]:
        """Infimum and supremum over the region; None where there is none."""
        return self.region.range(self.vector)

    def __repr__(self) -> str:
        terms = [f"{c} x{i}" for i, c in enumerate(self.vector[:-1]) if c]
        return " + ".join([*terms, str(self.vector[-1])])


def variables(region: Region) -> tuple[Affine, ...]:
    """Return the variables of a region as forms."""
    size = len(region.integral)
    return tuple(
        Affine(region, tuple(Fraction(i == j) for j in range(size + 1))) for i in range(size)
    )


def constant(form: Affine | Fraction | int) -> Fraction | None:
    """Value of a form that is the same all over its region, else None."""
    if not isinstance(form, Affine):
        return Fraction(form)
    lower, upper = form.range()
    return lower if lower == upper else None


def explore(
    program: Callable[[tuple[Affine, ...]], T], region: Region
) -> Iterator[tuple[Region, T]]:
    """Run a program on all points of a region.

    `program`: of the region's variables, as forms. `region`: where they range. Yields: parts that
    together cover the region, each with the program's value on it. Raises NotAffine if the program
    leaves the affine forms, or has more than 20000 cases.
    """
    waiting, cases = [region], 0
    while waiting:
        here = waiting.pop()
        step()
        try:
            value = program(variables(here))
        except _Open as cut:
            waiting.extend(cut.parts)
            cases += 1
            if cases > MOST_CASES:
                msg = f"more than {MOST_CASES} cases"
                raise NotAffine(msg) from None
        else:
            yield here, value


def _nonnegative(form: Affine) -> bool:
    """Whether the form is at least 0 on its region; where it depends, the region must be cut."""
    if form.free:
        return form.vector[-1] >= 0
    region = form.region
    yes, no = region.halves(form.vector)
    for half, answer in ((yes, True), (no, False)):
        lower, _ = region.range(half)
        if lower is not None and lower >= 0:
            return answer
    raise _Open(region.cut(yes), region.cut(no))
