"""From a finished run to a result: verdict, witness or power statement, notes."""

from __future__ import annotations

from dataclasses import replace

from audit.draws.encode import Outcomes
from audit.draws.settings import FEWEST_FIRST_DRAWS
from audit.engine.alone import LARGEST_SHARE
from audit.engine.detectable_power import detectable
from audit.engine.hopeless import FAILS
from audit.engine.run_state import Run
from audit.engine.shown_witness import Shown
from audit.engine.tried_features import tried_notes
from audit.engine.upper import with_reserve
from audit.engine.witness.confirm import ENOUGH
from audit.engine.witness.instead import is_one_answer
from audit.results.number_words import plural
from audit.results.refutation import Witness
from audit.results.sampled_result import AuditResult, Detectable, Upper
from audit.results.verdict import FAILED, Limits, Verdict

__all__ = ["conclude", "unconfirmed"]

FEWEST_ANSWERS = 16
"""Draws of each data set from which on it is told that they were one answer."""


def conclude(
    run: Run,
    stopped_by: str,
    failure: str,
    upper: Upper | None = None,
    kept: int = 0,
    shown: Shown | None = None,
) -> AuditResult:
    """Say what a finished run has shown.

    Parameters
    ----------
    run : Run
        Its state at the end.
    stopped_by : str
        "refuted", "samples", "seconds" or "failure".
    failure : str
        Why nothing can be said, where it failed.
    upper : Upper or None
        Limits on the loss of the events it learned.
    kept : int
        Draws that these took.
    shown : Shown or None
        What the run showed where it refuted the claim; where it was stopped by something else
        later, fresh draws did not confirm it.
    """
    settings, target = run.settings, run.target
    witness: Witness | None = None
    power: Detectable | None = None
    fresh = kept
    notes: list[str] = list(run.notes)
    samples, cause = run.spent + run.samples + run.checked, ""
    cuts = () if shown is None else shown.cuts
    if shown is not None:
        fresh = kept + shown.draws
        notes += shown.cuts
    if stopped_by == "refuted":
        assert shown is not None
        witness = shown.witness
        verdict = Verdict.REFUTED
        reason = f"{witness.event}: too likely on the {witness.likelier}"
    elif stopped_by == "failure":
        verdict, reason = Verdict.INCONCLUSIVE, failure
        cause = "draws" if _starved(run) else ""
        cause = "fails" if failure.startswith(FAILS) else cause
    elif shown is not None:
        verdict, reason = Verdict.INCONCLUSIVE, unconfirmed(shown, run.evidence)
    else:
        power = _power(run)
        if run.opaque is not None:
            verdict, reason, upper = Verdict.INCONCLUSIVE, run.opaque, None
        elif power.at_tenth <= power.limit:
            verdict, reason = Verdict.CONSISTENT, "no violation found on the pairs tried"
            notes += tried_notes(run.pairs, ideal=settings.ideal)
        else:
            verdict = Verdict.INCONCLUSIVE
            cause = "time" if stopped_by == "seconds" else "draws"
            drawn = plural(samples + fresh, "draw")
            reason = f"the time limit ended the audit after {drawn}"
            if cause == "draws":
                reason = f"{drawn} are too few for {plural(len(run.given), 'pair')} of data sets"
    notes += _fewer_learned(run)
    # a repetition with the samples as its budget must draw the same batches
    repeat = with_reserve(run.checked + run.samples, run.claim.level)
    begun_alike = run.spent == 0 and not run.sized_by_time and repeat >= LARGEST_SHARE * run.checked
    repeatable = begun_alike and run.samples >= 4 * run.first * len(run.pairs)
    repeat_samples: int | None = None
    if stopped_by == "seconds" and repeatable:
        repeat_samples = repeat
        does = "repeats this run" if target.seedable else "draws as many"
        notes.append(f"--budget-samples {repeat_samples} {does}")
    limits = run.lower_limits()
    profile = tuple((axis.at, limit) for axis, limit in limits if axis.at is not None) or None
    return AuditResult(
        target=target.name,
        verdict=verdict,
        claim=run.claim,
        order=target.order,
        false_alarm=settings.false_alarm,
        samples=samples + fresh,
        seconds=run.seconds(stopped_by),
        seed=settings.seed,
        reproducible=target.seedable
        and not run.sized_by_time
        and not cuts
        and (repeatable or stopped_by != "seconds"),
        ideal=settings.ideal,
        pairs=len(run.pairs),
        limits=Limits(tuple((a.name, limit) for a, limit in limits if a.name and a.at is None)),
        profile=profile,
        reason=reason,
        witness=witness,
        detectable=power,
        upper=upper,
        notes=tuple(notes),
        stopped_by=stopped_by,
        repeat_samples=repeat_samples,
        witness_samples=fresh - kept,
        planned=settings.budget_samples,
        stopped_by_time=stopped_by == "seconds" or bool(cuts),
        first_draws=run.learned or None,
        seconds_per_draw=run.seconds_per_draw,
        first_by_time=run.first if run.sized_by_time else None,
        deterministic=_is_deterministic(run, witness),
        cause=cause,
    )


def _starved(run: Run) -> bool:
    """Whether the draws were not enough to begin with."""
    each = run.settings.budget_samples // (4 * len(run.pairs))
    return run.samples == 0 and not run.failure and each < FEWEST_FIRST_DRAWS


def _is_deterministic(run: Run, witness: Witness | None) -> bool:
    """Whether each data set gave one answer in all draws that are kept, and these are not few."""
    if witness is not None:
        told = all(words and not words.startswith(FAILED) for words in witness.always)
        return told and witness.draws >= FEWEST_ANSWERS
    arms = [Outcomes.concatenate(arm) for state in run.given for arm in state.past if arm]
    enough = len(arms) == 2 * len(run.given) and min(map(len, arms)) >= FEWEST_ANSWERS
    return not run.failure and enough and all(map(is_one_answer, arms))


def unconfirmed(shown: Shown, evidence: float) -> str:
    """Say why a run that refuted the claim does not say so."""
    witness = shown.witness
    found = (
        f"the draws of the run speak against the claim, with {evidence:.3g} times the evidence "
        f"that is needed, by {witness.event} [{witness.pair}]"
    )
    if not witness.draws:
        return (
            f"{found}, but time was up before that could be drawn afresh; give it more seconds "
            "(--budget-seconds)"
        )
    return (
        f"{found}; {witness.draws:,} fresh draws of each data set alone do not "
        f"({witness.hits:,} and {witness.other_hits:,} of them), and without these "
        f"{ENOUGH:g} times are asked for; give it more samples (--budget-samples)"
    )


def _fewer_learned(run: Run) -> tuple[str, ...]:
    """Say that fewer draws were learned from than were asked for, where that is so."""
    asked, learned = run.settings.first_draws, run.learned
    if asked is None or not 0 < learned < asked:
        return ()
    cut = all(state.batches < 2 for state in run.given)
    why = "time was up" if cut else "at most a quarter of the budget only learns"
    few = f"learned from {plural(learned, 'draw')} of each data set, fewer than the {asked:,}"
    return (f"{few} of --first-draws: {why}",)


def _power(run: Run) -> Detectable:
    """The power statement; of a personalized claim that of the budget that is closest to its limit.

    Every pair counts with the draws of the least-sampled one.
    """
    statements = []
    for user, grid in run.grids().items():
        power = detectable(
            min(state.draws for state in run.given),
            len(run.given),
            grid=grid,
            false_alarm=run.level,
            resolution=run.settings.resolution,
            learned=run.learned,
        )
        statements.append(replace(power, user=None if user is None else user + 1))
    return min(statements, key=lambda power: power.limit - power.at_tenth)
