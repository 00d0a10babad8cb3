"""Affine forms on a region, and programs run on all points of a region at once.

A stated law is a short program: absolute values, floors, comparisons, the four operations. Run on
`Affine` forms instead of numbers it takes one path through its cases wherever the region decides
each comparison, and gives the law as an affine form there; where a comparison is open, `explore`
cuts the region in two and runs the program again on each part. Nothing is sampled and nothing
rounded: what holds on the leaves holds everywhere. Forms with a real variable are compared up to
the points where they are equal (a null set of a density), forms of integers exactly.

A region is a polyhedron without lines in some variables x. It is kept twice: by its constraints
c . (x, 1) >= 0, and by its corners and directions, whose hull it is. A cut by a further constraint
keeps the generators on its side and adds one on each edge that it crosses (double description
method; Motzkin et al. 1953). All vectors are kept as integers, for they count up to a positive
factor. Integer variables are relaxed to reals, but a cut by a form of integers alone is moved to
the integers on either side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NoReturn, TypeVar, final

from audit.exact.step_limit import step
from mechanisms.errors import InvalidArgument

Vector = tuple[Fraction, ...]
"""Coefficients of the variables, then the constant."""

Integers = tuple[int, ...]

Range = tuple[Fraction | int | None, Fraction | int | None]
"""Lower and upper end of a variable; None for none (one end at least must be given)."""


@final
@dataclass(frozen=True, slots=True)
class Region:
    """A polyhedron of real and integer variables; made by `box`, cut by `cut`."""

    integral: tuple[bool, ...]
    """Which variables are integers."""
    constraints: tuple[Integers, ...]
    """c . (x, 1) >= 0."""
    generators: tuple[Integers, ...]
    """Corners x as multiples of (x, 1), and directions (x, 0)."""

    @property
    def corners(self) -> tuple[Vector, ...]:
        """Extreme points."""
        return tuple(tuple(Fraction(x, g[-1]) for x in g[:-1]) for g in self.generators if g[-1])

    @property
    def directions(self) -> tuple[Vector, ...]:
        """Extreme directions in which the region has no end."""
        return tuple(tuple(map(Fraction, g[:-1])) for g in self.generators if not g[-1])

    def range(self, form: Vector) -> tuple[Fraction | None, Fraction | None]:
        """Infimum and supremum of a form; None where there is none."""
        scale = math.lcm(*(c.denominator for c in form))
        whole = tuple(int(c * scale) for c in form)
        values = [(_dot(whole, g), g[-1]) for g in self.generators]
        ends = [Fraction(value, weight * scale) for value, weight in values if weight]
        return (
            None if any(value < 0 for value, weight in values if not weight) else min(ends),
            None if any(value > 0 for value, weight in values if not weight) else max(ends),
        )

    def halves(self, form: Vector) -> tuple[Vector, Vector]:
        """Return constraints for form >= 0 and for form < 0 (<= 0 if a variable is real)."""
        if any(c for c, is_integer in zip(form, self.integral, strict=False) if not is_integer):
            return form, tuple(-c for c in form)
        scale = math.lcm(*(c.denominator for c in form[:-1]))
        step = Fraction(math.gcd(*(int(c * scale) for c in form[:-1])), scale)
        whole = tuple(c / step for c in form[:-1])
        least = math.ceil(-form[-1] / step)
        return (*whole, Fraction(-least)), (*(-c for c in whole), Fraction(least - 1))

    def cut(self, form: Vector) -> Region | None:
        """Return the part where a form is at least 0; None if it is empty."""
        constraint = _integers(form)
        values = [_dot(constraint, g) for g in self.generators]
        active = [
            frozenset(i for i, c in enumerate(self.constraints) if not _dot(c, g))
            for g in self.generators
        ]
        kept = [g for g, value in zip(self.generators, values, strict=True) if value >= 0]
        above = [i for i, value in enumerate(values) if value > 0]
        below = [i for i, value in enumerate(values) if value < 0]
        for i, j in product(above, below):
            if _adjacent(active, i, j):
                pairs = zip(self.generators[i], self.generators[j], strict=True)
                kept.append(_reduced(tuple(values[i] * y - values[j] * x for x, y in pairs)))
        if not any(g[-1] for g in kept):
            return None
        return Region(self.integral, (*self.constraints, constraint), tuple(dict.fromkeys(kept)))

    def ends(self, variable: int) -> tuple[Fraction | None, Fraction | None]:
        """Ends of one variable."""
        size = len(self.integral)
        return self.range(tuple(Fraction(i == variable) for i in range(size + 1)))

    def holds(self, point: Vector) -> bool:
        """Whether a point satisfies all constraints."""
        return all(
            sum((a * b for a, b in zip(c, point, strict=False)), start=Fraction(c[-1])) >= 0
            for c in self.constraints
        )

    def is_product(self) -> bool:
        """Whether each constraint is one of a single integer variable, or of the reals alone.

        Variables with a single value do not count.
        """
        fixed = [lower == upper for lower, upper in map(self.ends, range(len(self.integral)))]
        for c in self.constraints:
            used = [i for i, x in enumerate(c[:-1]) if x and not fixed[i]]
            if len(used) > 1 and any(self.integral[i] for i in used):
                return False
        return True

    def volume(self) -> Fraction:
        """Length or area of the real part of a product region (1 without real variables)."""
        reals = [i for i, is_integer in enumerate(self.integral) if not is_integer]
        points = sorted({tuple(corner[i] for i in reals) for corner in self.corners})
        if not reals:
            return Fraction(1)
        if len(reals) == 1:
            return points[-1][0] - points[0][0]
        if len(reals) == 2:
            return _area([(p[0], p[1]) for p in points])
        msg = f"volumes are known of at most 2 real variables, got {len(reals)}"
        raise InvalidArgument(msg)


def box(ranges: Sequence[Range], integral: Sequence[bool]) -> Region:
    """Return the region of variables that range apart from each other."""
    size = len(ranges)
    constraints: list[Vector] = [tuple(Fraction(i == size) for i in range(size + 1))]
    directions: list[Integers] = []
    sides: list[list[Fraction]] = []
    for k, (lower, upper) in enumerate(ranges):
        if lower is None and upper is None:
            msg = f"a variable needs an end; cut its range in two (variable {k})"
            raise InvalidArgument(msg)
        unit = tuple(int(i == k) for i in range(size))
        if lower is not None:
            constraints.append((*map(Fraction, unit), Fraction(-lower)))
        if upper is not None:
            constraints.append((*(Fraction(-u) for u in unit), Fraction(upper)))
        if upper is None:
            directions.append((*unit, 0))
        if lower is None:
            directions.append((*(-u for u in unit), 0))
        sides.append(sorted({Fraction(end) for end in (lower, upper) if end is not None}))
    corners = (_integers((*corner, Fraction(1))) for corner in product(*sides))
    return Region(tuple(integral), tuple(map(_integers, constraints)), (*corners, *directions))


def _dot(x: Integers, y: Integers) -> int:
    return sum(a * b for a, b in zip(x, y, strict=True))


def _integers(vector: Vector) -> Integers:
    """Least positive multiple that is integral."""
    scale = math.lcm(*(c.denominator for c in vector))
    return _reduced(tuple(int(c * scale) for c in vector))


def _reduced(vector: Integers) -> Integers:
    common = math.gcd(*vector) or 1
    return tuple(x // common for x in vector)


def _adjacent(active: list[frozenset[int]], i: int, j: int) -> bool:
    """Whether two generators are the ends of an edge: no third lies on all their constraints."""
    common = active[i] & active[j]
    return not any(common <= other for k, other in enumerate(active) if k not in (i, j))


def _area(points: list[tuple[Fraction, Fraction]]) -> Fraction:
    """Area of the convex hull of points in ascending order (monotone chain)."""

    def chain(ordered: list[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
        hull: list[tuple[Fraction, Fraction]] = []
        for p in ordered:
            while len(hull) > 1:
                a, b = hull[-2:]
                if (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0:
                    break  # a turn to the left
                hull.pop()
            hull.append(p)
        return hull[:-1]

    corners = chain(points) + chain(points[::-1])
    following = corners[1:] + corners[:1]
    pairs = zip(corners, following, strict=True)
    return sum((a[0] * b[1] - a[1] * b[0] for a, b in pairs), start=Fraction(0)) / 2


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
