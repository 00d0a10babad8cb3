"""The rounds of a sequential audit: first draws of each pair, then bets until something ends it."""

from __future__ import annotations

import math
import time

import numpy as np

from audit.draws.blocks import Block, OutOfTime, draw_block
from audit.draws.containment import accidents_of
from audit.draws.encode import Encoder, Outcomes
from audit.draws.events import FAILED, NO_ANSWER
from audit.draws.independence import find_dependence, in_turn
from audit.draws.settings import FEWEST_FIRST_DRAWS
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.allocation import FIRST_DRAWS, FIRST_DRAWS_OF_PROGRAM
from audit.engine.cost import Cost, Size, affordable, measured
from audit.engine.counts.batch import Batch
from audit.engine.pair_state import SETTLED, PairState
from audit.engine.run import Run
from audit.engine.upper import with_reserve
from audit.rounding import plural
from audit.targets.outcomes import NoAnswer
from audit.targets.target import Calls

__all__ = ["FIRST_RUN_SHARE", "dependent", "fault_of", "only_failures", "rounds"]

FIRST_RUN_SHARE = 0.9
"""Share of the false-alarm rate for the run; the rest is for a second one, one draw a call, where
a target that makes many draws a call fails after the first bets."""

PAIRS_CHECKED = 4
"""Pairs whose first draws are looked at for dependence: it is the target's, not the pair's.
Of the others the one that is refuted is, before that is said."""

MEASUREMENTS = 3
"""Of the cost of a draw, before the clock has a say: a loaded machine makes single ones longer."""

SHARE_OF_MEASUREMENTS = 0.1
"""Of the time cap, after which there are no more: a slow target is one by its first."""

TRIED_FIRST = 4
"""Draws of each side of the first pair, where a target's process has ended at once; then one of
each side of the others."""

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
        _begin(run)
    budget = run.settings.budget_samples - run.spent - run.checked
    if run.failure:
        return "failure", run.failure
    if run.target.calls is Calls.START:
        run.allocation.worth_a_start = min(run.first, FIRST_DRAWS_OF_PROGRAM)
    first = min(run.first, budget // (4 * len(run.pairs)))
    if first < FEWEST_FIRST_DRAWS:
        needed = with_reserve(4 * FEWEST_FIRST_DRAWS * len(run.pairs), run.claim.level)
        few = f"the samples are too few for {plural(len(run.pairs), 'pair')}"
        return "failure", f"{few}; at least {needed} are needed"
    for state in run.pairs:
        if state.batches == 0 and run.ended is None:
            run.first_draws(state, first, check=_check)
    if failures := _only_failures(run, budget):
        return "failure", f"the mechanism fails on every input tried ({failures})"
    while run.samples + 2 <= budget and run.ended is None:
        joined = run.join_nearby()
        if joined is None:
            state, size = run.next_bet()
            if not run.fits(size):
                return "seconds", ""
            run.bet_on(state, size, check=_check)
        else:
            run.first_draws(joined, run.first_of_joined, check=_check)
    return run.ended or "samples", run.failure


def _only_failures(run: Run, budget: int) -> str:
    """Names of what every draw of every pair has raised, before anything is bet; else empty.

    A mechanism that fails often is told from one that always does by as many draws as outputs are
    looked at with; where draws are slow, by the first ones.
    """
    if any(state.batches > 2 for state in run.pairs) or run.ended is not None:
        return ""
    known = SETTLED if run.first >= FIRST_DRAWS else run.first
    while True:
        failures = {only_failures(state.encoder, state.first_arms()) for state in run.pairs}
        if None in failures:
            return ""
        for state in run.pairs:
            size = min(known - state.draws, (budget - run.samples) // (2 * len(run.pairs)))
            if state.batches == 1 and size > 0:
                run.first_draws(state, size)
                break
        else:
            return ", ".join(sorted(name for name in failures if name))


def _begin(run: Run) -> None:
    """Measure what a draw costs, size the first draws, and see what a call for many draws is."""
    if run.target.calls is Calls.START:
        run.first = FIRST_DRAWS_OF_PROGRAM
    if run.settings.first_draws is not None:
        run.first = run.settings.first_draws
    else:
        run.take(_size(run))
    run.failure = _hopeless(run)
    if not run.failure:
        run.compare_calls()


def _hopeless(run: Run) -> str:
    """Why to draw no more, if the target's process ends wherever it draws; else empty.

    A new process for each of thousands of draws takes minutes, and all of them are alike.
    """
    if not accidents_of(run.target):
        return ""
    ends: set[str] = set()
    for index, state in enumerate(run.pairs):
        size = TRIED_FIRST if index == 0 else 1
        drawn = draw_block(
            run.target,
            (state.data, state.neighbor),
            BatchPlace(run.settings.seed, Purpose.CALIBRATE, pair=1 + index),
            Block(0, (0, 0), (size, size)),
            single=True,
            deadline=run.deadline,
        )
        outputs = [output for arm in drawn for output in arm]
        if not all(isinstance(output, NoAnswer) for output in outputs):
            return ""
        ends |= {str(output) for output in outputs}
    return f"the mechanism fails on every input tried ({', '.join(sorted(ends))})"


def _size(run: Run) -> Size:
    """How many first draws of how many pairs the time cap pays for."""
    state, settings = run.pairs[0], run.settings
    cost = Cost(math.inf, math.inf)
    for _ in range(MEASUREMENTS):
        sides = (state.data, state.neighbor)
        cost = cost.at_most(measured(run.target, sides, settings.seed, run.deadline))
        size = affordable(
            run.target,
            cost,
            first=run.first,
            pairs=len(run.pairs),
            seconds=settings.budget_seconds,
            single=state.single,
        )
        measuring = time.monotonic() - run.started
        if not size.by_time or measuring > SHARE_OF_MEASUREMENTS * settings.budget_seconds:
            break
    return size


def _check(run: Run, state: PairState, batch: Batch) -> None:
    """Look at a pair's draws once it has `SETTLED` of them, and whether its laws stay."""
    before = state.draws - batch.size
    settles = state.draws >= SETTLED and (before < SETTLED or state.batches == 2)
    if state.draws >= 2 * state.looked_at > 0 or (settles and state.batches > 1):
        run.failure = run.failure or run.change(state) or ""
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


def fault_of(run: Run) -> str:
    """Why nothing may be said of the draws of a run that has ended; empty where all is well."""
    for state in run.pairs:
        if state.batches > 1 and (found := run.change(state)):
            return found
    if not run.refuted:
        return ""
    blamed = run.most_suspicious()
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


def only_failures(encoder: Encoder, arms: tuple[Outcomes, Outcomes]) -> str | None:
    """Labels of the exceptions if both arms hold nothing else, and the same ones."""
    codes, other_codes = (set(np.unique(arm.categories[:, -1]).tolist()) for arm in arms)
    labels = [encoder.label(code) if code else "" for code in sorted(codes)]
    if codes != other_codes or not all(label.startswith(FAILED) for label in labels):
        return None
    return ", ".join(label.removeprefix(NO_ANSWER) for label in labels)
