"""A pack is accepted as it was made, and no byte of it can be another."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.attestation.check import check_pack
from audit.attestation.fields import BY_AUDITS, QUESTIONS, read_answers, unanswered
from audit.attestation.pack import write_pack
from audit.attestation.packed_proofs import _is_equal, certificate_of
from audit.attestation.predicate import (
    NOT_CHECKED,
    PROGRAM,
    RESULT,
    STATEMENT,
    UNCOVERED,
    PackRejected,
)
from audit.files.bounded_json import parse_json
from mechanisms.errors import InvalidArgument, InvalidData
from tests.attestation.forgery import Forged
from tests.attestation.packs import PACKED, SOURCES, bare, gate_record, make_pack, program

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
    assert all(f"not covered: {place}" in done.stdout for place in UNCOVERED)
    assert "CONSISTENT: by samples (as its report says, no certificate)" in done.stdout
    assert "no result: without a result" in done.stdout


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


def resealed(pack: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change documents of a pack, and make all hashes fit again: what anybody can do."""
    forged = Forged(pack)
    change(forged.documents)
    forged.write(pack)


def _stated(documents: dict[str, Any], place: int = 0) -> Any:
    return documents[STATEMENT]["predicate"]["audits"][place]


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a smaller claim": (
        lambda documents: _stated(documents)["claim"].update(epsilon="1/2"),
        r"predicate\.audits\.0\.claim\.epsilon is not what follows",
    ),
    "another target": (
        lambda documents: _stated(documents).update(target="mine.py:mean"),
        r"predicate\.audits\.0\.target",
    ),
    "another verdict": (
        lambda documents: _stated(documents).update(verdict="CONSISTENT"),
        r"predicate\.audits\.0\.verdict",
    ),
    "a certificate of a smaller loss": (
        lambda documents: documents["certificates/0001.json"].update(loss=["1/2", "1/2"]),
        "loss must be",
    ),
    "the statement alone": (
        lambda documents: _stated(documents, len(PACKED)).update(seed=2),
        r"predicate\.audits\.3\.seed",
    ),
    "an audit less": (
        lambda documents: documents[STATEMENT]["predicate"]["audits"].pop(),
        "not what a pack has",
    ),
    "another thing of the run": (
        lambda documents: documents[RESULT]["run"].update(loss=0),
        "says other things of a run",
    ),
}


@pytest.mark.parametrize(("change", "reason"), CHANGES.values())
def test_what_was_sealed_anew_must_still_be_true(
    change: Callable[[dict[str, Any]], object],
    reason: str,
    pack: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """It must hold that hashes that fit again do not help a false certificate or statement."""
    pack = copied(pack, tmp_path_factory.mktemp("sealed"))
    resealed(pack, change)
    with pytest.raises(PackRejected, match=reason):
        check_pack(pack)


OTHER_REPORTS: dict[str, tuple[dict[str, Any], str]] = {
    "a smaller claim": (
        {"claim": {"level": "pure", "epsilon": "1/2", "relation": "add-remove"}},
        "and it claims",
    ),
    "a claim of another level": (
        {"claim": {"level": "renyi", "epsilon": "1", "order": "2", "relation": "add-remove"}},
        "and it claims",
    ),
    "another target": ({"target": "mine.py:mean"}, "proves something of"),
    "another parameter": ({"parameters": {"epsilon": "1/3"}}, "is of epsilon = 1"),
    "an unknown parameter": ({"parameters": {"loss": 0}}, "is of loss = None"),
    "another verdict": ({"verdict": "CONSISTENT"}, "it has a certificate, and says"),
}


@pytest.mark.parametrize(("values", "reason"), OTHER_REPORTS.values())
def test_a_certificate_is_of_its_report(values: dict[str, Any], reason: str) -> None:
    """It must hold that no pack is made of a report that its own certificate does not show."""
    report = gate_record()["audits"][0]["report"]
    assert certificate_of(report, "it") is not None
    with pytest.raises(InvalidData, match=reason):
        certificate_of(report | values, "it")


def test_users_have_places_of_their_own(pack: Path) -> None:
    """It must hold that the unit of privacy of `pdp.adpm` says so."""
    row = statement_of(pack)["predicate"]["audits"][PACKED.index("pdp.adpm")]
    assert row["unit_of_privacy"].endswith("; data are a sequence")


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


def test_parameters_are_compared_as_numbers(subtests: pytest.Subtests) -> None:
    """It must hold of what a certificate has and a user types, and nothing large is computed."""
    for one, other, same in EQUAL:
        with subtests.test(one=one, other=other):
            assert _is_equal(one, other) is same


def test_the_digest_shows_no_author(pack: Path, tmp_path: Path) -> None:
    """It must hold that a result from samples can be made up by who makes the hashes fit again.

    This is what the pack says that it cannot show: a signature of the statement does. Such a result
    is never one that was rechecked.
    """
    pack = copied(pack, tmp_path)
    before = check_pack(pack)

    def made_up(documents: dict[str, Any]) -> None:
        place = len(PACKED)
        found = {"verdict": "PROVED", "samples": 10**9}
        _stated(documents, place).update(found)
        documents[RESULT]["audits"][place]["report"].update(found)

    resealed(pack, made_up)
    after = check_pack(pack)
    assert ("by samples", "PROVED", False) in after.audits
    assert [held for _, _, held in before.audits].count(True) == len(PACKED)
    assert after.statement != before.statement
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


def test_questions_are_answered_or_named() -> None:
    """It must hold of every field of NIST SP 800-226 and of the registry of deployments."""
    missing = unanswered({"NIST SP 800-226": {"trust_model": "central"}})
    for asker, names in QUESTIONS.items():
        by_audits = {name for who, name in BY_AUDITS if who == asker}
        assert by_audits <= set(names)
        assert set(names) - by_audits - set(missing[asker]) <= {"trust_model"}
    assert "bias" in missing["NIST SP 800-226"]


@pytest.mark.long
def test_the_evaluator_answers_what_no_audit_knows(tmp_path: Path) -> None:
    """It must hold that answers stand under who gave them, and that unknown names are refused."""
    text = json.dumps(gate_record())
    given = {"NIST SP 800-226": {"trust_model": "central", "bias": date(2026, 1, 31)}}
    write_pack(text, tmp_path / "pack", sources=SOURCES, given=given)
    answers = statement_of(tmp_path / "pack")["predicate"]["answers"]
    assert answers == {"NIST SP 800-226": {"trust_model": "central", "bias": "2026-01-31"}}
    for wrong in ({"NIST": {}}, {"NIST SP 800-226": {"trust": "x"}}, {"NIST SP 800-226": 1}):
        with pytest.raises(InvalidArgument):
            write_pack(text, tmp_path / "other", sources=SOURCES, given=wrong)
    with pytest.raises(InvalidData):
        read_answers({"NIST SP 800-226": {"bias": float("nan")}})


@pytest.mark.long
def test_the_time_can_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that two packs of one report are equal to the byte at one SOURCE_DATE_EPOCH."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    one, other = make_pack(tmp_path / "one"), make_pack(tmp_path / "other")
    assert (one / STATEMENT).read_bytes() == (other / STATEMENT).read_bytes()
    assert statement_of(one)["predicate"]["made"] == "2023-11-14T22:13:20Z"


WRONG = {
    "no JSON": ("{", InvalidData),
    "no report": ('{"schema_version": 1}', InvalidData),
    "a ledger": ('{"kind": "ledger"}', InvalidData),
    "a gate without results": ('{"kind": "gate", "audits": []}', InvalidData),
    "audits that are none": ('{"kind": "gate", "audits": 3}', InvalidData),
}


@pytest.mark.parametrize(("text", "error"), WRONG.values())
def test_other_files_are_refused(
    text: str, error: type[Exception], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It must hold that what is no report of audits makes no pack."""
    with pytest.raises(error):
        write_pack(text, tmp_path_factory.mktemp("no") / "pack", sources=SOURCES)


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    """It must hold that nothing is written into it."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidArgument, match="not empty"):
        make_pack(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
