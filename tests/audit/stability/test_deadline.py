"""The seconds of a search count from the start of its work, whatever the work is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.cli import main
from audit.pairs import vector_families
from audit.pairs.tables import mixed_tables as bulk_of_tables
from audit.request.request import Request, SensitivityQuestion
from audit.request.stability_plan import plan_sensitivity
from audit.runs.sensitivity_run import run_sensitivity
from mechanisms.errors import InvalidArgument
from tests.clock import Clock
from tests.slow import by_default
from tests.user_files import imports_restored

BUDGET, STEP = 20.0, 5.0
"""Seconds of a search, and of a step of its slow stage."""

LOADING = 50.0
"""Seconds that no deadline can cut: an import is the user's."""

CLAIM: dict[str, Any] = {"norm": "l1", "relation": "add-remove", "seed": 1, "in_process": True}
NUMBERS = {**CLAIM, "low": 0, "high": 1, "at_most": "1/2"}
TABLES = {**CLAIM, "schema": "people.toml", "at_most": "1/2"}

SCHEMA = """
relation = "add-remove"
max_units = 4
[columns.income]
type = "float"
low = 0
high = 1
"""

SOURCE = """
import time
from tests.audit.stability import test_deadline

test_deadline.tick()


def count(data):
    return len(data)
"""

ticked: list[Callable[[], None]] = []
"""How the clock of the test that runs goes on by the seconds of loading."""


def tick() -> None:
    """Called by a user's file as it is imported."""
    ticked[-1]()


def count(data: Any) -> int:
    """A query whose sensitivity is 1."""
    return len(data)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Clock]:
    """A clock, and a folder with a file of queries."""
    found = Clock().install(monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.toml").write_text(SCHEMA)
    (tmp_path / "slow_queries.py").write_text(SOURCE)
    ticked.append(lambda: slow(found, LOADING))
    with imports_restored(tmp_path):
        yield found
    ticked.pop()


def slow(clock: Clock, seconds: float) -> None:
    """Let time pass."""
    clock.now += seconds


def each(clock: Clock, make: Any) -> Any:
    """A maker of pairs that takes a step for each of them."""

    def timed(*arguments: Any) -> Iterator[Any]:
        for one in make(*arguments):
            slow(clock, STEP)
            yield one

    return timed


def loading(clock: Clock, _: pytest.MonkeyPatch) -> tuple[Any, dict[str, Any]]:
    """The query is slow to import."""
    return "slow_queries.py:count", NUMBERS


def examples(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, Any]]:
    """Hypothesis is slow."""
    from audit.strategies import many_pairs

    made = many_pairs.neighboring_pairs

    def timed(*arguments: Any, **words: Any) -> Any:
        return made(*arguments, **words).map(lambda pair: (slow(clock, STEP), pair)[1])

    monkeypatch.setattr(many_pairs, "neighboring_pairs", timed)
    return count, NUMBERS


def candidates(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, Any]]:
    """A family of pairs is slow to make."""
    monkeypatch.setitem(vector_families.FAMILIES, "worst cases", each(clock, vector_families.worst))
    return count, NUMBERS


def tables(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, dict[str, Any]]:
    """A family of pairs of tables is slow to make."""
    monkeypatch.setattr(bulk_of_tables, "scan", each(clock, bulk_of_tables.scan))
    return count, TABLES


def answers(clock: Clock, _: pytest.MonkeyPatch) -> tuple[Any, dict[str, Any]]:
    """The query is slow to answer, within one request of many calls."""

    def query(data: Any) -> int:
        slow(clock, STEP)
        return len(data)

    return query, NUMBERS


STAGES: dict[str, Any] = {
    "loading": loading,
    "examples": examples,
    "candidates": candidates,
    "tables": tables,
    "answers": answers,
}


@pytest.mark.parametrize("stage", by_default(["loading", "examples", "tables"], STAGES))
def test_every_stage_uses_up_the_seconds(
    stage: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that time ends the search within a step, and that nothing is concluded."""
    target, words = STAGES[stage](clock, monkeypatch)
    began = clock.now
    result = audit.sensitivity(target, **words, budget_seconds=BUDGET)
    assert (result.verdict, result.reproducible) == ("INCONCLUSIVE", False)
    assert "cut by time after 0 of" in result.reason
    assert BUDGET < clock.now - began <= (LOADING if stage == "loading" else BUDGET + STEP)
    assert result.seconds == clock.now - began


@pytest.mark.long
@pytest.mark.parametrize("stage", STAGES)
def test_with_time_for_it_the_same_search_refutes(
    stage: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that the clock alone makes the difference above."""
    target, words = STAGES[stage](clock, monkeypatch)
    result = audit.sensitivity(target, **words, budget_seconds=1e6)
    assert (result.verdict, result.reproducible) == ("REFUTED", True)


def test_a_clock_that_starts_behind_the_loading_is_seen(clock: Clock) -> None:
    """It must hold that a search whose seconds begin with its calls goes on past the budget."""
    question = SensitivityQuestion(norm="l1", at_most="1/2", budget_pairs=40)
    asked = Request(
        "slow_queries.py:count",
        relation="add-remove",
        low=0,
        high=1,
        in_process=True,
        sensitivity=question,
    )
    began = clock.now
    plan = plan_sensitivity(asked, stated_in="a test")
    late = run_sensitivity(plan, seed=1, budget_seconds=BUDGET)
    assert clock.now - began > BUDGET
    assert late.calls > 0
    assert run_sensitivity(plan, seed=1, budget_seconds=BUDGET, started=began).calls == 0


@pytest.mark.slow
@pytest.mark.parametrize(("later", "verdict"), [("hangs", "INCONCLUSIVE"), ("differs", "")])
def test_a_call_that_is_given_up_is_not_called_chance(
    later: str, verdict: str, tmp_path: Path
) -> None:
    """It must hold of a query that hangs when it is asked again; one that differs is refused."""
    file = tmp_path / "calls"

    def query(data: Any) -> float:
        if len(data) != 1:
            return 0.0
        with file.open("a") as log:
            log.write("x")
        if file.stat().st_size > 6:  # the search is over, and is to be confirmed
            return float(np.random.default_rng().random()) if later == "differs" else hang()
        return 9.0

    words = {**NUMBERS, "in_process": False, "timeout": 0.5, "budget_pairs": 64}
    if not verdict:
        with pytest.raises(InvalidArgument, match="has no sensitivity"):
            audit.sensitivity(query, **words)
        return
    result = audit.sensitivity(query, **words)
    assert result.verdict == verdict
    assert "a call was given up on" in result.reason


def hang() -> float:
    """Answer never."""
    while True:
        pass


@pytest.mark.long
def test_the_command_counts_the_loading(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of the command line as of Python, and that its help says so."""
    words = ["--norm", "l1", "--relation", "add-remove", "--low", "0", "--high", "1", "--seed", "1"]
    words += ["--at-most", "1/2", "--in-process", "--format", "json"]
    command = ["sensitivity", "slow_queries.py:count", *words, "--budget-seconds"]
    assert main([*command, str(BUDGET)]) == 3
    short = json.loads(capsys.readouterr().out)
    assert (short["verdict"], short["seconds"]) == ("INCONCLUSIVE", LOADING)
    assert main([*command, str(BUDGET + LOADING)]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "REFUTED"
    main(["sensitivity", "--help"])
    assert "count from the start of the work" in " ".join(capsys.readouterr().out.split())
