"""Two-dimensional noise laws as exact laws on the plane, compared with what the laws state.

The l1 staircase is run from its own statement. The hourglasses are stated again by levels, as
k = |s| + |t - s| on the lines z1 + z2 = t, since what they state wants plain numbers for t. This is
compared with their own statement on the lines |t| <= 4: for all z1 at once, on a grid for the
integers of the levels -2 to 2 (of a grid finer than 1/256, for 256 of each level and its ends);
and the sum of all weights is compared with their normalizer.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Protocol

from audit.exact.cells.plane.plane_law import (
    AxisPart,
    Chart,
    PlaneLaw,
    Point,
    grid_axis,
    line_charts,
    plane_charts,
    real_axis,
)
from audit.exact.step_limit import POINT, step
from audit.exact.symbolic.affine import Affine, box, constant, explore
from audit.exact.symbolic.log_numbers import (
    LogNumber,
    Number,
    grid_level,
    hourglass_exponent,
    level,
    log_density,
)
from audit.exact.symbolic.log_numbers import exponent as stated_exponent
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import ExactLaw, Noise

LINES = tuple(map(Fraction, range(-4, 5)))
ORIGIN = (Fraction(0), Fraction(0))
MOST_POINTS = 256


class LevelNoise(Noise, Protocol):
    """Hourglass noise."""

    @property
    def epsilon(self) -> Fraction:
        """Height of a step of the log-density."""
        ...

    @property
    def gamma(self) -> Fraction:
        """Half the width of level 0."""
        ...


class GridNoise(Noise, Protocol):
    """Hourglass noise on a grid."""

    @property
    def epsilon(self) -> Fraction:
        """Height of a step of the log-density."""
        ...

    @property
    def grid(self) -> int:
        """Number of grid steps in the unit."""
        ...

    @property
    def level0(self) -> int:
        """First integer of level 1."""
        ...


def l1_law(noise: Noise, period: Fraction) -> PlaneLaw:
    """State noise whose density on the plane repeats with the l1 norm (KSW-D3).

    `noise`: of dimension 2; its stated density is run as it is. `period`: of the l1 norm: the
    sensitivity. Returns: points are (z1, z2). Raises InvalidArgument if the stated density does not
    integrate to 1.
    """
    stated = noise.exact_law()

    def cover(first: Fraction, second: Fraction) -> tuple[Chart, ...]:
        return plane_charts(real_axis(first, period), real_axis(second, period))

    center = log_density(stated, ORIGIN)

    def log_weight(point: Point) -> Number:
        number = log_density(stated, point)
        if not number.same_factor(center):
            msg = f"the stated law has more than one normalizer: {stated!r}"
            raise InvalidArgument(msg)
        return number.exponent

    return _with_total(PlaneLaw(log_weight, cover), center)


def hourglass_lines(
    epsilon: Fraction,
    gamma: Fraction,
    exponent: Callable[[Number, Number], Number] = hourglass_exponent,
) -> PlaneLaw:
    """Law of weight e^(-epsilon k(s(z1), t)) on the lines z1 + z2 = t (KSW-D4).

    `epsilon`, `gamma`: parameters of the hourglass. `exponent`: k(s, t), s the level of z1.
    Returns: points are (z1, t); a record x moves them by (x, 1).
    """

    def log_weight(point: Point) -> Number:
        return exponent(level(point[0], gamma), point[1]) * -epsilon

    def cover(first: Fraction, _: Fraction) -> tuple[Chart, ...]:
        return line_charts(real_axis(first, Fraction(1)))

    return PlaneLaw(log_weight, cover)


def hourglass_law(noise: LevelNoise) -> PlaneLaw:
    """State hourglass noise on its lines; points are (z1, t), a record x moves them by (x, 1).

    `noise`: the hourglass (KSW-D4). Raises InvalidArgument if the noise states another law, or its
    density does not integrate to 1.
    """
    law, stated = hourglass_lines(noise.epsilon, noise.gamma), noise.exact_law()
    center = log_density(stated, ORIGIN)
    for part, t in product(real_axis(Fraction(0), Fraction(1)), LINES):

        def differs(x: tuple[Affine, ...], here: AxisPart = part, line: Fraction = t) -> bool:
            z = Affine(x[0].region, (*here.coefficients, here.offset))
            return _differs(law, stated, center, (z, line))

        for region, wrong in explore(differs, box(part.ranges, part.integral)):
            if wrong:
                msg = f"the noise states another law on the line {t}, at {region!r}"
                raise InvalidArgument(msg)
    return _with_total(law, center)


def discrete_hourglass_law(noise: GridNoise) -> PlaneLaw:
    """State hourglass noise on a grid; points are (j, t), a record i / Q moves them by (i, 1).

    `noise`: the discrete hourglass (KSW-D5). Raises InvalidArgument if the noise states another
    law, or its masses do not add up to 1.
    """
    grid, level0, stated = noise.grid, noise.level0, noise.exact_law()

    def log_weight(point: Point) -> Number:
        return hourglass_exponent(grid_level(point[0], grid, level0), point[1]) * -noise.epsilon

    def cover(first: Fraction, _: Fraction) -> tuple[Chart, ...]:
        return line_charts(grid_axis(int(first), grid))

    law = PlaneLaw(log_weight, cover)
    center = log_density(stated, ORIGIN)
    starts = [0, level0, level0 + grid, level0 + 2 * grid]
    places = {
        Fraction(sign * j) for sign in (-1, 1) for start in starts for j in (start - 1, start)
    }
    if any(_differs(law, stated, center, (j, Fraction(0))) for j in places):
        msg = f"the noise states more than one normalizer: {stated!r}"
        raise InvalidArgument(msg)
    places |= {Fraction(j) for j in range(-starts[-1], starts[-1], max(1, grid // MOST_POINTS))}
    for point in product(sorted(places), LINES):
        step(POINT)
        if stated_exponent(stated, point) != log_weight(point):
            msg = f"the noise states another law at {point}"
            raise InvalidArgument(msg)
    return _with_total(law, center)


def _differs(law: PlaneLaw, stated: ExactLaw, center: LogNumber, point: Point) -> bool:
    """Whether a statement is another one than the law, relative to the origin."""
    number = log_density(stated, point)
    gap = number.exponent - law.log_weight(point)
    return constant(gap) != center.exponent or not number.same_factor(center)


def _with_total(law: PlaneLaw, center: LogNumber) -> PlaneLaw:
    """Check that the stated normalizer is 1 / total; log-weights are 0 at the origin."""
    if center.exponent != 0 or center.factor * law.total() != 1:
        msg = f"the stated law has total mass {center.factor * law.total()!r}, not 1"
        raise InvalidArgument(msg)
    return law
