"""The commands of the page about errors run as they are printed, on the examples."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from audit.cli import main
from audit.request.configured_audits import entries_of
from audit.request.error_plan import plan_utility
from tests.shown import assert_in_order
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[3]
FILE = ROOT / "docs" / "how-to" / "utility.md"
PAGE = FILE.read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
STATUS = {"CONSISTENT": 0, "REFUTED": 1}
COMMANDS = [
    part.splitlines()
    for language, block in BLOCK.findall(PAGE)
    if language == "console"
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


def test_all_commands_are_found() -> None:
    """It must hold that the check below reads the four commands of the page."""
    assert [command.split()[1] for command, *_ in COMMANDS] == ["audit"] * 4


@pytest.mark.slow
@pytest.mark.parametrize("lines", COMMANDS, ids=["function", "law", "data", "class"])
def test_a_command_prints_what_it_shows(
    lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each command has its verdict, and prints its lines but for numbers."""
    monkeypatch.chdir(ROOT)
    command, *shown = lines
    _, *words = shlex.split(command)
    with imports_restored(ROOT / "examples"):
        status = main([*words, "--budget-seconds", "600"])  # the machine may be busy
    assert status == STATUS[shown[0].partition(":")[0]]
    assert_in_order(FILE, command, shown, capsys.readouterr().out)


def test_the_configuration_of_the_page_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the [[audit]] of the page is read, and can be planned."""
    monkeypatch.chdir(ROOT)
    (block,) = (text for language, text in BLOCK.findall(PAGE) if language == "toml")
    (table,) = tomllib.loads(block)["tool"]["touchstone"]["audit"]
    (entry,) = entries_of(table, "audit", Path())
    with imports_restored(ROOT / "examples"):
        assert len(plan_utility(entry.request, stated_in="page").cases) == 2


def test_options_of_the_page_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the command knows every option that the page names."""
    assert main(["audit", "--help"]) == 0
    known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) <= known


FAILING = """
import numpy as np

def never(data, size, rng):
    return np.full(size, np.nan)

def seldom(data, size, rng):
    z = np.mean(data) + rng.laplace(scale=0.01, size=size)
    return np.where(rng.random(size) < 1e-2, np.nan, z)
"""


@pytest.mark.parametrize("claim", ["--unbiased", "--mse=1", "--mae=1"])
@pytest.mark.parametrize(("name", "status"), [("never", 3), ("seldom", 1)])
def test_draws_that_are_no_numbers_are_as_the_page_says(
    name: str,
    status: int,
    claim: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that some of them refute a claim of a mean, and all of them test nothing."""
    page = " ".join(PAGE.split())
    assert "A draw that is no finite number refutes every claim of a mean" in page
    assert (
        "hardly any draw of the pilot is a finite number nothing is tested, and the verdict is"
        in page
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(FAILING)
    words = ["--low", "0", "--high", "1", "--n", "4", "--seed", "1", claim]
    assert main(["audit", f"m.py:{name}", "--utility", *words]) == status
    verdict = "INCONCLUSIVE" if status == 3 else "REFUTED"
    out = capsys.readouterr().out
    assert out.startswith(verdict)
    assert "no finite number" in out
