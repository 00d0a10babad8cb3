"""What a release does to its process is an outcome, or one sentence that names it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.targets.separation import BACKTRACE, without_backtraces
from audit.targets.surroundings import Surroundings
from mechanisms.errors import TouchstoneError
from tests.edges.hostile import CHANGES, Hostile
from tests.slow import one_in

NAMED = {
    "numpy": "numpy.array, numpy.asarray, numpy.zeros",
    "time": "time.",
    "struct": "struct.pack, struct.pack_into",
    "len": "builtins.len",
    "isinstance": "builtins.isinstance",
}
"""Changes that our code cannot do without: they are named."""

WORDS: dict[str, Any] = {"epsilon": 2, "relation": "swap", "pair": ([0.0], [1.0]), "order": "free"}


@pytest.mark.long
@pytest.mark.parametrize("change", one_in(4, CHANGES))
def test_a_change_of_the_process_is_told(
    change: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of every change: a verdict that is not REFUTED, or one line; no traceback."""
    monkeypatch.chdir(tmp_path)
    told = ""
    try:
        result = audit.audit(
            Hostile(change), ideal=True, seed=1, budget_samples=400, timeout=5, **WORDS
        )
        assert result.verdict.value != "REFUTED"
    except TouchstoneError as exc:
        told = str(exc)
        assert len(told) <= 300
        assert "\n" not in told
    assert "Traceback" not in capfd.readouterr().err
    if change in NAMED:
        assert NAMED[change] in told
    assert os.getcwd() == str(tmp_path)  # noqa: PTH109 - and not of a copy of the path


def test_what_was_replaced_is_put_back_and_named() -> None:
    """It must hold where our code fails behind it; where nothing was, the failure is ours."""
    before, surroundings = np.array, Surroundings()
    failure = RuntimeError("no")
    assert surroundings.fault(failure) is failure
    CHANGES["numpy"]()
    told = surroundings.fault(failure)
    assert np.array is before
    assert str(told).startswith("it changed numpy.array, numpy.asarray, numpy.zeros in its process")


def test_a_copy_of_the_process_draws_nothing() -> None:
    """It must hold that a release which forks and returns twice has the draws of one."""
    drawn = [
        audit.draw(audit.load(Hostile(change), order="free"), np.array([0.0]), 3, seed=1)
        for change in ("fork", "json")
    ]
    assert drawn[0] == drawn[1]


def environment(data: Any, size: int, rng: np.random.Generator) -> list[str]:
    """What a release sees of the variable."""
    return [os.environ.get(BACKTRACE, "unset")] * size


@pytest.mark.parametrize(
    ("users", "present", "seen"),
    [(False, None, "0"), (False, "1", "0"), (False, "full", "full"), (True, "1", "1")],
)
def test_libraries_in_rust_fail_without_backtraces(
    users: bool, present: str | None, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold where it is unset or OpenDP has set it; the user's own setting stays."""
    monkeypatch.setattr("audit.targets.separation._is_users", users)
    monkeypatch.delenv(BACKTRACE, raising=False)
    if present is not None:
        monkeypatch.setenv(BACKTRACE, present)
    assert audit.draw(environment, np.array([0.0]), 1, seed=1) == [seen]
    assert os.environ.get(BACKTRACE) == present
    without_backtraces()
    assert os.environ[BACKTRACE] == seen
