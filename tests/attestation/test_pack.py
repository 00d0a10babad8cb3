"""A pack is accepted as it was made, and no byte of it can be another."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.attestation.check import check_pack
from audit.attestation.fields import QUESTIONS, answers
from audit.attestation.predicate import (
    DIGEST,
    NOT_CHECKED,
    PROGRAM,
    RESULT,
    STATEMENT,
    UNCOVERED,
    PackRejected,
)
from audit.bounded_json import parse_json
from mechanisms.errors import InvalidArgument, InvalidData
from tests.attestation.packs import PACKED, SOURCES, bare, gate_record, make_pack, program
from tests.table import over

FLIPS = 1_000


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack of a gate's report; tests leave it as it was."""
    return make_pack(tmp_path_factory.mktemp("evidence") / "pack")


def copied(pack: Path, folder: Path) -> Path:
    """A copy to change."""
    return Path(shutil.copytree(pack, folder / "copy"))


def statement_of(pack: Path) -> Any:
    """What the statement says."""
    return parse_json((pack / STATEMENT).read_text(encoding="utf-8"), STATEMENT)


@pytest.mark.long
def test_a_bare_python_accepts_it(pack: Path) -> None:
    """It must hold with no library and no path, and it says what cannot be checked."""
    done = bare(pack / PROGRAM, pack)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ACCEPTED")
    assert done.stdout.count("rechecked: ") == len(PACKED)
    assert all(f"cannot be checked: {what}" in done.stdout for what in NOT_CHECKED)
    assert "CONSISTENT: by samples" in done.stdout
    assert "without a result" not in done.stdout


@pytest.mark.long
def test_no_byte_can_change(pack: Path) -> None:
    """It must hold of 1,000 of 1,000 changes of one byte in any of the files."""
    chosen = random.Random("bytes")
    files = sorted(path for path in pack.rglob("*") if path.is_file())
    sizes = [path.stat().st_size for path in files]
    main, rejected = program().check_pack, 0
    # the small files, that of the digest among them, as often as their size; then each once more
    for number in range(FLIPS):
        weights = sizes if number >= len(files) else [i == number for i in range(len(files))]
        (path,) = chosen.choices(files, weights)
        content = path.read_bytes()
        place, other = chosen.randrange(len(content)), chosen.randrange(1, 256)
        changed = content[:place] + bytes([content[place] ^ other]) + content[place + 1 :]
        path.write_bytes(changed)
        try:
            main(pack)
        except program().PackRejected:
            rejected += 1
        finally:
            path.write_bytes(content)
    assert rejected == FLIPS
    assert check_pack(pack).audits


def test_a_bare_python_rejects_a_changed_byte(pack: Path, tmp_path: Path) -> None:
    """It must hold that the program ends with 1, and says where."""
    copy = copied(pack, tmp_path)
    path = copy / RESULT
    path.write_bytes(path.read_bytes().replace(b"CONSISTENT", b"CONSISTENt", 1))
    done = bare(pack / PROGRAM, copy)
    assert done.returncode == 1
    assert done.stdout == f"REJECTED: {RESULT} has not the hash of the statement\n"


def test_files_are_neither_missing_nor_added(pack: Path, tmp_path: Path) -> None:
    """It must hold of a certificate that is gone, of one more file, and of a link."""
    pack = copied(pack, tmp_path)
    (pack / "more.txt").write_text("more")
    with pytest.raises(PackRejected, match=r"not named: more\.txt"):
        check_pack(pack)
    (pack / "more.txt").unlink()
    (pack / "link").symlink_to(SOURCES)
    with pytest.raises(PackRejected, match="not named: link"):
        check_pack(pack)
    (pack / "link").unlink()
    (pack / "certificates" / "0001.json").unlink()
    with pytest.raises(PackRejected, match=r"missing or not named: certificates/0001\.json"):
        check_pack(pack)


def resealed(
    pack: Path, change: Callable[[Any, Any], None], run: dict[str, Any] | None = None
) -> None:
    """Change statement and result, and make all hashes fit again: what anybody can do."""
    statement = statement_of(pack)
    result = parse_json((pack / RESULT).read_text(encoding="utf-8"), RESULT)
    change(statement["predicate"]["audits"], result["audits"])
    result |= run or {}
    (pack / RESULT).write_text(json.dumps(result, indent=2))
    for number, one in enumerate(result["audits"], start=1):
        file = pack / "certificates" / f"{number:04}.json"
        if one["report"] is not None and file.exists():
            held = one["report"].get("proof", {}).get("certificate")
            file.write_text(json.dumps(held, indent=2) + "\n")
    for row in [*statement["subject"], *statement["predicate"]["files"]]:
        if (pack / row["name"]).is_file():
            content = (pack / row["name"]).read_bytes()
            row["digest"]["sha256"] = hashlib.sha256(content).hexdigest()
    (pack / STATEMENT).write_text(json.dumps(statement, indent=2) + "\n")
    digest = hashlib.sha256((pack / STATEMENT).read_bytes()).hexdigest()
    (pack / DIGEST).write_text(f"{digest}  {STATEMENT}\n")


def both(place: int, **values: Any) -> Callable[[Any, Any], None]:
    """Another value in the statement and in the report."""

    def change(stated: Any, found: Any) -> None:
        stated[place] |= values
        found[place]["report"] |= values

    return change


def of_certificate(place: int, **values: Any) -> Callable[[Any, Any], None]:
    """Another value in a certificate, sealed anew."""

    def change(stated: Any, found: Any) -> None:
        from audit.certificate.document import Certificate

        held = found[place]["report"]["proof"]["certificate"]
        text = json.dumps(held | values)
        sealed = json.loads(Certificate.read(text).sealed().text())
        found[place]["report"]["proof"]["certificate"] = sealed

    return change


SMALLER = {"level": "pure", "epsilon": "1/2", "relation": "add-remove", "source": "", "derived": []}
RENYI = {**SMALLER, "level": "renyi", "epsilon": "1", "order": "2"}
CHANGES = {
    "a smaller claim": (both(0, claim=SMALLER), "the audit claims"),
    "a claim of another level": (both(0, claim=RENYI), "the audit claims"),
    "another target": (both(0, target="mine.py:mean"), "proves something of"),
    "another parameter": (both(0, parameters={"epsilon": "1/3"}), "is of epsilon = 1"),
    "another verdict": (both(0, verdict="CONSISTENT"), "proves something of"),
    "a certificate of a smaller loss": (of_certificate(0, loss=["1/2", "1/2"]), "loss must be"),
    "the statement alone": (lambda stated, _: stated[0].update(seed=2), "not as stated"),
    "an audit less": (lambda stated, _: stated.pop(), "audits, the statement others"),
}


@over(("change", "reason"), CHANGES.values())
def test_what_was_sealed_anew_must_still_be_true(
    change: Callable[[Any, Any], None],
    reason: str,
    pack: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """It must hold that hashes that fit again do not help a false certificate or statement."""
    pack = copied(pack, tmp_path_factory.mktemp("sealed"))
    resealed(pack, change)
    with pytest.raises(PackRejected, match=reason):
        check_pack(pack)


EQUAL = (
    ("1/2", 0.5, True),
    ("1/2", "0.50", True),
    ("1/10", "1e-1", True),
    ("3", 3, True),
    (["1/10", "1"], "1/10, 1", True),
    (["1/10", "1"], ["0.1", 1], True),
    ("laplace", "laplace", True),
    ("1/2", "1/3", False),
    ("1/2", "1/0", False),
    ("1", "1e1000000000", False),
    (["1/10", "1"], "1/10", False),
    (["1/10", "1"], "1/10, 2", False),
    ("laplace", "staircase", False),
)


@over(("one", "other", "same"), EQUAL)
def test_parameters_are_compared_as_numbers(one: Any, other: Any, same: bool) -> None:
    """It must hold of what a certificate has and a user types, and nothing large is computed."""
    assert program()._equal(one, other) is same


@over("run", ({"passed": True}, {"seed": 2}, {"versions": {"python": "4"}}))
def test_a_run_is_the_one_that_is_stated(
    run: dict[str, Any], pack: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It must hold of what the gate as a whole came to, and of versions."""
    pack = copied(pack, tmp_path_factory.mktemp("run"))
    resealed(pack, lambda *_: None, run)
    with pytest.raises(PackRejected, match="the run is another one"):
        check_pack(pack)


def test_the_digest_shows_no_author(pack: Path, tmp_path: Path) -> None:
    """It must hold that a result from samples can be made up by who makes the hashes fit again.

    This is what the pack says that it cannot show: a signature of the statement does.
    """
    pack = copied(pack, tmp_path)
    before = check_pack(pack)
    resealed(pack, both(len(PACKED), verdict="PROVED", samples=10**9))
    after = check_pack(pack)
    assert ("by samples", "PROVED") in after.audits
    assert after.statement != before.statement
    assert (before.unproved, after.unproved) == (0, 1)
    assert any("who made the pack" in what for what in NOT_CHECKED)


def test_sources_are_compared_where_they_lie(pack: Path, tmp_path: Path) -> None:
    """It must hold that a changed source is seen, and that two folders may hold them."""
    root = Path(audit.__file__).parents[1]
    copy = tmp_path / "sources"
    copy.mkdir()
    (copy / "targets.py").write_bytes((SOURCES / "targets.py").read_bytes())
    names = [row["name"] for row in statement_of(pack)["subject"]]
    assert "targets.py" in names
    assert check_pack(pack, (copy, root)).sources == len(names) - 1
    (copy / "targets.py").write_bytes((SOURCES / "targets.py").read_bytes() + b"\n")
    with pytest.raises(PackRejected, match=r"targets\.py has not the hash"):
        check_pack(pack, (copy, root))


def test_questions_are_answered_or_named(pack: Path) -> None:
    """It must hold of every field of NIST SP 800-226 and of the registry of deployments."""
    rows = statement_of(pack)["predicate"]["fields"]
    assert len(rows) == len(QUESTIONS)
    by = {(row["asker"], row["field"]): row for row in rows}
    for row in rows:
        assert (row["answer"] is None) == (row["answered_by"] == "missing")
    assert by["NIST SP 800-226", "privacy_parameters"]["answered_by"] == "audit"
    assert by["NIST SP 800-226", "trust_model"]["answered_by"] == "missing"
    unit = by["NIST SP 800-226", "unit_of_privacy"]["answer"]
    assert "one record replaced by another; the number of records is public" in unit


@pytest.mark.long
def test_the_evaluator_answers_what_no_audit_knows(tmp_path: Path) -> None:
    """It must hold that answers stand under who gave them, and that unknown names are refused."""
    from audit.attestation.pack import write_pack

    text = json.dumps(gate_record())
    given = {"NIST SP 800-226": {"trust_model": "central"}}
    write_pack(text, tmp_path / "pack", sources=SOURCES, given=given)
    rows = statement_of(tmp_path / "pack")["predicate"]["fields"]
    (row,) = [row for row in rows if row["field"] == "trust_model"]
    assert (row["answered_by"], row["answer"]) == ("evaluator", "central")
    with pytest.raises(InvalidArgument):
        write_pack(text, tmp_path / "other", sources=SOURCES, given={"NIST": {}})
    for wrong in ({"NIST SP 800-226": {"trust": "x"}}, {"NIST SP 800-226": 1}):
        with pytest.raises(InvalidArgument):
            answers([], wrong)


@pytest.mark.long
def test_the_time_can_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that two packs of one report are equal to the byte at one SOURCE_DATE_EPOCH."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    one, other = make_pack(tmp_path / "one"), make_pack(tmp_path / "other")
    assert (one / STATEMENT).read_bytes() == (other / STATEMENT).read_bytes()
    assert statement_of(one)["predicate"]["made"] == "2023-11-14T22:13:20Z"


WRONG = {
    "no JSON": ("{", InvalidData),
    "no report": ('{"schema_version": 2}', InvalidData),
    "a ledger": ('{"kind": "ledger"}', InvalidData),
    "a gate without results": ('{"kind": "gate", "audits": []}', InvalidData),
    "audits that are none": ('{"kind": "gate", "audits": 3}', InvalidData),
}


@over(("text", "error"), WRONG.values())
def test_other_files_are_refused(
    text: str, error: type[Exception], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It must hold that what is no report of audits makes no pack."""
    from audit.attestation.pack import write_pack

    with pytest.raises(error):
        write_pack(text, tmp_path_factory.mktemp("no") / "pack", sources=SOURCES)


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    """It must hold that nothing is written into it."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidArgument, match="not empty"):
        make_pack(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
