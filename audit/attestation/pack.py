"""Make an evidence pack: an in-toto statement, and the files that it names.

Of an audit with a certificate the pack holds the certificate alone: what else its report says is
not needed to believe the proof, and no check would cover it. Other reports are taken as they are. A
pack is checked as its reader will, before it is said to be made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit.attestation.check import Checked, check_pack
from audit.attestation.fields import read_answers
from audit.attestation.packed_proofs import certificate_of
from audit.attestation.packed_sources import environment, sources_of
from audit.attestation.predicate import (
    DIGEST,
    OF_A_RUN,
    PROGRAM,
    RESULT,
    STATEMENT,
    certificate_name,
    statement_of,
)
from audit.attestation.program import verifier
from audit.certificate.certificate_form import Certificate
from audit.files.bounded_json import parse_json
from audit.suite.moment import now
from mechanisms.errors import InvalidArgument, InvalidData

__all__ = ["write_pack"]

KINDS = ("audit", "exact", "utility", "sensitivity", "account", "gate")
"""Of reports that a pack can hold."""


def write_pack(
    text: str,
    folder: Path,
    *,
    sources: Path,
    given: Mapping[str, Any] | None = None,
    name: str = "the report",
) -> Checked:
    """Write the pack of a report, and check it.

    `text`: the report as JSON. `folder`: of the pack, new or empty. `sources`: the folder in which
    the targets were audited. `given`: answers of the evaluator, as for `fields.answers`. `name`: of
    the report, for messages. Raises InvalidData if the text is no report of audits, or one of a
    proof that its certificate does not show. Raises InvalidArgument if the folder cannot be used.
    """
    report = parse_json(text, name, finite=True)
    reports = _reports(report, name)
    answered = read_answers(given or {})
    result: dict[str, Any] = {"run": {}, "audits": []}
    if report["kind"] == "gate":
        result["run"] = {key: report[key] for key in OF_A_RUN if key in report}
    certificates: dict[str, Certificate] = {}
    records: list[dict[str, object]] = []
    hashes: dict[str, str] = {}
    for number, (title, one) in enumerate(reports, start=1):
        record, found = sources_of(str((one or {}).get("target", "")), sources)
        records.append(record)
        hashes |= found
        certificate = None if one is None else certificate_of(one, title)
        if certificate is None:
            result["audits"].append({"name": title, "report": one})
        else:
            certificates[certificate_name(number)] = certificate
            result["audits"].append({"name": title, "certificate": certificate_name(number)})
    files = {RESULT: _json(result), PROGRAM: verifier().encode()}
    files |= {file: one.text().encode() for file, one in certificates.items()}
    named = {file: _hash(content) for file, content in files.items()}
    origin = {"made": now(), "environment": environment(sources), "answers": answered}
    statement = statement_of(result, certificates, named, hashes, records, origin)
    files[STATEMENT] = _json(statement)
    files[DIGEST] = f"{_hash(files[STATEMENT])}  {STATEMENT}\n".encode()
    _make(folder)
    _write(folder, files)
    return check_pack(folder, program=files[PROGRAM])


def _reports(report: Any, what: str) -> list[tuple[str, dict[str, Any] | None]]:
    """Name and report of each audit of a report; None of one that came to no result."""
    kind = report.get("kind") if isinstance(report, dict) else None
    if kind not in KINDS:
        msg = f"{what} is no report of an audit or a gate in JSON"
        raise InvalidData(msg)
    if kind != "gate":
        return [(str(report.get("target")), report)]
    rows = report.get("audits")
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        msg = f"{what} is no report of a gate"
        raise InvalidData(msg)
    found = [(str(one.get("name")), one.get("report")) for one in rows]
    if not any(isinstance(one, dict) for _, one in found):
        msg = f"{what} is of a gate that came to no result: there is nothing to pack"
        raise InvalidData(msg)
    return [(name, one if isinstance(one, dict) else None) for name, one in found]


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    except OSError as exc:
        msg = f"--output {folder} cannot be written: {exc.strerror}"
        raise InvalidArgument(msg) from exc


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        used = any(folder.iterdir())
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else exc
        msg = f"--output {folder} cannot be made: {reason}"
        raise InvalidArgument(msg) from exc
    if used:
        msg = f"--output {folder} is not empty: a pack holds nothing else"
        raise InvalidArgument(msg)
