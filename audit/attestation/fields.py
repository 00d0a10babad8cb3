"""What evaluators and registries of deployments ask for: what an audit answers, and what is left.

The questions are those of NIST SP 800-226, "Guidelines for Evaluating Differential Privacy
Guarantees" (2025, doi 10.6028/NIST.SP.800-226), by the blocks of its pyramid, and of the public
registry of deployments (github.com/opendp/deployments-registry-data), by its keys. An audit knows
few of them; the others are the evaluator's, who answers them in a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from audit.files.bounded_json import parse_json
from mechanisms.errors import InvalidArgument, close_names

__all__ = ["QUESTIONS", "read_answers", "unanswered"]


QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "NIST SP 800-226": (
        *("privacy_parameters", "unit_of_privacy", "algorithms_and_correctness", "utility", "bias"),
        *("trust_model", "composition", "data_security_and_access_control", "side_channels"),
        "data_collection_exposure",
    ),
    "deployments registry": (
        *("name", "data_curators", "description", "intended_use", "data_product_type"),
        *("data_product_region", "data_product_sector", "publication_date", "dp_variant"),
        *("data_domain", "unprotected_quantities", "privacy_unit", "number_of_privacy_units"),
        *("privacy_parameters", "deployment_model", "accounting", "implementation"),
    ),
}
"""Names of fields, by who asks."""

BY_AUDITS = {
    ("NIST SP 800-226", "privacy_parameters"),
    ("NIST SP 800-226", "unit_of_privacy"),
    ("NIST SP 800-226", "algorithms_and_correctness"),
    ("NIST SP 800-226", "utility"),
    ("deployments registry", "dp_variant"),
    ("deployments registry", "implementation"),
}
"""Which of them the statement's rows of audits answer."""


def unanswered(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Names of what neither audits nor the evaluator answer, by who asks."""
    return {
        asker: [
            name
            for name in names
            if (asker, name) not in BY_AUDITS and name not in given.get(asker, {})
        ]
        for asker, names in QUESTIONS.items()
    }


def read_answers(given: Mapping[str, Any]) -> dict[str, Any]:
    """Read the answers of an evaluator, as they stand in a statement.

    `given`: by who asks and name, such as {"NIST SP 800-226": {"bias": "none known"}}. Raises
    InvalidArgument for a name that nobody asks, InvalidData for numbers that are none.
    """
    for asker, fields in given.items():
        known = QUESTIONS.get(asker)
        if known is None or not isinstance(fields, dict):
            msg = f"fields must be tables named {', '.join(QUESTIONS)}, got {asker!r:.60}"
            raise InvalidArgument(msg)
        for name in fields:
            if name not in known:
                msg = f"{asker} has no field {name!r:.60}{close_names(name, known)}"
                raise InvalidArgument(msg)
    # dates of a TOML file become texts
    read: dict[str, Any] = parse_json(json.dumps(given, default=str), "--fields", finite=True)
    return read
