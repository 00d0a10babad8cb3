r"""The least and the largest law of a loss on equally spaced nodes.

**Upper law of a cell.** Let r_j = exp(j h), and p, q the masses of P and Q on the losses of cell j,
from j h to (j + 1) h. (R - a)_+ is convex in R, so moving each R to the two ends, with the same
mean, raises the excess at every a (it is the chord of the excess, Doroshenko et al. 2022). With
A = p - r_j q >= 0 and B = r_(j+1) q - p >= 0 the P-masses of the ends are
A / (1 - exp(-h)) at the upper one and B exp(-h) / (1 - exp(-h)) at the lower.

**Lower law.** To merge outcomes, also a share of each, is to process the output, which raises no
excess. Node j gets the share l of cell j, whose ratios are at least r_j, and the share m of cell
j - 1, whose ratios are at most r_j; the merged ratio is at least r_j if and only if l A_j >=
m B_(j-1). Then the P-mass of both may stand at the loss j h: its ratio is no smaller. A rest of
cell j - 1 stands on node j - 1, since its ratios are at least r_(j-1).

A loss with mass of its own that is a node needs no cell: it is exact up to its own rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.composition.laws import Law
from proofs_check.composition.nodes import BITS, NodeLaw, Nodes, byte_rows
from proofs_check.enclosure import Ball, endpoints, fixed_point

__all__ = ["law_on"]

WIDE = 176
"""Bits in which the masses of a cell are compared before they are rounded."""
SHARE = 64
"""Bits of a share."""

Ends = tuple[int, int]
"""Of a number over 2^176."""


@final
@dataclass(slots=True)
class _Cells:
    """One law over the nodes and cells of a window; masses under P are over 2^176."""

    p: list[Ends]
    above: list[Ends]
    """A = p - r_j q of each cell."""
    below: list[Ends]
    """B = r_(j+1) q - p of each cell."""
    shrunk: list[Ends]
    """exp(-h) B, by itself: exp(-h) may be less than all bits."""
    lower: list[int]
    upper: list[int]
    """Ends of what stands on the nodes by itself: losses that are nodes, and what lies outside."""
    infinite: int = 0
    """Upper end of what may be larger than all nodes."""


def law_on(law: Law, nodes: Nodes, window: tuple[int, int]) -> tuple[NodeLaw, NodeLaw]:
    """A lower and an upper law of a law, on the nodes of a window."""
    cells = _cells(law, nodes, window)
    lower = [mass >> (WIDE - BITS) for mass in _lower(cells)]
    upper = [-(-mass >> (WIDE - BITS)) for mass in _upper(cells, nodes)]
    infinite = -(-cells.infinite >> (WIDE - BITS))
    return (
        NodeLaw(nodes, False, window[0], byte_rows(lower), 0),
        NodeLaw(nodes, True, window[0], byte_rows(upper), infinite),
    )


def _cells(law: Law, nodes: Nodes, window: tuple[int, int]) -> _Cells:
    numbers, step = nodes.numbers, nodes.ball()
    low, high = window
    zero = numbers.rational(Fraction(0))
    size = high - low
    inside = [(zero, zero)] * size
    found = _Cells([], [], [], [], [0] * (size + 1), [0] * (size + 1))

    def put(lower: int, upper: int, mass: Ball) -> None:
        """A P-mass whose losses lie between two nodes."""
        least, most = (max(end, 0) for end in fixed_point(mass, WIDE))
        if lower >= low:
            found.lower[min(lower, high) - low] += least
        if upper <= high:
            found.upper[max(upper, low) - low] += most
        else:
            found.infinite += most

    smooth = listed = law.smooth(numbers)
    for atom in law.atoms(numbers):
        listed = listed + atom.p
        place = None if atom.exact is None else nodes.place(atom.exact)
        first, last = (end.__floor__() for end in endpoints(atom.loss / step))
        if place is not None:
            put(place, place, atom.p)
        elif first == last and low <= first < high:
            p, q = inside[first - low]
            inside[first - low] = p + atom.p, q + atom.q
        else:
            put(first, last + 1, atom.p)
    found.infinite += max(fixed_point(1 - listed, WIDE)[1], 0)  # what the atoms left out
    tails = _tails(law, nodes, window)
    put(low - 1, low, smooth - tails[0][0])
    put(high, high + 1, tails[-1][0])
    ratio, decay = numbers.exp(step * low), numbers.exp(-step)
    for place, (p, q) in enumerate(inside):
        (p_tail, q_tail), (p_next, q_next) = tails[place : place + 2]
        p, q = p + (p_tail - p_next), q + (q_tail - q_next)
        following = numbers.exp(step * (low + place + 1))
        found.p.append(fixed_point(p, WIDE))
        found.above.append(fixed_point(p - ratio * q, WIDE))
        found.below.append(fixed_point(following * q - p, WIDE))
        found.shrunk.append(fixed_point(ratio * q - decay * p, WIDE))
        ratio = following
    return found


def _tails(law: Law, nodes: Nodes, window: tuple[int, int]) -> list[tuple[Ball, Ball]]:
    numbers, step = nodes.numbers, nodes.ball()
    if not endpoints(law.smooth(numbers))[1]:
        zero = numbers.rational(Fraction(0))
        return [(zero, zero)] * (window[1] - window[0] + 1)
    return [law.tails(step * place, numbers) for place in range(window[0], window[1] + 1)]


def _upper(cells: _Cells, nodes: Nodes) -> list[int]:
    """Chords: upper ends of the P-masses of the nodes."""
    rest = fixed_point(1 - nodes.numbers.exp(-nodes.ball()), WIDE)[0]
    found = list(cells.upper)
    for place, ((_, above), (_, shrunk)) in enumerate(zip(cells.above, cells.shrunk, strict=True)):
        found[place + 1] += -(-(max(above, 0) << WIDE) // rest)
        found[place] += -(-(max(shrunk, 0) << WIDE) // rest)
    return found


def _lower(cells: _Cells) -> list[int]:
    """Merged cells: lower ends of the P-masses of the nodes."""
    whole = 1 << SHARE
    found = list(cells.lower)
    left, p_before, below_before = 0, 0, 0  # what of the cell before is not yet on a node
    for place, (p, above, below) in enumerate(zip(cells.p, cells.above, cells.below, strict=True)):
        merged = left
        least = max(above[0], 0)
        if left * below_before > least << SHARE:
            merged = (least << SHARE) // below_before
        if place and left > merged:  # the rest is worth the loss of its own lower node
            found[place - 1] += (left - merged) * p_before >> SHARE
        need = -(-merged * below_before // least) if least and below_before > 0 else 0
        own = max(need, whole // 2) if not merged or not below_before else need
        own = min(own, whole)
        p_least = max(p[0], 0)
        found[place] += (own * p_least + merged * p_before) >> SHARE
        left, p_before, below_before = whole - own, p_least, max(below[1], 0)
    if cells.p:
        found[-2] += left * p_before >> SHARE
    return found
