r"""Sums of many losses by a Fourier integral, with every error bounded.

For c > 0, (1 - e^-t)_+ is the integral of e^(t z) / (2 pi i z (z + 1)) over the line Re z = c. So

    H(e) = 1 / (2 pi) int exp(-e z) G(z) dy,   G(z) = prod_i M_i(z)^k_i / (z (z + 1)),   z = c + iy,

with M_i(z) = E_P exp(z L_i) (`proofs_check.composition.moments`).

**Aliasing.** By Poisson's summation the trapezoid rule with step h, T = 2 pi / h, is exactly
H(e) + sum over m != 0 of exp(-c m T) E (1 - exp(-(S - e + m T)))_+, and all terms are at least 0.
Those of m > 0 add up to at most sum exp(-c m T), those of m < 0 to at most the sum of
exp(c |m| T) H(e + |m| T), and H(x) <= prod M_i(c')^k_i exp(-c' x) for every c' > c, since
(1 - e^-t)_+ <= exp(c' t). So the rule is an upper end, and less by these sums a lower one.

**Truncation.** |z (z + 1)| >= y^2. If |M_i(c + iy)| <= r_i M_i(c) for |y| >= N h
(`proofs_check.composition.decay`), what lies beyond N steps is at most
exp(-e c) prod (r_i M_i(c))^k_i / (pi N h), on either side of the rest.

The line c, the step and the number of points are chosen in floats, and any choice is valid. c is
near the least value of ln G(c) - e c.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import final

from proofs_check.composition.decay import Layer, float_bound, upper_bound
from proofs_check.composition.moments import Moments, Normal, moments_of
from proofs_check.composition.parts import Ends, Part
from proofs_check.enclosure import Ball, Balls, Line, Undecided, endpoints

__all__ = ["Transform", "transform_of"]

NUMBERS = Balls(192)

ACCURACY = 36.0
"""Aliasing and truncation are below exp(-36) of delta, 2e-16, where the line is chosen for it."""
ENOUGH = Fraction(1, 10**4)
"""Relative width of delta with which a line that was chosen for another epsilon is used again."""
FAR_BELOW = Fraction(1, 10**9)
"""Times delta: a width that says enough of an epsilon whose delta is far below."""
FINER = 8
"""Lines are at powers of 2^(1/8)."""
SHARES = (1.0, 0.8, 0.5)
"""Of the best c: where M(c) rises steeply beyond, the tilted law decays slowly near it."""
MOST_LINES = 12
"""Of one sum; each takes up to two seconds."""
MOST_POINTS = 2**13
MOST_TERMS = 6e6
"""Points times terms of a line, over all parts: two seconds of one processor."""
REACHES = (
    Fraction(17, 16),
    Fraction(9, 8),
    Fraction(5, 4),
    Fraction(3, 2),
    Fraction(2),
    Fraction(4),
)
"""c' over c."""


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """A line, as it was chosen: c, step and number of steps."""

    c: Fraction
    step: Fraction
    count: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class SampledLine:
    """G on a line, and what is needed to bound its errors."""

    shape: Shape
    values: Line
    moment: Ball
    """prod M_i(c)^k_i."""
    beyond: Ball
    """prod r_i^k_i."""
    others: tuple[tuple[Fraction, Ball], ...]
    """(c', prod M_i(c')^k_i)."""

    @property
    def c(self) -> float:
        """Where the line is, nearly."""
        return float(self.shape.c)

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon)."""
        c, step, count = self.shape.c, self.shape.step, self.shape.count
        at, apart = NUMBERS.rational(epsilon), NUMBERS.rational(step)
        scale = NUMBERS.exp(at * -c)
        found = endpoints(scale * self.values.trapezoid(at, apart) / (2 * NUMBERS.pi()))
        rest = scale * self.moment * self.beyond / (NUMBERS.pi() * (step * count))
        spare = endpoints(rest)[1]
        lower = found[0] - spare - self._aliased(epsilon)
        return max(lower, Fraction(0)), min(max(found[1] + spare, Fraction(0)), Fraction(1))

    def _aliased(self, epsilon: Fraction) -> Fraction:
        """At least what the rule adds."""
        c = self.shape.c
        period = 2 * NUMBERS.pi() / self.shape.step
        one = NUMBERS.exp(-period * c)
        above = endpoints(one / (1 - one))[1]
        below = []
        for other, moment in self.others:
            ratio = NUMBERS.exp(-period * (other - c))
            bound = moment * NUMBERS.exp(NUMBERS.rational(-other * epsilon))
            below.append(endpoints(bound * ratio / (1 - ratio))[1])
        return above + min(below)


@final
@dataclass(slots=True, eq=False)
class Transform:
    """The excess of a sum of losses, by as many lines as are asked for."""

    parts: tuple[tuple[Moments, int], ...]
    delta: float
    """For which the errors are to be small."""
    lines: dict[Fraction, SampledLine] = field(default_factory=dict)
    known: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    """An epsilon, and a lower end of H there, which is one at every smaller epsilon."""

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon)."""
        lower, upper = self._by_lines(epsilon)
        return max(lower, self.known[1]) if epsilon <= self.known[0] else lower, upper

    def _by_lines(self, epsilon: Fraction) -> Ends:
        used = min(self.lines.values(), key=lambda line: self.exponent(line.c, float(epsilon)))
        ends = used.excess(epsilon)
        if ends[1] - ends[0] <= max(ENOUGH * ends[1], FAR_BELOW * Fraction(self.delta)):
            return ends
        own = self._line(float(epsilon)) if len(self.lines) < MOST_LINES else None
        if own is None or own is used:
            return ends
        other = own.excess(epsilon)
        return max(ends[0], other[0]), min(ends[1], other[1])

    def prepare(self) -> bool:
        """Make the line that the delta needs; whether it is not too long."""
        epsilon = self.guess()
        if self._line(epsilon) is None:
            return False
        line = next(iter(self.lines.values()))
        near = Fraction(epsilon) * Fraction(9, 10)
        self.known = near, line.excess(near)[0]
        lower, upper = line.excess(Fraction(epsilon))
        return upper - lower <= ENOUGH * upper

    def log_moment(self, c: float) -> float:
        """Nearly ln prod M_i(c)^k_i."""
        return sum(count * part.log_moment(c) for part, count in self.parts)

    def exponent(self, c: float, epsilon: float) -> float:
        """Nearly ln G(c) - e c."""
        return self.log_moment(c) - epsilon * c - math.log(c) - math.log1p(c)

    def best(self, epsilon: float) -> tuple[float, float]:
        """About where that is least, and its value there."""
        return _least(lambda c: self.exponent(c, epsilon))

    def guess(self) -> float:
        """An epsilon whose delta is about the one asked for, by the height of the saddle."""
        target = math.log(self.delta)

        def height(epsilon: float) -> float:
            c, value = self.best(epsilon)
            side = 1e-3 * c
            near = [self.log_moment(c + sign * side) for sign in (-1, 0, 1)]
            curve = (near[0] - 2 * near[1] + near[2]) / side**2 + 1 / c**2 + 1 / (c + 1) ** 2
            return value - math.log(2 * math.pi * max(curve, 1e-300)) / 2 - target

        low, high = 0.0, 1.0
        while height(high) > 0 and high < 2**20:
            low, high = high, 2 * high
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if height(middle) > 0 else (low, middle)
        return high

    def _line(self, epsilon: float) -> SampledLine | None:
        """Add G on a line for an epsilon; None where it would be too long."""
        best, least = self.best(epsilon)
        for share in SHARES:
            c = _grid(best * share)
            try:
                found = self.lines.get(c) or self._on(c, epsilon, least)
            except Undecided:
                continue
            if found is not None:
                self.lines[c] = found
                return found
        return None

    def _on(self, c: Fraction, epsilon: float, least: float) -> SampledLine | None:
        layers = [part.layers(c) for part, _ in self.parts]
        shape = self._shape(c, epsilon, layers, least - 3.0)  # a saddle is 20 wide
        return None if shape is None else self._sampled(shape, layers)

    def _sampled(self, shape: Shape, layers: Sequence[Sequence[Layer] | None]) -> SampledLine:
        c = shape.c
        total = sum(count for _, count in self.parts)
        spare = 2 * ACCURACY + math.log(total)
        lines = [
            part.line(c, shape.step, shape.count, spare).power(count) for part, count in self.parts
        ]
        start, step = NUMBERS.rational(c), NUMBERS.rational(shape.step)
        others = tuple((other, self._moments(other)) for other in (c * r for r in REACHES))
        beyond = NUMBERS.rational(Fraction(1))
        height = shape.step * shape.count
        for (part, count), one in zip(self.parts, layers, strict=True):
            if one is None:
                assert isinstance(part, Normal)
                exponent = -part.mu_squared * height**2 / 2
                beyond = beyond * NUMBERS.exp(NUMBERS.rational(exponent * count))
            else:
                beyond = beyond * NUMBERS.rational(upper_bound(one, height)) ** count
        values = reduce(mul, lines).over_poles(start, step)
        return SampledLine(shape, values, self._moments(c), beyond, others)

    def _moments(self, c: Fraction) -> Ball:
        whole = NUMBERS.rational(Fraction(1))
        for part, count in self.parts:
            whole = whole * part.moment(c) ** count
        return whole

    def _shape(
        self, c: Fraction, epsilon: float, layers: Sequence[Sequence[Layer] | None], target: float
    ) -> Shape | None:
        """Step and number of steps that make the errors small beside exp(target)."""
        at = float(c)
        period = (ACCURACY - target) / at
        period = max(period, min(self._period(at, at * float(r), epsilon, target) for r in REACHES))
        step = _below(2 * math.pi / period)
        log = self.log_moment(at) - epsilon * at

        def rest(height: float) -> float:
            found = log - math.log(math.pi * height) - target + ACCURACY
            for (part, count), one in zip(self.parts, layers, strict=True):
                if one is None:
                    assert isinstance(part, Normal)
                    found -= count * float(part.mu_squared) * height**2 / 2
                else:
                    found += count * math.log(max(float_bound(one, height), 1e-300))
            return found

        most = float(step) * MOST_POINTS
        if rest(most) > ACCURACY / 2:
            return None
        low, high = 0.0, most
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (low, middle) if rest(middle) <= 0 else (middle, high)
        count = max(math.ceil(high / float(step)) + 1, 8)
        spare = 2 * ACCURACY
        terms = sum(part.size(at, high, spare) for part, _ in self.parts)
        return Shape(c, step, count) if terms * count <= MOST_TERMS else None

    def _period(self, c: float, other: float, epsilon: float, target: float) -> float:
        """The period at which terms of m < 0 are small by Chernoff's bound at c'."""
        return (self.log_moment(other) - other * epsilon - target + ACCURACY) / (other - c)


def _least(of: Callable[[float], float]) -> tuple[float, float]:
    """About where a convex function is least, by golden section of the logarithm, and its value."""
    golden = (math.sqrt(5) - 1) / 2
    low, high = math.log(LEAST_LINE), math.log(MOST_LINE)
    first, second = high - golden * (high - low), low + golden * (high - low)
    one, two = of(math.exp(first)), of(math.exp(second))
    for _ in range(32):
        if one < two:
            high, second, two = second, first, one
            first = high - golden * (high - low)
            one = of(math.exp(first))
        else:
            low, first, one = first, second, two
            second = low + golden * (high - low)
            two = of(math.exp(second))
    return math.exp(first), one


LEAST_LINE, MOST_LINE = 0.25, 2.0**20
"""Between which c is looked for."""


def _grid(c: float) -> Fraction:
    """A number of few bits below c, near a power of 2^(1/8): above c, M(c) may rise steeply."""
    return _below(2.0 ** (math.floor(FINER * math.log2(c)) / FINER))


def _below(number: float) -> Fraction:
    scale = Fraction(2) ** (20 - math.frexp(number)[1])
    return Fraction(math.floor(Fraction(number) * scale)) / scale


def transform_of(parts: Sequence[Part], delta: Fraction) -> Transform | None:
    """The sum of losses by this engine; None where a law has no moments here, or a line is long."""
    found = []
    for part in parts:
        moments = moments_of(part.law)
        if moments is None:
            return None
        found.append((moments, part.count))
    transform = Transform(tuple(found), max(float(delta), 1e-300))
    return transform if transform.prepare() else None
