"""`touchstone audit --mode bound` as scripts see it: reports, status, repeats, usage."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.cli import main
from tests.reports import check_report
from tests.user_files import imports_restored

TARGETS = """
def sound(data, size, rng):
    return data.sum() + rng.laplace(0, 1, size)


def broken(data, size, rng):
    return data.sum() + rng.laplace(0, 0.3, size)
"""

WORDS = ("--epsilon", "1", "--relation", "add-remove", "--pair", "p.json", "--seed", "1", "--ideal")
RUN = (*WORDS, "--false-alarm=0.05", "--budget-samples=40000", "--resolution=2", "--mode", "bound")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with mechanisms and one pair."""
    (tmp_path / "m.py").write_text(TARGETS)
    (tmp_path / "p.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "status", "verdict"), [("sound", 0, "CONSISTENT"), ("broken", 1, "REFUTED")]
)
def test_report_status_and_repeat(
    folder: Path, name: str, status: int, verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the report fits its schema, and that its command gives it again."""
    assert main(["audit", f"m.py:{name}", *RUN, "--format", "json"]) == status
    report = json.loads(capsys.readouterr().out)
    check_report(report, "audit")
    assert report["verdict"] == verdict
    assert report["mode"] == "bound"
    assert report["notes"][0].startswith("the limit is of the test of Berger and Boos")
    words = shlex.split(report["command"])[1:]
    assert words[words.index("--mode") + 1] == "bound"
    assert main([*words, "--format", "json"]) == status
    again = json.loads(capsys.readouterr().out)
    assert again["limits"] == report["limits"]
    assert again["notes"] == report["notes"]


@pytest.mark.slow
def test_the_limit_is_higher_than_that_of_the_sequential_mode(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the limits of three seeds together show what the mode is for."""
    limits = [0.0, 0.0]
    for mode, words in enumerate((RUN, RUN[:-2])):
        for seed in ("1", "2", "3"):  # a limit of the sequential mode is a point of its grid
            asked = ("audit", "m.py:sound", *words, "--seed", seed, "--format", "json")
            assert main(asked) == 0
            limits[mode] += json.loads(capsys.readouterr().out)["limits"]["epsilon"]
    assert limits[0] > limits[1]


def test_text_names_the_event_of_the_limit(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the text says which event, on how many draws, the limit comes from."""
    assert main(["audit", "m.py:sound", *RUN]) == 0
    out = " ".join(capsys.readouterr().out.split())
    event = r"the limit is of the test of Berger and Boos on the event: .*output.* draws on the"
    assert re.search(event, out)


def test_other_words_are_usage_errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a mode that the target has not, and one unknown, are exit 2."""
    assert main(["audit", "m.py:sound", *WORDS, "--mode", "exact"]) == 2
    assert "--mode exact draws no samples; leave out --seed" in capsys.readouterr().err
    assert main(["audit", "m.py:sound", *WORDS, "--mode", "limit"]) == 2
    assert "'limit' is not one of" in capsys.readouterr().err


def test_the_gate_runs_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the key `mode` of an audit is understood and checked."""
    entry = (
        '[[audit]]\ntarget = "m.py:broken"\nepsilon = 1\nrelation = "add-remove"\npair = "p.json"\n'
        'budget_samples = 30000\nideal = true\nexpect = "refuted"\n'
    )
    (folder / "touchstone.toml").write_text(f'{entry}mode = "bound"\n')
    assert main(["gate", "--seed", "1", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["audits"][0]["report"]["mode"] == "bound"
    (folder / "touchstone.toml").write_text(f'{entry}mode = "best"\n')
    assert main(["gate", "--seed", "1"]) == 2
    assert "mode must be one of sequential, bound" in capsys.readouterr().err
