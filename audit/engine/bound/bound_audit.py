"""The audit of a fixed budget: a part of it chooses one event, the rest tests it.

One test at the full level, so the lower limit is the tightest that the engine has: conditional
(ENG-T7) for rare events where delta is 0, Berger-Boos (T8) otherwise, chosen by the training
draws. Two limits at half the level each would have a true level of a few tenths of a percent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.draws.run_log import RunLog
from audit.draws.settings import Settings
from audit.engine.bound.choose import ChosenEvent
from audit.engine.bound.holdout import Finding, count_held_out, judge
from audit.engine.bound.training import Failed, Training
from audit.engine.conclude import unconfirmed
from audit.engine.counts.source import CountSource
from audit.engine.detectable_power import detectable
from audit.engine.hopeless import FAILS
from audit.engine.run_state import Run
from audit.engine.tried_features import tried_notes
from audit.engine.witness.witness_search import show
from audit.levels import grid_of, line_of, supporting_line
from audit.pairs.worst_cases import Pair, check_pairs
from audit.results.refutation import Witness
from audit.results.sampled_result import AuditResult, Detectable
from audit.results.verdict import Limits, Verdict
from audit.targets.target import Target
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument

__all__ = ["audit"]

POWER_NOTE = "the power statement is that of mode 'sequential' with as many draws as the test had"


@final
@dataclass(frozen=True, slots=True)
class Tested:
    """What was tested and found; None where the audit did not come that far."""

    choice: ChosenEvent | None = None
    finding: Finding | None = None
    failure: str = ""
    stopped_by: str = "samples"
    least_draws: int = 0
    under_way: bool = False


def audit(
    target: Target,
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    progress: Callable[[int, float], None] | None = None,
    source: CountSource | None = None,
    log: RunLog | None = None,
) -> AuditResult:
    """Audit a claim with a fixed budget, for the tightest lower limit.

    REFUTED if and only if the test rejects the claim. It is CONSISTENT where the test does not and
    could have told (`detectable`, as in the sequential audit: the held-out draws of a single pair,
    or the draws of the pair that was left first, by the power of the growth-optimal bet and the
    inefficiency of the sequential audit. The test of a fixed size needs fewer draws than either.)

    Parameters
    ----------
    target : Target
        What to draw from.
    claim : PrivacyClaim
        The claim under audit: pure or approximate.
    pairs : sequence of Pair
        Neighboring data sets, at least one.
    settings : Settings
        Error rate, budgets, seed. All of `budget_samples` is drawn; where the time is not enough
        for it, the number of held-out draws is lowered before the first of them.
    progress : callable or None
        Called with (samples, seconds).
    source : CountSource or None
        Where samples are drawn, which changes no result; None for this process. It is closed.
    log : RunLog or None
        Where the audit is kept, and goes on from. The time budget is that of all sessions together;
        an audit that has ended gives its result again.

    Raises
    ------
    InvalidArgument
        For another level, no pairs, a pair of equal data sets, outputs of the wrong number, or a
        log whose answers are not to the questions of this audit.
    """
    if line_of(claim.level) is None:
        msg = (
            "mode 'bound' audits pure and approximate claims (PureDP, ApproxDP), got "
            f"{claim.level} (type {type(claim.level).__name__}); use mode 'sequential'"
        )
        raise InvalidArgument(msg)
    check_pairs(pairs)
    run = Run.start(target, claim, pairs, settings, grid_of(claim), progress, 1.0)
    run.source = source or run.source
    run.log = log or run.log
    try:
        tested = _test(run)
        result = _conclude(run, tested)
    finally:
        run.source.close()
        run.log.pause()
    note = run.log.fault
    if tested.under_way:
        note = (
            note or f"--resume {run.log.path} goes on with this test, given more --budget-seconds"
        )
    return replace(result, notes=(*result.notes, note)) if note else result


def _claimed(run: Run) -> tuple[float, float]:
    """Epsilon and delta of the claim."""
    epsilon, delta = supporting_line(run.claim.level)
    return float(epsilon), float(delta)


def _test(run: Run) -> Tested:
    """Train and choose, then draw and test."""
    training = Training(run)
    try:
        choice = training.choose()
    except Failed as exc:
        return Tested(failure=str(exc), stopped_by="failure")
    except OutOfTime:
        msg = "the time ran out before an event was chosen; give it more seconds or fewer pairs"
        return Tested(failure=msg, stopped_by="seconds", under_way=run.goes_on("seconds"))
    stopped_by = "seconds" if training.cut_by_time else "samples"
    draws = training.held_out
    if draws == 0:
        msg = "no draws are left to test the chosen event; give it more samples or seconds"
        return Tested(failure=msg, stopped_by=stopped_by)
    try:
        counts = count_held_out(run, choice, draws)
    except OutOfTime:
        msg = (
            "the time ran out within the test, and a test that is cut short says nothing; give it "
            "more seconds or fewer samples"
        )
        return Tested(choice, failure=msg, stopped_by="seconds", under_way=run.goes_on("seconds"))
    except BatchFailed as exc:
        msg = (
            f"the mechanism raised {exc} in a call for many draws after the event had been chosen, "
            "and which of them failed is not known; mode 'sequential' can begin again"
        )
        return Tested(choice, failure=msg, stopped_by="failure")
    finding = judge(choice, counts, claim=_claimed(run), false_alarm=run.settings.false_alarm)
    least = draws if len(run.pairs) == 1 else min(state.draws for state in run.pairs)
    return Tested(choice, finding, "", stopped_by, least)


def _conclude(run: Run, tested: Tested) -> AuditResult:
    """Say what a finished run has shown."""
    settings, finding = run.settings, tested.finding
    witness: Witness | None = None
    power: Detectable | None = None
    fresh = 0
    notes: list[str] = list(run.notes)
    stopped_by = tested.stopped_by
    cuts: tuple[str, ...] = ()
    cause = ""
    if finding is None:
        verdict, reason = Verdict.INCONCLUSIVE, tested.failure
        cause = "fails" * tested.failure.startswith(FAILS)
    elif finding.refuted:
        assert tested.choice is not None
        epsilon, delta = _claimed(run)
        shown = show(run, tested.choice.state, (math.exp(epsilon), delta))
        fresh, cuts = shown.draws, shown.cuts
        notes += cuts
        if shown.witness.confirmed or finding.strongly:
            witness, verdict, stopped_by = shown.witness, Verdict.REFUTED, "refuted"
            reason = f"{witness.event}: too likely on the {witness.likelier}"
        else:
            verdict, reason = Verdict.INCONCLUSIVE, unconfirmed(shown, 1.0)
    else:
        power = detectable(
            tested.least_draws,
            len(run.pairs),
            grid=run.grid,
            false_alarm=settings.false_alarm,
            resolution=settings.resolution,
        )
        verdict, reason = _without_finding(run, power)
        if verdict is Verdict.CONSISTENT:
            notes += [POWER_NOTE, *tried_notes(run.pairs, ideal=settings.ideal)]
    if finding is not None:
        assert tested.choice is not None
        notes.insert(0, _tested_words(tested.choice, finding))
    if tested.stopped_by == "seconds":
        notes.append("the time, not the samples, set the number of draws: a repetition may differ")
    return AuditResult(
        target=run.target.name,
        verdict=verdict,
        claim=run.claim,
        order=run.target.order,
        false_alarm=settings.false_alarm,
        samples=run.samples + run.checked + fresh,
        seconds=run.seconds("seconds" if tested.under_way else "samples"),
        seed=settings.seed,
        reproducible=run.target.seedable and tested.stopped_by != "seconds" and not cuts,
        ideal=settings.ideal,
        pairs=len(run.pairs),
        limits=Limits.of(
            epsilon=0.0 if finding is None else finding.epsilon_lower,
            delta=0.0 if finding is None else finding.delta_lower,
        ),
        reason=reason,
        witness=witness,
        detectable=power,
        notes=tuple(notes),
        stopped_by=stopped_by,
        witness_samples=fresh,
        planned=settings.budget_samples,
        stopped_by_time=tested.stopped_by == "seconds" or bool(cuts),
        cause=cause,
    )


def _without_finding(run: Run, power: Detectable) -> tuple[Verdict, str]:
    """Verdict and reason of a test that did not reject."""
    if run.opaque is not None:
        return Verdict.INCONCLUSIVE, run.opaque
    if power.at_tenth <= power.limit:
        return Verdict.CONSISTENT, "no violation found on the pairs tried"
    found = "would not have been found for certain, however large its loss"
    if math.isfinite(power.at_tenth):
        found = f"would have been found for certain only from epsilon {power.at_tenth:.3g} on"
    return Verdict.INCONCLUSIVE, (
        f"the run is too coarse: an event of probability 0.1 {found}, and {power.limit:.3g} is the "
        "limit; give it more samples or seconds, fewer pairs, or mode 'sequential'"
    )


def _tested_words(choice: ChosenEvent, finding: Finding) -> str:
    """The event of the limit, and its counts."""
    likelier, other = ("data", "neighbor")[:: 1 if choice.arm == 0 else -1]
    counts = finding.counts
    test = "the conditional test" if choice.conditional else "the test of Berger and Boos"
    return (
        f"the limit is of {test} on the event: {choice.partition.describe(choice.cells)[0]} "
        f"[{choice.state.label}]; {counts.hits:,} of {counts.draws:,} draws on the {likelier}, "
        f"{counts.other_hits:,} of {counts.other_draws:,} on the {other}"
    )
