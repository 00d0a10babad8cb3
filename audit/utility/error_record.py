"""What an audit of errors holds, as its report in JSON has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.documents.shared_forms import SHARED
from audit.documents.typed_json import Codec, JsonForm, value_as
from audit.files.plain import plain
from audit.utility.error_result import Estimate, Fit, Interval
from mechanisms.claims import Source
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

INNER = Codec(SHARED)


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "quantity": estimate.quantity,
        "value": plain(estimate.value),
        **INNER.write(Interval, estimate.interval),
        "claims": [
            {
                "bound": float(claim.bound),
                "exactly": claim.exactly,
                "source": str(claim.source),
                "interval": plain(claim.interval),
                "ratio": abs(estimate.value) / float(claim.bound) if claim.bound else None,
                "refuted": claim in estimate.refuted,
                "excluded_approximately": claim in estimate.excluded_approximately,
            }
            for claim in estimate.claims
        ],
    }


def _read_estimate(record: Mapping[str, Any]) -> Estimate:
    rows = [(row, _claim(record["quantity"], row)) for row in record["claims"]]
    return Estimate(
        value_as(str, record["quantity"], "quantity"),
        value_as(float, record["value"], "value"),
        INNER.read(Interval, record, "estimate"),
        tuple(claim for _, claim in rows),
        tuple(claim for row, claim in rows if row["refuted"]),
        tuple(claim for row, claim in rows if row["excluded_approximately"]),
    )


def _claim(quantity: str, row: Mapping[str, Any]) -> UtilityClaim:
    return UtilityClaim(
        Quantity(quantity),
        value_as(float, row["bound"], "bound"),
        INNER.read(Source, row["source"], "source"),
        exactly=value_as(bool, row["exactly"], "exactly"),
        interval=value_as(tuple[float, float] | None, row["interval"], "interval"),
    )


def _truth(truth: Truth) -> dict[str, Any]:
    return {"value": plain(float(truth.value)), "words": truth.words}


def _read_truth(record: Mapping[str, Any]) -> Truth:
    value, words = value_as(float, record["value"], "value"), record["words"]
    return Truth(value, value_as(str, words, "words"))


CODEC = Codec(
    {
        **SHARED,
        Estimate: JsonForm(_estimate, _read_estimate),
        Truth: JsonForm(_truth, _read_truth),
    },
    {Fit: {"refuted": (lambda fit: fit.refuted, bool)}},
)
"""Its own keys, without those of every kind of result."""
