"""What makes draws worthless, or an output unreadable: looked at as a pair's draws come in.

A look ends a run as INCONCLUSIVE at most: it can take REFUTED away, and never bring it.
"""

from __future__ import annotations

import numpy as np

from audit.draws.encode import Outcomes
from audit.draws.independence import find_dependence, in_turn
from audit.engine.allocation import most_suspicious
from audit.engine.counts.batch import Batch
from audit.engine.homogeneity import LEVEL, LOOKS
from audit.engine.joining_pairs import MOST_JOINED
from audit.engine.pair_state import SETTLED, PairState
from audit.engine.run_state import Run

__all__ = ["dependent", "fault_of", "look"]

PAIRS_CHECKED = 4
"""Pairs whose first draws are looked at for dependence: it is the target's, not the pair's.
Of the others the one that is refuted is, before that is said."""

DRAWS_COMPARED = 4096
"""Draws of each arm that are looked at then, in two halves."""


def look(run: Run, state: PairState, batch: Batch) -> None:
    """Look at a pair's draws once it has `SETTLED` of them, and whether its laws stay."""
    before = state.draws - batch.size
    settles = state.draws >= SETTLED and (before < SETTLED or state.batches == 2)
    if state.draws >= 2 * state.looked_at > 0 or (settles and state.batches > 1):
        run.failure = run.failure or _change(run, state) or ""
    if not settles or not state.past[0]:
        return
    run.opaque = run.opaque or state.encoder.find_opaque(state.first_arms())
    if state.index < PAIRS_CHECKED and (found := _dependence(state)):
        run.failure = dependent(found, state)


def _dependence(state: PairState) -> str | None:
    """Look for dependence among a pair's first draws, and between each two batches in turn."""
    arms = state.first_arms()
    if found := find_dependence(arms):
        return found
    lengths = np.diff([0, *state.ends]).tolist()
    turns = in_turn(arms, (lengths, lengths))
    return find_dependence(*turns) if turns else None


def _change(run: Run, state: PairState) -> str | None:
    """Say how the laws of a pair's outputs have changed, if they have (see `homogeneity`)."""
    of_pairs = LEVEL / 2 - LEVEL / LOOKS  # the rest: `alone`, and the witness's fresh draws
    found = state.change(of_pairs / (run.wealth.pairs + MOST_JOINED))
    return None if found is None else f"{found} (pair: {state.label})"


def fault_of(run: Run) -> str:
    """Why nothing may be said of the draws of a run that has ended; empty where all is well."""
    for state in run.pairs:
        if state.batches > 1 and (found := _change(run, state)):
            return found
    if not run.refuted:
        return ""
    blamed = most_suspicious(run.pairs)
    if blamed.draws < SETTLED and blamed.past[0]:  # not looked at before
        found = _dependence(blamed)
        return dependent(found, blamed) if found else ""
    if blamed.index >= PAIRS_CHECKED:
        data, neighbor = (
            Outcomes.concatenate(memory)[slice(DRAWS_COMPARED)] for memory in blamed.past
        )
        halves = [min(len(data), len(neighbor)) // 2] * 2
        turns = in_turn((data, neighbor), (halves, halves))
        if turns and (found := find_dependence(*turns)):
            return dependent(found, blamed)
    return ""


def dependent(dependence: str, state: PairState) -> str:
    """Say that draws of a pair are not independent."""
    return (
        f"the draws are not independent: {dependence} (pair: {state.label}); "
        "every guarantee of the audit rests on independent draws"
    )
