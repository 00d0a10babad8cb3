"""Laws of sums on nodes: how far they reach, and how near the nodes are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import final

from proofs_check.composition.cells import law_on
from proofs_check.composition.laws import Law, Loss
from proofs_check.composition.nodes import ONE, NodeLaw, Nodes, powers, times
from proofs_check.composition.parts import Ends, Part
from proofs_check.composition.windows import Windows, window_of
from proofs_check.enclosure import Balls, endpoints

__all__ = ["MOST_NODES", "SPARE", "Lattice", "exact_step", "lattice_of", "steps_of"]

NUMBERS = Balls(256)

FEWEST, MOST = 2**6, 2**16
"""Nodes of one loss in the first try, and in the last: 70 microseconds each, 5 seconds."""
MOST_NODES = 2**18
"""Of a sum: a product of two such laws takes about 0.4 seconds, and 100 MB."""
FARTHEST = 2.0**20
"""Of a loss with a density: beyond, exponents of normal tails are known to 2^-30 of themselves,
which is more than 1, and a cell's masses are balls of any size. No epsilon is looked for there."""
SPARE = 32.0
"""A window leaves out less than exp(-32) of delta, beside the 1e-6 that the ends are apart."""


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

    near = excess


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
        if max(-low, high) > FARTHEST and endpoints(part.law.smooth(NUMBERS))[1]:
            return None
        window = math.floor(low / width) - 1, math.ceil(high / width) + 1
        if window[1] - window[0] > MOST * 1.01 + 2:
            return None
        ones.append((law_on(part.law, nodes, window), part.count))
    every = sum(part.count for part in parts)
    if any(2 * every * (upper.total - ONE) > ONE for (_, upper), _ in ones):
        return None  # all together would have a mass of more than 2, known that badly
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
