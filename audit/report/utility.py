"""Reports of utility audits, as text and as JSON documents (schema as of `audit.report.json`)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from audit.plain import plain
from audit.report.text import data_row, ledger_rows, not_tried_row, row, wrapped
from audit.report.values import SCHEMA_VERSION
from audit.report.words import number, utility_headline
from audit.run import repeat_line
from audit.utility.estimates import ROUNDING
from audit.utility.result import (
    METHODS,
    CaseResult,
    Estimate,
    Fit,
    UtilityResult,
    UtilityWitness,
)
from audit.versions import versions
from mechanisms.utility_claims import Quantity, UtilityClaim

if TYPE_CHECKING:
    from audit.request.error_plan import UtilityPlan

__all__ = [
    "case_rows",
    "power_words",
    "utility_document",
    "utility_limits",
    "utility_text",
]

NAMES = {"bias": "bias", "variance": "variance", "mse": "MSE", "mae": "MAE", "miss": "misses"}
DIGITS = 4
MEASURES = {"cdf band": "cdf", "relative entropy": "relative entropy"}


def utility_text(result: UtilityResult, plan: UtilityPlan) -> str:
    """Report of one utility audit."""
    lines = [f"{result.verdict.value}: {result.target}", *wrapped("", utility_headline(result)), ""]
    lines += row("claims", _sources(result))
    lines += ledger_rows(plan.target.ledger)
    for case in result.cases:
        lines += ["", *case_rows(case)]
    if result.witness is not None:
        lines += ["", *_witness(result.witness)]
    if (power := power_words(result)) is not None:
        lines += ["", *row("power", power)]
    lines += ["", *_limits(result), *not_tried_row(result)]
    for note in result.notes:
        lines += row("note", note)
    lines += row("run", _run(result))
    how = "repeat" if result.reproducible else "run again"
    lines.append(f"{how:<12}{repeat_line(plan.request, result)}")
    if result.witness is not None:
        script = result.witness.rerun.rstrip().splitlines()
        lines += ["", "The witness as a script:", "", *(f"    {line}".rstrip() for line in script)]
    return "\n".join(lines).rstrip() + "\n"


def case_rows(case: CaseResult) -> Iterator[str]:
    """One data set: what was estimated, beside what is claimed."""
    failed = f", {case.failures:,} of them no number" if case.failures else ""
    truth = f"truth {_number(float(case.truth.value))}, the {_the(case.truth.words)}"
    yield from wrapped("", f"on {case.label} ({truth}; {case.draws:,} draws{failed})")
    for estimate in case.estimates:
        yield from _estimate(estimate)
    for fit in case.fits:
        mark = "  FALSE" if fit.refuted else ""
        off = f"{_number(fit.distance)} off the stated law in {MEASURES[fit.by]}"
        limit = f"whose own draws are at most {_number(fit.limit)} off"
        yield from wrapped(f"    {'law':<10}", f"{fit.words}: {off}, {limit}{mark}")
    if not (case.estimates or case.fits):
        yield "    nothing was estimated"


def _the(words: str) -> str:
    return words.removeprefix("the ")


def _estimate(estimate: Estimate) -> Iterator[str]:
    ends = f"[{_number(estimate.interval.lower)}, {_number(estimate.interval.upper)}]"
    head = f"    {NAMES[estimate.quantity]:<10}{_number(estimate.value):<12}{ends:<26}"
    if not estimate.claims:
        yield head.rstrip()
    for claim in sorted(estimate.claims, key=lambda one: one.bound):
        words = f"{_claimed(claim):<24}{_ratio(claim, estimate):<10}"
        found = "FALSE" if claim in estimate.refuted else ""
        yield (head + words + ("doubted" if claim in estimate.doubted else found)).rstrip()
        head = " " * len(head)


def _claimed(claim: UtilityClaim) -> str:
    if claim.quantity is Quantity.BIAS:
        return "unbiased" if claim.bound == 0 else f"at most {_number(float(claim.bound))}"
    relation = "equal to" if claim.exactly else "at most"
    return f"{relation} {_number(float(claim.bound))}"


def _ratio(claim: UtilityClaim, estimate: Estimate) -> str:
    bound = float(claim.bound)
    return f"{abs(estimate.value) / bound:.3g} of it" if bound else ""


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def _sources(result: UtilityResult) -> str:
    """Who claims what, each once."""
    found: dict[str, None] = {}
    for claim in _claims(result):
        name = NAMES[claim.quantity.value]
        kind = f"{'exact' if claim.exactly else 'bound of the'} {name}"
        unbiased = claim.quantity is Quantity.BIAS and claim.bound == 0
        found[f"{'unbiased' if unbiased else kind} ({claim.source})"] = None
    if any(case.fits for case in result.cases):
        found["stated law of the draws"] = None
    return "; ".join(found)


def _claims(result: UtilityResult) -> Iterator[UtilityClaim]:
    for case in result.cases:
        for estimate in case.estimates:
            yield from estimate.claims


def _witness(witness: UtilityWitness) -> Iterator[str]:
    yield from row("witness", f"{witness.case}: {witness.says}")
    if witness.data is not None:
        yield from data_row("  data", witness.data)


def power_words(result: UtilityResult) -> str | None:
    """What would have been seen, on the data set where least would have been."""
    seen = [case.seen for case in result.cases if case.seen is not None]
    if not seen:
        return None
    found = []
    biases = [one.bias_scaled for one in seen if one.bias_scaled is not None]
    if biases:
        found.append(
            f"a bias of {number(max(biases))} root mean squared errors beyond the claimed one"
        )
    for name in ("mse", "mae", "miss"):
        larger = [factor for one in seen for key, factor in one.factors if key == name]
        smaller = [factor for one in seen for key, factor in one.small_factors if key == name]
        if larger:
            words = f"{NAMES[name]} of {number(max(larger))} times the claimed"
            found.append(
                words + (f", or {number(min(smaller))} times an exact one" if smaller else "")
            )
    distances = [one.distance for one in seen if one.distance is not None]
    if distances:
        found.append(f"a law at a distance of {number(max(distances))} in cdf")
    least = min(case.draws for case in result.cases)
    each = "" if len(result.cases) == 1 else " on each data set"
    return (
        f"with {least:,} draws{each} these would have been seen with probability 0.9, for errors "
        f"of the shape that was seen: {'; '.join(found)}"
    )


def utility_limits(result: UtilityResult) -> list[str]:
    """The power in a few words, for one line of a gate run."""
    seen = [case.seen for case in result.cases if case.seen is not None]
    biases = [one.bias_scaled for one in seen if one.bias_scaled is not None]
    factors = [factor for one in seen for _, factor in one.factors]
    words = [f"bias < {number(max(biases))} rmse"] if biases else []
    return words + ([f"error < {number(max(factors))} x"] if factors else [])


def _limits(result: UtilityResult) -> Iterator[str]:
    """Which limits were used, what each assumes, and how surely it holds."""
    used: dict[str, set[str]] = {}
    for case in result.cases:
        for estimate in case.estimates:
            interval, name = estimate.interval, NAMES[estimate.quantity]
            if interval.lower_by == interval.upper_by:
                used.setdefault(interval.lower_by, set()).add(name)
                continue
            used.setdefault(interval.lower_by, set()).add(f"lower {name}")
            used.setdefault(interval.upper_by, set()).add(f"upper {name}")
        for fit in case.fits:
            used.setdefault(fit.by, set()).add("law")
    if not used:
        return
    error = result.false_alarm / max(result.ends, 1)
    yield from row(
        "intervals",
        f"each end by itself is wrong with probability at most {number(error)} (of the variance: "
        f"{number(3 * error)}), and all {result.ends} that the claims are tested by at once with "
        f"{number(result.false_alarm)}; errors below {ROUNDING:g} of the largest number are "
        "rounding",
    )
    for name, words in METHODS.items():
        if name in used:
            yield from row("", f"{', '.join(sorted(used[name], key=str.lower))}: {words}")


def _run(result: UtilityResult) -> str:
    repeats = "" if result.reproducible else "; not repeated exactly by its seed"
    return (
        f"{result.samples:,} draws in {result.seconds:.1f} s, false-alarm rate "
        f"{number(result.false_alarm)}, seed {result.seed}{repeats}"
    )


def utility_document(result: UtilityResult, plan: UtilityPlan) -> dict[str, Any]:
    """Report of one utility audit as a document."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "utility",
        "target": result.target,
        "parameters": plain(plan.target.parameters),
        "verdict": result.verdict.value,
        "reason": result.reason,
        "false_alarm": result.false_alarm,
        "tests": result.ends,
        "resolution": result.resolution,
        "samples": result.samples,
        "seconds": round(result.seconds, 3),
        "seed": result.seed,
        "reproducible": result.reproducible,
        "stopped_by": result.stopped_by,
        "cases": [_case(case) for case in result.cases],
        "witness": None if result.witness is None else _witness_document(result.witness),
        "ledger": list(plan.target.ledger),
        "not_tried": list(result.not_tried),
        "notes": list(result.notes),
        "command": repeat_line(plan.request, result),
        "versions": versions([plan.target.library]),
    }


def _case(case: CaseResult) -> dict[str, Any]:
    seen = case.seen
    return {
        "label": case.label,
        "records": case.count,
        "draws": case.draws,
        "failures": case.failures,
        "truth": {"value": float(case.truth.value), "words": case.truth.words},
        "estimates": [_estimate_document(estimate) for estimate in case.estimates],
        "fits": [_fit(fit) for fit in case.fits],
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


def _estimate_document(estimate: Estimate) -> dict[str, Any]:
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


def _fit(fit: Fit) -> dict[str, Any]:
    finite = fit.distance if math.isfinite(fit.distance) else math.inf
    return {
        "law": fit.words,
        "by": fit.by,
        "distance": plain(finite),
        "limit": fit.limit,
        "refuted": fit.refuted,
    }


def _witness_document(witness: UtilityWitness) -> dict[str, Any]:
    return {
        "case": witness.case,
        "data": plain(witness.data),
        "says": witness.says,
        "draws": witness.draws,
        "rerun": witness.rerun,
    }
