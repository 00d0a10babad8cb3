"""The excess and the epsilon of a composition, between two ends that are both theorems.

**Composition.** If (P_i, Q_i) dominates the i-th mechanism for all neighbors in one direction, the
product pair dominates the adaptive composition in that direction, and the order does not matter
(Zhu, Dong and Wang 2022, Theorem 10; `proofs_check.composition.nodes` has the inequality). Under
add-remove the direction is the same in all steps: delta is the larger of the two products, never a
mixture within a step.

**From delta to epsilon.** epsilon(d) is the least e >= 0 with delta(e) <= d, and delta does not
increase with e. So any e with an upper end of delta(e) at most d is an upper end of epsilon(d), and
any e with a lower end above d a lower one. Floats find such e; enclosures decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final

from proofs_check.composition.parts import Ends, Profile
from proofs_check.ends import Enclosed

__all__ = ["Composition", "Totals", "epsilon_of", "upper_epsilon"]


class Totals(Protocol):
    """Ends of delta, and of epsilon."""

    def delta(self, epsilon: Fraction) -> Ends:
        """Ends of delta(epsilon)."""
        ...

    def epsilon(self, delta: Fraction) -> Enclosed:
        """Ends of epsilon(delta), of a delta above 0."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Composition:
    """The profile of each direction, and ends of what is not at infinity."""

    profiles: tuple[tuple[Profile, Ends], ...]

    def delta(self, epsilon: Fraction) -> Ends:
        """Ends of delta(epsilon), the larger of all directions."""
        return self._largest([(one.excess(epsilon), kept) for one, kept in self.profiles])

    def _near(self, epsilon: Fraction) -> Ends:
        return self._largest([(one.near(epsilon), kept) for one, kept in self.profiles])

    def _largest(self, found: Sequence[tuple[Ends, Ends]]) -> Ends:
        whole = [self._whole(ends, kept) for ends, kept in found]
        return max(lower for lower, _ in whole), max(upper for _, upper in whole)

    @staticmethod
    def _whole(ends: Ends, kept: Ends) -> Ends:
        one, zero = Fraction(1), Fraction(0)
        lower = one - kept[1] * (one - min(ends[0], one))
        upper = one - kept[0] * (one - min(ends[1], one))
        return max(lower, zero), min(upper, one)

    def epsilon(self, delta: Fraction) -> Enclosed:
        """Ends of epsilon(delta), of a delta above 0."""
        if any(1 - kept[1] > delta for _, kept in self.profiles):
            return Enclosed(None, None)  # so much is lost whatever epsilon is
        return epsilon_of(self._near, delta)


def epsilon_of(ends: Callable[[Fraction], Ends], delta: Fraction) -> Enclosed:
    """Ends of epsilon(delta) from those of delta at any epsilon."""
    known: dict[Fraction, Ends] = {}

    def at(epsilon: Fraction) -> Ends:
        if epsilon not in known:
            known[epsilon] = ends(epsilon)
        return known[epsilon]

    upper = _end(lambda epsilon: at(epsilon)[1], delta, +1)
    return Enclosed(_end(lambda epsilon: at(epsilon)[0], delta, -1, upper), upper)


def upper_epsilon(ends: Callable[[Fraction], Ends], delta: Fraction) -> Fraction | None:
    """The upper end alone."""
    return _end(lambda epsilon: ends(epsilon)[1], delta, +1)


LARGEST = Fraction(2**20)
"""Where no epsilon is looked for any more: exp(-2^20) is no delta that anybody asks for."""
STEPS = 60
"""Of the search in floats; it takes about ten, and what it finds is only a guess."""

End = Callable[[Fraction], Fraction]


BESIDE = Fraction(1, 2**16)
"""Of the other end: there this one is looked for first."""


def _end(of: End, delta: Fraction, side: int, other: Fraction | None = None) -> Fraction | None:
    """A point at which one end of delta is at most `delta` (side 1), or above it (side -1).

    It is about 2^-45 from points of the other sort. 0 where delta is small enough there already;
    None for an upper end where it is small enough nowhere up to `LARGEST`.
    """
    if of(Fraction(0)) <= delta:
        return Fraction(0)
    low, high = Fraction(0), Fraction(1)
    if other and of(near := other * (1 - BESIDE)) > delta >= of(other):
        low, high = near, other
    while of(high) > delta:
        low, high = high, 2 * high
        if high > LARGEST:
            return None if side > 0 else low
    guess = Fraction(_crossing(of, delta, (float(low), float(high))))
    for widening in range(0, 45, 3):
        factor = 1 + side * Fraction(1, 2 ** (47 - widening))
        end = _short(guess * factor)
        if low < end < high and (of(end) <= delta) is (side > 0):
            return end
    return high if side > 0 else low


def _crossing(of: End, delta: Fraction, ends: tuple[float, float]) -> float:
    """About where a function crosses a level, by the false position of its logarithm.

    Of an end that stays the height is halved (the Illinois rule), so that both ends come nearer.
    """

    def height(at: float) -> float:
        value = of(Fraction(at)) / delta
        if abs(value - 1) < Fraction(1, 2):  # where most of delta is lost at infinity, digits count
            return math.log1p(value - 1)
        return math.log(value) if value > Fraction(1, 10**300) else -700.0

    (low, high), (above, below), last, before = ends, map(height, ends), math.inf, 0.0
    for _ in range(STEPS):
        at = (low + high) / 2
        if above - below <= 30:
            at = (low * below - high * above) / (below - above)
            if not low < at < high:  # it is an end, up to its last digit
                return at
        found = height(at)
        is_same = abs(at - last) < 1e-15 * at
        if is_same or not found or high - low < 1e-15 * high or at in (low, high):
            return at
        is_again = found * before > 0  # the other end stays a second time: it is weighed half
        last, before = at, found
        if found > 0:
            low, above, below = at, found, below / 2 if is_again else below
        else:
            high, below, above = at, found, above / 2 if is_again else above
    return (low + high) / 2


def _short(number: Fraction) -> Fraction:
    """A decimal of 17 digits near a number: ends are printed as they are."""
    return Fraction(f"{float(number):.17g}")
