"""What a run knows besides its result, and what follows for a reader: notes, and one verdict."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from audit.documents.advice import RESOLUTION, Circumstances, advised
from audit.request.privacy_plan import PrivacyPlan
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.runs.pair_screening import is_reordered
from audit.targets.tables.table_schema import Form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audit.pairs.worst_cases import Pair
    from audit.screening.choice import Choice
    from audit.targets.target import Target

__all__ = ["unmoved_pairs", "with_advice"]

SECONDS, SHARE_OF_TIME = 5.0, 0.1
"""For the look at whether anything changes an output: at least, and of the time that a run has."""

TABLES = {
    Form.PANDAS: "pandas: a DataFrame",
    Form.POLARS: "polars: a DataFrame",
    Form.RECORDS: "records, a list of dict",
    Form.VALUES: "values: the one column as a list",
    Form.NUMPY: "numpy: a structured array",
    Form.ARROW: "arrow: a Table",
    Form.SKLEARN: "sklearn: X and y",
    Form.JSON: "json: CSV in a line of JSON",
    Form.CSV: "csv: a table on standard input",
}
"""What a target gets of a table."""


def unmoved_pairs(
    plan: PrivacyPlan,
    choice: Choice,
    result: AuditResult,
    target: Target,
    *,
    deadline: float,
    budget_seconds: float,
) -> int:
    """How many pairs changed no output, from equal random numbers; 0 where one did.

    Where screening saw an output change, or the verdict does not hang on it, nothing is drawn.
    """
    from audit.screening.equal_outputs import unmoved

    told = choice.told
    undecided = result.verdict is Verdict.INCONCLUSIVE and result.cause not in ("draws", "time")
    if result.verdict is Verdict.REFUTED or undecided or plan.request.constant == "ok":
        return 0
    if told is not None and any(one.score > 0 for one in told.scored):
        return 0
    now = time.monotonic()
    found = unmoved(
        target,
        plan.pairs,
        seed=result.seed,
        samples=result.samples,
        deadline=max(deadline, now + max(SECONDS, SHARE_OF_TIME * budget_seconds)),
    )
    return max(found, told.pairs) if found and told is not None and told.unchanged else found


def with_advice(
    plan: PrivacyPlan,
    asked: Sequence[Pair],
    result: AuditResult,
    *,
    unmoved: int,
    budget_seconds: float,
) -> AuditResult:
    """The result with what a reader should know first.

    `asked`: the pairs before screening. `unmoved`: of `unmoved_pairs`: a run that nothing changes
    could not tell, whatever it has not found.
    """
    from audit.engine.budget import MOST_SAMPLES
    from audit.screening.ranking import HANDED_OVER

    request, schema = plan.request, plan.target.schema
    gets = _form_of(plan.pairs[0].data) if schema is None else TABLES[schema.takes]
    known = Circumstances(
        gets=gets,
        takes=schema is not None,
        command=request.command,
        made=any(pair.generated for pair in plan.pairs),
        unmoved=unmoved,
        resolution=request.resolution,
    )
    if (witness := result.witness) is not None:
        strange = plan.domain.strange(witness.data), plan.domain.strange(witness.neighbor)
        known = replace(known, strange=strange, reordered=is_reordered(plan, witness))
    if unmoved:
        result = replace(
            result,
            verdict=Verdict.INCONCLUSIVE,
            reason=(
                "no pair of data sets changed the output: does "
                f"{result.target} read its data in this form?"
            ),
            detectable=None,
            upper=None,
            cause="",
        )
    elif result.cause in ("draws", "time"):
        more = [asked[0]] * HANDED_OVER if known.made else []  # another budget screens others
        at_most = max(plan.pairs, (*asked, *more), key=len)
        one = plan.pairs[:1]
        known = replace(
            known,
            most=MOST_SAMPLES,
            needed=_needed(plan, at_most, result, request.resolution),
            of_pair=_needed(plan, one, result, request.resolution),
            coarser=_needed(plan, one, result, float(RESOLUTION)),
        )
    if result.cause == "time":
        needed = f"; {known.of_pair:,.0f} are needed for one pair" if known.of_pair < 1e9 else ""
        reason = (
            f"the time limit of {budget_seconds:g} s ended the audit after {result.samples:,} "
            f"draws{needed}"
        )
        result = replace(result, reason=reason)
    return replace(result, warnings=advised(result, known))


def _needed(
    plan: PrivacyPlan, pairs: Sequence[Pair], result: AuditResult, resolution: float | None
) -> float:
    from audit.engine.budget import detectable_budget

    return detectable_budget(
        plan.claim,
        pairs,
        false_alarm=result.false_alarm,
        resolution=resolution,
        first_draws=plan.request.first_draws,
    ).needed


def _form_of(data: Any) -> str:
    """What a target gets of a data set, in words."""
    kind = type(data).__name__
    if kind == "ndarray":
        return "numpy array of numbers" if data.dtype.kind in "fiu" else "numpy array"
    return "list" if kind == "list" else kind
