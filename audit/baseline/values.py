"""What a baseline keeps of an audit: its claim, exact values, lower limits, squared errors."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from audit.utility.result import UtilityResult
from audit.verdict import AuditResult, ExactResult

if TYPE_CHECKING:
    from audit.gate import Outcome

__all__ = ["values_of"]

Record = dict[str, Any]


def values_of(outcome: Outcome) -> Record:
    """What a baseline keeps of an audit that came to a result."""
    from audit.report.json import claim_document, plain
    from audit.report.words import LIMITS

    result = outcome.result
    assert result is not None
    record: Record = {"verdict": result.verdict.value}
    match result:
        case UtilityResult():
            return record | {"mse": _errors(result), "bounds": _bounds(result)}
        case AuditResult():
            limits = {field: plain(getattr(result, field)) for field, _, _ in LIMITS}
            exact = (
                None
                if result.exact is None
                else {
                    "reached": _text(result.exact.reached),
                    "proved": _text(result.exact.proved),
                }
            )
        case ExactResult():
            limits, exact = {}, None
            if (proof := result.proof) is not None:
                exact = {
                    "loss": "inf" if proof.loss is None else str(proof.loss[1]),
                    "excess": None if proof.excess is None else str(proof.excess[1]),
                }
    claim = {
        k: v for k, v in claim_document(result.claim).items() if k not in {"source", "derived"}
    }
    record |= {"claim": claim, "order": result.order.value, "exact": exact}
    return record | {name: limit for name, limit in limits.items() if limit is not None}


def _bounds(result: UtilityResult) -> Record:
    """The least that is claimed of each quantity, by quantity and data set or law."""
    from audit.report.json import plain

    least: dict[str, Fraction | float] = {}
    for case in result.cases:
        for claim in (claim for estimate in case.estimates for claim in estimate.claims):
            key = f"{claim.quantity.value} on {case.label}"
            least[key] = min(least.get(key, claim.bound), claim.bound)
    return {key: plain(bound) for key, bound in least.items()}


def _errors(result: UtilityResult) -> Record:
    """Mean squared errors by data set or law."""
    from audit.report.json import plain

    return {
        case.label: {
            "value": plain(estimate.value),
            "lower": plain(estimate.interval.lower),
            "upper": plain(estimate.interval.upper),
        }
        for case in result.cases
        for estimate in case.estimates
        if estimate.quantity == "mse"
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
