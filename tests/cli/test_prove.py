"""`touchstone prove` as scripts and readers see it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.cli import main
from proofs_check.claim import Status
from proofs_check.steps import ByCheck, ByHand
from tests.messages.golden import assert_golden
from tests.proofs_check.ledgers import fact, ledger, stated
from tests.reports import check_report

CLAIMS = (
    stated("KSW-A", assumes=("KSW-C", "SUB-E")),
    stated("KSW-B", Status.DEFINITION),
    stated(
        "KSW-C",
        Status.CORRECTED,
        errata=("KSW-D",),
        assumes=("SUB-E",),
        steps=(ByCheck("fact"), ByHand("By looking.")),
        note="One is the first number.",
        domain="one",
    ),
    stated("KSW-D", Status.REFUTED, corrected_by="KSW-C"),
    stated("SUB-E", Status.OPEN, checks=(fact(),), ours=True),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder to work in, and five claims in the place of all."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "kept"))
    with ledger(monkeypatch, *CLAIMS):
        yield tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """Standard output without times and versions."""
    out, err = capsys.readouterr()
    assert err == ""
    out = re.sub(r" [ \d.]{6} s", "   0.00 s", re.sub(r"\d+\.\d+ s", "0.00 s", out))
    out = re.sub(r"in \d+ s of", "in 0 s of", out)
    return re.sub(r"python [^*\n]*", "python and its libraries", out)


READ = {
    "prove-all": "prove",
    "prove-one": "prove KSW-C KSW-D",
    "prove-why": "prove KSW-A --why",
    "prove-status": "prove --paper KSW --status",
    "prove-page": "prove --format md",
    "prove-claim": "prove KSW-A --format md",
    "prove-errata": "prove --errata --format md",
}


@pytest.mark.parametrize(("name", "words"), READ.items(), ids=READ)
def test_what_readers_see(
    small: Path, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    """It must hold that each report reads as kept, and the status is 0."""
    assert main(words.split()) == 0
    assert_golden(name, told(capsys))


def test_the_json_report_obeys_the_schema(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that it has the claims asked for, and what each is conditional on."""
    assert main(["prove", "KSW-A", "KSW-D", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    check_report(report, "ledger")
    assert [claim["id"] for claim in report["claims"]] == ["KSW-A", "KSW-D"]
    assert report["claims"][0]["conditional_on"] == ["SUB-E"]


def test_a_report_is_written_to_a_file(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that nothing is printed then."""
    assert main(["prove", "--errata", "--format", "md", "--output", "errata.md"]) == 0
    assert capsys.readouterr().out == ""
    assert (small / "errata.md").read_text().startswith("# Errata")


@pytest.mark.parametrize(
    ("check", "status"),
    [
        (fact(holds=False), "UNKNOWN"),
        (fact(holds=None), "UNKNOWN"),
        (fact(mutant=True), "UNKNOWN"),
    ],
)
def test_a_status_that_differs_is_exit_1(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    check: object,
    status: str,
) -> None:
    """It must hold that the claim is named, with what its checks show."""
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path))
    with ledger(monkeypatch, stated("KSW-A", checks=(check,)), stated("KSW-B")):
        assert main(["prove", "--jobs", "1"]) == 1
        out = capsys.readouterr().out
        assert f"KSW-A  {status}" in out
        assert "EXPECTED PROVED" in out
        assert out.endswith("differs from the registry: KSW-A\n")
        assert main(["prove", "KSW-A", "--jobs", "1"]) == 1
        assert "registered as PROVED: the checks do not show that" in capsys.readouterr().out
        assert main(["prove", "KSW-B", "--jobs", "1"]) == 0


def test_an_interrupted_run_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It must hold that the status is 130, and the next run goes on there."""
    stops = [True]

    def stop(wrong: bool = False) -> object:
        if stops.pop() if stops else False:
            raise KeyboardInterrupt
        return fact().decide(wrong=wrong)

    last = fact()
    object.__setattr__(last, "decide", stop)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path))
    with ledger(monkeypatch, stated("KSW-A"), stated("KSW-B", checks=(last,))):
        assert main(["prove", "--jobs", "1"]) == 130
        assert capsys.readouterr().err == (
            "touchstone: interrupted: 1 of 2 claims checked; the next run goes on there\n"
        )
        assert main(["prove", "--jobs", "1"]) == 0


@pytest.mark.slow
def test_processes_find_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of two processes on real claims, and that a second run looks nothing up anew."""
    for jobs in ("2", "1"):
        assert (
            main(["prove", "KSW-T2", "KSW-L3", "--fresh", "--format", "json", "--jobs", jobs]) == 0
        )
    first, second = (
        json.loads(text) for text in re.split(r"(?<=\n})\n(?={)", capsys.readouterr().out.strip())
    )
    for report in (first, second):
        for claim in report["claims"]:
            claim["seconds"] = 0
            for check in claim["checks"]:
                check["seconds"] = 0
    assert first["claims"] == second["claims"]


def test_the_gate_checks_the_proofs_that_are_listed(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that they stand beside the audits, and a wrong name is found first."""
    (small / "touchstone.toml").write_text('proofs = ["KSW", "SUB-E"]\n')
    assert main(["gate", "--seed", "1"]) == 0
    assert_golden("gate-proofs", told(capsys))
    assert main(["gate", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    check_report(report, "gate")
    assert [proof["name"] for proof in report["proofs"]] == ["KSW", "SUB-E"]
    (small / "touchstone.toml").write_text('proofs = ["KSW-Z"]\n')
    assert main(["gate"]) == 2
    assert "no claim has the id 'KSW-Z'" in capsys.readouterr().err


def test_a_proof_that_differs_fails_the_gate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It must hold that the gate ends with 1 and names the claim."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "kept"))
    (tmp_path / "touchstone.toml").write_text('proofs = "KSW"\n')
    with ledger(monkeypatch, stated("KSW-A", checks=(fact(holds=None),)), stated("KSW-B")):
        assert main(["gate", "--seed", "1"]) == 1
    assert_golden("gate-proofs-fail", told(capsys))
