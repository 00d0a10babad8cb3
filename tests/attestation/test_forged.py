"""A pack that was changed, its hashes made anew, is accepted only where the check says so."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit.attestation.check import check_pack
from audit.attestation.pack import write_pack
from audit.attestation.predicate import (
    DIGEST,
    ORDERED,
    PROGRAM,
    RESULT,
    STATEMENT,
    UNCOVERED,
    PackRejected,
)
from audit.attestation.program import verifier
from audit.exact.certify import RECHECKED
from mechanisms.registry import build_mechanism
from tests.attestation.forgery import Forged, differences, is_uncovered, random_change
from tests.attestation.packs import bare, program
from tests.slow import one_in
from tests.stored_reports import RUNS, gate_of, run_report

SEVERAL = ("proved by a query", "added", "refuted", "disproved", "proved for each user", "useless")
PACKS = (*RUNS, "a gate")
CERTIFIED = {
    name for name in RUNS if name.startswith("proved") or name in ("added", "added without a claim")
}


@cache
def made(name: str, folder: Path) -> Forged:
    """The pack of a report, as values."""
    text = json.dumps(gate_of(*SEVERAL)) if name == "a gate" else run_report(name)
    given = {"NIST SP 800-226": {"trust_model": "central"}}
    write_pack(text, folder / name, sources=folder, given=given)
    return Forged(folder / name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where packs are written."""
    return tmp_path_factory.mktemp("forged")


def try_changes(name: str, many: int, folder: Path) -> tuple[int, int]:
    """Change a pack so many times in one thing; how many were rejected, and accepted where told."""
    pack, chosen = made(name, folder), random.Random(f"{name} {many}")
    place = folder / f"{name} changed"
    reasons: list[str] = []
    accepted = 0
    while len(reasons) + accepted < many:
        copy = pack.copy()
        random_change(copy, chosen)
        shutil.rmtree(place, ignore_errors=True)
        changed = differences(pack.documents, Forged(copy.write(place)).documents)
        if not changed:
            continue
        try:
            check_pack(place, program=pack.program)
        except PackRejected as exc:
            reasons.append(str(exc))
        else:
            assert all(map(is_uncovered, changed)), (name, changed)
            accepted += 1
    assert all(reason.isprintable() and len(reason) <= 300 for reason in reasons)
    return len(reasons), accepted


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(4, PACKS))
def test_a_change_is_rejected_but_where_the_check_says_so(name: str, folder: Path) -> None:
    """It must hold of 40 single changes of each kind of pack, sealed anew."""
    rejected, accepted = try_changes(name, 40, folder)
    assert rejected
    assert rejected + accepted == 40


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKS)
def test_5_000_changes_are_rejected_but_where_the_check_says_so(name: str, folder: Path) -> None:
    """It must hold of 5,000 single changes in all, sealed anew."""
    many = -(-5_000 // len(PACKS))
    rejected, accepted = try_changes(name, many, folder)
    assert rejected > accepted or name not in CERTIFIED


def forged(name: str, folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the documents of a pack by hand, seal it, and check it."""
    copy = made(name, folder).copy()
    change(copy.documents)
    place = copy.write(folder / f"{name} by hand {len(list(folder.iterdir()))}")
    check_pack(place, program=copy.program)


CERTIFICATE = "certificates/0001.json"


def _row(documents: dict[str, Any]) -> Any:
    return documents[STATEMENT]["predicate"]["audits"][0]


def _smaller_claim(documents: dict[str, Any]) -> None:
    """The claim and the total, in each place that has them."""
    held = documents[CERTIFICATE]
    old = held["claim"]["epsilon"]
    for claim in (held["claim"], _row(documents)["claim"]):
        claim["epsilon"] = "1/10"
    held["statement"] = held["statement"].replace(f"epsilon = {old},", "epsilon = 1/10,")
    _row(documents)["proved"] = held["statement"]


def _other_relation(documents: dict[str, Any]) -> None:
    held = documents[CERTIFICATE]
    for claim in (held["claim"], _row(documents)["claim"]):
        claim["relation"] = "listed"
    held["statement"] = held["statement"].replace("(swap)", "(listed)")
    _row(documents)["proved"] = held["statement"]
    _row(documents)["unit_of_privacy"] = "the listed pairs of data sets, and no others"


def _other_unit(documents: dict[str, Any]) -> None:
    _row(documents)["unit_of_privacy"] = "one household for its whole life"


def _other_certificate(documents: dict[str, Any]) -> None:
    """Of an audit that makes another claim; the row stays."""
    documents[CERTIFICATE] = json.loads(run_report("added"))["proof"]["certificate"]
    documents[CERTIFICATE]["information"] = {}


def _total(documents: dict[str, Any]) -> None:
    """Numbers beside the certificate, as reports of accounts have them."""
    report = json.loads(run_report("added")) | {"epsilon": {"lower": 0.1, "upper": 0.2}}
    documents[RESULT]["audits"][0]["report"] = report


def _embedded(documents: dict[str, Any]) -> None:
    """A certificate that is no file, so that nobody rechecks it."""
    report = json.loads(run_report("proved by a query"))
    report["proof"]["certificate"]["claim"]["epsilon"] = "1/10"
    documents[RESULT]["audits"] = [{"name": "ksw.swap-laplace", "report": report}]
    del documents[CERTIFICATE]
    predicate = documents[STATEMENT]["predicate"]
    predicate["files"] = predicate["files"][:2]


def _empty_limits(documents: dict[str, Any]) -> None:
    documents[STATEMENT]["predicate"]["not_checked"] = []


def _version(documents: dict[str, Any]) -> None:
    documents[STATEMENT]["predicate"]["format"] = "1"


def _information(documents: dict[str, Any]) -> None:
    documents[CERTIFICATE]["information"] = {"loss": "0"}


def _no_certificate(documents: dict[str, Any]) -> None:
    _row(documents)["certificate"] = {"a": 1}


def _order(documents: dict[str, Any]) -> None:
    row = _row(documents)
    row["unit_of_privacy"] = row["unit_of_privacy"].replace("; data are a sequence", "")


ATTACKS: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "claim and total together": ("added", _smaller_claim),
    "claim of an audit": ("proved by a query", _smaller_claim),
    "relation in all places": ("proved by a query", _other_relation),
    "relation of an account": ("added", _other_relation),
    "unit of privacy": ("added without a claim", _other_unit),
    "unit of privacy of a report": ("refuted", _other_unit),
    "unit of data without an order": ("proved for each user", _order),
    "certificate of another claim": ("proved of an hourglass", _other_certificate),
    "a total beside the certificate": ("added", _total),
    "a certificate inside of a report": ("proved by a query", _embedded),
    "what is not checked": ("refuted", _empty_limits),
    "the version of the format": ("proved by tables", _version),
    "information of a certificate": ("proved by weights", _information),
    "an object for a name": ("added", _no_certificate),
}


@pytest.mark.long
@pytest.mark.parametrize("attack", one_in(4, ATTACKS))
def test_changes_that_agree_are_rejected(attack: str, folder: Path) -> None:
    """It must hold where the same is changed in all places that say it; the pack was right."""
    name, change = ATTACKS[attack]
    forged(name, folder, lambda documents: documents)
    with pytest.raises(PackRejected):
        forged(name, folder, change)


def test_the_program_is_the_one_that_runs(folder: Path) -> None:
    """It must hold that a pack with another program, hashes made anew, is rejected by this one."""
    copy = made("proved by a query", folder).copy()
    copy.program = copy.program.replace(b"REJECTED", b"ACCEPTED")
    place = copy.write(folder / "another program")
    check_pack(place)
    with pytest.raises(PackRejected, match="another program than this one"):
        check_pack(place, program=verifier().encode())


def test_a_change_of_type_is_seen(folder: Path) -> None:
    """It must hold of 1 and true, which are equal for Python."""
    for other in (True, 1.0):

        def change(documents: dict[str, Any], other: float = other) -> None:
            documents[STATEMENT]["predicate"]["format"] = other

        with pytest.raises(PackRejected, match="format is not what follows"):
            forged("proved by a query", folder, change)


def test_data_in_a_sequence_are_known() -> None:
    """It must hold that the check knows of each mechanism with certificates whether it is so."""
    ordered = [name for name in RECHECKED if build_mechanism(name).order.value == "fixed"]
    assert sorted(ordered) == sorted(ORDERED)


def test_the_places_are_few_and_are_told(folder: Path) -> None:
    """It must hold that the statement has them too, so that nobody empties them."""
    predicate = made("proved by a query", folder).documents[STATEMENT]["predicate"]
    assert predicate["not_checked"][: len(UNCOVERED)] == list(UNCOVERED)
    assert len(UNCOVERED) <= 8


def _surrogate(pack: Path) -> None:
    (pack / os.fsdecode(b"\xff\x1b[31m")).write_text("x")


def _bytes_of(content: bytes) -> Callable[[Path], object]:
    return lambda pack: (pack / RESULT).write_bytes(content)


def _of_statement(content: str) -> Callable[[Path], object]:
    def change(pack: Path) -> None:
        import hashlib

        (pack / STATEMENT).write_text(content, encoding="utf-8")
        digest = hashlib.sha256((pack / STATEMENT).read_bytes()).hexdigest()
        (pack / DIGEST).write_text(f"{digest}  {STATEMENT}\n")

    return change


def _link(pack: Path) -> None:
    (pack / RESULT).rename(pack.parent / "elsewhere.json")
    (pack / RESULT).symlink_to(pack.parent / "elsewhere.json")


def _folder(pack: Path) -> None:
    (pack / DIGEST).unlink()
    (pack / DIGEST).mkdir()


def _pipe(pack: Path) -> None:
    (pack / RESULT).unlink()
    os.mkfifo(pack / RESULT)


def _loop(pack: Path) -> None:
    (pack / "certificates" / "loop").symlink_to(pack)


MALFORMED: dict[str, Callable[[Path], object]] = {
    "no statement": lambda pack: (pack / STATEMENT).unlink(),
    "no digest": lambda pack: (pack / DIGEST).unlink(),
    "no program": lambda pack: (pack / PROGRAM).unlink(),
    "no result": lambda pack: (pack / RESULT).unlink(),
    "a folder": _folder,
    "a link": _link,
    "a pipe": _pipe,
    "a loop of links": _loop,
    "a name that is no text": _surrogate,
    "no UTF-8": _bytes_of(b"\xff\xfe{}"),
    "empty": _bytes_of(b""),
    "an array": _of_statement("[]"),
    "a number": _of_statement("7"),
    "deep lists": _of_statement("[" * 100_000),
    "deep objects": _of_statement('{"a":' * 50_000),
    "a huge number": _of_statement('{"subject": ' + "9" * 100_000 + "}"),
    "a huge exponent": _of_statement('{"subject": 1e999999999}'),
    "NaN": _of_statement('{"subject": [], "predicate": {"files": NaN}}'),
    "a key twice": _of_statement('{"subject": [], "subject": []}'),
    "half of a surrogate pair": _of_statement('{"subject": "\\ud800"}'),
    "no predicate": _of_statement('{"subject": []}'),
    "names that are numbers": _of_statement('{"subject": [{"name": 1, "digest": 2}]}'),
    "a subject that is a text": _of_statement('{"subject": "abc", "predicate": {}}'),
    "a file above": _of_statement(
        '{"subject": [], "predicate": {"files": [{"name": "../x", "digest": {"sha256": "'
        + "0" * 64
        + '"}}]}}'
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("what", one_in(4, MALFORMED))
def test_what_is_no_pack_is_rejected_in_one_line(what: str, folder: Path, tmp_path: Path) -> None:
    """It must hold of a bare Python: exit status 1, one line of what a terminal shows, no more."""
    pack = made("proved by a query", folder).copy().write(tmp_path / "pack")
    MALFORMED[what](pack)
    (tmp_path / PROGRAM).write_text(verifier(), encoding="utf-8")
    done = bare(tmp_path / PROGRAM, pack)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("REJECTED: ")
    assert done.stdout.count("\n") == 1
    assert len(done.stdout) <= 300
    assert done.stdout.rstrip("\n").isprintable()


def _steps(*steps: dict[str, Any]) -> Callable[[dict[str, Any]], object]:
    return lambda documents: documents[CERTIFICATE]["parameters"].update(steps=list(steps))


HUGE = "9" * 390
LARGE: dict[str, Callable[[dict[str, Any]], object]] = {
    "noise": _steps({"event": "gaussian", "sigma": HUGE, "sensitivity": f"1/{HUGE}", "count": 1}),
    "count": _steps(
        {"event": "randomized-response", "keep": "1/2", "categories": 2, "count": 10**15}
    ),
    "categories": _steps(
        {"event": "randomized-response", "keep": "1/2", "categories": 10**300, "count": 3}
    ),
    "epsilon": lambda documents: documents[CERTIFICATE]["claim"].update(epsilon=HUGE),
    "delta": lambda documents: documents[CERTIFICATE]["claim"].update(delta=f"1/{HUGE}"),
    "steps": lambda documents: documents[CERTIFICATE]["parameters"].update(
        steps=documents[CERTIFICATE]["parameters"]["steps"] * 50
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("what", one_in(3, LARGE))
def test_large_numbers_of_a_certificate_are_soon_rejected(what: str, folder: Path) -> None:
    """It must hold that no certificate makes the check go on for long."""
    with pytest.raises(PackRejected):
        forged("added", folder, LARGE[what])


@pytest.mark.long
def test_the_program_answers_as_the_package(folder: Path, tmp_path: Path) -> None:
    """It must hold of 60 changed packs, with the same reason, and of bare Python for the first."""
    pack, chosen = made("added", folder), random.Random("program")
    for _ in range(60):
        copy = pack.copy()
        random_change(copy, chosen)
        place = copy.write(tmp_path / "pack")
        answers = []
        for module, error in ((program(), program().PackRejected), (None, PackRejected)):
            check = check_pack if module is None else module.check_pack
            try:
                answers.append(check(place).statement)
            except error as exc:
                answers.append(str(exc))
        assert answers[0] == answers[1]
