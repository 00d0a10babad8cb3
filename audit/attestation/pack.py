"""Make an evidence pack: an in-toto statement, and the files that it names.

The statement is about the result and the sources of the targets; it says what was claimed, found,
proved and not tried, with which seeds and versions, how strong the audits were, what a check of
the pack shows and what it does not. A pack is checked as its reader will, before it is said to be
made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit.attestation.check import (
    COPIED,
    DIGEST,
    FORMAT,
    NOT_CHECKED,
    OF_A_RUN,
    PREDICATE,
    RESULT,
    STATEMENT,
    TYPE,
    Checked,
    PackRejected,
    check_pack,
    reports_of,
)
from audit.attestation.fields import answers, unit_of_privacy
from audit.attestation.program import PROGRAM, verifier
from audit.attestation.sources import environment, sources_of
from audit.bounded_json import parse_json
from audit.suite.moment import now
from mechanisms.errors import InvalidArgument, InvalidData

__all__ = ["write_pack"]

KINDS = ("audit", "exact", "utility", "sensitivity", "account", "gate")
"""Of reports that a pack can hold."""

CHECKED = (
    "the hashes of all files of the pack, and that there are no others",
    "that statement and result say the same of the run and of every audit",
    "every certificate: the law stated again, the lemmas, the largest loss, and the claim",
    "with --sources: the hashes of the files that the targets may run",
)


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
    the report, for messages. Raises InvalidData if the text is no report of audits. Raises
    InvalidArgument if the folder cannot be used.
    """
    try:
        result = parse_json(text, name)
        reports = reports_of(result, name)
    except PackRejected as exc:
        raise InvalidData(str(exc)) from exc
    if result["kind"] not in KINDS or not reports:
        msg = f"a pack needs a report of an audit or a gate, got kind {result['kind']!r}"
        raise InvalidData(msg)
    _make(folder)
    files = {RESULT: text.encode(), PROGRAM: verifier().encode()}
    subject, audits = {RESULT: _hash(files[RESULT])}, []
    for number, (name, report) in enumerate(reports, start=1):
        record, hashes = sources_of(str(report.get("target", "")), sources)
        subject |= hashes
        certificate = _certificate(report)
        file = None if certificate is None else f"certificates/{number:04}.json"
        if file is not None and certificate is not None:
            files[file] = certificate
        audits.append(
            {
                "name": name,
                **{key: report.get(key) for key in COPIED},
                "unit_of_privacy": unit_of_privacy(report),
                "certificate": file,
                "source": record,
            }
        )
    predicate = {
        "format": FORMAT,
        "made": now(),
        "result": {"kind": result["kind"], "schema_version": result.get("schema_version")},
        "run": {key: result[key] for key in OF_A_RUN if key in result},
        "audits": audits,
        "versions": result.get("versions"),
        "environment": environment(sources),
        "fields": answers([report for _, report in reports], given or {}),
        "checked": list(CHECKED),
        "not_checked": list(NOT_CHECKED),
        "files": [_descriptor(name, _hash(content)) for name, content in files.items()],
    }
    statement = {
        "_type": TYPE,
        "subject": [_descriptor(name, digest) for name, digest in subject.items()],
        "predicateType": PREDICATE,
        "predicate": predicate,
    }
    files[STATEMENT] = (json.dumps(statement, indent=2) + "\n").encode()
    files[DIGEST] = f"{_hash(files[STATEMENT])}  {STATEMENT}\n".encode()
    _write(folder, files)
    return check_pack(folder)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    except OSError as exc:
        msg = f"--output {folder} cannot be written: {exc.strerror}"
        raise InvalidArgument(msg) from exc


def _certificate(report: Mapping[str, Any]) -> bytes | None:
    proof = report.get("proof")
    held = proof.get("certificate") if isinstance(proof, dict) else None
    return None if held is None else (json.dumps(held, indent=2) + "\n").encode()


def _descriptor(name: str, digest: str) -> dict[str, object]:
    return {"name": name, "digest": {"sha256": digest}}


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
