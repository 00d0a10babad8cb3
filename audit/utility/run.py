"""The run of a plan of a utility audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from audit.engine.supervisor import supervised
from audit.run import DEFAULT_FALSE_ALARM, DEFAULT_SAMPLES, DEFAULT_SECONDS, care_of
from audit.utility.audit import DEFAULT_RESOLUTION, UtilitySettings, audit_utility
from audit.utility.plan import UtilityPlan
from audit.utility.result import UtilityResult

__all__ = ["run_utility"]


def run_utility(
    plan: UtilityPlan,
    *,
    seed: int,
    false_alarm: float = DEFAULT_FALSE_ALARM,
    budget_seconds: float = DEFAULT_SECONDS,
    progress: Callable[[int, float], None] | None = None,
) -> UtilityResult:
    """Run the audit of a plan; see `audit.utility.audit.audit_utility`."""
    request = plan.request
    budget, resolution = request.budget_samples, request.resolution
    settings = UtilitySettings(
        seed=seed,
        false_alarm=false_alarm,
        budget_samples=DEFAULT_SAMPLES if budget is None else budget,
        budget_seconds=budget_seconds,
        resolution=DEFAULT_RESOLUTION if resolution is None else resolution,
    )
    known = [part for case in plan.cases for part in (case.data, case.law)]
    with supervised(plan.target, care_of(request), known) as (target, accidents):
        result = audit_utility(
            target, plan.cases, settings, made=plan.made, notes=plan.notes, progress=progress
        )
    return replace(result, notes=(*result.notes, *accidents()))
