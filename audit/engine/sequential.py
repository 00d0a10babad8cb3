"""The sequential audit: draw, bet, learn, until a violation or the budget stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from audit.draws.blocks import BatchFailed
from audit.draws.run_log import RunLog
from audit.draws.settings import Settings
from audit.draws.streams import Purpose
from audit.engine.allocation import FEW_PAIRS, most_suspicious
from audit.engine.conclude import conclude
from audit.engine.cost import Size
from audit.engine.counts.source import CountSource
from audit.engine.faults_of_draws import dependent
from audit.engine.loop import FIRST_RUN_SHARE, rounds
from audit.engine.night_run import night_of, stays_refuted
from audit.engine.night_wealth import Carried
from audit.engine.run_state import Run
from audit.engine.upper import upper_limits, without_reserve
from audit.engine.witness.confirm import ENOUGH
from audit.engine.witness.witness_search import show
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair, check_pairs
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.target import Target
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
    log: RunLog | None = None,
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
    log : RunLog or None
        Where the run is kept, and goes on from. The time budget is that of all sessions together; a
        run that has ended gives its result again.
    carried : Carried or None
        What earlier nights have left: `false_alarm` is then that of all nights together, and the
        result has tonight's e-values. Not with a log.

    Raises
    ------
    InvalidArgument
        For parameters so large that no sample refutes them, no pairs, a pair of equal data sets,
        outputs of the wrong number, or a log whose answers are not to the questions of this run.
    """
    check_pairs(pairs)
    many = len(pairs) > FEW_PAIRS
    grid = grid_of(claim, user=pairs[0].user, profile=settings.profile, coarse=many)
    log = log or RunLog()
    betting = without_reserve(settings, claim.level)

    def begin(share: float, idle: float = 0.0) -> Run:
        over_nights: dict[str, Any] = {} if carried is None else {"carried": carried, "idle": idle}
        run = Run.start(target, claim, pairs, betting, grid, progress, share, **over_nights)
        run.source = source or run.source
        run.log = log
        return run

    run = begin(FIRST_RUN_SHARE, 1 - FIRST_RUN_SHARE)
    try:
        try:
            stopped_by, reason = rounds(run)
        except BatchFailed:
            # what was bet is lost: the batch cannot be used, and drawing it again would change
            # its law
            again = begin(1 - FIRST_RUN_SHARE)
            again.take(Size(run.first, len(run.given), run.sized_by_time))
            for state in again.pairs:
                state.single = True
            again.spent, again.purpose = run.samples, Purpose.SECOND_RUN
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
                stopped_by, reason = _go_on(run)
        shown = run.shown
        # the draws kept for the limits are looked at once: not before the run has ended
        goes_on = run.goes_on(stopped_by)
        ended = stopped_by in BUDGETS and not goes_on and shown is None
        upper, kept = upper_limits(run, settings) if ended else (None, 0)
    finally:
        run.source.close()
        log.pause()
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
    note = log.fault
    if goes_on:
        note = note or f"--resume {log.path} goes on with this run, given more --budget-seconds"
    return replace(result, notes=(*result.notes, note)) if note else result


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
