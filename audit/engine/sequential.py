"""The sequential audit: draw, bet, learn, until a violation or the budget stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from audit.draws.blocks import BatchFailed
from audit.draws.settings import Settings
from audit.draws.streams import Purpose
from audit.engine.allocation import FEW_PAIRS, most_suspicious
from audit.engine.conclude import conclude
from audit.engine.cost import Size
from audit.engine.counts.source import CountSource
from audit.engine.night_run import night_of, stays_refuted
from audit.engine.nights import Carried
from audit.engine.rounds import FIRST_RUN_SHARE, dependent, rounds
from audit.engine.run import Run
from audit.engine.saved_file import file_of
from audit.engine.upper import upper_limits, without_reserve
from audit.engine.witness.confirm import ENOUGH
from audit.engine.witness.evidence import show
from audit.levels import grid_of
from audit.pairs.neighbors import Pair, check_pairs
from audit.targets.file_state import check_as_written
from audit.targets.target import Target
from audit.verdict import AuditResult, Verdict
from mechanisms.claims import PrivacyClaim

__all__ = ["Settings", "audit"]

BUDGETS = ("samples", "seconds")
"""What ends a run that has found nothing."""


def audit(
    target: Target,
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    progress: Callable[[int, float], None] | None = None,
    source: CountSource | None = None,
    resume: Path | None = None,
    carried: Carried | None = None,
) -> AuditResult:
    """Audit a claim on pairs of neighboring data sets.

    Stops at a violation, otherwise runs to the budget.

    Parameters
    ----------
    target : Target
        What to draw from.
    claim : PrivacyClaim
        The claim under audit, of any level.
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
    carried : Carried or None
        What earlier nights have left: `false_alarm` is then that of all nights together, and the
        result has tonight's e-values. Not with `resume`.

    Raises
    ------
    InvalidArgument
        For parameters so large that no sample refutes them, no pairs, a pair of equal data sets,
        outputs of the wrong number, or a file that is not this audit's.
    """
    check_pairs(pairs)
    many = len(pairs) > FEW_PAIRS
    grid = grid_of(claim, user=pairs[0].user, profile=settings.profile, coarse=many)
    save = None if resume is None else file_of(resume, target, claim, pairs, settings)

    betting = without_reserve(settings, claim.level)

    def begin(share: float, idle: float = 0.0) -> Run:
        over_nights: dict[str, Any] = {} if carried is None else {"carried": carried, "idle": idle}
        run = Run.start(target, claim, pairs, betting, grid, progress, share, **over_nights)
        run.source = source or run.source
        run.save = save
        return run

    run = begin(FIRST_RUN_SHARE, 1 - FIRST_RUN_SHARE)
    saved = None if save is None else save.read()
    if save is not None:
        check_as_written(target.name)
    if isinstance(saved, AuditResult):
        return saved
    if saved is not None:
        run.restore(saved)
    try:
        try:
            stopped_by, reason = rounds(run) if run.shown is None else _go_on(run)
        except BatchFailed:
            # what was bet is lost: the batch cannot be used, and drawing it again would change
            # its law
            again = begin(1 - FIRST_RUN_SHARE)
            again.take(Size(run.first, len(run.given), run.sized_by_time))
            for state in again.pairs:
                state.single = True
            again.started, again.spent, again.purpose = run.started, run.samples, Purpose.SECOND_RUN
            again.checked, again.notes = run.checked, run.notes
            again.seconds_per_draw = run.seconds_per_draw
            run = again
            stopped_by, reason = rounds(run)
        if stopped_by == "refuted" and run.shown is None:
            run.shown = show(run, most_suspicious(run.pairs))
            if run.shown.dependence:
                run.failure = dependent(run.shown.dependence, most_suspicious(run.pairs))
                stopped_by, reason = "failure", run.failure
            elif not run.shown.witness.confirmed and run.evidence < ENOUGH:
                # fresh draws are made once, in whatever session; what goes on is the run, at a
                # stricter level
                run.demanded = ENOUGH
                if save is not None:
                    save.keep(run.state())
                stopped_by, reason = _go_on(run)
        shown = run.shown
        # the draws kept for the limits are looked at once: not before the run has ended
        ended = stopped_by == "samples" or (stopped_by == "seconds" and save is None)
        ended = ended and shown is None
        upper, kept = upper_limits(run, settings) if ended else (None, 0)
    except KeyboardInterrupt:  # it comes between batches, or within one that is not booked
        if save is not None:
            save.write(run.state())
        raise
    finally:
        run.source.close()
    night = None if carried is None else tuple(night_of(run).tolist())
    if stopped_by in BUDGETS and stays_refuted(run):
        stopped_by, upper = "refuted", None
        shown = shown or show(run, most_suspicious(run.pairs))
        if shown.dependence:
            stopped_by, reason = "failure", dependent(shown.dependence, most_suspicious(run.pairs))
    result = conclude(run, stopped_by, reason, upper, kept, shown)
    if night is not None:
        rejected = run.wealth.rejected()
        rejected[grid.claimed] &= result.verdict is Verdict.REFUTED
        result = replace(result, night=night, rejected=tuple(rejected.tolist()))
    if save is None:
        return result
    note = ""
    if stopped_by == "seconds":
        save.keep(run.state())
        note = f"--resume {resume} goes on with this run, given more --budget-seconds"
    else:
        save.keep(result)
    told = tuple(filter(None, (save.fault or note,)))
    return replace(result, notes=(*result.notes, *told))


def _go_on(run: Run) -> tuple[str, str]:
    """Bet until the stricter level is reached, or the budget is spent.

    A batch that fails ends it: what is left of the rate for a second run belongs to runs that have
    shown nothing. What a night is worth may not leave the batch out for what it drew.
    """
    try:
        return rounds(run)
    except BatchFailed:
        run.cut = True
        return "samples", ""
