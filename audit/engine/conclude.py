"""From a finished run to a result: verdict, witness or power statement, notes."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

from audit.engine.alone import LARGEST_SHARE
from audit.engine.power import detectable
from audit.engine.run import Run
from audit.engine.tried import tried_notes
from audit.engine.upper import with_reserve
from audit.engine.witness.smallest import smallest_pair
from audit.engine.witness.write import find_witness
from audit.verdict import AuditResult, Detectable, Upper, Verdict, Witness
from mechanisms.claims import PersonalizedDP

__all__ = ["conclude"]

LIMITS = (
    "epsilon_lower",
    "delta_lower",
    "mu_lower",
    "rho_lower",
    "renyi_epsilon_lower",
    "budget_factor_lower",
)

WITNESS_SHARE_OF_TIME = 0.2
"""Of the time budget: half to shrink the pair, half to count its event on fresh draws."""


def conclude(
    run: Run, stopped_by: str, failure: str, upper: Upper | None = None, kept: int = 0
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
    """
    settings, target = run.settings, run.target
    witness: Witness | None = None
    power: Detectable | None = None
    fresh = kept
    notes: list[str] = list(run.notes)
    if stopped_by == "refuted":
        shown = run.most_suspicious()
        seconds = max(1.0, WITNESS_SHARE_OF_TIME * settings.budget_seconds) / 2
        smallest, tried = smallest_pair(run, shown, seconds)
        assert smallest.bets is not None
        slope, offset = smallest.bets.line
        witness, counted = find_witness(
            target,
            smallest,
            claim=(math.log(slope), offset),
            false_alarm=settings.false_alarm,
            seed=settings.seed,
            seconds=seconds,
        )
        fresh = tried + counted
        if smallest is not shown:
            witness = replace(witness, shrunk_from=shown.label)
        if smallest.user is not None and isinstance(run.claim.level, PersonalizedDP):
            budget = run.claim.level.budgets[smallest.user]
            witness = replace(witness, user=smallest.user + 1, budget=budget)
        verdict = Verdict.REFUTED
        reason = f"{witness.event}: too likely on the {witness.likelier}"
    elif stopped_by == "failure":
        verdict, reason = Verdict.INCONCLUSIVE, failure
    else:
        power = _power(run)
        if run.opaque is not None:
            verdict, reason, upper = Verdict.INCONCLUSIVE, run.opaque, None
        elif power.at_tenth <= power.limit:
            verdict, reason = Verdict.CONSISTENT, "no violation found on the pairs tried"
            notes += tried_notes(run.pairs, ideal=settings.ideal)
        else:
            verdict = Verdict.INCONCLUSIVE
            found = "would not have been found at all"
            if math.isfinite(power.at_tenth):
                found = f"would have been found only from epsilon {power.at_tenth:.3g} on"
            reason = (
                f"the run is too coarse: an event of probability 0.1 {found}, and "
                f"{power.limit:.3g} is the limit; give it more samples or seconds, or fewer pairs"
            )
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
    own = {f"{a.name}_lower": limit for a, limit in limits if a.at is None}
    named: dict[str, Any] = {name: own.get(name) for name in LIMITS}
    profile = tuple((axis.at, limit) for axis, limit in limits if axis.at is not None) or None
    return AuditResult(
        target=target.name,
        verdict=verdict,
        claim=run.claim,
        order=target.order,
        false_alarm=settings.false_alarm,
        samples=run.spent + run.samples + run.checked + fresh,
        seconds=time.monotonic() - run.started,
        seed=settings.seed,
        reproducible=target.seedable
        and not run.sized_by_time
        and (repeatable or stopped_by != "seconds"),
        ideal=settings.ideal,
        pairs=len(run.pairs),
        **named,
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
        cut_by_time=stopped_by == "seconds",
        first_draws=run.first if run.sized_by_time else None,
    )


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
        )
        statements.append(replace(power, user=None if user is None else user + 1))
    return min(statements, key=lambda power: power.limit - power.at_tenth)
