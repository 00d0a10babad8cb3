"""Whatever is wrong with what a user gives: exit 2 or 3, one line, soon, and no traceback."""

from __future__ import annotations

import collections
import sys
from pathlib import Path

import pytest

from tests.bad_inputs.case import Case, complaint, run_here, run_outside
from tests.bad_inputs.generate import KINDS, generate
from tests.bad_inputs.project import AUDIT, GOOD, make
from tests.slow import one_in

MANY, FEW, OUTSIDE = 2_000, 60, 40
"""Bad inputs in the slow test, in the default run, and as commands of a shell."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good project, made once."""
    folder = tmp_path_factory.mktemp("bad_inputs") / "project"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        make(folder, patch)
    return folder


@pytest.fixture(autouse=True)
def cache(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs keep lies beside the project."""
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(project.with_name("cache")))
    monkeypatch.delenv("TOUCHSTONE_TRACEBACK", raising=False)


def complaints(project: Path, seed: int, count: int) -> tuple[list[str], set[str]]:
    """What is wrong with the outcomes of so many bad inputs, and of which kinds those were."""
    found, kinds = [], set()
    for case in generate(project, seed, count):
        kinds.add(case.kind)
        wrong = complaint(case, run_here(project, case))
        if wrong:
            found.append(f"{case}: {wrong}")
    return found, kinds


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(3, GOOD))
def test_the_good_project_is_good(name: str, project: Path) -> None:
    """It must hold that each command that bad files are given to runs with the good one."""
    outcome = run_here(project, Case(name, GOOD[name]))
    assert outcome.status in {0, 3}, outcome.err
    assert outcome.err == ""


@pytest.mark.long
def test_a_few_bad_inputs_are_one_line(project: Path) -> None:
    """It must hold for a sample of all kinds."""
    found, kinds = complaints(project, 0, FEW)
    assert found == []
    assert len(kinds) > len(KINDS) / 2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_bad_inputs_are_one_line(part: int, project: Path) -> None:
    """It must hold for 2,000 in all: 0 tracebacks, 0 internal errors, 0 beyond 20 s."""
    found, _ = complaints(project, 1 + part, MANY // 4)
    assert found == []


@pytest.mark.slow
def test_bad_inputs_of_a_shell_are_one_line(project: Path) -> None:
    """It must hold of processes too, with 1 GiB of memory each."""
    fit = (c for c in generate(project, 9, 4 * OUTSIDE) if all(map(is_typed, c.words)))
    for _, case in zip(range(OUTSIDE), fit, strict=False):
        wrong = complaint(case, run_outside(project, case))
        assert not wrong, f"{case}: {wrong}"


def is_typed(word: str) -> bool:
    """Whether a shell could give a word to a command."""
    return "\0" not in word and "\ud800" not in word and len(word) < 100_000


def test_bad_inputs_are_the_same_for_the_same_seed(project: Path) -> None:
    """It must hold, so that a failure can be repeated."""
    first, again = ([str(c) for c in generate(project, 5, 20)] for _ in range(2))
    assert first == again
    assert len(set(first)) > 15
    assert collections.Counter(first) != collections.Counter(map(str, generate(project, 6, 20)))


def test_complaints_are_made(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a good input given as a bad one is told, and an error that was missed."""
    case = Case("good", GOOD["verify"])
    assert complaint(case, run_here(project, case)).startswith("ended with 0")
    monkeypatch.setattr("audit.cli.verify.read_text", None, raising=False)
    monkeypatch.setattr("audit.certificate.certificate_form.Certificate.read", None)
    assert complaint(case, run_here(project, case)).startswith("ended with 4")


@pytest.mark.parametrize("words", [("init", "x" * 5_000), ("audit", "x" * 5_000 + ".py:f")])
def test_names_that_no_file_can_have_are_one_line(project: Path, words: tuple[str, ...]) -> None:
    """It must hold that the operating system's refusal is no internal error."""
    case = Case("name", (*words, *(("--force",) if words[0] == "init" else AUDIT[2:])))
    assert complaint(case, run_here(project, case)) == ""


@pytest.mark.long
def test_a_word_of_a_command_may_be_longer_than_a_name(project: Path) -> None:
    """It must hold: a program among the words is looked for among the files, too."""
    program = "import json, sys; d = json.loads(input()); print('0\\n' * d['size'])" + "#" * 5_000
    words = (*("audit", *AUDIT[2:], "--resume", "new.saved"), "--", sys.executable, "-c", program)
    outcome = run_here(project, Case("command", words))
    assert outcome.status != 4, outcome.err
