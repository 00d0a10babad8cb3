"""Where a Fourier integral of a sum of losses is taken, in floats: any choice is valid.

The integrand G(z) exp(-e z) with G(z) = prod_i M_i(z)^k_i / (z (z + 1)) is least on the real axis
at the saddle, and falls fastest beside it on the line through it. Its step and its number of points
make aliasing and truncation small beside delta (`proofs_check.composition.transform`). Where M(c)
rises steeply beyond the saddle, the tilted law decays slowly there, and terms of aliasing are
large: a line at a smaller c is then shorter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.composition.decay import Guesses
from proofs_check.composition.moments import Moments, Normal

__all__ = ["Saddle", "Shape"]

ACCURACIES = ((36.0, 4e6), (16.0, 2e7))
"""Aliasing and truncation are below exp(-36) of delta, 2e-16, of lines of at most 4e6 terms times
points (a second of one processor); else below exp(-16), 1e-7, of at most 2e7 (five seconds). The
rows of benchmarks/README.md, accounting, chose them: their goal is an epsilon known to 1e-6."""
FINER = 8
"""Lines are at powers of 2^(1/8)."""
SHARES = (1.0, 0.8, 0.65, 0.5, 0.35)
"""Of the best c; benchmarks/README.md, accounting, has the points of each."""
MOST_POINTS = 2**13
REACHES = (
    Fraction(17, 16),
    Fraction(9, 8),
    Fraction(5, 4),
    Fraction(3, 2),
    Fraction(2),
    Fraction(4),
)
"""c' over c."""
OTHERS = 2
"""Of these, which bound the copies at this epsilon and beside it."""


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """A line, as it was chosen: c, step and number of steps."""

    c: Fraction
    step: Fraction
    count: int
    accuracy: float
    """Of its moments: they are nearer than exp(-2 accuracy)."""
    terms: float
    """Points times terms, about."""
    others: tuple[Fraction, ...]
    """Where M bounds the copies of m < 0."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Saddle:
    """The integrand of a sum of losses, nearly."""

    parts: tuple[tuple[Moments, int], ...]

    def log_moment(self, c: float) -> float:
        """Nearly ln prod M_i(c)^k_i."""
        return sum(count * part.log_moment(c) for part, count in self.parts)

    def exponent(self, c: float, epsilon: float) -> float:
        """Nearly ln G(c) - e c."""
        return self.log_moment(c) - epsilon * c - math.log(c) - math.log1p(c)

    def best(self, epsilon: float) -> tuple[float, float]:
        """About where that is least, and its value there."""
        return _least(lambda c: self.exponent(c, epsilon))

    def log_excess(self, epsilon: float) -> float:
        """About ln H(epsilon), by the height of the saddle and how it bends."""
        c, value = self.best(epsilon)
        side = 1e-3 * c
        near = [self.log_moment(c + sign * side) for sign in (-1, 0, 1)]
        curve = (near[0] - 2 * near[1] + near[2]) / side**2 + 1 / c**2 + 1 / (c + 1) ** 2
        return value - math.log(2 * math.pi * max(curve, 1e-300)) / 2

    def shape(self, epsilon: float, target: float, most: float = math.inf) -> Shape | None:
        """The shortest line whose errors are small beside exp(target); None if all are too long."""
        best, _ = self.best(epsilon)
        for accuracy, terms in ACCURACIES:
            found = [
                self._on(c, epsilon, target, accuracy)
                for c in dict.fromkeys(_grid(best * share) for share in SHARES)
            ]
            short = [one for one in found if one is not None and one.terms <= min(most, terms)]
            if short:
                return min(short, key=lambda one: one.terms)
        return None

    def _on(self, c: Fraction, epsilon: float, target: float, accuracy: float) -> Shape | None:
        """Step and number of steps on a line."""
        at = float(c)
        aliased = {
            c * r: (self.log_moment(at * float(r)) - at * float(r) * epsilon - target + accuracy)
            / (at * float(r) - at)
            for r in REACHES
        }
        others = tuple(sorted(aliased, key=lambda other: aliased[other])[:OTHERS])
        step = _below(2 * math.pi / max((accuracy - target) / at, aliased[others[0]]))
        guesses = [part.guesses(at) for part, _ in self.parts]
        log = self.log_moment(at) - epsilon * at - target + accuracy

        def rest(height: float) -> float:
            return log - math.log(math.pi * height) + self._decay(guesses, height)

        most = float(step) * MOST_POINTS
        if rest(most) > 0:
            return None
        low, high = 0.0, most
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (low, middle) if rest(middle) <= 0 else (middle, high)
        count = max(math.ceil(high / float(step)) + 1, 8)
        terms = sum(part.size(at, high, 2 * accuracy) for part, _ in self.parts)
        return Shape(c, step, count, accuracy, terms * count, others)

    def _decay(self, guesses: Sequence[Guesses | None], height: float) -> float:
        found = 0.0
        for (part, count), one in zip(self.parts, guesses, strict=True):
            if one is None:
                assert isinstance(part, Normal)
                found -= count * float(part.mu_squared) * height**2 / 2
            else:
                found += count * math.log(max(one.bound(height), 1e-300))
        return found


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
