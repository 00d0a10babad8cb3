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

The line c, the step and the number of points are chosen in floats, and any choice is valid
(`proofs_check.composition.saddle`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import final

from proofs_check.composition.decay import upper_bound
from proofs_check.composition.moments import Moments, Normal, moments_of
from proofs_check.composition.parts import Ends, Part
from proofs_check.composition.saddle import Saddle, Shape
from proofs_check.enclosure import Ball, Balls, Line, Undecided, endpoints

__all__ = ["Transform", "transform_of"]

NUMBERS = Balls(192)

ENOUGH = Fraction(1, 10**4)
"""Relative width of delta with which a line that was chosen for another epsilon is used again."""
FAR_BELOW = Fraction(1, 10**9)
"""Times delta: a width that says enough of an epsilon whose delta is far below."""
MOST_LINES = 12
"""Of one sum."""
OTHER_TERMS = 2e6
"""Points times terms of a line for an epsilon that is not that of delta: half a second."""
TRIES = 3
"""Lines of one sum until its epsilon is found: where M(c) rises steeply, the first guess is far."""
LEAST = Fraction(1, 2**4000)
"""Smaller ends are this one: a line may lie where they are 2^-10^6, fractions of a million bits."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class SampledLine:
    """G on a line, and what is needed to bound its errors."""

    shape: Shape
    values: Line
    beyond: Ball
    """prod (r_i M_i(c))^k_i / (pi N h)."""
    above: Fraction
    """What copies of m > 0 add at most."""
    others: tuple[tuple[Fraction, Ball], ...]
    """c', and what copies of m < 0 add at most, times exp(c' e)."""

    @property
    def c(self) -> float:
        """Where the line is, nearly."""
        return float(self.shape.c)

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon); 0 and 1 so far from the line's own that its errors have no bound."""
        try:
            lower, upper = self._ends(epsilon)
        except Undecided:
            return Fraction(0), Fraction(1)
        return max(lower, Fraction(0)), min(max(upper, Fraction(0)), Fraction(1))

    def _ends(self, epsilon: Fraction) -> Ends:
        c, step = self.shape.c, self.shape.step
        at, apart = NUMBERS.rational(epsilon), NUMBERS.rational(step)
        scale = NUMBERS.exp(at * -c)
        lower, upper = endpoints(scale * self.values.trapezoid(at, apart) / (2 * NUMBERS.pi()))
        spare = _upper(scale * self.beyond)
        lower = lower if lower >= LEAST else Fraction(0)
        return lower - spare - self._aliased(epsilon), max(upper, LEAST) + spare

    def _aliased(self, epsilon: Fraction) -> Fraction:
        """At least what the rule adds."""
        bounds = (
            _upper(bound * NUMBERS.exp(NUMBERS.rational(-other * epsilon)))
            for other, bound in self.others
        )
        return self.above + min(bounds)


def _upper(bound: Ball) -> Fraction:
    return max(endpoints(bound)[1], LEAST)


@final
@dataclass(slots=True, eq=False)
class Transform:
    """The excess of a sum of losses, by as many lines as are asked for."""

    saddle: Saddle
    delta: float
    """For which the errors are to be small."""
    rest: Callable[[float], float] = lambda _: 0.0
    """Nearly what delta has beside this excess, at an epsilon."""
    lines: dict[Fraction, SampledLine] = field(default_factory=dict)
    known: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    """An epsilon, and a lower end of H there, which is one at every smaller epsilon."""
    middle: float = 0.0
    """About the epsilon of that delta, by the line that was made for it."""
    missing: set[Fraction] = field(default_factory=set)
    """Epsilons for which a line would be too long."""

    def near(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon) by the lines there are."""
        return self._known(epsilon, self._best(epsilon).excess(epsilon))

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon), by a line of its own where no other is near."""
        return self._known(epsilon, self._by_lines(epsilon))

    def _known(self, epsilon: Fraction, ends: Ends) -> Ends:
        return (max(ends[0], self.known[1]), ends[1]) if epsilon <= self.known[0] else ends

    def _best(self, epsilon: Fraction) -> SampledLine:
        if len(self.lines) == 1:
            return next(iter(self.lines.values()))
        at = float(epsilon)
        return min(self.lines.values(), key=lambda line: self.saddle.exponent(line.c, at))

    def _by_lines(self, epsilon: Fraction) -> Ends:
        used = self._best(epsilon)
        ends = used.excess(epsilon)
        if ends[1] - ends[0] <= max(ENOUGH * ends[1], FAR_BELOW * Fraction(self.delta)):
            return ends
        if len(self.lines) >= MOST_LINES or epsilon in self.missing:
            return ends
        _, least = self.saddle.best(float(epsilon))
        own = self._line(float(epsilon), least - 3.0, OTHER_TERMS)  # a saddle is 20 wide
        if own is None or own is used:
            self.missing.add(epsilon)
            return ends
        other = own.excess(epsilon)
        return max(ends[0], other[0]), min(ends[1], other[1])

    def prepare(self) -> bool:
        """Make the line that the delta needs; whether it is not too long."""
        epsilon, target = self.guess(), math.log(self.delta)
        for _ in range(TRIES):
            line = self._line(epsilon, target)
            if line is None:
                return False
            self.middle = epsilon = self._found(line, epsilon)
            lower, upper = line.excess(Fraction(epsilon))
            if upper - lower <= ENOUGH * Fraction(self.delta):
                near = Fraction(epsilon) * Fraction(9, 10)
                self.lines = {line.shape.c: line}
                self.known = near, line.excess(near)[0]
                return True
        return False

    def guess(self) -> float:
        """An epsilon whose delta is about the one asked for."""

        def is_above(epsilon: float) -> bool:
            whole = math.exp(min(self.saddle.log_excess(epsilon), 0.0)) + self.rest(epsilon)
            return whole > self.delta

        low, high = 0.0, 1.0
        while is_above(high) and high < 2**20:
            low, high = high, 2 * high
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if is_above(middle) else (low, middle)
        return high

    def _found(self, line: SampledLine, guess: float) -> float:
        """The epsilon whose delta is about the one asked for by a line, at most twice the guess."""
        low, high = guess / 4, guess * 2
        for _ in range(24):
            middle = (low + high) / 2
            lower, upper = line.excess(Fraction(middle))
            whole = float(lower + upper) / 2 + self.rest(middle)
            low, high = (middle, high) if whole > self.delta else (low, middle)
        return high

    def _line(self, epsilon: float, target: float, most: float = math.inf) -> SampledLine | None:
        """Add G on a line for an epsilon; None where it would be too long."""
        shape = self.saddle.shape(epsilon, target, most)
        if shape is None:
            return None
        try:
            found = self.lines.get(shape.c) or self._sampled(shape)
        except Undecided:
            return None
        self.lines[shape.c] = found
        return found

    def _sampled(self, shape: Shape) -> SampledLine:
        c, parts, numbers = shape.c, self.saddle.parts, NUMBERS
        spare = 2 * shape.accuracy + math.log(sum(count for _, count in parts))
        lines = [part.line(c, shape.step, shape.count, spare).power(count) for part, count in parts]
        start, step = numbers.rational(c), numbers.rational(shape.step)
        height = shape.step * shape.count
        beyond = self._moments(c) / (numbers.pi() * height)
        for part, count in parts:
            layers = part.layers(c)
            if layers is None:
                assert isinstance(part, Normal)
                exponent = -part.mu_squared * height**2 / 2
                beyond = beyond * numbers.exp(numbers.rational(exponent * count))
            else:
                beyond = beyond * numbers.rational(upper_bound(layers, height)) ** count
        values = reduce(mul, lines).over_poles(start, step)
        period = 2 * numbers.pi() / shape.step
        one = numbers.exp(-period * c)
        above = _upper(one / (1 - one))
        others = []
        for other in shape.others:
            ratio = numbers.exp(-period * (other - c))
            others.append((other, self._moments(other) * ratio / (1 - ratio)))
        return SampledLine(shape, values, beyond, above, tuple(others))

    def _moments(self, c: Fraction) -> Ball:
        whole = NUMBERS.rational(Fraction(1))
        for part, count in self.saddle.parts:
            whole = whole * part.moment(c) ** count
        return whole


def transform_of(parts: Sequence[Part], delta: Fraction) -> Transform | None:
    """The sum of losses by this engine; None where a law has no moments here, or a line is long."""
    found: list[tuple[Moments, int]] = []
    for part in parts:
        moments = moments_of(part.law)
        if moments is None:
            return None
        found.append((moments, part.count))
    transform = Transform(Saddle(tuple(found)), max(float(delta), 1e-300))
    return transform if transform.prepare() else None
