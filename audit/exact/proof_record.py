"""What an exact audit holds, as its report in JSON has it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from audit.documents.shared_forms import SHARED
from audit.documents.typed_json import Codec, JsonForm, value_as
from audit.files.plain import plain
from audit.results.exact_result import DivergenceWitness, Proof


def _divergence(witness: DivergenceWitness) -> dict[str, Any]:
    lower, upper = witness.value or (None, None)
    return {
        "data": plain(witness.data),
        "neighbor": plain(witness.neighbor),
        "about": witness.about,
        "measure": witness.measure,
        "likelier": witness.likelier,
        "lower": "inf" if lower is None else str(lower),
        "upper": None if upper is None else str(upper),
        "allowed": str(witness.allowed),
    }


def _read_divergence(record: Mapping[str, Any]) -> DivergenceWitness:
    ends = None
    if record["lower"] != "inf":
        lower = value_as(Fraction, record["lower"], "lower")
        ends = lower, value_as(Fraction | None, record["upper"], "upper")
    data, neighbor = (value_as(Any, record[side], side) for side in ("data", "neighbor"))
    about, measure, likelier = (
        value_as(str, record[key], key) for key in ("about", "measure", "likelier")
    )
    allowed = value_as(Fraction, record["allowed"], "allowed")
    return DivergenceWitness(data, neighbor, about, measure, likelier, ends, allowed)


DIVERGENCE = JsonForm(_divergence, _read_divergence)

CODEC = Codec(
    {**SHARED, DivergenceWitness: DIVERGENCE},
    {Proof: {"rechecked": (lambda proof: proof.certificate is not None, bool)}},
)
"""Its own keys, without those of every kind of result."""
