r"""Sums of losses on equally spaced nodes: integers, rounded to one side.

A law on the nodes j h has integers w_j >= 0 over 2^112, its P-masses; its excess is

    H(e) = 2^-112 (sum over j h > e of w_j (1 - exp(e - j h)) + mass at infinity).

**Composition.** Let R be the ratio dP/dQ of a pair. The excess of a product of two pairs at the
ratio s is the mean over R_2 under Q_2 of R_2 H_1(s / R_2), where H_1(a) = E_Q1 (R_1 - a)_+, plus
the P_2-mass at infinity. So it does not decrease if H_1 is replaced by a function that is nowhere
smaller, and does not increase if it is replaced by one that is nowhere larger; and so for each
factor. Laws may therefore be replaced one by one, and once more after each product.

**Rounding.** H does not decrease in any w_j, and the w_j of a product are sums of products of those
of its factors. So floors keep a lower law lower, and ceilings an upper law upper.

**Tails.** Of an upper law, mass beyond the last node goes to infinity, and mass below the first to
the first: both raise losses. Masses at infinity are added, which is at least 1 - (1 - a)(1 - b).
Of a lower law what lies outside is dropped, or moved to a lower node.

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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.accounting.engines.laws import Law, Loss
from proofs_check.enclosure import (
    Ball,
    Balls,
    Undecided,
    endpoints,
    fixed_point,
    polynomial_at,
    product,
)

__all__ = ["NodeLaw", "Nodes", "law_on", "powers", "times"]

BITS = 112
"""Of a mass: two of them and the sum of 2^28 products fit in a slot of 256 bits."""
WIDE = 176
"""Bits in which the masses of a cell are compared before they are rounded."""
ONE = 1 << BITS
ROW, SLOT = 16, 32
"""Bytes of a mass, and of one in a product."""
SHARE = 64
"""Bits of a share."""

NUMBERS = Balls(256)

Bytes = NDArray[np.uint8]


@final
@dataclass(frozen=True, slots=True)
class Nodes:
    """Where the nodes are: multiples of a step that is known exactly."""

    step: Loss
    numbers: Balls = NUMBERS

    def ball(self) -> Ball:
        """Enclose the step."""
        return self.step.ball(self.numbers)

    def below(self, epsilon: Fraction) -> int:
        """Number of the last node that is not above epsilon; Undecided if that cannot be told."""
        if self.step.base is None:
            return (epsilon / self.step.times).__floor__()
        lower, upper = endpoints(self.numbers.rational(epsilon) / self.ball())
        if lower.__floor__() != upper.__floor__():
            msg = f"cannot decide whether {epsilon} is a node"
            raise Undecided(msg)
        return lower.__floor__()

    def place(self, loss: Loss) -> int | None:
        """Number of the node at an exact loss; None where no node is certain to be there."""
        if not loss.times:
            return 0
        if loss.base != self.step.base:
            return None
        number = loss.times / self.step.times
        return int(number) if number.denominator == 1 else None


@final
@dataclass(frozen=True, slots=True, eq=False)
class NodeLaw:
    """A law on nodes: an upper or a lower end of another one."""

    nodes: Nodes
    is_upper: bool
    first: int
    """Number of the first node."""
    rows: Bytes
    """P-masses of the nodes from the first on, over 2^112, as bytes from the lowest."""
    infinite: int
    """Mass at infinity, over 2^112."""

    def floats(self) -> NDArray[np.float64]:
        """P-masses, nearly: for guesses."""
        words = self.rows.view("<u8").astype(np.float64)
        return np.asarray((words[:, 0] + words[:, 1] * 2.0**64) / 2.0**BITS)

    def excess(self, epsilon: Fraction) -> Ball:
        """Enclose H(epsilon) of this law."""
        numbers, step = self.nodes.numbers, self.nodes.ball()
        start = max(self.nodes.below(epsilon) + 1 - self.first, 0)
        masses = _masses(self.rows[start:])
        whole = numbers.rational(Fraction(sum(masses) + self.infinite, ONE))
        if not masses:
            return whole
        node = step * (self.first + start)
        decay = numbers.exp(numbers.rational(epsilon) - node)
        return whole - decay * polynomial_at(masses, numbers.exp(-step)) / ONE


def _masses(rows: Bytes) -> list[int]:
    data = rows.tobytes()
    return [int.from_bytes(data[at : at + ROW], "little") for at in range(0, len(data), ROW)]


def _rows(masses: Sequence[int]) -> Bytes:
    data = b"".join(mass.to_bytes(ROW, "little") for mass in masses)
    return np.frombuffer(data, np.uint8).reshape(-1, ROW)


def _slots(law: NodeLaw) -> int:
    slots = np.zeros((len(law.rows), SLOT), np.uint8)
    slots[:, :ROW] = law.rows
    return int.from_bytes(slots.tobytes(), "little")


def times(first: NodeLaw, second: NodeLaw, window: tuple[int, int]) -> NodeLaw:
    """The law of the sum of two independent losses, on the nodes of a window."""
    size = len(first.rows) + len(second.rows) - 1
    one = _slots(first)
    whole = product(one, one if second is first else _slots(second))
    if first.is_upper:  # to round up, each slot gets 1 - 2^-112 of a unit; none overflows
        each = (ONE - 1).to_bytes(SLOT, "little") * size
        whole += int.from_bytes(each, "little")
    data = np.frombuffer(whole.to_bytes(SLOT * size, "little"), np.uint8).reshape(-1, SLOT)
    assert not data[:, ROW + BITS // 8 :].any()
    rows = data[:, BITS // 8 : BITS // 8 + ROW]
    law = replace(
        first,
        first=first.first + second.first,
        rows=np.ascontiguousarray(rows),
        infinite=first.infinite + second.infinite,
    )
    return _cut(law, window)


def _cut(law: NodeLaw, window: tuple[int, int]) -> NodeLaw:
    """Keep the nodes of a window; see the head of this module for the rest."""
    size = len(law.rows)
    low = min(max(window[0] - law.first, 0), size - 1)
    high = min(max(window[1] - law.first, low), size - 1)
    rows, infinite = law.rows[low : high + 1], law.infinite
    if law.is_upper and (low or high + 1 < size):
        rows = rows.copy()
        infinite += _sum(law.rows[high + 1 :])
        lowest = int.from_bytes(rows[0].tobytes(), "little") + _sum(law.rows[:low])
        rows[0] = np.frombuffer(lowest.to_bytes(ROW, "little"), np.uint8)
    return replace(law, first=law.first + low, rows=rows, infinite=infinite)


def _sum(rows: Bytes) -> int:
    words = np.ascontiguousarray(rows).view("<u4").sum(axis=0, dtype=np.uint64)
    return sum(int(word) << (32 * place) for place, word in enumerate(words))


def powers(law: NodeLaw, count: int, window: Callable[[int], tuple[int, int]]) -> NodeLaw:
    """The law of the sum of `count` such losses, at least 1, by squaring."""
    result, square, done = None, law, 0
    number = 1
    while True:
        if count & number:
            done += number
            result = square if result is None else times(result, square, window(done))
        number *= 2
        if number > count:
            assert result is not None
            return result
        square = times(square, square, window(number))


@final
@dataclass(frozen=True, slots=True)
class Windows:
    """Which nodes matter to the sum of n losses, by Chernoff's bound in floats.

    A window that is too small makes the ends wide, and never wrong.
    """

    law: NodeLaw
    exponent: float
    """Outside is a mass of exp(-exponent) on either side."""
    logs: tuple[NDArray[np.float64], NDArray[np.float64]]

    @classmethod
    def of(cls, law: NodeLaw, exponent: float) -> Windows:
        """Logarithms of the moments of one loss."""
        tilts = np.geomspace(1e-4, 1e3, 141)
        return cls(law, exponent, (_logs(law, tilts), _logs(law, -tilts)))

    def __call__(self, count: int) -> tuple[int, int]:
        return window_of([(self, count)])


def window_of(parts: Sequence[tuple[Windows, int]]) -> tuple[int, int]:
    """The window of a sum of several kinds of losses."""
    tilts = np.geomspace(1e-4, 1e3, 141)
    exponent = max(part.exponent for part, _ in parts)
    step = float(endpoints(parts[0][0].law.nodes.ball())[1])
    up = sum(count * part.logs[0] for part, count in parts)
    down = sum(count * part.logs[1] for part, count in parts)
    high = float(np.min((up + exponent) / tilts)) / step
    low = -float(np.min((down + exponent) / tilts)) / step
    return int(low) - 1, int(high) + 1


def _logs(law: NodeLaw, tilts: NDArray[np.float64]) -> NDArray[np.float64]:
    masses = law.floats()
    kept = np.flatnonzero(masses > 0)
    if not len(kept):
        return np.zeros_like(tilts)
    losses = (law.first + kept) * float(endpoints(law.nodes.ball())[1])
    logs = np.log(masses[kept])
    exponents = logs[None, :] + tilts[:, None] * losses[None, :]
    top = exponents.max(axis=1)
    return np.asarray(top + np.log(np.exp(exponents - top[:, None]).sum(axis=1)))


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
        NodeLaw(nodes, False, window[0], _rows(lower), 0),
        NodeLaw(nodes, True, window[0], _rows(upper), infinite),
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
