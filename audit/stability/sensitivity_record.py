"""What a search for the sensitivity of a query holds, as its report in JSON has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from audit.documents.shared_forms import SHARED
from audit.documents.typed_json import Codec, JsonForm, Unlike, value_as
from audit.files.plain import plain
from audit.stability.answers import Said
from audit.stability.norms import Distance
from audit.stability.sensitivity_result import SensitivityResult, SensitivityWitness
from audit.stability.sensitivity_sentences import answer_words, records_words, shown_value

ROOT = re.compile(r"sqrt\((.*)\)")


def _distance(text: Any) -> Distance:
    text = value_as(str, text, "distance")
    if text == "inf":
        return Distance(None)
    root = ROOT.fullmatch(text)
    exact = value_as(Fraction, root[1] if root else text, "distance")
    if exact < 0:
        msg = f"distance must be at least 0, got {text!r:.100}"
        raise Unlike(msg)
    return Distance(exact, is_square=root is not None)


def _witness(record: Mapping[str, Any]) -> SensitivityWitness:
    """A stored witness: of its data sets and answers, what is shown."""
    found: SensitivityWitness = INNER.read(SensitivityWitness, record, "witness")
    said: dict[str, Any] = {
        name: Said(value_as(str, record[f"{name}_text"], name)) for name in SHOWN
    }
    return replace(found, **said)


SHOWN: Mapping[str, Callable[[Any], str]] = {
    "data": records_words,
    "neighbor": records_words,
    "answer": answer_words,
    "other": answer_words,
}
"""Values of a user's own, whose types JSON does not have, and how they are shown."""


def _text(name: str, witness: SensitivityWitness) -> str:
    return SHOWN[name](getattr(witness, name))


DISTANCE = JsonForm(str, _distance)
INNER = Codec(
    {
        **SHARED,
        Distance: DISTANCE,
        "answer": JsonForm(lambda value: plain(shown_value(value)), lambda value: value),
    },
    {SensitivityWitness: {f"{name}_text": (partial(_text, name), str) for name in SHOWN}},
)
WITNESS = JsonForm(lambda one: INNER.write(SensitivityWitness, one), _witness)

CODEC = Codec(
    {**SHARED, Distance: DISTANCE, SensitivityWitness: WITNESS},
    {
        SensitivityResult: {
            "pairs": (lambda result: result.pairs, int),
            "strict": (lambda result: result.claim.is_strict, bool),
        }
    },
)
"""Its own keys, without those of every kind of result."""
