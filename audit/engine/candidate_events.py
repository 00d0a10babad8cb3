"""Which events look worth a bet: cell orders and their prefixes, from the counts of the past.

Orders of each partition and direction: the coordinate, upwards and downwards, on all of the past;
each category alone; and two cross-fitted likelihood-ratio orders, the order of one half of the
past counted on the other half (an order counted on the draws that made it would see gaps
everywhere).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.streams import Purpose, stream

__all__ = ["Candidates", "propose"]

Array = NDArray[np.float64]

TIE_SEED = 0
WHOLE = 2
PRIOR_OF_WHOLE, PRIOR_OF_HALF = 0.25, 0.2
"""Weight of all events of an order that is counted on all draws, or on a half."""


@final
@dataclass(frozen=True, slots=True)
class CellOrder:
    """Cells of one partition in one order; event j is the set of the first j + 1.

    `sample` says on which draws of the past the events are counted: 0 or 1 for a half, 2 for all.
    """

    partition: int
    direction: int
    cells: NDArray[np.intp]
    sample: int


@final
@dataclass(frozen=True, slots=True)
class Candidates:
    """Events as prefixes of orders.

    Parameters
    ----------
    orders : sequence of CellOrder
        All orders; the events of all of them are numbered through.
    p, q, n : ndarray of float, shape (E, 1)
        Smoothed estimates on the likelier and the other arm, and the draws they come from.
    partition, direction : ndarray of int, shape (E,)
        Of each event: the partition that it is made of, and the arm on which it is likelier.
    prior : ndarray of float, shape (E,)
        Weight of each event before the draws are looked at.
    """

    orders: Sequence[CellOrder]
    p: Array
    q: Array
    n: Array
    partition: NDArray[np.intp]
    direction: NDArray[np.intp]
    prior: Array

    def members(self, events: NDArray[np.intp], cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether each of some cells belongs to each event, shape (*events.shape, cells.size)."""
        sizes = np.array([order.cells.size - 1 for order in self.orders])
        starts = np.cumsum(sizes) - sizes
        order = np.searchsorted(starts, events, side="right") - 1
        met, place = np.unique(order, return_inverse=True)
        ranks = np.empty((met.size, cells.size), dtype=np.intp)
        for row, index in enumerate(met):
            line = self.orders[index].cells[:-1]
            rank = np.full(max(int(line.max()), int(cells.max(initial=0))) + 1, line.size)
            rank[line] = np.arange(line.size)
            ranks[row] = rank[cells]
        return np.asarray(ranks[place.reshape(order.shape)] <= (events - starts[order])[..., None])

    def locate(self, event: int) -> tuple[CellOrder, NDArray[np.intp]]:
        """Order and cells of an event."""
        for order in self.orders:
            if event < order.cells.size - 1:
                return order, order.cells[: event + 1]
            event -= order.cells.size - 1
        raise IndexError(event)


def propose(counts: Sequence[NDArray[np.float64]], ordered: Sequence[int]) -> Candidates:
    """Collect the events of all partitions.

    Parameters
    ----------
    counts : sequence of ndarray, shape (2, 2, K)
        Counts of the past by half, arm and cell, one array a partition.
    ordered : sequence of int
        How many leading cells of each partition are in order of the value.
    """
    orders: list[CellOrder] = []
    estimates: list[tuple[Array, Array, float]] = []

    def add(direction: int, cells: NDArray[np.intp], sample: int) -> None:
        if cells.size > 1:
            by_arm = whole if sample == WHOLE else by_half[sample]
            order = CellOrder(partition, direction, cells, sample)
            orders.append(order)
            n = float(by_arm[0].sum())
            estimates.append(
                (_prefixes(by_arm[direction], order), _prefixes(by_arm[1 - direction], order), n)
            )

    for partition, by_half in enumerate(counts):
        whole = by_half.sum(axis=0)
        used = np.flatnonzero(whole.sum(axis=0))
        line = used[used < ordered[partition]]
        for direction in (0, 1):
            add(direction, np.append(line, -1), WHOLE)
            add(direction, np.append(line[::-1], -1), WHOLE)
            for category in used[used >= ordered[partition]] if line.size else ():
                add(direction, np.array([category, -1]), WHOLE)
            for half in (0, 1):
                ratio_order = _by_ratio(by_half[half], direction, used)
                add(direction, np.append(ratio_order, -1), 1 - half)
    p, q, n = (
        np.concatenate([e[0] for e in estimates]),
        np.concatenate([e[1] for e in estimates]),
        np.concatenate([np.full(e[0].size, e[2]) for e in estimates]),
    )
    sizes = [order.cells.size - 1 for order in orders]
    return Candidates(
        orders,
        ((p + 0.5) / (n + 1))[:, None],
        ((q + 0.5) / (n + 1))[:, None],
        n[:, None],
        np.repeat([order.partition for order in orders], sizes),
        np.repeat([order.direction for order in orders], sizes),
        np.concatenate([_prior(o, counts[o.partition].sum(axis=(0, 1))) for o in orders]),
    )


def _prior(order: CellOrder, total: Array) -> Array:
    """Weights of an order's events: half by the probability they add to the one before."""
    cells = order.cells[:-1]
    mass = total[cells] / total.sum()
    weight = PRIOR_OF_WHOLE if order.sample == WHOLE else PRIOR_OF_HALF
    return np.asarray(weight * (0.5 * mass + 0.5 / cells.size))


def _by_ratio(by_arm: Array, direction: int, used: NDArray[np.intp]) -> NDArray[np.intp]:
    """Cells by falling likelihood ratio; smoothed, so that empty cells come in the middle.

    Ties are broken at random: codes of categories are given out one arm after the other, so in
    their order a prefix through a tie would separate the arms by itself.
    """
    likelier, other = by_arm[direction, used] + 0.5, by_arm[1 - direction, used] + 0.5
    tie = stream(TIE_SEED, Purpose.TIES).permutation(used.size)
    return used[np.lexsort((tie, -np.log(likelier / other)))]


def _prefixes(counts: Array, order: CellOrder) -> Array:
    """Counts of the sets of the first 1, 2, ... cells, without the full order."""
    return np.asarray(np.cumsum(counts[order.cells[:-1]]))
