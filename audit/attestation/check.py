"""Check an evidence pack: its hashes, that its files say the same, and its certificates again.

A pack is a folder: `statement.json` (an in-toto statement), `statement.json.sha256` beside it, and
the files that the statement names with their hashes, no more and no fewer. This module and what it
uses is also the program that lies in the pack, for a Python without any library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, final

from audit.bounded_json import NotJSON, parse_json
from audit.certificate.accounts import ACCOUNT
from audit.certificate.document import Certificate
from audit.certificate.verify import verify
from mechanisms.errors import CertificateError

__all__ = [
    "COPIED",
    "DIGEST",
    "FORMAT",
    "NOT_CHECKED",
    "OF_A_RUN",
    "PREDICATE",
    "RESULT",
    "STATEMENT",
    "TYPE",
    "Checked",
    "PackRejected",
    "check_pack",
    "main",
    "reports_of",
]

TYPE, PREDICATE = "https://in-toto.io/Statement/v1", "urn:touchstone-dp:evidence:1"
"""Of the statement, and of what it says (https://github.com/in-toto/attestation)."""

FORMAT = 1
"""Counts changes that a reader of older packs would not understand."""

STATEMENT, DIGEST, RESULT = "statement.json", "statement.json.sha256", "result.json"
"""Files of every pack."""

MOST_BYTES = 64 * 2**20
"""Of a file; reports, certificates and sources are far smaller."""

NUMBER = re.compile(r"-?[0-9]{1,400}(?:/[0-9]{1,400}|(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?)")
"""A number of a user's: `Fraction` would also compute "1e1000000000"."""

COPIED = (
    *("kind", "target", "parameters", "verdict", "reason", "claim", "order", "seed", "samples"),
    *("false_alarm", "reproducible", "limits", "detectable", "not_tried", "notes", "command"),
)
"""Of each audit's report, what the statement repeats; null where that kind of report has none."""

OF_A_RUN = ("configuration", "seed", "false_alarm", "share", "sharing", "passed", "exit_status")
"""Of a gate's report, what the statement repeats."""

NOT_CHECKED = tuple(
    """
that the draws were made, and that they came from the target: a result from samples is taken as \
the report has it (its command and seed repeat it where it says reproducible)
who made the pack, and when: the digest beside the statement shows that nothing changed since it \
was made, and anybody can make another; sign the statement to show who made it
that the run used the sources as they were hashed, which was when the pack was made
that the program does what it states of itself: a proof is about the stated law, in real numbers
proofs without certificate, witnesses, accountants' numbers and claims of the ledger
fields that the evaluator filled in
""".strip().splitlines()
)
"""What a check of the pack does not show."""


class PackRejected(Exception):
    """The pack is not what it says; the message says where."""


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """What was found right."""

    files: int
    audits: tuple[tuple[str, str], ...]
    """Name and verdict."""
    proved: tuple[str, ...]
    """What certificates prove, in a sentence each."""
    sources: int
    """Source files that were compared; 0 without a folder of theirs."""
    unproved: int
    """Audits that say PROVED and have no certificate."""
    statement: str
    """Hash of the statement."""


def check_pack(folder: Path, sources: tuple[Path, ...] = ()) -> Checked:
    """Check a pack, and the sources where the folders are given in which they lie.

    Raises PackRejected if anything is not as the statement says.
    """
    text = _bytes(folder / STATEMENT)
    statement = hashlib.sha256(text).hexdigest()
    if _bytes(folder / DIGEST) != f"{statement}  {STATEMENT}\n".encode():
        _refuse(f"{DIGEST} is not the digest of {STATEMENT}")
    predicate, subject = _statement(_json(text, STATEMENT))
    named = _named(predicate.get("files"), "files")
    found = {path.relative_to(folder).as_posix() for path in _files(folder)}
    if found != named.keys() | {STATEMENT, DIGEST}:
        wrong = ", ".join(sorted(found ^ (named.keys() | {STATEMENT, DIGEST})))
        _refuse(f"files that are missing or not named: {wrong}")
    for name, digest in named.items():
        _same_hash(folder / name, digest)
    if subject.get(RESULT) != named.get(RESULT):
        _refuse(f"the first subject is not {RESULT}")
    audits, proved = _audits(folder, predicate, named)
    compared = 0
    for name, digest in subject.items():
        if sources and name != RESULT:
            there = [root / name for root in sources if (root / name).is_file()]
            _same_hash(there[0] if there else sources[0] / name, digest)
            compared += 1
    without = sum(a["verdict"] == "PROVED" and a.get("certificate") is None for a in audits)
    names = tuple((str(a["name"]), str(a["verdict"] or "TOTAL")) for a in audits)
    return Checked(len(named) + 2, names, tuple(proved), compared, without, statement)


def _statement(value: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """The predicate, and the hashes of the subject."""
    if not isinstance(value, dict) or set(value) != {
        *("_type", "subject", "predicateType", "predicate"),
    }:
        _refuse(f"{STATEMENT} is no in-toto statement")
    if (value["_type"], value["predicateType"]) != (TYPE, PREDICATE):
        _refuse(f"{STATEMENT} is of another type: {value['predicateType']!r}")
    predicate = value["predicate"]
    if not isinstance(predicate, dict) or predicate.get("format") != FORMAT:
        _refuse(f"the format must be {FORMAT}")
    return predicate, _named(value["subject"], "subject")


def _named(value: Any, what: str) -> dict[str, str]:
    """Names and hashes of files, as resource descriptors have them."""
    found: dict[str, str] = {}
    if not isinstance(value, list) or not value:
        _refuse(f"{what} must be a list of files")
    for row in value:
        digest = row.get("digest") if isinstance(row, dict) else None
        if not isinstance(digest, dict) or set(digest) != {"sha256"}:
            _refuse(f"{what} must have a sha256 for each file, got {row!r}")
        name = row.get("name")
        parts = name.split("/") if isinstance(name, str) else [""]
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            _refuse(f"{what}: no name of a file below the folder: {name!r}")
        if name in found:
            _refuse(f"{what} names {name} twice")
        found[str(name)] = str(digest["sha256"])
    return found


def _audits(
    folder: Path, predicate: dict[str, Any], named: dict[str, str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Compare the statement with the result and the certificates, and recheck these."""
    stated = predicate.get("audits")
    result = _json(_bytes(folder / RESULT), RESULT)
    reports = reports_of(result)
    ran = {key: result[key] for key in OF_A_RUN if key in result}
    if _canonical([predicate.get("run"), predicate.get("versions")]) != _canonical(
        [ran, result.get("versions")]
    ):
        _refuse(f"the run is another one in {RESULT} than is stated")
    if not isinstance(stated, list) or len(stated) != len(reports):
        _refuse(f"{RESULT} holds {len(reports)} audits, the statement others")
    proved, used = [], []
    for audit, (name, report) in zip(stated, reports, strict=True):
        if not isinstance(audit, dict) or audit.get("name") != name:
            _refuse(f"the statement does not speak of {name}")
        for key in COPIED:
            if _canonical(audit.get(key)) != _canonical(report.get(key)):
                _refuse(f"{name}: {key} is {report.get(key)!r} in {RESULT}, and not as stated")
        proof = report.get("proof")
        held = proof.get("certificate") if isinstance(proof, dict) else None
        file = audit.get("certificate")
        if (held is None) != (file is None) or (file is not None and file not in named):
            _refuse(f"{name}: its certificate is not the one of {RESULT}")
        if file is not None:
            used.append(file)
            proved.append(_certificate(folder / str(file), held, audit, report))
    spare = sorted(set(named) - {RESULT, "verify_evidence.py", *used})
    if spare:
        _refuse(f"files of no use: {', '.join(spare)}")
    return stated, proved


def _certificate(path: Path, held: Any, audit: dict[str, Any], report: dict[str, Any]) -> str:
    """Recheck a certificate, and that it is about what the audit says."""
    text = _bytes(path).decode("utf-8", "replace")
    if _canonical(_json(text.encode(), path.name)) != _canonical(held):
        _refuse(f"{path.name} is not the certificate in {RESULT}")
    try:
        certificate = Certificate.read(text)
        said = verify(certificate)
    except CertificateError as exc:
        _refuse(f"{path.name}: {str(exc)[:1000]}")
    if certificate.mechanism == ACCOUNT:
        _same_account(path.name, certificate, audit, report)
        return said
    if audit["verdict"] != "PROVED" or certificate.mechanism != audit["target"]:
        _refuse(f"{path.name} proves something of {certificate.mechanism}")
    claim = audit["claim"]
    if _claimed(claim) != certificate.claim:
        _refuse(f"{path.name} proves {certificate.claim!r}, the audit claims {claim!r}")
    for key, value in (audit["parameters"] or {}).items():
        proved = certificate.parameters.get(key)
        if proved is not None and not _equal(proved, value):
            _refuse(f"{path.name} is of {key} = {proved}, the audit of {key} = {value}")
    return said


def _same_account(
    name: str, certificate: Certificate, audit: dict[str, Any], report: dict[str, Any]
) -> None:
    """Whether a certificate is of the steps and of the total that a report of an account has."""
    if report.get("kind") != "account" or audit["verdict"] not in ("PROVED", None):
        _refuse(f"{name} proves the total of an account")
    steps, claim = report.get("steps"), audit["claim"]
    if not isinstance(steps, list) or not all(isinstance(row, dict) for row in steps):
        _refuse(f"{name}: the report has no steps")
    if isinstance(claim, dict) and claim.get("epsilon") is None:
        # without a claim the upper end of the total is what is proved
        ends = report.get("epsilon")
        upper = str(ends.get("upper") if isinstance(ends, dict) else None)
        if NUMBER.fullmatch(upper):
            claim = claim | {"epsilon": str(Fraction(upper))}
    steps = [row.get("exact") for row in steps]
    if _canonical([steps, claim]) != _canonical(
        [certificate.parameters["steps"], certificate.claim]
    ):
        _refuse(f"{name} proves {certificate.statement}, which is not what the report says")


def _claimed(claim: dict[str, Any]) -> dict[str, Any]:
    """A report's claim as a certificate has it; nothing of levels that have no certificates."""
    keys = {
        "pure": ("epsilon",),
        "approximate": ("epsilon", "delta"),
        "personalized": ("budgets",),
    }.get(str(claim.get("level")), ())
    found = {key: claim.get(key) for key in (*keys, "relation")}
    return found | {"delta": "0"} if keys == ("epsilon",) else found


def _equal(one: Any, other: Any) -> bool:
    """Whether two parameters are the same, numbers as such: 0.5 is "1/2".

    A list may be one text with commas, as a user types it.
    """
    if isinstance(one, list) and isinstance(other, str):
        other = [part.strip() for part in other.split(",")]
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    texts = str(one), str(other)
    if not all(map(NUMBER.fullmatch, texts)):
        return texts[0] == texts[1]
    try:
        return Fraction(texts[0]) == Fraction(texts[1])
    except ZeroDivisionError:
        return False


def reports_of(result: Any, what: str = RESULT) -> list[tuple[str, dict[str, Any]]]:
    """Name and report of each audit in a report as JSON; of a gate those that came to a result.

    `what`: the report's name. Raises PackRejected if it is none.
    """
    if not isinstance(result, dict) or not isinstance(result.get("kind"), str):
        _refuse(f"{what} is no report of touchstone in JSON")
    if result["kind"] != "gate":
        return [(str(result.get("target")), result)]
    listed = result.get("audits")
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        _refuse(f"{what} is no report of a gate")
    rows = [(str(one.get("name")), one.get("report")) for one in listed]
    return [(name, report) for name, report in rows if isinstance(report, dict)]


def _files(folder: Path) -> Iterator[Path]:
    for top, folders, names in os.walk(folder):
        yield from (Path(top) / name for name in names)
        yield from (Path(top) / name for name in folders if (Path(top) / name).is_symlink())


def _same_hash(path: Path, digest: str) -> None:
    if hashlib.sha256(_bytes(path)).hexdigest() != digest:
        _refuse(f"{path.name} has not the hash of the statement")


def _bytes(path: Path) -> bytes:
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            _refuse(f"{path.name} is no regular file of at most {MOST_BYTES} bytes")
        return path.read_bytes()
    except OSError as exc:
        _refuse(f"{path.name} cannot be read: {exc.strerror}")


def _json(text: bytes, source: str) -> Any:
    try:
        return parse_json(text.decode("utf-8"), source)
    except (NotJSON, UnicodeDecodeError) as exc:
        _refuse(f"{source}: {exc}")


def _canonical(value: Any) -> str:
    # as JSON: 1, 1.0 and true are equal for Python
    return json.dumps(value, sort_keys=True)


def _refuse(reason: str) -> NoReturn:
    raise PackRejected(reason)


USAGE = "usage: python -I -S verify_evidence.py PACK [--sources FOLDER ...]"


def main(arguments: list[str]) -> int:
    """Check the pack that the command names; 0 accepted, 1 rejected, 2 wrong usage."""
    sources = tuple(map(Path, arguments[2:]))
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(f"{USAGE}\n")
        return 0
    if len(arguments) != 1 and not (sources and arguments[1] == "--sources"):
        sys.stderr.write(f"{USAGE}\n")
        return 2
    for folder in (Path(arguments[0]), *sources):
        if not folder.is_dir():
            sys.stderr.write(f"{folder} is no folder; {USAGE}\n")
            return 2
    started = time.perf_counter()
    try:
        checked = check_pack(Path(arguments[0]), sources)
    except PackRejected as exc:
        sys.stdout.write(f"REJECTED: {exc}\n")
        return 1
    lines = [f"ACCEPTED: {arguments[0]} (sha256 {checked.statement})"]
    lines += [f"  {verdict}: {name}" for name, verdict in checked.audits]
    lines += [f"rechecked: {said}" for said in checked.proved]
    lines.append(f"hashes: {checked.files} files of the pack, {checked.sources} source files")
    if not sources:
        lines.append("not compared: the sources; --sources FOLDER ... compares them")
    if checked.unproved:
        lines.append(f"PROVED without a certificate to recheck: {checked.unproved}")
    lines += [f"cannot be checked: {what}" for what in NOT_CHECKED]
    lines.append(f"in {time.perf_counter() - started:.1f} s")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0
