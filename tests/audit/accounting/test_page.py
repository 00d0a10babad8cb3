"""The commands of the page about accounts run as they are printed, on the example."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from audit.accounting.release_plan import EVENTS
from audit.cli import main
from proofs_check.composition.sums import MOST_NODES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "how-to" / "accounting.md").read_text()
BLOCKS = re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_page_knows_all_events() -> None:
    """It must hold that each has a row, and that all commands and the limit are found."""
    commands = [re.findall(r"^\$ touchstone (\w+)", block, re.MULTILINE) for block in BLOCKS]
    assert commands == [["account"], ["account"], ["account", "verify"]]
    named = set(re.findall(r"`([a-z-]+)`", "".join(re.findall(r"^\| `.*?\|", PAGE, re.MULTILINE))))
    sampled = {f"poisson-{name}" for name in named} & set(EVENTS)
    assert {name for name in named if name != "poisson-"} | sampled == set(EVENTS)
    assert f"{MOST_NODES:,}" in PAGE


@pytest.mark.parametrize("block", BLOCKS, ids=["proved", "refuted", "certified"])
def test_a_command_prints_what_it_shows(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each has its verdict, and prints its lines to the last digit."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for told in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = told.splitlines()
        status = main(shlex.split(command)[1:])
        printed = capsys.readouterr().out
        assert status == ("REFUTED" in told)
        for line in shown:
            if line != "...":
                _, found, printed = printed.partition(line)
                assert found, line


TRAINING = """\
event = {"step": [{"event": "gaussian", "sigma": 5, "sensitivity": 1, "count": 3}]}
"""


def test_the_entry_of_a_gate_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of the page's configuration, with the example beside it."""
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(block)
    Path("releases.toml").write_text((ROOT / "examples" / "releases.toml").read_text())
    Path("training.py").write_text(TRAINING)
    assert main(["gate", "--seed", "1"]) == 0
    assert "2 of 2 as expected" in capsys.readouterr().out
