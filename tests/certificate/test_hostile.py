"""Certificates of strangers: rejected or no certificates, in bounded time and memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from audit.certificate import rechecked_multisets
from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate, NotACertificate, TooLarge, sentence
from audit.certificate.rechecked_multisets import LAWS, check_work
from audit.cli import main
from audit.exact.grid_multisets import Multisets
from audit.exact.recheck import rechecked
from mechanisms.claims import Relation
from mechanisms.errors import CertificateError
from tests.certificate.test_certificate import audited
from tests.slow import by_default

THRESHOLD = {"epsilon": "1", "low": "0", "high": "1", "rank": "2", "side": "below"}
GRID = {**THRESHOLD, "points": 1024, "rule": "rounded"}
EDITS = {
    "epsilon": "1",
    "low": "0",
    "high": "1",
    "step": "1/255",
    "statistic": "power",
    "level": "1/2",
    "power": "151/100",
    "score": "crossing",
}
MEAN = {"epsilon": "1", "low": "0", "high": "1", "noise": "laplace"}


def document(mechanism: str, parameters: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A certificate with a right digest and sentence, whatever it states."""
    claim = {"epsilon": "1", "delta": "0", "relation": "swap"} | fields.pop("claim", {})
    covers = fields.pop("covers", {"pairs": "all neighbors of all data sets"})
    try:
        said = sentence(mechanism, parameters, claim, covers["pairs"])
    except (TypeError, KeyError, ValueError):
        said = ""
    lemmas, evidence, loss = ["KSW-D2", "post-processing"], {"loss of a record": []}, ["1", "1"]
    made = Certificate(said, mechanism, parameters, claim, covers, lemmas, evidence, loss)
    return json.loads(made.sealed().text()) | fields  # type: ignore[no-any-return]


def multisets_of(size: Any, points: Any) -> dict[str, Any]:
    """What a certificate about multisets covers."""
    return {"pairs": "all", "size": size, "points": points}


def twelve() -> list[str]:
    """Twelve points from 0 to 1."""
    return [str(Fraction(i, 11)) for i in range(12)]


def hostile() -> dict[str, tuple[Any, int]]:
    """Documents, what makes a large one, or texts; and the status that `verify` must end with."""
    ordinary = document("ksw.swap-laplace", MEAN)
    text = json.dumps(ordinary)
    big = {"claim": {"relation": "add-remove"}}
    many = big | {"covers": multisets_of(8, twelve())}
    few = big | {"covers": multisets_of(2, ["0", "1"])}
    return {
        "an exponent of 10^9": (
            document("ksw.swap-laplace", {**MEAN, "epsilon": "1e1000000000"}),
            1,
        ),
        "an exponent of 4301": (document("ksw.swap-laplace", {**MEAN, "epsilon": "1e4301"}), 1),
        "a claim of 1e4301": (document("ksw.swap-laplace", MEAN, claim={"epsilon": "1e4301"}), 1),
        "a string of 4,000 digits": (
            document("ksw.swap-laplace", MEAN, claim={"epsilon": "7" * 4_000}),
            1,
        ),
        "ten million digits": (
            lambda: document("ksw.swap-laplace", {**MEAN, "low": "7" * 10**7}),
            1,
        ),
        "8 records of 12 points at grid 1024": (document("sub.threshold-grid", GRID, **many), 1),
        "8 records of 12 points": (
            document("sub.threshold", {**THRESHOLD, "alpha": "1/7"}, **many),
            1,
        ),
        "8 records of 12 points, a power": (document("sub.inverse-sensitivity", EDITS, **many), 1),
        "a rank of 10^399": (
            document("sub.threshold", {**THRESHOLD, "alpha": "1", "rank": "1" + "0" * 399}, **few),
            1,
        ),
        "a claim of 10^399 on multisets": (
            document(
                "sub.threshold",
                {**THRESHOLD, "alpha": "1"},
                covers=multisets_of(2, ["0", "1"]),
                claim={"relation": "add-remove", "epsilon": "1" + "0" * 399},
            ),
            1,
        ),
        "an epsilon of 10^-398": (
            document(
                "sub.threshold",
                {**THRESHOLD, "alpha": "1", "epsilon": "1/1" + "0" * 390},
                **few,
            ),
            1,
        ),
        "a million points": (
            lambda: document(
                "sub.threshold",
                {**THRESHOLD, "alpha": "1"},
                **big,
                covers=multisets_of(1, ["0"] * 10**6),
            ),
            1,
        ),
        "a size of 3,999 digits": (
            document("sub.threshold", {**THRESHOLD, "alpha": "1"}, **big)
            | {"covers": multisets_of(10**3998, ["0", "1"])},
            1,
        ),
        "a grid of 3,999 digits": (
            document(
                "ksw.release-mean",
                {"epsilon": "1", "low": "0", "high": "1", "grid": 10**3998},
                claim={"relation": "add-remove"},
            ),
            1,
        ),
        "a relation that is a list": (
            document("ksw.swap-laplace", MEAN, claim={"relation": ["swap"]}),
            1,
        ),
        "parameters that are lists": (document("ksw.swap-laplace", {key: [] for key in MEAN}), 1),
        "a mechanism of another kind": (ordinary | {"mechanism": []}, 2),
        "lemmas of another kind": (ordinary | {"lemmas": {}}, 2),
        "an unknown field": (ordinary | {"more": 1}, 2),
        "another schema": (ordinary | {"schema_version": 99}, 2),
        "a list": ([ordinary], 2),
        "a number": (1, 2),
        "100,000 nested lists": ("[" * 100_000 + "]" * 100_000, 2),
        "nested evidence": (
            text.replace('"evidence": {', '"evidence": {"a": ' + "[" * 99_999 + "]" * 99_999 + ","),
            2,
        ),
        "an integer of 5,000 digits": (
            text.replace('"schema_version": 1', '"schema_version": ' + "1" * 5_000),
            2,
        ),
        "a grid of 10^4000": (
            text.replace('"noise": "laplace"', '"noise": 1' + "0" * 4_000),
            2,
        ),
        "NaN": (text.replace('"noise": "laplace"', '"noise": NaN'), 2),
        "a decimal beyond the doubles": (text.replace('"noise": "laplace"', '"noise": 1e999'), 2),
        "nothing": ("", 2),
        "half": (text[: len(text) // 2], 2),
    }


HOSTILE = hostile()


def written(name: str, file: Path) -> int:
    """Write the text of a case; return its status."""
    value, status = HOSTILE[name]
    value = value() if callable(value) else value
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return status


@pytest.mark.parametrize(
    "name", by_default([name for name in HOSTILE if "million" not in name], HOSTILE)
)
def test_a_hostile_certificate_ends_at_once(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold with a short reason, and never with an internal error."""
    status = written(name, tmp_path / "c.json")
    assert main(["verify", str(tmp_path / "c.json")]) == status
    out, err = capsys.readouterr()
    lines = (out + err).splitlines()
    assert len(lines) == (2 if status == 1 else 1)
    assert all(len(line) < 1_400 for line in lines)
    assert ("REJECTED" in out) is (status == 1)


def test_files_that_are_none_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of folders, endless devices, and pipes that nobody writes to."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, "/dev/zero", "/dev/null", tmp_path / "pipe", tmp_path / "no.json"):
        assert main(["verify", str(path)]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_certificate_takes_little(name: str, tmp_path: Path) -> None:
    """It must hold within 1 GiB of memory and 10 s of processor time."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (2**30, 2**30))
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))

    status = written(name, tmp_path / "c.json")
    code = "import sys; from audit.cli import main; sys.exit(main(['verify', sys.argv[1]]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "c.json")],
        preexec_fn=bounded,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == status, done.stderr


@pytest.mark.parametrize("name", LAWS)
def test_the_work_is_counted_before_it_is_done(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that sets and pairs are those gone through, and that the limit is kept."""
    parameters = {
        "sub.threshold": {**THRESHOLD, "alpha": "1/7"},
        "sub.threshold-grid": {**GRID, "points": 7},
        "sub.inverse-sensitivity": {**EDITS, "step": "1/6", "power": "2", "statistic": "mean"},
    }[name]
    law = LAWS[name](parameters)
    for relation in (Relation.ADD_REMOVE, Relation.SWAP):
        for size, points in ((1, 2), (3, 4)):
            grid = Multisets(size, points, Fraction(0), Fraction(1))
            count = sum(1 for _ in grid.pairs(relation))
            sets = sum(
                len(list(combinations_with_replacement(range(points), n))) for n in range(size + 1)
            )
            of_set, of_pair = law.work(size)
            monkeypatch.setattr(rechecked_multisets, "MOST_WORK", sets * of_set + count * of_pair)
            check_work(law, size, points, relation.value, Fraction(1))
            monkeypatch.setattr(
                rechecked_multisets, "MOST_WORK", sets * of_set + count * of_pair - 1
            )
            with pytest.raises(TooLarge, match=f"^{count} pairs"):
                check_work(law, size, points, relation.value, Fraction(1))
            monkeypatch.undo()
    with pytest.raises(TooLarge, match="exponentials of more than"):
        check_work(law, 1, 2, "swap", Fraction(10**6))


def test_a_proof_that_is_too_large_has_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the limits of the check are no disagreement."""
    result = audited("sub.threshold")
    kept = rechecked(result).proof
    assert kept is not None
    assert kept.certificate is not None
    monkeypatch.setattr(rechecked_multisets, "MOST_WORK", 0)
    less = rechecked(result)
    assert less.proof is not None
    assert (less.verdict, less.proof.certificate) == (result.verdict, None)


def test_what_is_no_certificate_is_told_from_a_wrong_one() -> None:
    """It must hold of the form, and of 1.0 in the place of 1."""
    with pytest.raises(NotACertificate):
        Certificate.read("{}")
    result = audited("sub.threshold")
    assert result.proof is not None
    written = json.loads(result.proof.certificate.text())
    written["evidence"]["pairs"] = float(written["evidence"]["pairs"])
    written.pop("digest")
    with pytest.raises(CertificateError, match="evidence must be"):
        verify(Certificate(**written).sealed())
