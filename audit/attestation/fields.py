"""What evaluators and registries of deployments ask for: filled from the audits, or named as missing.

The questions are those of NIST SP 800-226, "Guidelines for Evaluating Differential Privacy
Guarantees" (2025, doi 10.6028/NIST.SP.800-226), by the blocks of its pyramid, and of the public
registry of deployments (github.com/opendp/deployments-registry-data), by its keys. An audit knows
few of them; the others are the evaluator's, who fills them in by a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

from audit.bounded_json import parse_json
from mechanisms.errors import InvalidArgument, close_names

__all__ = [
    "QUESTIONS",
    "AttestationQuestion",
    "answers",
    "answers_given",
    "as_written",
    "check_answers",
    "unit_of_privacy",
]

UNITS = {
    "add-remove": "one record added or removed; the number of records is private",
    "swap": "one record replaced by another; the number of records is public",
    "listed": "the listed pairs of data sets, and no others",
}

Rows = list[dict[str, Any]]
"""What the statement says of each audit."""


@final
@dataclass(frozen=True, slots=True)
class AttestationQuestion:
    """A field: who asks, its name, what is meant, and how audits answer it."""

    asker: str
    name: str
    about: str
    answer: Callable[[Rows], Any] | None = None
    """None where no audit knows."""


def as_written(value: Any) -> str:
    """A value as JSON: 1, 1.0 and true are equal for Python."""
    return json.dumps(value, sort_keys=True)


def unit_of_privacy(claim: Any, order: Any) -> str | None:
    """What neighboring data sets are, in words; None where a claim does not say."""
    relation = claim.get("relation") if isinstance(claim, dict) else None
    ordered = "; data are a sequence" if order == "fixed" else ""
    known = isinstance(relation, str) and relation in UNITS
    return f"{UNITS[str(relation)]}{ordered}" if known else None


def _different(values: list[Any]) -> Any:
    """The values that are there, each once; None without any."""
    found = {as_written(value): value for value in values if value not in (None, [], {})}
    return list(found.values()) or None


def _parameters(rows: Rows) -> Any:
    hidden = ("relation", "source", "derived")
    claims = [row["claim"] for row in rows]
    return _different(
        [{k: v for k, v in c.items() if k not in hidden} for c in claims if isinstance(c, dict)]
    )


def _correctness(rows: Rows) -> Any:
    return [f"{row['name']}: {row['verdict']}" for row in rows if row["verdict"]] or None


def _utility(rows: Rows) -> Any:
    return _correctness([row for row in rows if row["kind"] == "utility"])


def _units(rows: Rows) -> Any:
    return _different([row["unit_of_privacy"] for row in rows])


def _software(rows: Rows) -> Any:
    return _different([row.get("versions") for row in rows])


NIST, REGISTRY = "NIST SP 800-226", "deployments registry"

QUESTIONS = (
    AttestationQuestion(
        NIST, "privacy_parameters", "epsilon, delta or those of another level", _parameters
    ),
    AttestationQuestion(NIST, "unit_of_privacy", "what one neighbor differs in", _units),
    AttestationQuestion(
        NIST, "algorithms_and_correctness", "which algorithms, and how checked", _correctness
    ),
    AttestationQuestion(NIST, "utility", "errors that were stated and tested", _utility),
    AttestationQuestion(NIST, "bias", "systemic, human and statistical bias of the released data"),
    AttestationQuestion(NIST, "trust_model", "central, local or other; who is trusted with what"),
    AttestationQuestion(
        NIST, "composition", "what else is released of the same data, and the total"
    ),
    AttestationQuestion(NIST, "data_security_and_access_control", "who can reach data and results"),
    AttestationQuestion(NIST, "side_channels", "time, memory, errors that hang on data"),
    AttestationQuestion(NIST, "data_collection_exposure", "what is collected, and kept how long"),
    AttestationQuestion(REGISTRY, "name", "of the deployment"),
    AttestationQuestion(REGISTRY, "data_curators", "who holds the data"),
    AttestationQuestion(REGISTRY, "description", "what is released"),
    AttestationQuestion(REGISTRY, "intended_use", "what for"),
    AttestationQuestion(REGISTRY, "data_product_type", "statistics, a model, synthetic data ..."),
    AttestationQuestion(REGISTRY, "data_product_region", "where"),
    AttestationQuestion(REGISTRY, "data_product_sector", "for whom"),
    AttestationQuestion(REGISTRY, "publication_date", "when"),
    AttestationQuestion(REGISTRY, "dp_variant", "level of the claims", _parameters),
    AttestationQuestion(REGISTRY, "data_domain", "what a record is"),
    AttestationQuestion(REGISTRY, "unprotected_quantities", "what is released without protection"),
    AttestationQuestion(REGISTRY, "privacy_unit", "whose data a unit is", None),
    AttestationQuestion(REGISTRY, "number_of_privacy_units", "of one person"),
    AttestationQuestion(REGISTRY, "privacy_parameters", "of the deployment in total", None),
    AttestationQuestion(REGISTRY, "deployment_model", "central, local, shuffled ..."),
    AttestationQuestion(REGISTRY, "accounting", "how losses of all releases are added up"),
    AttestationQuestion(REGISTRY, "implementation", "software and versions", _software),
)
"""All of them, by asker."""


def answers(rows: Rows, given: Mapping[str, Any]) -> list[dict[str, object]]:
    """Answer each question from the audits, or from what the evaluator gave.

    `given`: answers by "asker" and name, such as {"NIST SP 800-226": {"bias": "none known"}}.
    """
    found = []
    for question in QUESTIONS:
        own = given.get(question.asker, {}).get(question.name)
        known = None if question.answer is None else question.answer(rows)
        if own is None or as_written(own) == as_written(known):
            answer, by = known, "missing" if known is None else "audit"
        else:
            answer, by = own, "evaluator"
        asked = {"asker": question.asker, "field": question.name, "about": question.about}
        found.append({**asked, "answered_by": by, "answer": answer})
    return found


def answers_given(fields: Any) -> dict[str, dict[str, Any]]:
    """What of the answers the evaluator gave; raises TypeError or LookupError of anything else."""
    given: dict[str, dict[str, Any]] = {}
    for row in fields:
        if row["answered_by"] == "evaluator":
            given.setdefault(row["asker"], {})[row["field"]] = row["answer"]
    return given


def check_answers(given: Mapping[str, Any]) -> dict[str, Any]:
    """Read the answers of an evaluator, as they stand in a statement.

    Raises InvalidArgument for a name that nobody asks, InvalidData for numbers that are none.
    """
    askers = tuple(dict.fromkeys(question.asker for question in QUESTIONS))
    for asker, fields in given.items():
        if asker not in askers or not isinstance(fields, dict):
            msg = f"fields must be tables named {', '.join(askers)}, got {asker!r:.60}"
            raise InvalidArgument(msg)
        known = [question.name for question in QUESTIONS if question.asker == asker]
        for name in fields:
            if name not in known:
                msg = f"{asker} has no field {name!r:.60}{close_names(name, known)}"
                raise InvalidArgument(msg)
    # dates of a TOML file become texts
    read: dict[str, Any] = parse_json(json.dumps(given, default=str), "--fields", finite=True)
    return read
