"""The run of a plan about privacy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from audit.documents.phrases import OUT_OF_STEPS, OUT_OF_TIME
from audit.exact.limits import exact_limits
from audit.faults import TargetFault, attribute, is_ours, users_faults
from audit.levels import grid_of
from audit.request.privacy_plan import PrivacyPlan
from audit.request.request import Request
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.runs.pair_screening import (
    begin_log,
    goes_by_clock,
    screened,
    screening_notes,
    with_domain,
    with_flow,
)
from audit.runs.run_warnings import unmoved_pairs, with_advice
from audit.targets.command import notes_of
from audit.targets.separation import ProcessEnded, separately
from mechanisms.claims import PersonalizedDP, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import StatesNoisyQuery

if TYPE_CHECKING:
    from audit.draws.run_log import RunLog
    from audit.draws.supervisor import Care
    from audit.engine.budget import Budget
    from audit.engine.counts.source import CountSource
    from audit.engine.night_wealth import Carried

__all__ = [
    "AUDIT_SECONDS",
    "DEFAULT_SAMPLES",
    "budget_of",
    "care_of",
    "prove_plan",
    "run_plan",
]

DEFAULT_FALSE_ALARM = 0.001
"""Of an audit, as of a whole gate: a refutation is to be acted on without a second run."""
DEFAULT_SAMPLES = 2_000_000
"""Draws of a --mode bound audit, all arms and pairs together: no power statement says how many."""

FEWEST_SECONDS = 0.001
"""Of the time cap that is left behind screening, which has ended."""

AUDIT_SECONDS = 600.0
"""Cap of an audit's wall time: chosen, so that what hangs is noticed. Draws end what does not."""


def care_of(request: Request) -> Care | None:
    """How the target of a request is looked after; None where it is drawn in this process."""
    from audit.draws.supervisor import DEFAULT_TIMEOUT, Care

    if request.in_process:
        return None
    return Care(request.timeout or DEFAULT_TIMEOUT, request.memory)


def run_plan(
    plan: PrivacyPlan,
    *,
    seed: int,
    false_alarm: float = DEFAULT_FALSE_ALARM,
    budget_seconds: float = AUDIT_SECONDS,
    progress: Callable[[int, float], None] | None = None,
    source: CountSource | None = None,
    log: RunLog | None = None,
    carried: Carried | None = None,
    shrink: bool = True,
) -> AuditResult:
    """Run the audit of a plan, and keep it in `log`; see `audit.engine.sequential.audit`."""
    from audit.draws.containment import supervised
    from audit.draws.run_log import RunLog
    from audit.engine import sequential
    from audit.engine.bound import bound_audit as bound

    if not 0 < false_alarm < 1:  # before it is planned with
        msg = f"false_alarm must lie in (0, 1), got false_alarm={false_alarm!r}"
        raise InvalidArgument(msg)
    if not budget_seconds > 0:
        msg = f"budget_seconds must be positive, got budget_seconds={budget_seconds!r}"
        raise InvalidArgument(msg)
    log = log or RunLog()
    _check_statements(plan)
    for user in sorted({pair.user for pair in plan.pairs}, key=str):
        grid_of(plan.claim, user=user, coarse=True)  # refuses what no draws could refute
    request = plan.request
    budget, asked = budget_of(plan, false_alarm), plan.pairs
    settings = sequential.Settings(
        seed=seed,
        false_alarm=false_alarm,
        budget_samples=budget.samples,
        budget_seconds=budget_seconds,
        ideal=request.ideal,
        resolution=request.resolution,
        min_size=request.min_size,
        first_draws=request.first_draws,
        profile=request.profile,
        shrink=shrink,
    )
    begin_log(log, plan, settings)
    plan, choice = screened(
        plan,
        seed=seed,
        samples=budget.samples,
        seconds=budget_seconds,
        care=care_of(request),
        log=log,
    )
    before = log.lap("seconds before")
    slow = goes_by_clock(choice.told)
    left = max(budget_seconds - before, FEWEST_SECONDS) if slow else budget_seconds
    if plan.pairs is not asked:  # other pairs have other needs
        budget = budget_of(plan, false_alarm)
    sides = [side for pair in plan.pairs for side in (pair.data, pair.neighbor)]
    settings = replace(settings, budget_samples=budget.samples, budget_seconds=left)
    with supervised(plan.target, care_of(request), sides) as (target, accidents):
        if request.mode == "bound":
            result = bound.audit(
                target,
                plan.claim,
                plan.pairs,
                settings,
                progress=progress,
                source=source,
                log=log,
            )
        else:
            result = sequential.audit(
                target,
                plan.claim,
                plan.pairs,
                settings,
                progress=progress,
                source=source,
                log=log,
                carried=carried,
            )
        accidental = accidents()
        deadline = log.started - before + budget_seconds
        result = with_flow(plan, result, target, deadline)
        times = {"deadline": deadline, "budget_seconds": budget_seconds}
        unmoved = unmoved_pairs(plan, choice, result, target, **times)
    found = screening_notes(choice.told)
    notes = (*plan.notes, *notes_of(plan.target), *found, *result.notes, *accidental)
    result = replace(
        result,
        notes=notes,
        reproducible=result.reproducible and not slow,
        planned=budget.samples,
        seconds=result.seconds + before,
        screening=choice.told,
    )
    result = with_domain(plan, choice, _beside_exact(plan, result, deadline))
    result = with_advice(plan, asked, result, unmoved=unmoved, budget_seconds=budget_seconds)
    return replace(result, mode=request.mode, asked=plan.without_sampler())


def budget_of(plan: PrivacyPlan, false_alarm: float) -> Budget:
    """The draws that an audit may take: as asked for, or what its power statement needs."""
    from audit.engine.budget import Budget, detectable_budget

    request = plan.request
    if isinstance(request.budget_samples, int):
        return Budget(request.budget_samples, 0.0)
    if request.mode == "bound":
        return Budget(DEFAULT_SAMPLES, 0.0)
    return detectable_budget(
        plan.claim,
        plan.pairs,
        false_alarm=false_alarm,
        resolution=request.resolution,
        first_draws=request.first_draws,
    )


def _check_statements(plan: PrivacyPlan) -> None:
    """Ask a mechanism for what it states of all data, so that it does not fail behind the draws."""
    from audit.targets.load import mechanism_of

    try:
        mechanism, _ = mechanism_of(plan.target)
    except InvalidArgument:  # a function, an adapter: nothing is stated
        return
    with users_faults(mechanism, "noisy_query"):
        for name in ("exact_law", "noisy_query"):
            attribute(mechanism, name)
        if isinstance(mechanism, StatesNoisyQuery):
            mechanism.noisy_query()


def _beside_exact(plan: PrivacyPlan, result: AuditResult, deadline: float) -> AuditResult:
    """Put what the stated law says beside what the samples show; a contradiction is REFUTED.

    Lower limit of the samples <= loss that a pair reaches <= proved bound: the first must not
    exceed the last, unless floating point adds to the loss. And an event that breaks the claim on
    the witness's fresh draws must break it by the stated law.
    """
    from audit.targets.load import mechanism_of

    try:
        mechanism, floating_point = mechanism_of(plan.target)
    except InvalidArgument:  # a function, an adapter: nothing is stated
        return result
    here = plan.request.in_process or is_ours(mechanism)
    try:
        return separately(
            lambda: _compared(plan, result, mechanism, floating_point, deadline), forks=not here
        )
    except (TargetFault, ProcessEnded) as fault:  # the samples have shown what they show
        note = f"the stated law is not beside the samples: {fault}"
        return replace(result, notes=(*result.notes, note))


def _compared(
    plan: PrivacyPlan, result: AuditResult, mechanism: Any, floating_point: bool, deadline: float
) -> AuditResult:
    from audit.exact.bounds import exact_bounds
    from audit.exact.release_events import exact_event
    from audit.exact.step_limit import OutOfSteps

    comparable = result.ideal or not floating_point
    if (witness := result.witness) is not None:
        event = exact_event(mechanism, witness, plan.claim)
        result = replace(result, witness=replace(witness, exact=event))
        shown = witness.epsilon_lower > getattr(plan.claim.level, "epsilon", math.inf)
        if shown and comparable and event is not None and event.excess[1] <= 0:
            reason = (
                f"contradiction: {witness.event} is too likely on the "
                f"{witness.likelier} in the samples, and by the stated law no likelier than "
                "the claim allows: the sampler does not do what the mechanism states"
            )
            return replace(result, reason=reason)
    try:
        bounds = exact_bounds(mechanism, plan.claim, deadline=deadline)
    except OutOfSteps as gone:
        seeded = result.reproducible and not gone.by_time
        note = OUT_OF_TIME if gone.by_time else OUT_OF_STEPS
        return replace(result, reproducible=seeded, notes=(*result.notes, note))
    if bounds is None:
        return result
    result = replace(result, exact=bounds)
    limit = result.limits.get("epsilon", 0.0)
    if comparable and limit > bounds.proved:
        reason = (
            f"contradiction: the samples show a loss of at least {limit:.6g}, the "
            f"stated law of {bounds.about} proves at most {float(bounds.proved):.6g} "
            f"({bounds.lemma}): the sampler does not do what the mechanism states"
        )
        return replace(result, verdict=Verdict.REFUTED, reason=reason)
    return result


@users_faults()
def prove_plan(plan: PrivacyPlan, information: Mapping[str, Any] | None = None) -> ExactResult:
    """Run the exact audit of a plan; see `audit.exact.exact_audit.audit`.

    Raises Disagreement if what was proved is rejected by the check of its certificate.
    """
    from audit.exact.exact_audit import audit
    from audit.exact.grid_multisets import Multisets
    from audit.exact.question import Question, check_is_shown
    from audit.exact.recheck import rechecked
    from audit.targets.load import mechanism_of

    check_is_shown(plan.claim.level)
    request, bounds = plan.request, plan.target.bounds
    fewest = request.min_size
    of_rows = isinstance(plan.claim.level, PersonalizedDP) and (
        plan.claim.relation is Relation.ADD_REMOVE
    )
    own = plan.claim.relation is Relation.LISTED
    pairs = plan.pairs if request.pair or of_rows or own else ()
    mechanism, floating_point = mechanism_of(plan.target, corpus=True)
    asked = Question(
        request.target,
        mechanism,
        plan.claim,
        plan.target.order,
        floating_point,
        pairs=tuple((pair.data, pair.neighbor) for pair in pairs),
        users=tuple(pair.user for pair in pairs if pair.user is not None),
        placeholder=plan.target.placeholder,
        machine=request.adversarial,
        multisets=None if bounds is None else Multisets(*request.multisets_size, *bounds, fewest),
        information=information or {},
    )
    result = rechecked(audit(asked))
    limits = exact_limits(result.claim.level, result.proof, result.witness)
    return replace(result, limits=limits, asked=plan.without_sampler())
