"""A test of a fixed budget in several sessions: its result is that of one."""

from __future__ import annotations

import os
import tracemalloc
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.draws.blocks import OutOfTime
from audit.draws.settings import Settings
from audit.engine.bound import holdout
from audit.engine.bound.bound_audit import audit
from audit.engine.bound.holdout import count_held_out
from audit.engine.bound.training import Training
from audit.engine.counts.block import Task
from audit.engine.counts.cluster import DaskWorkers
from audit.engine.counts.source import CountSource
from audit.engine.run_state import Run
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.target import Target
from tests.audit.engine.logs import log_of
from tests.audit.engine.samplers import claim, laplace, target
from tests.slow import one_in

PAIRS = [Pair("0 against 1", 0.0, 1.0), Pair("0 against 0.9", 0.0, 0.9)]
RARE = 0.1
"""Scale of the noise at which the test is the conditional one."""


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 8,192 draws or more, one a part."""
    monkeypatch.setattr(holdout, "BLOCKS_A_PART", 1)


def run(
    file: Path | None,
    scale: float = 0.5,
    *,
    source: CountSource | None = None,
    draws_from: Target | None = None,
    **settings: Any,
) -> AuditResult:
    """Audit with or without a file, here or in workers."""
    told = {"budget_samples": 120_000, "ideal": True, "false_alarm": 0.05, "seed": 1, **settings}
    found = draws_from or target(laplace(scale))
    asked = (found, claim(1), PAIRS, Settings(**told))
    log = None if file is None else log_of(file, *asked, mode="bound")
    return audit(*asked, log=log, source=source)


def said(result: AuditResult) -> AuditResult:
    """A result without what every session has of its own."""
    return replace(result, seconds=0.0)


def ends_after(monkeypatch: pytest.MonkeyPatch, parts: int, how: type[BaseException]) -> list[int]:
    """Let the test end, in some way, in the part after so many; the list counts the parts drawn."""
    original, drawn = CountSource.count, [0]

    def count(self: CountSource, *told: Any, **more: Any) -> Any:
        if "blocks" in more:
            if drawn[0] == parts:
                raise how
            drawn[0] += 1
        return original(self, *told, **more)

    monkeypatch.setattr(CountSource, "count", count)
    return drawn


@pytest.mark.long
@pytest.mark.parametrize("scale", [0.5, RARE, 1.0], ids=["refuted", "conditional", "consistent"])
@pytest.mark.parametrize(
    "how", one_in(2, [KeyboardInterrupt, OutOfTime]), ids=["Ctrl-C", "deadline"]
)
def test_an_interrupted_test_ends_as_an_uninterrupted_one(
    scale: float, how: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of all that is said, and that no block is drawn twice or left out."""
    whole = run(None, scale)
    file = tmp_path / "run.saved"
    with monkeypatch.context() as patched:
        drawn = ends_after(patched, 2, how)
        if how is KeyboardInterrupt:
            with pytest.raises(KeyboardInterrupt):
                run(file, scale)
        else:
            cut = run(file, scale)
            assert cut.verdict is Verdict.INCONCLUSIVE
            assert f"--resume {file} goes on with this test" in cut.notes[-1]
            assert cut.samples < whole.samples
        assert drawn == [2]
    with monkeypatch.context() as patched:
        again = ends_after(patched, -1, KeyboardInterrupt)
        assert said(run(file, scale)) == said(whole)
        assert again[0] >= 1
    assert said(run(file, scale)) == said(whole)  # and the file has the result


@pytest.mark.slow
def test_a_cluster_gives_the_same_over_sessions_and_deaths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of two dask workers, one of which dies, and of a run that was interrupted."""
    whole = run(None)
    file = tmp_path / "run.saved"
    here, flag = os.getpid(), tmp_path / "died"

    def dies_once(data: float, size: int, rng: np.random.Generator) -> Any:
        if os.getpid() != here and not flag.exists():
            flag.touch()
            os._exit(1)
        return laplace(0.5)(data, size, rng)

    dying = replace(target(dies_once), name=target(laplace(0.5)).name)
    with monkeypatch.context() as patched:
        drawn = ends_after(patched, 1, KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            run(file, source=CountSource(DaskWorkers(2), pays_from=0.0))
        assert drawn == [1]
    found = run(file, source=CountSource(DaskWorkers(2), pays_from=0.0), draws_from=dying)
    assert flag.exists()
    assert said(found) == said(whole)


@pytest.mark.long
def test_a_block_that_is_counted_twice_would_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that the comparison notices answers that are off by a block."""
    whole = run(None)
    file = tmp_path / "run.saved"
    with monkeypatch.context() as patched:
        ends_after(patched, 2, KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            run(file)
    ask = Run.ask

    def off(run: Run, question: str, *told: Any, **more: Any) -> Any:
        found: Any = ask(run, question, *told, **more)
        twice = question.startswith("held-out") and question.endswith("block 1")
        return [0, *found[1:]] if twice and not run.log.live else found

    monkeypatch.setattr(Run, "ask", off)
    assert said(run(file)) != said(whole)


@pytest.mark.long
def test_sessions_may_have_other_numbers_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a part of the test has the blocks that the file says."""
    whole = run(None)
    file = tmp_path / "run.saved"
    with monkeypatch.context() as patched:
        patched.setattr(holdout, "BLOCKS_A_PART", 2)
        ends_after(patched, 1, KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            run(file)
    assert said(run(file)) == said(whole)


def peak_of_counting(draws: int) -> int:
    """Bytes at the peak of counting a test of so many held-out draws, workers left aside."""
    settings = Settings(budget_samples=20_000, ideal=True, seed=1)
    begun = Run.start(target(laplace()), claim(1), PAIRS, settings, grid_of(claim(1)), None, 1.0)
    choice = Training(begun).choose()
    tracemalloc.start()
    count_held_out(begun, choice, draws)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.slow
def test_memory_does_not_grow_with_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of counting at four times the draws; one that kept them would be convicted."""
    least, most = (peak_of_counting(draws) for draws in (600_000, 2_400_000))
    assert most < 1.05 * least
    monkeypatch.setattr(holdout, "Task", partial(Task, keep=True))
    assert peak_of_counting(600_000) > 1.05 * least
