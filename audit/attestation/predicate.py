"""What the statement of an evidence pack says: made from the result and the certificates.

Nothing in it is another than follows from these, but for the places of `UNCOVERED`: who makes a
pack and who checks it call `statement_of` alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from audit.certificate.accounts import ACCOUNT
from audit.certificate.certificate_form import Certificate
from audit.files.plain import printable

__all__ = [
    "COPIED",
    "DIGEST",
    "FORMAT",
    "NOT_CHECKED",
    "OF_A_RUN",
    "ORDERED",
    "PREDICATE",
    "PROGRAM",
    "RESULT",
    "STATEMENT",
    "TYPE",
    "UNCOVERED",
    "PackRejected",
    "as_written",
    "certificate_name",
    "refuse",
    "statement_of",
]

TYPE, PREDICATE = "https://in-toto.io/Statement/v1", "urn:touchstone-dp:evidence:1"
"""Of the statement, and of what it says (https://github.com/in-toto/attestation)."""

FORMAT = 1
"""Counts changes that a reader of older packs would not understand."""

STATEMENT, DIGEST, RESULT = "statement.json", "statement.json.sha256", "result.json"
PROGRAM = "verify_evidence.py"
"""Files of every pack."""

LONGEST = 280
"""Characters of a reason."""

COPIED = (
    *("kind", "target", "parameters", "verdict", "reason", "claim", "order", "seed", "samples"),
    *("false_alarm", "reproducible", "limits", "detectable", "not_tried", "notes", "command"),
    "versions",
)
"""Of the report of an audit, what the statement repeats; null where that kind has none."""

OF_A_RUN = (
    *("configuration", "seed", "false_alarm", "share", "sharing", "passed", "exit_status"),
    *("interrupted", "planned", "versions"),
)
"""Of a gate's report, what the result repeats."""

ORDERED = (
    *("pdp.adpm", "pdp.diffused-quantile", "pdp.diffusion", "pdp.least-budget", "pdp.mean"),
    *("pdp.partitioned-mean", "pdp.range", "pdp.sampled-mean", "pdp.stretched-mean"),
    *("pdp.weighted-mean", "tri.shuffled-mean", "tri.symmetric-mean"),
)
"""Mechanisms with certificates whose data are a sequence: a user has a place of his own."""

UNCOVERED = tuple(
    """
statement.json predicate.made, predicate.environment: when and where the pack was made
statement.json subject[].digest of sources: only --sources FOLDER ... compares these
statement.json predicate.audits[].source: which of the sources an audit may run, what these need
statement.json predicate.answers: what the evaluator says
result.json run: what a gate says of itself as a whole
result.json audits[].name: what the audits are called
result.json audits[].report: of an audit without a certificate, taken as it is with all its numbers
certificates/*.json evidence.laws: those of a program that nobody states again, as it states them
""".strip().splitlines()
)
"""Places of a pack that no check covers; the statement repeats some of the result."""

NOT_CHECKED = tuple(
    """
that draws were made, and that they came from the target: where a report says reproducible, its \
command and seed repeat them
who made the pack: the digest beside the statement shows that nothing changed since it was made, \
and anybody can make another; sign the statement to show who made it
that the run used the sources as they were hashed, which was when the pack was made
that the program does what it states of itself: a proof is about the stated law, in real numbers
""".strip().splitlines()
)
"""What a check of the pack does not show, wherever it stands."""

UNITS = {
    "add-remove": "one record added or removed; the number of records is private",
    "swap": "one record replaced by another; the number of records is public",
    "listed": "the listed pairs of data sets, and no others",
}


class PackRejected(Exception):
    """The pack is not what it says; the message says where, in one line."""


def statement_of(
    result: Any,
    certificates: Mapping[str, Certificate],
    named: Mapping[str, str],
    hashes: Mapping[str, str],
    sources: Sequence[Mapping[str, Any]],
    origin: Mapping[str, Any],
) -> dict[str, Any]:
    """The statement of a pack.

    `certificates`: by file. `named`: hashes of the files of the pack. `hashes`: of the sources.
    `sources`: a record for each audit. `origin`: when and where the pack was made, and answers of
    the evaluator. Raises PackRejected if the result is none of a pack.
    """
    if not isinstance(result, dict) or set(result) != {"run", "audits"}:
        refuse(f"{RESULT} must have run and audits")
    if type(result["run"]) is not dict or not set(result["run"]) <= set(OF_A_RUN):
        refuse(f"{RESULT} says other things of a run than a pack holds")
    audits = result["audits"]
    files = [name for name in (one.get("certificate") for one in audits) if name is not None]
    if named.keys() != {RESULT, PROGRAM, *files}:
        refuse(f"the files are not {RESULT}, {PROGRAM} and the certificates that it names")
    rows = []
    for number, (one, source) in enumerate(zip(audits, sources, strict=True), start=1):
        row = _row_of_certificate if set(one) == {"name", "certificate"} else _row_of_report
        rows.append({"name": one["name"], **row(one, number, certificates), "source": source})
    order = [RESULT, PROGRAM, *files]
    return {
        "_type": TYPE,
        "subject": _descriptors({RESULT: named[RESULT], **dict(sorted(hashes.items()))}),
        "predicateType": PREDICATE,
        "predicate": {
            "format": FORMAT,
            **origin,
            "audits": rows,
            "not_checked": [*UNCOVERED, *NOT_CHECKED],
            "files": _descriptors({name: named[name] for name in order}),
        },
    }


def _row_of_certificate(
    one: Mapping[str, Any], number: int, certificates: Mapping[str, Certificate]
) -> dict[str, Any]:
    """What the statement says of a proof with a certificate: nothing that this does not prove."""
    name = one["certificate"]
    if name != certificate_name(number):
        refuse(f"certificate {number} must be {certificate_name(number)}, got {name!r}")
    held = certificates[name]
    ordered = held.mechanism in ORDERED
    return {
        "kind": "account" if held.mechanism == ACCOUNT else "exact",
        "target": held.mechanism,
        "verdict": "PROVED",
        "proved": held.statement,
        "claim": dict(held.claim),
        "unit_of_privacy": _unit_of_privacy(held.claim, "fixed" if ordered else None),
        "certificate": name,
    }


def _row_of_report(one: Mapping[str, Any], _: int, __: Mapping[str, Certificate]) -> dict[str, Any]:
    """What the statement repeats of a report; nulls where an audit came to none."""
    report = one["report"]
    if set(one) != {"name", "report"} or not (report is None or isinstance(report, dict)):
        refuse(f"{RESULT}: an audit has a name, and a report or a certificate")
    report = report or {}
    proof = report.get("proof")
    if isinstance(proof, dict) and proof.get("certificate") is not None:
        refuse(f"{RESULT}: the certificate of {one['name']} is no file of the pack")
    copied = {key: report.get(key) for key in COPIED}
    unit = _unit_of_privacy(report.get("claim"), report.get("order"))
    return {**copied, "unit_of_privacy": unit, "certificate": None}


def _unit_of_privacy(claim: Any, order: Any) -> str | None:
    """What neighboring data sets are, in words; None where a claim does not say."""
    relation = claim.get("relation") if isinstance(claim, dict) else None
    if not isinstance(relation, str) or relation not in UNITS:
        return None
    return UNITS[relation] + ("; data are a sequence" if order == "fixed" else "")


def certificate_name(number: int) -> str:
    """File of the certificate of an audit, counted from 1."""
    return f"certificates/{number:04}.json"


def _descriptors(hashes: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "digest": {"sha256": digest}} for name, digest in hashes.items()]


def as_written(value: Any) -> str:
    """A value as JSON: 1, 1.0 and true are equal for Python."""
    return json.dumps(value, sort_keys=True)


def refuse(reason: str) -> NoReturn:
    """Raise PackRejected, in one line that any terminal can show."""
    raise PackRejected(printable(" ".join(reason.split()), most=LONGEST))
