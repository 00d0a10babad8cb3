"""The rounds of a sequential audit: first draws of each pair, then bets until something ends it."""

from __future__ import annotations

import numpy as np

from audit.draws.blocks import OutOfTime
from audit.draws.encode import Outcomes
from audit.draws.independence import find_dependence, in_turn
from audit.draws.settings import FEWEST_FIRST_DRAWS
from audit.engine.allocation import FIRST_DRAWS_OF_PROGRAM, most_suspicious
from audit.engine.batches import bet_on, first_draws
from audit.engine.counts.batch import Batch
from audit.engine.homogeneity import LEVEL, LOOKS
from audit.engine.hopeless import all_failed, hopeless
from audit.engine.night_run import fits
from audit.engine.pair_choice import first_of_joined, join_nearby, next_bet
from audit.engine.pair_state import SETTLED, PairState
from audit.engine.run import Run
from audit.engine.search import MOST_JOINED
from audit.engine.start import begin
from audit.engine.upper import with_reserve
from audit.rounding import plural
from audit.targets.target import Calls

__all__ = ["FIRST_RUN_SHARE", "dependent", "fault_of", "rounds"]

FIRST_RUN_SHARE = 0.9
"""Share of the false-alarm rate for the run; the rest is for a second one, one draw a call, where
a target that makes many draws a call fails after the first bets."""

PAIRS_CHECKED = 4
"""Pairs whose first draws are looked at for dependence: it is the target's, not the pair's.
Of the others the one that is refuted is, before that is said."""

DRAWS_COMPARED = 4096
"""Draws of each arm that are looked at then, in two halves."""


def rounds(run: Run) -> tuple[str, str]:
    """Draw and bet until something stops the run: what, and a failure in words.

    Nothing is concluded: no witness, no power statement, no limits. Calibration needs no more.

    Raises
    ------
    BatchFailed
        If draws of a pair that was bet on raise.
    """
    try:
        ended = _bet_until_stopped(run)
    except OutOfTime:
        ended = "seconds", ""
    if ended[0] != "failure" and (fault := fault_of(run)):
        return "failure", fault
    return ended


def _bet_until_stopped(run: Run) -> tuple[str, str]:
    if run.samples == 0 and not run.spent:
        begin(run)
    budget = run.settings.budget_samples - run.spent - run.checked
    if run.failure:
        return "failure", run.failure
    if run.target.calls is Calls.START:
        run.allocation.worth_a_start = min(run.first, FIRST_DRAWS_OF_PROGRAM)
    first = min(run.first, budget // (4 * len(run.pairs)))
    if first < FEWEST_FIRST_DRAWS:
        needed = with_reserve(4 * FEWEST_FIRST_DRAWS * len(run.pairs), run.claim.level)
        few = f"the samples are too few for {plural(len(run.pairs), 'pair')}"
        return "failure", hopeless(run) or f"{few}; at least {needed} are needed"
    for state in run.pairs:
        if state.batches == 0 and run.ended is None:
            first_draws(run, state, first, check=_check)
            if state.index == 0 and all_failed(state):
                run.failure = run.failure or hopeless(run)
    while run.samples + 2 <= budget and run.ended is None:
        joined = join_nearby(run)
        if joined is None:
            state, size = next_bet(run)
            if not fits(run, size):
                return "seconds", ""
            bet_on(run, state, size, check=_check)
        else:
            first_draws(run, joined, first_of_joined(run), check=_check)
    return run.ended or "samples", run.failure


def _check(run: Run, state: PairState, batch: Batch) -> None:
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
