"""The rounds of a sequential audit: first draws of each pair, then bets until something ends it."""

from __future__ import annotations

import numpy as np

from audit.engine.allocation import FIRST_DRAWS
from audit.engine.counts.batch import Batch
from audit.engine.draws import OutOfTime
from audit.engine.encode import Encoder, Outcomes
from audit.engine.independence import find_dependence
from audit.engine.pair_state import PairState
from audit.engine.run import Run
from audit.engine.upper import with_reserve

__all__ = ["FIRST_RUN_SHARE", "dependent", "only_failures", "rounds"]

FEWEST_FIRST_DRAWS = 50
FIRST_RUN_SHARE = 0.9
"""Share of the false-alarm rate for the run; the rest is for a second one, one draw a call, where
a target that makes many draws a call fails after the first bets."""


def rounds(run: Run) -> tuple[str, str]:
    """Draw and bet until something stops the run: what, and a failure in words.

    Nothing is concluded: no witness, no power statement, no limits. Calibration needs no more.

    Raises
    ------
    BatchFailed
        If draws of a pair that was bet on raise.
    """
    try:
        return _bet_until_stopped(run)
    except OutOfTime:
        return "seconds", ""


def _bet_until_stopped(run: Run) -> tuple[str, str]:
    budget = run.settings.budget_samples - run.spent
    first = min(FIRST_DRAWS, budget // (4 * len(run.pairs)))
    if first < FEWEST_FIRST_DRAWS:
        needed = with_reserve(4 * FEWEST_FIRST_DRAWS * len(run.pairs), run.claim.level)
        return "failure", (
            f"the samples are too few for {len(run.pairs)} pairs; at least {needed} are needed"
        )
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


def _check(run: Run, state: PairState, batch: Batch) -> None:
    """Look at the draws of a pair's first two batches."""
    if batch.arms is None or state.batches > 2:
        return
    if state.batches == 1:
        run.opaque = run.opaque or state.encoder.find_opaque(batch.arms)
        dependence = find_dependence(batch.arms)
    else:
        first = state.draws - batch.size
        data, neighbor = (Outcomes.concatenate(memory)[:first] for memory in state.past)
        dependence = find_dependence((data, neighbor), batch.arms)
    if dependence:
        run.failure = dependent(dependence, state)


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
    if codes != other_codes or not all(label.startswith("raises ") for label in labels):
        return None
    return ", ".join(labels)
