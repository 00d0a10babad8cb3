"""Convex regions of real and integer variables, by exact corners and directions.

A region is a polyhedron without lines in some variables x. It is kept twice: by its constraints
c . (x, 1) >= 0, and by its corners and directions, whose hull it is. A cut by a further constraint
keeps the generators on its side and adds one on each edge that it crosses (double description
method; Motzkin et al. 1953). All vectors are kept as integers, for they count up to a positive
factor. Integer variables are relaxed to reals, but a cut by a form of integers alone is moved to
the integers on either side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import final

from mechanisms.errors import InvalidArgument

__all__ = ["Range", "Region", "Vector", "box"]

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
            while len(hull) > 1 and _turn(hull[-2], hull[-1], p) <= 0:
                hull.pop()
            hull.append(p)
        return hull[:-1]

    corners = chain(points) + chain(points[::-1])
    following = corners[1:] + corners[:1]
    pairs = zip(corners, following, strict=True)
    return sum((a[0] * b[1] - a[1] * b[0] for a, b in pairs), start=Fraction(0)) / 2


def _turn(
    a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], c: tuple[Fraction, Fraction]
) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
