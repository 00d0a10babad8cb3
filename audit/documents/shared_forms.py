"""How claims, limits, sources and certificates stand in records of every kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from audit.documents.typed_json import JsonForm, Unlike, value_as
from audit.files.plain import plain
from audit.levels.claim_records import claim_record, level_from
from audit.results.verdict import Limits
from mechanisms.claims import PrivacyClaim, Relation, Source

__all__ = ["SHARED"]

OWN = ("level", "relation", "source", "derived")
"""Keys of a claim beside the parameters of its level."""


def _claim(record: Mapping[str, Any]) -> PrivacyClaim:
    parameters = {key: value for key, value in record.items() if key not in OWN}
    level = level_from(record["level"], parameters)
    derived = tuple(map(_source, record["derived"]))
    return PrivacyClaim(level, Relation(record["relation"]), _source(record["source"]), derived)


def _source(text: Any) -> Source:
    paper, _, item = str(value_as(str, text, "source")).partition(", ")
    return Source(paper, item)


def _limits(record: Any) -> Limits:
    if not isinstance(record, Mapping):
        msg = f"limits must be an object, got {record!r:.100}"
        raise Unlike(msg)
    return Limits(tuple((name, value_as(float, value, name)) for name, value in record.items()))


def _certificate(record: Mapping[str, Any]) -> Any:
    # it loads the enclosures, and few reports hold one
    from audit.certificate.certificate_form import Certificate

    return Certificate.read(json.dumps(record))


SHARED: Mapping[type | str, JsonForm] = {
    PrivacyClaim: JsonForm(claim_record, _claim),
    Source: JsonForm(str, _source),
    Limits: JsonForm(plain, _limits),
    "certificate": JsonForm(asdict, _certificate),
}
"""By class, or by the name that a field has for one."""
