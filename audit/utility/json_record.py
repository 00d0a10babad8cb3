"""What an audit of errors holds, as its report in JSON has it."""

from __future__ import annotations

import math

from audit.documents.document import Provenance
from audit.plain import plain
from audit.utility.result import CaseResult, Estimate, Fit, UtilityResult, UtilityWitness


def record(result: UtilityResult, _: Provenance) -> dict[str, object]:
    """Its own keys, without those of every kind of result."""
    return {
        "false_alarm": result.false_alarm,
        "tests": result.ends,
        "resolution": result.resolution,
        "samples": result.samples,
        "seconds": round(result.seconds, 3),
        "seed": result.seed,
        "reproducible": result.reproducible,
        "stopped_by": result.stopped_by,
        "cases": [_case(case) for case in result.cases],
        "witness": None if result.witness is None else _witness(result.witness),
    }


def _case(case: CaseResult) -> dict[str, object]:
    seen = case.seen
    return {
        "label": case.label,
        "records": case.count,
        "draws": case.draws,
        "failures": case.failures,
        "truth": {"value": float(case.truth.value), "words": case.truth.words},
        "estimates": [_estimate(estimate) for estimate in case.estimates],
        "fits": [_fit(fit) for fit in case.fits],
        "undecided": case.undecided,
        "seen": None
        if seen is None
        else {
            "bias": plain(seen.bias),
            "bias_in_root_mean_squares": plain(seen.bias_scaled),
            "factors": plain(dict(seen.factors)),
            "factors_below_1": plain(dict(seen.small_factors)),
            "distance": plain(seen.distance),
        },
    }


def _estimate(estimate: Estimate) -> dict[str, object]:
    interval = estimate.interval
    return {
        "quantity": estimate.quantity,
        "value": plain(estimate.value),
        "lower": plain(interval.lower),
        "upper": plain(interval.upper),
        "lower_by": interval.lower_by,
        "upper_by": interval.upper_by,
        "error_of_each_end": interval.error,
        "claims": [
            {
                "bound": float(claim.bound),
                "exactly": claim.exactly,
                "source": str(claim.source),
                "ratio": abs(estimate.value) / float(claim.bound) if claim.bound else None,
                "refuted": claim in estimate.refuted,
                "doubted": claim in estimate.doubted,
            }
            for claim in estimate.claims
        ],
    }


def _fit(fit: Fit) -> dict[str, object]:
    finite = fit.distance if math.isfinite(fit.distance) else math.inf
    return {
        "law": fit.words,
        "by": fit.by,
        "distance": plain(finite),
        "limit": fit.limit,
        "refuted": fit.refuted,
    }


def _witness(witness: UtilityWitness) -> dict[str, object]:
    return {
        "case": witness.case,
        "data": plain(witness.data),
        "says": witness.says,
        "draws": witness.draws,
        "rerun": witness.rerun,
    }
