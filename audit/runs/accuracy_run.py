"""The run of a plan of a utility audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from audit.draws.containment import supervised
from audit.faults import users_faults
from audit.request.error_plan import UtilityPlan
from audit.runs.privacy_run import AUDIT_SECONDS, DEFAULT_FALSE_ALARM, care_of
from audit.utility.error_audit import DEFAULT_RESOLUTION, UtilitySettings, audit_utility
from audit.utility.error_result import UtilityResult

__all__ = ["MOST_SAMPLES", "run_utility"]

MOST_SAMPLES = 2_000_000
"""Draws that an audit of errors may take: a pilot says how many it needs, of each case."""


@users_faults()
def run_utility(
    plan: UtilityPlan,
    *,
    seed: int,
    false_alarm: float = DEFAULT_FALSE_ALARM,
    budget_seconds: float = AUDIT_SECONDS,
    progress: Callable[[int, float], None] | None = None,
) -> UtilityResult:
    """Run the audit of a plan; see `audit.utility.error_audit.audit_utility`."""
    request = plan.request
    budget, resolution = request.budget_samples, request.resolution
    settings = UtilitySettings(
        seed=seed,
        false_alarm=false_alarm,
        budget_samples=budget if isinstance(budget, int) else MOST_SAMPLES,
        budget_seconds=budget_seconds,
        resolution=DEFAULT_RESOLUTION if resolution is None else resolution,
    )
    known = [part for case in plan.cases for part in (case.data, case.law)]
    with supervised(plan.target, care_of(request), known) as (target, accidents):
        result = audit_utility(
            target, plan.cases, settings, made=plan.made, notes=plan.notes, progress=progress
        )
    return replace(result, notes=(*result.notes, *accidents()), asked=plan.without_sampler())
