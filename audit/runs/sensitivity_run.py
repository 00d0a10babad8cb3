"""The run of a plan of a test of a sensitivity."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec

from audit.draws.containment import supervised
from audit.faults import users_faults
from audit.pairs.worst_cases import Pair
from audit.request.stability_plan import StabilityPlan
from audit.runs.privacy_run import AUDIT_SECONDS, care_of
from audit.stability.properties import Measured
from audit.stability.query_calls import QueryCalls
from audit.stability.sensitivity_audit import PairCandidates, SearchSettings, find_sensitivity
from audit.stability.sensitivity_result import SensitivityResult
from mechanisms.errors import InvalidArgument

__all__ = ["DEFAULT_PAIRS", "run_sensitivity"]

DEFAULT_PAIRS = 5_000
"""Pairs at most: twice what the families have together, so that none is left out."""

DRAWN = 500
"""Pairs of Hypothesis: 276 of 1,500 showed a fault of the order of the records."""


@users_faults()
def run_sensitivity(
    plan: StabilityPlan,
    *,
    seed: int,
    budget_seconds: float = AUDIT_SECONDS,
    started: float | None = None,
    progress: Callable[[int, Measured | None], None] | None = None,
) -> SensitivityResult:
    """Run the test of a plan; see `audit.stability.sensitivity_audit.find_sensitivity`.

    `started`: when the work for it began, on the clock of `time.monotonic`; None for now. From
    there on the seconds count: the loading of the query and the making of pairs use them up, too.
    """
    started = time.monotonic() if started is None else started
    question = plan.request.sensitivity
    assert question is not None
    if not budget_seconds > 0:
        msg = f"budget_seconds must be positive, got budget_seconds={budget_seconds!r}"
        raise InvalidArgument(msg)
    budget = question.budget_pairs or DEFAULT_PAIRS
    deadline = started + budget_seconds
    drawn = _drawn(plan, min(DRAWN, budget), seed, deadline)
    candidates = PairCandidates(plan.given, drawn, plan.make)
    known = [
        plan.transformation,
        *(side for one in plan.given for side in (one.data, one.neighbor)),
    ]
    with supervised(plan.target, care_of(plan.request), known) as (target, accidents):
        calls = QueryCalls(target, plan.space, plan.transformation, deadline)
        result = find_sensitivity(
            calls,
            plan.claim,
            candidates,
            SearchSettings(seed, budget),
            script=plan.script,
            progress=progress,
        )
    notes = (*plan.notes, *result.notes, *accidents())
    seconds = time.monotonic() - started
    return replace(result, notes=notes, seconds=seconds, asked=plan.without_sampler())


def _drawn(plan: StabilityPlan, count: int, seed: int, deadline: float) -> list[Pair] | None:
    """Pairs of Hypothesis, until the deadline; None where it is not installed."""
    if not plan.make or plan.space.domain.schema is not None:
        return []
    if find_spec("hypothesis") is None:
        return None
    from audit.strategies.many_pairs import many_pairs

    return many_pairs(replace(plan.space.domain, rows=1), count, number=seed, deadline=deadline)
