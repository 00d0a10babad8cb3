"""The rounds of a sequential audit: first draws of each pair, then bets until something ends it."""

from __future__ import annotations

import math

import numpy as np

from audit.draws.blocks import Block, OutOfTime, draw_block
from audit.draws.encode import Encoder, Outcomes
from audit.draws.events import FAILED, NO_ANSWER
from audit.draws.independence import find_dependence
from audit.draws.settings import FEWEST_FIRST_DRAWS
from audit.draws.streams import BatchPlace, Purpose
from audit.draws.supervisor import accidents_of
from audit.engine.cost import Cost, Size, affordable, measured
from audit.engine.counts.batch import Batch
from audit.engine.pair_state import PairState
from audit.engine.run import Run
from audit.engine.upper import with_reserve
from audit.rounding import plural
from audit.targets.outcomes import NoAnswer

__all__ = ["FIRST_RUN_SHARE", "dependent", "fault_of", "only_failures", "rounds"]

FIRST_RUN_SHARE = 0.9
"""Share of the false-alarm rate for the run; the rest is for a second one, one draw a call, where
a target that makes many draws a call fails after the first bets."""

PAIRS_CHECKED = 4
"""Pairs whose first two batches are looked at for dependence: it is the target's, not the pair's.
Of the others the one that is refuted is, before that is said."""

MEASUREMENTS = 3
"""Of the cost of a draw, before the clock has a say: a loaded machine makes single ones longer."""

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
    first = min(run.first, budget // (4 * len(run.pairs)))
    if first < FEWEST_FIRST_DRAWS:
        needed = with_reserve(4 * FEWEST_FIRST_DRAWS * len(run.pairs), run.claim.level)
        few = f"the samples are too few for {plural(len(run.pairs), 'pair')}"
        return "failure", f"{few}; at least {needed} are needed"
    for state in run.pairs:
        if state.batches == 0 and run.ended is None:
            run.first_draws(state, first, check=_check)
    if all(state.batches == 1 for state in run.pairs):
        failures = {only_failures(state.encoder, state.first_arms()) for state in run.pairs}
        if None not in failures:
            names = ", ".join(sorted(name for name in failures if name))
            return "failure", f"the mechanism fails on every input tried ({names})"
    while run.samples + 2 <= budget and run.ended is None:
        joined = run.join_nearby()
        if joined is None:
            state, size = run.next_bet()
            if not run.fits(size):
                return "seconds", ""
            run.bet_on(state, size, check=_check)
        else:
            run.first_draws(joined, first, check=_check)
    return run.ended or "samples", run.failure


def _begin(run: Run) -> None:
    """Measure what a draw costs, size the first draws, and see what a call for many draws is."""
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
        if not size.by_time:
            break
    return size


def _check(run: Run, state: PairState, batch: Batch) -> None:
    """Look at the draws of a pair's first two batches, and whether its laws stay."""
    if state.draws >= 2 * state.looked_at > 0 or state.batches == 2:
        run.failure = run.failure or run.change(state) or ""
    if batch.arms is None or state.batches > 2:
        return
    if state.batches == 1:
        run.opaque = run.opaque or state.encoder.find_opaque(batch.arms)
    if state.index >= PAIRS_CHECKED:
        return
    if state.batches == 1:
        dependence = find_dependence(batch.arms)
    else:
        first = state.draws - batch.size
        data, neighbor = (Outcomes.concatenate(memory)[:first] for memory in state.past)
        dependence = find_dependence((data, neighbor), batch.arms)
    if dependence:
        run.failure = dependent(dependence, state)


def fault_of(run: Run) -> str:
    """Why nothing may be said of the draws of a run that has ended; empty where all is well."""
    for state in run.pairs:
        if state.batches > 1 and (found := run.change(state)):
            return found
    if run.refuted and run.most_suspicious().index >= PAIRS_CHECKED:
        state = run.most_suspicious()
        arms = [Outcomes.concatenate(memory)[slice(DRAWS_COMPARED)] for memory in state.past]
        half = min(map(len, arms)) // 2
        first, second = (
            (arms[0][part], arms[1][part]) for part in (slice(half), slice(half, None))
        )
        if found := find_dependence(first, second):
            return dependent(found, state)
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
