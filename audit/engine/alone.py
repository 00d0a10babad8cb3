"""Whether one draw a call has the law of many: a release is one draw.

A mechanism that draws an offset, a projection or a subsample once per call makes draws that depend
on each other where it is asked for many of them, though each by itself may be private. Before
anything is learned, draws of one call each are compared with as many of one call, on both sides of
the first pair, by a chi-square test in few cells. Where they differ, every draw of the audit is a
call of its own: that is decided before the first bet, so no guarantee is touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from audit.engine.draws import BatchFailed, Block, draw_block
from audit.engine.encode import Encoder, Outcomes
from audit.engine.homogeneity import LEVEL, Watch, differs, watches_of
from audit.engine.streams import Place, Purpose
from audit.target import Calls
from audit.targets import Target

if TYPE_CHECKING:
    from audit.engine.pair_state import PairState

__all__ = ["COMPARED", "draw_singly_if_needed", "single_calls_differ"]

COMPARED = 256
"""Draws of each side by calls of one, and as many by one call. A common offset of half a standard
deviation shifts the latter by 5.7 standard errors; `homogeneity` finds smaller ones later."""

NOTE = (
    "one draw a call has another law than many: every draw of this audit is a call of its own "
    "(a release is one draw; draws of one call may depend on each other)"
)


def draw_singly_if_needed(
    target: Target, states: list[PairState], seed: int, deadline: float
) -> tuple[int, tuple[str, ...]]:
    """Compare calls of one draw with a call of many; ask for one draw a call where they differ.

    Parameters
    ----------
    target : Target
        What to draw from.
    states : list of PairState
        Nothing was drawn from them yet; the first is compared on.
    seed : int
        Of the run.
    deadline : float
        On the clock of `time.monotonic`.

    Returns
    -------
    int
        Draws made.
    tuple of str
        A note, where they differ.

    Raises
    ------
    OutOfTime
        Beyond the deadline.
    """
    if target.calls is not Calls.MANY or states[0].single:
        return 0, ()
    sides = (states[0].data, states[0].neighbor)
    block = Block(0, (0, 0), (COMPARED, COMPARED))
    alone = draw_block(
        target, sides, Place(seed, Purpose.ALONE), block, single=True, deadline=deadline
    )
    try:
        together = draw_block(
            target, sides, Place(seed, Purpose.ALONE, batch=1), block, deadline=deadline
        )
    except BatchFailed:  # a draw is an outcome only where it is a call of its own
        for state in states:
            state.single = True
        return 4 * COMPARED, ()
    if not single_calls_differ(alone, together):
        return 4 * COMPARED, ()
    for state in states:
        state.single = True
    return 4 * COMPARED, (NOTE,)


def single_calls_differ(alone: list[Any], together: list[Any]) -> bool:
    """Whether outputs of calls of one draw, on two sides, differ from those of one call."""
    encoder = Encoder()
    encoder.fix_layout([*alone, *together])
    arms = [[encoder.encode(outputs) for outputs in pair] for pair in (alone, together)]
    watches = watches_of(encoder, tuple(Outcomes.concatenate(pair) for pair in arms))
    level = LEVEL / (2 * 2 * len(watches))
    return any(
        differs(np.array([_counts(watch, arms[kind][side]) for kind in (0, 1)]), level) is not None
        for watch in watches
        for side in (0, 1)
    )


def _counts(watch: Watch, outcomes: Outcomes) -> Any:
    return np.bincount(watch.cells(outcomes), minlength=watch.size)
