"""Check an evidence pack: its hashes, its certificates, and that it says what follows from these.

A pack is a folder: `statement.json` (an in-toto statement), `statement.json.sha256` beside it, and
the files that the statement names with their hashes, no more and no fewer. Of a proof with a
certificate the pack holds the certificate alone. The whole statement is made again from the result
and the certificates, and compared (`predicate`); `UNCOVERED` lists what is taken as it stands. This
module and what it uses is also the program that lies in the pack, for a Python without any library.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from audit.attestation.predicate import (
    DIGEST,
    NOT_CHECKED,
    PROGRAM,
    RESULT,
    STATEMENT,
    UNCOVERED,
    PackRejected,
    as_written,
    refuse,
    statement_of,
)
from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate
from audit.files.bounded_json import NotJSON, parse_json
from audit.files.plain import printable
from mechanisms.errors import CertificateError

__all__ = ["Checked", "check_pack", "main"]

MOST_BYTES = 64 * 2**20
"""Of a file; reports, certificates and sources are far smaller."""

SHA256 = re.compile("[0-9a-f]{64}", re.ASCII)

DAMAGED = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RecursionError),
    *(TypeError, ValueError),
)
"""What reading raises where a part is missing, of another kind, or too large."""


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """What was found right."""

    files: int
    audits: tuple[tuple[str, str, bool], ...]
    """Name, verdict ("" without a result), and whether a certificate was rechecked."""
    proved: tuple[str, ...]
    """What certificates prove, in a sentence each."""
    sources: int
    """Source files that were compared; 0 without a folder of theirs."""
    statement: str
    """Hash of the statement."""


def check_pack(
    folder: Path, sources: tuple[Path, ...] = (), program: bytes | None = None
) -> Checked:
    """Check a pack, and the sources where the folders are given in which they lie.

    `program`: the one that must lie in the pack; None where it is not compared. Raises PackRejected
    if anything is not as it must be.
    """
    try:
        return _check(folder, sources, program)
    except DAMAGED as exc:
        refuse(f"a part is missing, or is not what a pack has: {type(exc).__name__}: {exc}")


def _check(folder: Path, sources: tuple[Path, ...], program: bytes | None) -> Checked:
    text = _bytes(folder / STATEMENT)
    digest = hashlib.sha256(text).hexdigest()
    if _bytes(folder / DIGEST) != f"{digest}  {STATEMENT}\n".encode():
        refuse(f"{DIGEST} is not the digest of {STATEMENT}")
    statement = _json(text, STATEMENT)
    subject = _named(statement["subject"], "subject")
    named = _named(statement["predicate"]["files"], "files")
    found = {path.relative_to(folder).as_posix() for path in _files(folder)}
    if wrong := sorted(found ^ (named.keys() | {STATEMENT, DIGEST})):
        refuse(f"files that are missing or not named: {', '.join(wrong)}")
    for name, sha256 in named.items():
        _same_hash(folder / name, sha256)
    if program is not None and _bytes(folder / PROGRAM) != program:
        refuse(f"{PROGRAM} of the pack is another program than this one")
    result = _json(_bytes(folder / RESULT), RESULT)
    proofs = {name: _certificate(folder / name) for name in named if name not in (RESULT, PROGRAM)}
    expected = _made_again(
        statement, subject, named, result, {n: c for n, (c, _) in proofs.items()}
    )
    if place := _difference(statement, expected):
        refuse(f"{STATEMENT}: {place} is not what follows from {RESULT} and the certificates")
    compared = 0
    for name, sha256 in subject.items():
        if sources and name != RESULT:
            there = [root / name for root in sources if (root / name).is_file()]
            _same_hash(there[0] if there else sources[0] / name, sha256)
            compared += 1
    rows = statement["predicate"]["audits"]
    total = {"account": "TOTAL"}  # of which nothing was claimed
    words = (str(row["verdict"] or total.get(row["kind"], "")) for row in rows)
    audits = ((row["name"], next(words), row["certificate"] is not None) for row in rows)
    said = tuple(proofs[row["certificate"]][1] for row in rows if row["certificate"] is not None)
    return Checked(len(named) + 2, tuple(audits), said, compared, digest)


def _made_again(
    statement: Mapping[str, Any],
    subject: Mapping[str, str],
    named: Mapping[str, str],
    result: Any,
    certificates: Mapping[str, Certificate],
) -> dict[str, Any]:
    """The statement that follows from the files, with what no check covers taken from the found."""
    predicate = statement["predicate"]
    listed = [row["source"] for row in predicate["audits"]]
    files = [name for source in listed for name in source["files"]]
    if {RESULT, *files} != subject.keys():
        refuse("the subject is not the result and the sources of the audits")
    for source in listed:
        kinds = {"files": list, "libraries": str, "unseen": str}
        if {key: type(value) for key, value in source.items()} != kinds:
            refuse(f"a source has files, libraries and what is unseen, got {source!r}")
        if source["files"] != sorted(set(source["files"])):
            refuse("the files of a source are not in order")
    hashes = {name: digest for name, digest in subject.items() if name != RESULT}
    origin = {key: predicate[key] for key in ("made", "environment", "answers")}
    return statement_of(result, certificates, named, hashes, listed, origin)


def _named(value: Any, what: str) -> dict[str, str]:
    """Names and hashes of files, as resource descriptors have them."""
    found: dict[str, str] = {}
    for row in value:
        name, digest = row["name"], row["digest"]["sha256"]
        if type(digest) is not str or not SHA256.fullmatch(digest):
            refuse(f"{what} must have a sha256 for each file, got {row!r}")
        parts = name.split("/")
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            refuse(f"{what}: no name of a file below the folder: {name!r}")
        found[name] = digest
    return found


def _certificate(path: Path) -> tuple[Certificate, str]:
    """A certificate that was rechecked, and what it proves."""
    try:
        certificate = Certificate.read(_bytes(path).decode("utf-8"))
        said = verify(certificate)
    except CertificateError as exc:
        refuse(f"{path.name}: {exc}")
    if certificate.information:
        refuse(f"{path.name} holds information that nothing proves")
    return certificate, said


def _difference(found: Any, expected: Any, place: str = "") -> str:
    """The first place of one that is another in the other, or nothing."""
    if as_written(found) == as_written(expected):
        return ""
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        found, expected = dict(enumerate(found)), dict(enumerate(expected))
    if not (isinstance(found, dict) and isinstance(expected, dict) and [*found] == [*expected]):
        return place or "it"
    inner = (_difference(found[key], expected[key], f"{place}.{key}") for key in expected)
    return next(filter(None, inner)).removeprefix(".")


def _files(folder: Path) -> Iterator[Path]:
    for top, folders, names in os.walk(folder):
        yield from (Path(top) / name for name in names)
        yield from (Path(top) / name for name in folders if (Path(top) / name).is_symlink())


def _same_hash(path: Path, digest: str) -> None:
    if hashlib.sha256(_bytes(path)).hexdigest() != digest:
        refuse(f"{path.name} has not the hash of the statement")


def _bytes(path: Path) -> bytes:
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            refuse(f"{path.name} is no regular file of at most {MOST_BYTES} bytes")
        return path.read_bytes()
    except OSError as exc:
        refuse(f"{path.name} cannot be read: {exc.strerror}")


def _json(text: bytes, source: str) -> Any:
    try:
        return parse_json(text.decode("utf-8"), source, finite=True)
    except (NotJSON, UnicodeDecodeError) as exc:
        refuse(f"{source}: {exc}")


USAGE = f"usage: python -I -S {PROGRAM} PACK [--sources FOLDER ...]"


def main(arguments: list[str], program: bytes) -> int:
    """Check the pack that the command names; 0 accepted, 1 rejected, 2 wrong usage.

    `program`: the one that runs.
    """
    sources = tuple(map(Path, arguments[2:]))
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(f"{USAGE}\n")
        return 0
    if len(arguments) != 1 and not (sources and arguments[1] == "--sources"):
        sys.stderr.write(f"{USAGE}\n")
        return 2
    for folder in (Path(arguments[0]), *sources):
        if not folder.is_dir():
            sys.stderr.write(f"{_line(folder)} is no folder; {USAGE}\n")
            return 2
    started = time.perf_counter()
    try:
        checked = check_pack(Path(arguments[0]), sources, program)
    except PackRejected as exc:
        sys.stdout.write(f"{_line(f'REJECTED: {exc}')}\n")
        return 1
    lines = [f"ACCEPTED: {arguments[0]} (sha256 {checked.statement})"]
    for name, verdict, held in checked.audits:
        known = "" if held or not verdict else " (as its report says, no certificate)"
        lines.append(f"  {verdict or 'no result'}: {name}{known}")
    lines += [f"rechecked: {said}" for said in checked.proved]
    lines.append(f"hashes: {checked.files} files of the pack, {checked.sources} source files")
    if not sources:
        lines.append("not compared: the sources; --sources FOLDER ... compares them")
    lines += [f"not covered: {what}" for what in UNCOVERED]
    lines += [f"cannot be checked: {what}" for what in NOT_CHECKED]
    lines.append(f"in {time.perf_counter() - started:.1f} s")
    sys.stdout.write("".join(f"{_line(line)}\n" for line in lines))
    return 0


def _line(text: object) -> str:
    """A text in one line, in what the terminal can write."""
    line = printable(str(text)).replace("\n", "\\n")
    encoding = sys.stdout.encoding or "ascii"
    return line.encode(encoding, "backslashreplace").decode(encoding)
