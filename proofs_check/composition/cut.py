r"""Sums of few sampled losses: those that decide by themselves are taken out exactly.

Let m be the least loss of (P, Q) with ln R, R = 1 - q + q exp(l), so m = ln(1 - q) where a record
is removed, and the largest is -m where it is added. Take the outcomes of one step whose l is above
a `top` out; p and r are their masses under P and Q, and F is the loss at the top.

* Removing: they have losses above F. With one of them among k the sum is at least F + (k - 1) m, so
  at every e up to there all these outcomes are in the best event, and together they are worth
  1 - (1 - p)^k - exp(e) (1 - (1 - r)^k). At a larger e that is still a lower end, of an event, and
  what it is at F + (k - 1) m is an upper end, since an excess falls with e.
* Adding: they have losses below F. With one of them the sum is at most F - (k - 1) m, so at every
  e from there on they are worth nothing. At a smaller e they are worth at most 1 - (1 - p)^k.

What is left has bounded losses: its moments rise slowly, and few panels enclose them
(`proofs_check.composition.panels`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.composition.laws import Gaussian, Sampled
from proofs_check.composition.moments import Mixture
from proofs_check.composition.parts import Ends, Part
from proofs_check.composition.ratio import NUMBERS, Ratio
from proofs_check.composition.saddle import Saddle
from proofs_check.composition.transform import Transform
from proofs_check.enclosure import Ball, endpoints

__all__ = ["Cut", "cut_of"]

LONGEST = 4.0
"""-k m, above which a sum is not cut: of so many steps nothing is gained.
benchmarks/README.md, cuts: at .5, 8 of 24 sums more are left to longer lines or to nodes."""
ROOM = 1.25
"""How far from the guessed epsilon the cut is exact, times it. benchmarks/README.md,
cuts: of 1.05 lines are made in vain, of 1.6 they have a quarter more terms and wider ends."""
LARGEST_LOSS = 700
"""e to it is a double; beyond, a loss is its own logarithm to all digits."""
NEAREST, FARTHEST = 0.9, 1.5
"""Times this, it is exact up to the next guess, or from there on; a cut that is exact much further
takes less out. benchmarks/README.md, cuts: at .99 the lines are the same, of 3 they
have a fifth fewer terms and wider ends."""
LINES = 3
"""Cuts whose lines are made until one is exact at its own epsilon. Of
benchmarks/README.md, cuts, the first always is: the others are for sums whose guess is bad."""
TRIES = 12
"""Guesses, each of the losses that the last one leaves: the first may be a hundred times too large,
where the moments of all losses rise steeply. benchmarks/README.md, cuts: of one guess, lines have
half as many terms again and a sum is not cut; of four, the ends are wider."""
BITS = Fraction(1, 2**30)
"""A top is a multiple of it."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Far:
    """The outcomes that are taken out."""

    ratio: Ratio
    count: int
    masses: tuple[Ball, Ball]
    """Under P and Q, of one step."""
    limit: Fraction
    """Up to which epsilon, or from which on, what they are worth is known."""

    @classmethod
    def of(cls, ratio: Ratio, count: int) -> Far:
        """The outcomes above the top of a ratio."""
        assert isinstance(ratio.inner, Gaussian)
        assert ratio.top is not None
        top = NUMBERS.rational(ratio.top)
        p, r = ratio.inner.tails(top, NUMBERS)
        mixed = ratio.rate * p + (1 - ratio.rate) * r
        least = NUMBERS.log(NUMBERS.rational(1 - ratio.rate)) * (count - 1)
        ends = endpoints(NUMBERS.log(ratio.at(top)) + least)
        if ratio.adds:
            # the loss is -ln R under (R, P) of the other direction: both are negated
            return cls(ratio, count, (r, mixed), -ends[0])
        return cls(ratio, count, (mixed, r), ends[0])

    def ends(self, epsilon: Fraction) -> Ends:
        """Ends of what they are worth."""
        p, r = (1 - (1 - mass) ** self.count for mass in self.masses)
        if self.ratio.adds:
            upper = endpoints(p)[1] if epsilon < self.limit else Fraction(0)
            return Fraction(0), upper
        here, last = (
            endpoints(p - NUMBERS.exp(NUMBERS.rational(at)) * r)
            for at in (epsilon, min(epsilon, self.limit))
        )
        return max(here[0], Fraction(0)), max(last[1], Fraction(0))

    def about(self, epsilon: float) -> float:
        """The same, nearly, where it is known."""
        ends = self.ends(min(Fraction(epsilon), self.limit))
        return float(min(sum(ends), Fraction(2))) / 2  # no excess is more than 1


@final
@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The excess of a sum of sampled losses."""

    rest: Transform
    far: Far

    def near(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon) by the lines there are."""
        return self._whole(self.rest.near(epsilon), epsilon)

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon)."""
        return self._whole(self.rest.excess(epsilon), epsilon)

    def is_decided(self, delta: Fraction) -> bool:
        """Make its lines; whether its ends are near where the sum has this delta."""
        if not self.rest.prepare():
            return False
        lower, upper = self.near(self.far.limit)
        return lower > delta if self.far.ratio.adds else upper < delta

    def _whole(self, ends: Ends, epsilon: Fraction) -> Ends:
        far = self.far.ends(epsilon)
        return ends[0] + far[0], min(ends[1] + far[1], Fraction(1))


def cut_of(parts: Sequence[Part], delta: Fraction) -> Cut | None:
    """The sum of losses by this engine; None where it is of other parts, or not decided by it."""
    if len(parts) != 1 or not isinstance(parts[0].law, Sampled):
        return None
    (part,), law = parts, parts[0].law
    if not isinstance(law.inner, Gaussian):
        return None
    if -part.count * math.log1p(-float(law.rate)) > LONGEST:
        return None
    whole = Ratio(law.inner, law.rate, law.adds)
    guess = Transform(Saddle(((Mixture(whole), part.count),)), max(float(delta), 1e-300)).guess()
    made = None
    for _ in range(TRIES):
        made = _made(whole, part.count, delta, guess / ROOM if law.adds else guess * ROOM)
        if made is None:
            return None
        last, guess = guess, made.rest.guess()
        inside = guess / last if law.adds else last / guess
        if NEAREST < inside < FARTHEST:
            break
    for _ in range(LINES):
        if made is None or made.is_decided(delta):
            return made
        guess = made.rest.middle  # what a line says is nearer than the height of its saddle
        made = _made(whole, part.count, delta, guess / ROOM if law.adds else guess * ROOM)
    return None


def _made(whole: Ratio, count: int, delta: Fraction, epsilon: float) -> Cut | None:
    """A cut that is exact up to an epsilon, or from one on; None where there is none."""
    assert isinstance(whole.inner, Gaussian)
    top = _top(whole, count, epsilon)
    if top is None:
        return None
    ratio = Ratio(whole.inner, whole.rate, whole.adds, top)
    far = Far.of(ratio, count)
    if far.limit <= 0:
        return None
    about = (lambda _: 0.0) if whole.adds else far.about
    saddle = Saddle(((Mixture(ratio), count),))
    return Cut(Transform(saddle, max(float(delta), 1e-300), about), far)


def _top(whole: Ratio, count: int, epsilon: float) -> Fraction | None:
    """About the l whose loss makes a sum reach an epsilon; None where there is none."""
    assert isinstance(whole.inner, Gaussian)
    rate = float(whole.rate)
    steps = -(count - 1) * math.log1p(-rate)
    loss = steps - epsilon if whole.adds else steps + epsilon
    if loss > LARGEST_LOSS:
        over = loss
    elif (power := math.expm1(loss) + rate) > 0:
        over = math.log(power)
    else:
        return None
    top = Fraction(math.floor(Fraction(over - math.log(rate)) / BITS)) * BITS
    return top if top > -whole.inner.mu_squared / 2 else None
