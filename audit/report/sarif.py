"""Reports as SARIF 2.1.0 (OASIS, errata 01), which code hosts show beside the code.

One result for each finding: a refuted claim, a positive control that was not refuted, an audit that
could not tell, a claim of the ledger whose status differs, a stored table that does not hold. What
is as expected is no result. An error of an audit is a notification of the run, and so is what an
interruption left. Identifiers of rules never change their meaning.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import final

from audit.documents.report_cases import Case, Report
from audit.files.plain import printable
from audit.report.document_lines import case_text
from audit.results.document import Place
from audit.results.versions import touchstone_version

__all__ = ["RULES", "render"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding: how grave it is, what it is in a line, and what to know about it."""

    level: str
    short: str
    full: str


RULES = {
    "claim-refuted": Rule(
        "error",
        "A mechanism loses more privacy than it claims",
        "A pair of neighboring data sets and an event show that the claim is false, up to the "
        "stated rate of false alarms. The witness repeats it.",
    ),
    "floating-point-leak": Rule(
        "error",
        "The bits of a mechanism's output break its claim",
        "Which floating-point numbers come out tells neighboring data sets apart, whatever the "
        "mechanism would do in real numbers. `--ideal` audits the latter alone.",
    ),
    "control-not-refuted": Rule(
        "error",
        "A positive control was not refuted",
        "The configuration expects this mechanism to be refuted; as long as it is not, a pass of "
        "the others says less than it should.",
    ),
    "audit-inconclusive": Rule(
        "warning",
        "An audit could not tell",
        "Too few samples for the wanted resolution, or the mechanism failed on every input.",
    ),
    "worse-than-baseline": Rule(
        "error",
        "A mechanism is worse than in the stored baseline",
        "Its claim is weaker, an exact value or a mean squared error is larger beyond the stated "
        "margin, or it is no longer audited.",
    ),
    "utility-refuted": Rule(
        "error",
        "An estimator's errors are larger than claimed",
        "Bias, error or law of the estimates is not what is claimed, up to the stated rate of "
        "false alarms. The witness repeats it.",
    ),
    "proof-status-differs": Rule(
        "error",
        "A claim of the ledger has another status than registered",
        "The checks of `touchstone prove` found something else than what is written down.",
    ),
    "table-differs": Rule(
        "error",
        "A stored table no longer holds",
        "A cell is not what the closed forms of the ledger give at the keys of its row. "
        "`touchstone table` writes the table anew.",
    ),
    "table-undecided": Rule(
        "warning",
        "A stored table could not be checked to the end",
        "A digit of a cell could not be decided.",
    ),
}
"""Each rule by its identifier."""


def render(run: Report) -> str:
    """Write a run."""
    results = [_result(case, case.rule) for case in run.cases if case.rule]
    errors = [case for case in run.cases if case.mark == "ERROR"]
    written = {
        "tool": {"driver": _driver()},
        "invocations": [
            {
                "executionSuccessful": not errors and run.status in (0, 1, 3),
                "exitCode": run.status,
                "toolExecutionNotifications": [
                    {
                        "level": "error",
                        "message": {"text": printable(f"{case.name}: {case_text(case)}")},
                    }
                    for case in errors
                ]
                + [
                    {"level": "note", "message": {"text": printable(f"{name}: not run")}}
                    for name in run.not_run
                ],
            }
        ],
        "results": results,
        "properties": {key: printable(value) for key, value in run.facts},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [written]}, indent=2)


def _driver() -> dict[str, object]:
    return {
        "name": "Touchstone",
        "version": touchstone_version(),
        "rules": [
            {
                "id": name,
                "name": "".join(word.capitalize() for word in name.split("-")),
                "shortDescription": {"text": rule.short},
                "fullDescription": {"text": rule.full},
                "defaultConfiguration": {"level": rule.level},
                "properties": {"tags": ["privacy"]},
            }
            for name, rule in RULES.items()
        ],
    }


def _result(case: Case, rule: str) -> dict[str, object]:
    message = printable(f"{case.name}: {case.headline}\n\n{case_text(case)}")
    key = f"{rule}\n{case.name}"
    result = {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(rule),
        "level": RULES[rule].level,
        "message": {"text": message},
        "partialFingerprints": {"touchstoneCase/v1": hashlib.sha256(_bytes(key)).hexdigest()},
    }
    return result | ({} if case.place is None else {"locations": [_location(case.place)]})


def _location(place: Place) -> dict[str, object]:
    location: dict[str, object] = {
        "physicalLocation": {
            "artifactLocation": {"uri": place.uri},
            "region": {"startLine": place.line or 1},
        }
    }
    if place.attribute:
        name = printable(place.attribute)
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "function"}]
    return location


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
