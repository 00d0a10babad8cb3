"""How a batch moves the wealth: looks at parts of it, which are compared, and then the whole of it.

Looks are at prefixes that hold as many draws of each arm (ENG-T3). The inequality is about all
prefixes at once, so which of them are looked at may depend on the batch itself: all of it, and
where that comes near to refuting parts of it too, or half of it where its draws are not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.counts.batch import Batch
from audit.engine.pair_state import PairState
from audit.engine.partitions import Partition
from audit.engine.wealth import Wealth

__all__ = ["book", "prefixes"]

Array = NDArray[np.float64]

MOST_PARTS = 8
"""Looks at a batch whose draws are kept: one draw of each arm apart, or as many as that makes."""

NEAR = 2.0
"""Nats below what refutes from which on parts of a batch are looked at: a look takes as long as
thousands of draws, and few batches come so near."""


@final
@dataclass(frozen=True, slots=True)
class _Look:
    """A part of a batch: the e-values of the experts and of the pair's own bets, and their wealth.

    Parameters
    ----------
    experts : ndarray of float, shape (A, G)
        Of the experts' accounts.
    own : list of ndarray
        Of the pair's own bets, where it has some.
    of_pair : ndarray of float, shape (G,), or None
        Wealth of these with the look.
    mixed : ndarray of float, shape (G,)
        The run's wealth with it.
    """

    experts: Array
    own: list[Array]
    of_pair: Array | None
    mixed: Array


def book(wealth: Wealth, state: PairState, batch: Batch, claimed: int) -> None:
    """Look at parts of a batch, and book the whole of it.

    Parameters
    ----------
    wealth : Wealth
        Of the run.
    state : PairState
        The pair that was drawn from, with the bets that were made before.
    batch : Batch
        Its draws.
    claimed : int
        Point of the grid that is the claim.
    """
    size = batch.size
    counts = batch.counts(size)
    whole = _look(wealth, state, counts, size)
    if 0 < wealth.needed()[claimed] - whole.mixed[claimed] < NEAR:
        for draws, part in prefixes(batch, state.counted()):
            _look(wealth, state, part, draws)
    if state.own is not None:
        state.own.settle(counts[len(state.partitions) :], whole.own)
    wealth.settle(state.index, whole.experts, whole.of_pair)


def _look(wealth: Wealth, state: PairState, counts: Sequence[Array], draws: int) -> _Look:
    """Compare the wealth with what refutes as if the batch ended here."""
    assert state.bets is not None
    log_e, log_e_own, log_own = state.bets.log_e(counts, draws), [], None
    if state.own is not None:
        log_e_own = state.own.log_e(list(counts[len(state.partitions) :]))
        log_own = state.own.log_sum(log_e_own)
    return _Look(log_e, log_e_own, log_own, wealth.compare(state.index, log_e, log_own))


def prefixes(batch: Batch, partitions: Sequence[Partition]) -> Iterator[tuple[int, list[Array]]]:
    """Counts of the first draws of a batch, of shape (2, K) each, by how many they are.

    Every number of them of a small batch whose draws are kept, `MOST_PARTS` of a larger one; half
    of one whose draws are not.

    Parameters
    ----------
    batch : Batch
        Some draws of each arm.
    partitions : sequence of Partition
        What it was counted in.
    """
    if batch.arms is None:
        half = batch.looks[0]
        yield half, batch.counts(half)
        return
    cells = [[partition.codes(arm) for arm in batch.arms] for partition in partitions]
    counts = [np.zeros((2, partition.size)) for partition in partitions]
    begin = 0
    for part in range(1, MOST_PARTS + 1):
        end = part * batch.size // MOST_PARTS
        if end == begin:
            continue
        for own, arms in zip(counts, cells, strict=True):
            for arm in (0, 1):
                own[arm] += np.bincount(arms[arm][begin:end], minlength=own.shape[1])
        begin = end
        yield end, counts
