"""PROVED is said only after a second program has accepted the certificate, where there is one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.certificate.certificate_form import Certificate
from audit.cli import main
from audit.exact import certify
from audit.exact import recheck as module
from audit.exact.proof_document import RECHECKED, UNCHECKED
from audit.exact.recheck import Disagreement, rechecked
from tests.audit.report.runs import DISPROVED, PROVED

CERTIFIED = ["audit", "ksw.swap-laplace", "--mode", "exact"]
WITHOUT = ["audit", "tri.name-and-shame", "--mode", "exact", "--multisets", "2,2"]
FORMS = ("text", "json", "html", "markdown", "junit")


def test_what_is_rejected_is_not_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a prover and a check that disagree are exit 4, with both reasons."""
    monkeypatch.chdir(tmp_path)

    def half(*_: Any, swap: bool) -> dict[str, Any]:
        del swap
        return {"loss of a record": [["1", "1/2"]]}

    monkeypatch.setattr(certify, "_evidence", half)
    assert main([*CERTIFIED, "--certificate", "c.json"]) == 4
    out, err = capsys.readouterr()
    assert "PROVED" not in out
    assert not Path("c.json").exists()
    assert "internal error: Disagreement: the proof and its check disagree" in err
    assert "no record loses more than epsilon = 1" in err
    assert "rejected, as evidence must be" in err
    gate = '[[tool.touchstone.audit]]\ntarget = "ksw.swap-laplace"\nmode = "exact"\n'
    Path("touchstone.toml").write_text(gate)
    assert main(["gate"]) == 4


def test_each_proof_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold also where the certificate is written."""
    seen: list[str] = []
    monkeypatch.setattr(module, "verify", lambda c: seen.append(c.mechanism))
    assert main(CERTIFIED) == 0
    assert seen == ["ksw.swap-laplace"]


def test_results_without_a_certificate_pass() -> None:
    """It must hold of refutations, and of proofs that have none."""
    for result in (DISPROVED, PROVED):
        assert rechecked(result) is result
    assert PROVED.proof is not None
    empty = Certificate("", "", {}, {}, {}, [], {}, [])
    wrong = replace(PROVED, proof=replace(PROVED.proof, certificate=empty))
    with pytest.raises(Disagreement, match="the digest is not that"):
        rechecked(wrong)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_whether_a_proof_was_rechecked(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the second line of a report says it, and never both."""
    every = ((CERTIFIED, RECHECKED, UNCHECKED), (WITHOUT, UNCHECKED, RECHECKED))
    for command, words, other in every:
        assert main([*command, "--format", form]) == 0
        out = capsys.readouterr().out
        if form == "json":
            assert json.loads(out)["proof"]["rechecked"] is (words == RECHECKED)
            continue
        text = " ".join(out.replace("\\", "").split())
        assert words in text
        assert other not in text
        if form == "text" and words == UNCHECKED:
            assert out.splitlines()[1].startswith(UNCHECKED)
