"""Sentences about an audit of errors, without layout."""

from __future__ import annotations

import math
from collections.abc import Iterator

from audit.documents.phrases import sentence, undecided_words
from audit.results.number_words import number
from audit.results.verdict import Verdict
from audit.utility.error_result import Seen, UtilityResult
from mechanisms.utility_claims import Quantity

NAMES = {"bias": "bias", "variance": "variance", "mse": "MSE", "mae": "MAE", "miss": "misses"}
"""Of the quantities."""


def headline(result: UtilityResult) -> str:
    """Say in a sentence or two what the verdict means."""
    match result.verdict:
        case Verdict.REFUTED:
            says = "" if result.witness is None else sentence(result.witness.says)
            return f"{sentence(result.reason)} {says}".strip()
        case Verdict.INCONCLUSIVE:
            return undecided_words(result.reason)
        case _:
            return f"Nothing speaks against the claims ({result.claim}). {sentence(result.reason)}"


def evidence(result: UtilityResult) -> Iterator[str]:
    """The power in a few words."""
    seen = [case.seen for case in result.cases if case.seen is not None]
    biases = [one.bias_scaled for one in seen if one.bias_scaled is not None]
    factors = [factor for one in seen for _, factor in one.factors]
    if biases:
        yield f"bias < {number(max(biases))} rmse"
    if factors:
        yield f"error < {number(max(factors))} x"


def sources_words(result: UtilityResult) -> str:
    """Who claims what, each once."""
    found: dict[str, None] = {}
    claims = (c for case in result.cases for one in case.estimates for c in one.claims)
    for claim in claims:
        name = NAMES[claim.quantity.value]
        kind = f"{'exact' if claim.exactly else 'bound of the'} {name}"
        unbiased = claim.quantity is Quantity.BIAS and claim.bound == 0
        found[f"{'unbiased' if unbiased else kind} ({claim.source})"] = None
    if any(case.fits for case in result.cases):
        found["stated law of the draws"] = None
    return "; ".join(found)


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


def seen_words(power: Seen) -> Iterator[str]:
    """What would have been seen on one data set."""
    if power.bias is not None:
        scaled = power.bias_scaled
        known = scaled is not None and math.isfinite(scaled)
        errors = f" ({number(scaled or 0.0)} root mean squared errors too much)" if known else ""
        yield f"a bias of {number(power.bias)}{errors}"
    for name, factor in power.factors:
        yield f"{NAMES[name]} of {number(factor)} times the claimed"
    for name, factor in power.small_factors:
        yield f"{NAMES[name]} of at most {number(factor)} times the claimed"
    if power.distance is not None:
        yield f"another law at distance {number(power.distance)}"
