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
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from proofs_check.composition.laws import Loss
from proofs_check.enclosure import Ball, Balls, Undecided, endpoints, polynomial_at, product

__all__ = ["BITS", "ONE", "NodeLaw", "Nodes", "byte_rows", "powers", "times"]

BITS = 112
"""Of a mass: two of them and the sum of 2^28 products fit in a slot of 256 bits."""
ONE = 1 << BITS
"""All of a law."""
ROW, SLOT = 16, 32
"""Bytes of a mass, and of one in a product."""

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

    @property
    def total(self) -> int:
        """All of it, over 2^112."""
        return _sum(self.rows) + self.infinite

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


def byte_rows(masses: Sequence[int]) -> Bytes:
    """Masses over 2^112 as a law on nodes holds them."""
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
