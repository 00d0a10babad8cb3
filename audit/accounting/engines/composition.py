"""The excess and the epsilon of a composition, between two ends that are both theorems.

**Composition.** If (P_i, Q_i) dominates the i-th mechanism for all neighbors in one direction, the
product pair dominates the adaptive composition in that direction, and the order does not matter
(Zhu, Dong and Wang 2022, Theorem 10; `audit.accounting.engines.lattice` has the inequality). Under
add-remove the direction is the same in all steps: delta is the larger of the two products, never a
mixture within a step.

**From delta to epsilon.** epsilon(d) is the least e >= 0 with delta(e) <= d, and delta does not
increase with e. So any e with an upper end of delta(e) at most d is an upper end of epsilon(d), and
any e with a lower end above d a lower one. Floats find such e; enclosures decide.

A claim (e, d) of a mechanism without more said of it is dominated by d at infinity and 1 - d times
randomized response at e (Kairouz, Oh and Viswanath 2015), so those masses are a factor: of the
whole, delta = 1 - s (1 - delta of the rest), with s the product of all 1 - d.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Protocol, final

from audit.accounting.ends import Enclosed
from audit.accounting.engines.closed import OneLoss, two_valued
from audit.accounting.engines.lattice import (
    NodeLaw,
    Nodes,
    Windows,
    law_on,
    powers,
    times,
    window_of,
)
from audit.accounting.engines.laws import Gaussian, Law, Loss
from proofs_check.enclosure import Balls, endpoints

__all__ = [
    "Composition",
    "Direction",
    "Empty",
    "Lattice",
    "Part",
    "Profile",
    "lattice_of",
]

NUMBERS = Balls(256)

FEWEST, MOST = 2**6, 2**16
"""Nodes of one loss in the first try, and in the last: 70 microseconds each, 5 seconds."""
MOST_NODES = 2**18
"""Of a sum: a product of two such laws takes about 0.4 seconds, and 100 MB."""
SPARE = 32.0
"""A window leaves out less than exp(-32) of delta, beside the 1e-6 that the ends are apart."""

Ends = tuple[Fraction, Fraction]


@final
@dataclass(frozen=True, slots=True)
class Part:
    """So many independent losses of one law."""

    law: Law
    count: int


class Profile(Protocol):
    """A function that encloses the excess of a composition."""

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon)."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """A lower and an upper law of a composition, on nodes."""

    lower: NodeLaw
    upper: NodeLaw

    def excess(self, epsilon: Fraction) -> Ends:
        """Ends of H(epsilon)."""
        lower, upper = (law.excess(epsilon) for law in (self.lower, self.upper))
        return max(endpoints(lower)[0], Fraction(0)), endpoints(upper)[1]


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Equal laws once, all Gaussians as one, and nothing that is not done."""
    counts = dict[Law, int]()
    mu_squared = Fraction(0)
    for part in parts:
        if isinstance(part.law, Gaussian):
            mu_squared += part.count * part.law.mu_squared
        elif part.count:
            counts[part.law] = counts.get(part.law, 0) + part.count
    gaussian = [Part(Gaussian(mu_squared), 1)] if mu_squared else []
    return (*gaussian, *(Part(law, count) for law, count in counts.items()))


def closed_form(parts: Sequence[Part]) -> Profile | None:
    """The excess in closed form, where there is one."""
    if len(parts) != 1:
        return None
    (part,) = parts
    if part.count == 1:
        return OneLoss(part.law)
    return two_valued(part.law, part.count)


def exact_step(parts: Sequence[Part]) -> Loss | None:
    """The step of nodes that are exactly the losses of all laws, where there is one."""
    if any(endpoints(part.law.smooth(NUMBERS))[1] for part in parts):
        return None
    units = [part.law.lattice for part in parts]
    if any(unit is None for unit in units):
        return None
    losses = [loss for unit in units for loss in unit or ()]
    if len({loss.base for loss in losses}) != 1:
        return None
    return Loss(reduce(_common, (abs(loss.times) for loss in losses)), losses[0].base)


def _common(first: Fraction, second: Fraction) -> Fraction:
    """The largest rational of which both are multiples."""
    denominator = math.lcm(first.denominator, second.denominator)
    numerator = math.gcd(int(first * denominator), int(second * denominator))
    return Fraction(numerator, denominator)


def reach(law: Law, tail: Fraction) -> tuple[float, float]:
    """Losses between which all lies but a P-mass of `tail` on either side, nearly."""
    losses = [
        float(endpoints(atom.loss)[0]) for atom in law.atoms(NUMBERS) if endpoints(atom.p)[1] > tail
    ]
    low, high = min(losses, default=math.inf), max(losses, default=-math.inf)
    smooth = law.smooth(NUMBERS)
    if endpoints(smooth)[1] <= tail:
        return low, high

    def above(loss: float) -> Fraction:
        return endpoints(law.tails(NUMBERS.rational(Fraction(loss)), NUMBERS)[0])[1]

    mass = endpoints(smooth)[1]
    top = _edge(lambda loss: above(loss) <= tail, 1.0)
    bottom = -_edge(lambda loss: mass - above(-loss) <= tail, 1.0)
    return min(low, bottom), max(high, top)


def _edge(is_beyond: Callable[[float], bool], start: float) -> float:
    """About the least number that is beyond, which may be negative."""
    size = start
    while not is_beyond(size):
        size *= 2
    low, high = -size, size
    while is_beyond(low):
        low *= 2
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return high


def lattice_of(parts: Sequence[Part], step: Loss, exponent: float) -> Lattice | None:
    """Both ends on nodes of a step; None where that would be too many."""
    nodes = Nodes(step)
    width = float(endpoints(nodes.ball())[0])
    ones = []
    for part in parts:
        tail = Fraction(math.exp(-min(exponent, 700.0))) / part.count
        low, high = reach(part.law, tail)
        window = math.floor(low / width) - 1, math.ceil(high / width) + 1
        if window[1] - window[0] > MOST * 1.01 + 2:
            return None
        ones.append((law_on(part.law, nodes, window), part.count))
    windows = [(Windows.of(pair[1], exponent), count) for pair, count in ones]
    first, last = window_of(windows)
    if last - first > MOST_NODES:
        return None
    ends = []
    for side in (0, 1):
        result, done = None, []
        for (pair, count), known in zip(ones, windows, strict=True):
            one = powers(pair[side], count, known[0])
            done.append(known)
            result = one if result is None else times(result, one, window_of(done))
        assert result is not None
        ends.append(result)
    return Lattice(ends[0], ends[1])


def steps_of(parts: Sequence[Part], exponent: float) -> Iterable[Loss]:
    """Steps to be tried, each half of the last; losses with mass are nodes where they can be."""
    tail = Fraction(math.exp(-min(exponent, 700.0)))
    spans = [reach(part.law, tail / part.count) for part in parts]
    span = max(high - low for low, high in spans) or max(abs(high) for _, high in spans) or 1.0
    units = [loss for part in parts for loss in part.law.lattice or ()]
    bases = {loss.base for loss in units}
    unit = None
    if len(bases) == 1:
        unit = Loss(reduce(_common, (abs(loss.times) for loss in units)), units[0].base)
    size = FEWEST
    while size <= MOST:
        target = span / size
        size *= 2
        if unit is not None:
            whole = float(endpoints(unit.ball(NUMBERS))[0])
            if whole >= target:
                yield Loss(unit.times / math.ceil(whole / target), unit.base)
                continue
        yield Loss(Fraction(target).limit_denominator(10**12) or Fraction(target))


@final
@dataclass(frozen=True, slots=True)
class Direction:
    """A composition in one direction: its losses, and what is not lost at infinity."""

    parts: tuple[Part, ...]
    kept: tuple[tuple[Fraction, int], ...] = ()
    """Numbers 1 - delta below 1, and how often."""

    def kept_ends(self) -> Ends:
        """Ends of the product of what is kept."""
        whole = NUMBERS.rational(Fraction(1))
        for kept, count in self.kept:
            whole = whole * NUMBERS.rational(kept) ** count
        return endpoints(whole)

    def largest(self) -> Enclosed:
        """The largest loss of all together: the epsilon of a delta of 0."""
        if self.kept:
            return Enclosed(None, None)
        exact, rest = Fraction(0), NUMBERS.rational(Fraction(0))
        for part in self.parts:
            most = part.law.most(NUMBERS)
            if most is None:
                return Enclosed(None, None)
            least, upper = endpoints(most)
            known = [a.exact.times for a in part.law.atoms(NUMBERS) if a.exact and not a.exact.base]
            if known and least <= max(known) <= upper:
                exact += part.count * max(known)
            else:
                rest = rest + part.count * most
        lower, upper = endpoints(rest)
        return Enclosed(exact + lower, exact + upper)


class Empty:
    """No losses at all."""

    def excess(self, epsilon: Fraction) -> Ends:  # noqa: ARG002
        """Nothing."""
        return Fraction(0), Fraction(0)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Composition:
    """The profile of each direction, and ends of what is not at infinity."""

    profiles: tuple[tuple[Profile, Ends], ...]

    def delta(self, epsilon: Fraction) -> Ends:
        """Ends of delta(epsilon), the larger of all directions."""
        whole = [self._whole(profile.excess(epsilon), kept) for profile, kept in self.profiles]
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
        return Enclosed(
            _end(lambda at: self.delta(at)[0], delta, -1),
            _end(lambda at: self.delta(at)[1], delta, +1),
        )


LARGEST = Fraction(2**20)
"""Where no epsilon is looked for any more: exp(-2^20) is no delta that anybody asks for."""
STEPS = 60
"""Of the search in floats; it takes about eight, and what it finds is only a guess."""

End = Callable[[Fraction], Fraction]


def _end(of: End, delta: Fraction, side: int) -> Fraction | None:
    """A point at which one end of delta is at most `delta` (side 1), or above it (side -1).

    It is about 2^-45 from points of the other sort. 0 where delta is small enough there already;
    None for an upper end where it is small enough nowhere up to `LARGEST`.
    """
    if of(Fraction(0)) <= delta:
        return Fraction(0)
    low, high = Fraction(0), Fraction(1)
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
    """About where a function crosses a level, by the false position of its logarithm."""

    def height(at: float) -> float:
        value = of(Fraction(at)) / delta
        return math.log(value) if value > Fraction(1, 10**300) else -700.0

    (low, high), (above, below) = ends, map(height, ends)
    for _ in range(STEPS):
        at = (low * below - high * above) / (below - above)
        if not low < at < high or above - below > 30:
            at = (low + high) / 2
        found = height(at)
        if abs(found) < 1e-14 or high - low < 1e-15 * high or at in (low, high):
            return at
        if found > 0:
            low, above, below = at, found, below / 2
        else:
            high, below, above = at, found, above / 2
    return (low + high) / 2


def _short(number: Fraction) -> Fraction:
    """A decimal of 17 digits near a number: ends are printed as they are."""
    return Fraction(f"{float(number):.17g}")
