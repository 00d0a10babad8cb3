"""What evaluators and registries of deployments ask for: filled from a report, or named as missing.

The questions are those of NIST SP 800-226, "Guidelines for Evaluating Differential Privacy
Guarantees" (2025, doi 10.6028/NIST.SP.800-226), by the blocks of its pyramid, and of the public
registry of deployments (github.com/opendp/deployments-registry-data), by its keys. An audit knows
few of them; the others are the evaluator's, who fills them in by a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

from mechanisms.errors import InvalidArgument, close_names

__all__ = ["QUESTIONS", "AttestationQuestion", "answers", "unit_of_privacy"]

UNITS = {
    "add-remove": "one record added or removed; the number of records is private",
    "swap": "one record replaced by another; the number of records is public",
    "listed": "the listed pairs of data sets, and no others",
}

Report = Mapping[str, Any]


@final
@dataclass(frozen=True, slots=True)
class AttestationQuestion:
    """A field: who asks, its name, what is meant, and how a report answers it."""

    asker: str
    name: str
    about: str
    answer: Callable[[list[Report]], Any] | None = None
    """None where no audit knows."""


def unit_of_privacy(report: Report) -> str | None:
    """What neighboring data sets are, in words."""
    claim = report.get("claim")
    relation = claim.get("relation") if isinstance(claim, dict) else None
    order = report.get("order")
    ordered = "; data are a sequence" if order == "fixed" else ""
    return f"{UNITS[relation]}{ordered}" if relation in UNITS else None


def _each(key: str) -> Callable[[list[Report]], Any]:
    return lambda reports: _different([report.get(key) for report in reports])


def _different(values: list[Any]) -> Any:
    """The values that are there, each once; None without any."""
    found: list[Any] = []
    for value in values:
        if value not in (None, [], {}) and value not in found:
            found.append(value)
    return found or None


def _parameters(reports: list[Report]) -> Any:
    hidden = ("relation", "source", "derived")
    claims = [report.get("claim") for report in reports]
    return _different(
        [{k: v for k, v in c.items() if k not in hidden} for c in claims if isinstance(c, dict)]
    )


def _correctness(reports: list[Report]) -> Any:
    rows = [f"{report.get('target')}: {report.get('verdict')}" for report in reports]
    return rows or None


def _utility(reports: list[Report]) -> Any:
    return _correctness([report for report in reports if report.get("kind") == "utility"])


def _units(reports: list[Report]) -> Any:
    return _different([unit_of_privacy(report) for report in reports])


def _software(reports: list[Report]) -> Any:
    return _each("versions")(reports)


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


def answers(reports: list[Report], given: Mapping[str, Any]) -> list[dict[str, object]]:
    """Answer each question from the reports, or from what the evaluator gave.

    `given`: answers by "asker" and name, such as {"NIST SP 800-226": {"bias": "none known"}}.
    Raises InvalidArgument for a name that nobody asks.
    """
    _check(given)
    rows = []
    for question in QUESTIONS:
        own = given.get(question.asker, {}).get(question.name)
        found = None if question.answer is None else question.answer(reports)
        by = "evaluator" if own is not None else "audit" if found is not None else "missing"
        rows.append(
            {
                "asker": question.asker,
                "field": question.name,
                "about": question.about,
                "answered_by": by,
                "answer": found if own is None else own,
            }
        )
    return rows


def _check(given: Mapping[str, Any]) -> None:
    askers = tuple(dict.fromkeys(question.asker for question in QUESTIONS))
    for asker, fields in given.items():
        if asker not in askers or not isinstance(fields, dict):
            msg = f"fields must be tables named {', '.join(askers)}, got {asker!r}"
            raise InvalidArgument(msg)
        known = [question.name for question in QUESTIONS if question.asker == asker]
        for name in fields:
            if name not in known:
                msg = f"{asker} has no field {name!r}{close_names(name, known)}"
                raise InvalidArgument(msg)
