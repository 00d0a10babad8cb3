"""A mechanism is made once an audit, whichever door the audit comes through."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main

pytest_plugins = ["pytester"]

MODULE = """
from pathlib import Path

from mechanisms.registry import build_mechanism


class Counted:
    def __init__(self, epsilon=1):
        with Path({made!r}).open("a") as file:
            file.write("made\\n")
        self.own = build_mechanism("ksw.swap-laplace", epsilon=epsilon, low=0, high=1)
        self.claim, self.order, self.low, self.high = self.own.claim, self.own.order, 0, 1

    def sample(self, data, size, *, rng):
        return self.own.sample(data, size, rng=rng)

    def noisy_query(self):
        return self.own.noisy_query()
"""

TESTS = """
import pytest
from counted import Counted


@pytest.mark.privacy(budget_samples=600, ideal=True)
def test_it():
    return Counted
"""

GATE = """
[[audit]]
target = "counted.py:Counted"
mode = "{mode}"
{words}
"""

FEW: dict[str, Any] = {"budget_samples": 600, "ideal": True, "seed": 1}
WORDS = ("--ideal", "--budget-samples", "600", "--seed", "1")
LONG = pytest.mark.long
"""Of doors that a lighter one guards as well."""

ERRORS = ("--utility", "--mse", "9", "--budget-samples", "600", "--seed", "1")
ERRORS_AT_HAND: dict[str, Any] = {"budget_samples": 600, "seed": 1}
NAME = "counted.py:Counted"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a line for each time that the mechanism of this folder was made."""
    file = tmp_path / "made"
    (tmp_path / "counted.py").write_text(MODULE.format(made=str(file)))
    for mode, words in (("sequential", "budget_samples = 600\nideal = true"), ("exact", "")):
        (tmp_path / f"{mode}.toml").write_text(GATE.format(mode=mode, words=words))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "counted", raising=False)
    return file


def at_hand() -> type:
    """The class, as a line of code has it."""
    found: type = importlib.import_module("counted").Counted
    return found


@pytest.mark.parametrize(
    "door",
    [
        pytest.param(lambda: main(["audit", NAME, *WORDS]), id="command"),
        pytest.param(lambda: main(["audit", NAME, *WORDS, "--in-process"]), id="here", marks=LONG),
        pytest.param(lambda: main(["audit", NAME, "--mode", "exact"]), id="command-exact"),
        pytest.param(lambda: main(["audit", NAME, *ERRORS]), id="command-errors", marks=LONG),
        pytest.param(lambda: audit.gate("sequential.toml", seed=1), id="gate", marks=LONG),
        pytest.param(lambda: audit.gate("exact.toml", seed=1), id="gate-exact"),
        pytest.param(lambda: audit.audit(NAME, **FEW), id="python"),
        pytest.param(lambda: audit.audit(at_hand(), **FEW), id="python-class"),
        pytest.param(lambda: audit.audit(audit.load(NAME), **FEW), id="python-loaded", marks=LONG),
        pytest.param(lambda: audit.prove(NAME), id="python-exact"),
        pytest.param(lambda: audit.prove(at_hand()), id="python-class-exact"),
        pytest.param(
            lambda: audit.accuracy(at_hand(), mse=9, **ERRORS_AT_HAND),
            id="python-errors",
            marks=LONG,
        ),
    ],
)
def test_a_mechanism_is_made_once(
    made: Path, door: Callable[[], object], capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of its draws and of what it states: both are those of one object."""
    door()
    assert made.read_text() == "made\n", capsys.readouterr()


def test_a_mark_makes_it_once(made: Path, pytester: pytest.Pytester) -> None:
    """It must hold of a class that a test gives."""
    pytester.makepyfile(counted=MODULE.format(made=str(made)), test_it=TESTS)
    pytester.makeini("[pytest]\npythonpath = .\n")
    pytester.runpytest("-p", "no:cacheprovider")
    assert made.read_text() == "made\n"
