"""The sequential audit: draw, bet, learn, until a violation or the budget stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from audit.engine.conclude import conclude
from audit.engine.counts.batch import Batch
from audit.engine.counts.source import CountSource
from audit.engine.draws import BatchFailed, OutOfTime
from audit.engine.encode import Encoder, Outcomes
from audit.engine.grids import grid_of
from audit.engine.identity import identity_of
from audit.engine.independence import find_dependence
from audit.engine.neighbors import Pair
from audit.engine.pair_state import PairState
from audit.engine.run import FEW_PAIRS, FIRST_DRAWS, Run
from audit.engine.saved import SavedAudit
from audit.engine.settings import Settings
from audit.engine.upper import upper_limits, with_reserve, without_reserve
from audit.engine.witness.literal import literal
from audit.targets import Target
from audit.verdict import AuditResult
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument

__all__ = ["FIRST_RUN_SHARE", "Settings", "audit", "dependent", "only_failures", "rounds"]

FEWEST_FIRST_DRAWS = 50
FIRST_RUN_SHARE = 0.9
"""Share of the false-alarm rate for the run; the rest is for a second one, one draw a call, where
a target that makes many draws a call fails after the first bets."""
SECOND_RUN = 2**30
"""Number of the second run's first batches: its streams are its own."""


def audit(
    target: Target,
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    progress: Callable[[int, float], None] | None = None,
    source: CountSource | None = None,
    resume: Path | None = None,
) -> AuditResult:
    """Audit a claim on pairs of neighboring data sets.

    Stops at a violation, otherwise runs to the budget.

    Parameters
    ----------
    target : Target
        What to draw from.
    claim : PrivacyClaim
        The claim under audit: pure or approximate.
    pairs : sequence of Pair
        Neighboring data sets, at least one.
    settings : Settings
        Error rate, budgets, seed.
    progress : callable or None
        Called with (samples, seconds) after every batch.
    source : CountSource or None
        Where samples are drawn, which changes no result; None for this process. It is closed.
    resume : Path or None
        File to keep the run in, and to go on from where it exists. The time budget is that of all
        sessions together; a run that has ended gives its result again.

    Raises
    ------
    InvalidArgument
        For a level that cannot be audited, no pairs, a pair of equal data sets, or outputs of
        the wrong number, or a file that is not this audit's.
    """
    if not pairs:
        msg = "at least one pair of neighboring data sets is needed, got pairs=[]"
        raise InvalidArgument(msg)
    for pair in pairs:
        if literal(pair.data) == literal(pair.neighbor):
            msg = f"the two data sets of a pair must differ, and they are equal: {pair.label}"
            raise InvalidArgument(msg)
    many = len(pairs) > FEW_PAIRS
    grid = grid_of(claim, user=pairs[0].user, profile=settings.profile, coarse=many)
    save = None if resume is None else _file(resume, target, claim, pairs, settings)

    betting = without_reserve(settings, claim.level)

    def begin(share: float) -> Run:
        run = Run.start(target, claim, pairs, betting, grid, progress, share)
        run.source = source or run.source
        run.save = save
        return run

    run = begin(FIRST_RUN_SHARE)
    saved = None if save is None else save.read()
    if isinstance(saved, AuditResult):
        return saved
    if saved is not None:
        run.restore(saved)
    try:
        try:
            stopped_by, reason = rounds(run)
        except BatchFailed:
            # what was bet is lost: the batch cannot be used, and drawing it again would change
            # its law
            again = begin(1 - FIRST_RUN_SHARE)
            for state in again.pairs:
                state.single = [True, True]
            again.started, again.spent, again.first_batch = run.started, run.samples, SECOND_RUN
            run = again
            stopped_by, reason = rounds(run)
        # the draws kept for the limits are looked at once: not before the run has ended
        ended = stopped_by == "samples" or (stopped_by == "seconds" and save is None)
        upper, kept = upper_limits(run, settings) if ended else (None, 0)
    except KeyboardInterrupt:  # it comes between batches, or within one that is not booked
        if save is not None:
            save.write(run.state())
        raise
    finally:
        run.source.close()
    result = conclude(run, stopped_by, reason, upper, kept)
    if save is None:
        return result
    if stopped_by == "seconds":
        save.write(run.state())
        note = f"--resume {resume} goes on with this run, given more --budget-seconds"
        return replace(result, notes=(*result.notes, note))
    save.write(result)
    return result


def _file(
    path: Path, target: Target, claim: PrivacyClaim, pairs: Sequence[Pair], settings: Settings
) -> SavedAudit:
    if not target.seedable:
        # a batch that was cut would be drawn anew, and the cut may depend on what was drawn
        msg = (
            f"{target.name} does not take its randomness from the seed, so a batch that was cut "
            "cannot be drawn again: leave out --resume"
        )
        raise InvalidArgument(msg)
    return SavedAudit(path, identity_of(target, claim, pairs, settings))


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
            run.bet_on(*run.next_bet(), check=_check)
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
