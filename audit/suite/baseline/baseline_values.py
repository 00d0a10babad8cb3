"""What a baseline keeps of an audit: its claim, exact values, lower limits, squared errors."""

from __future__ import annotations

from fractions import Fraction

from audit.accounting.account_result import AccountResult
from audit.files.plain import plain
from audit.levels.claim_records import claim_record
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import TOTAL
from audit.stability.sensitivity_result import SensitivityResult
from audit.suite.baseline.compare import EXACT_MARGIN
from audit.utility.error_result import UtilityResult

__all__ = ["values_of"]

Record = dict[str, object]

SHARP = EXACT_MARGIN / 10
"""Relative width up to which the upper end of a total is kept: a wider one depends on the claim,
which ends the search for a nearer one."""

LONGEST = 10**20
"""Numerators and denominators up to which a number is kept exactly."""


def values_of(
    result: AuditResult | ExactResult | UtilityResult | SensitivityResult | AccountResult,
) -> Record:
    """What a baseline keeps of an audit that came to a result."""
    record: Record = {"verdict": TOTAL if result.verdict is None else result.verdict.value}
    exact: Record | None = None
    match result:
        case UtilityResult():
            return record | {"mse": _errors(result), "bounds": _bounds(result)}
        case SensitivityResult():
            return record | {"limits": plain(result.limits)}
        case AccountResult(epsilon=total):
            if total.upper is not None and total.width <= SHARP:
                exact = {"proved": _text(total.upper)}
            return record | {"limits": plain(result.limits), "exact": exact}
        case AuditResult(exact=bounds):
            record["limits"] = plain(result.limits)
            if bounds is not None:
                exact = {"attained": _text(bounds.attained), "proved": _text(bounds.proved)}
        case ExactResult(proof=proof) if proof is not None:
            exact = {"loss": "inf" if proof.loss is None else _text(proof.loss[1])}
            if proof.measured is not None:  # of another level, whose loss was not asked for
                exact = {"divergence": _text(proof.measured[1][1])}
            exact["excess"] = None if proof.excess is None else _text(proof.excess[1])
    claim = {k: v for k, v in claim_record(result.claim).items() if k not in {"source", "derived"}}
    return record | {"claim": claim, "order": result.order.value, "exact": exact}


def _bounds(result: UtilityResult) -> Record:
    """The least that is claimed of each quantity, by quantity and data set or law."""
    least: dict[str, Fraction | float] = {}
    for case in result.cases:
        for claim in (claim for estimate in case.estimates for claim in estimate.claims):
            key = f"{claim.quantity.value} on {case.label}"
            least[key] = min(least.get(key, claim.bound), claim.bound)
    return {key: plain(bound) for key, bound in least.items()}


def _errors(result: UtilityResult) -> Record:
    """Mean squared errors by data set or law."""
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
    """An exact number as it is; one with many digits as the nearest double, far within the margin.

    What is smaller than every double stays as it is.
    """
    if value is None:
        return None
    rounded = float(value)
    long = max(abs(value.numerator), value.denominator) > LONGEST
    return repr(rounded) if long and rounded else str(value)
