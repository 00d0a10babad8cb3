"""A pack of accounts: its certificates are those of the steps and totals that the report has."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit.attestation.check import check_pack
from audit.attestation.pack import write_pack
from audit.attestation.predicate import PROGRAM
from audit.cli import main
from mechanisms.errors import InvalidData
from tests.attestation.packs import bare

PLAN = """relation = "swap"
delta = "1e-5"
[[step]]
event = "gaussian"
sigma = 5
sensitivity = 1
count = 10
[[step]]
event = "randomized-response"
keep = "1/2"
count = 2
"""


def report_of(folder: Path, *words: str) -> dict[str, Any]:
    """The report of an account as JSON."""
    (folder / "plan.toml").write_text(PLAN)
    file = folder / "result.json"
    words = (*words, "--format", "json", "--output", str(file))
    assert main(["account", str(folder / "plan.toml"), *words]) == 0
    return json.loads(file.read_text())  # type: ignore[no-any-return]


@pytest.mark.long
@pytest.mark.parametrize("claim", ["8", "none"])
def test_a_bare_python_adds_the_steps_up_again(claim: str, tmp_path: Path) -> None:
    """It must hold of a claimed total, and of the upper end where none is claimed."""
    text = json.dumps(report_of(tmp_path, "--claim", claim))
    pack = tmp_path / "pack"
    assert len(write_pack(text, pack, sources=tmp_path).proved) == 1
    done = bare(pack / PROGRAM, pack)
    assert (done.returncode, done.stderr) == (0, "")
    assert "rechecked: 10 of gaussian (sensitivity = 1, sigma = 5); 2 of random" in done.stdout
    assert "no certificate" not in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("claim", ["8", "none"])
def test_what_is_printed_says_which_total_is_proved(
    claim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of the command and of the program, as a certificate knows of no claim."""
    report = report_of(tmp_path, "--claim", claim)
    assert report["verdict"] == (None if claim == "none" else "PROVED")
    level = Fraction(str(report["epsilon"]["upper"])) if claim == "none" else Fraction(claim)
    pack = tmp_path / "pack"
    capsys.readouterr()
    assert main(["evidence", str(tmp_path / "result.json"), "-o", str(pack)]) == 0
    done = bare(pack / PROGRAM, pack)
    assert (done.returncode, done.stderr) == (0, "")
    for printed in (capsys.readouterr().out, done.stdout):
        (line,) = (line for line in printed.splitlines() if line.startswith("rechecked: "))
        assert f": together epsilon = {level}, delta = 1/100000 (swap)" in line
        assert printed.index("PROVED: ") < printed.index(line)


@pytest.mark.parametrize(("claim", "verdict"), [("8", None), ("none", "PROVED")])
def test_a_verdict_is_of_a_claim(claim: str, verdict: str | None, tmp_path: Path) -> None:
    """It must hold that no account is packed that proves no claim, or leaves its claim open."""
    report = report_of(tmp_path, "--claim", claim) | {"verdict": verdict}
    with pytest.raises(InvalidData, match="a total has a verdict where one is claimed"):
        write_pack(json.dumps(report), tmp_path / "pack", sources=tmp_path)
    assert not (tmp_path / "pack").exists()


def _more_noise(report: dict[str, Any]) -> None:
    report["steps"][0]["exact"]["sigma"] = "4"


def _fewer(report: dict[str, Any]) -> None:
    report["steps"].pop()


def _less(report: dict[str, Any]) -> None:
    report["claim"]["epsilon"] = "7"


def _others(report: dict[str, Any]) -> None:
    report["claim"]["relation"] = "add-remove"


CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "noise": _more_noise,
    "steps": _fewer,
    "epsilon": _less,
    "relation": _others,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_certificate_of_another_account_is_rejected(change: str, tmp_path: Path) -> None:
    """It must hold of a report that is changed before it is packed, its certificate being right."""
    report = report_of(tmp_path, "--claim", "8")
    CHANGES[change](report)
    with pytest.raises(InvalidData, match="not the steps and the total of"):
        write_pack(json.dumps(report), tmp_path / "pack", sources=tmp_path)


def test_a_total_without_a_certificate_is_told(tmp_path: Path) -> None:
    """It must hold of sampled steps, and the digest beside the statement is the statement's."""
    (tmp_path / "plan.toml").write_text(
        'relation = "add-remove"\ndelta = "1e-5"\n[[step]]\nevent = "poisson-gaussian"\n'
        'sigma = 1\nsensitivity = 1\nq = "1/10"\n'
    )
    file = tmp_path / "result.json"
    words = ["--format", "json", "--output", str(file)]
    assert main(["account", str(tmp_path / "plan.toml"), *words]) == 0
    checked = write_pack(file.read_text(), tmp_path / "pack", sources=tmp_path)
    assert (checked.audits[0][1:], checked.proved) == (("TOTAL", False), ())
    statement = (tmp_path / "pack" / "statement.json").read_bytes()
    assert check_pack(tmp_path / "pack").statement == hashlib.sha256(statement).hexdigest()
