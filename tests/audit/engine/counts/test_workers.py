"""The same counts for any number of workers, and what becomes of failures in them."""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.draws.blocks import BatchFailed, Block, OutOfTime
from audit.draws.settings import Settings
from audit.engine.counts.backends import open_source
from audit.engine.counts.batch import Batch
from audit.engine.counts.block import count_block
from audit.engine.counts.loky import LokyWorkers
from audit.engine.counts.source import RESTARTS, CountSource
from audit.engine.counts.workers import BlockFailure, Reply, WorkerDied, guarded, reraise, work
from audit.engine.sequential import audit
from audit.pairs.worst_cases import Pair
from audit.targets.load import load_target
from mechanisms.errors import InvalidArgument, MissingExtra
from tests.audit.engine.counts.cases import (
    always_dies,
    assert_same,
    batch_of,
    dies_once,
    later,
    merged,
    mixed,
)
from tests.audit.engine.samplers import claim, laplace, target
from tests.clock import Clock


def alive() -> list[int]:
    """Processes that this one has started, at whatever remove."""
    import psutil

    return [process.pid for process in psutil.Process().children(recursive=True)]


@pytest.fixture(scope="module")
def two() -> Iterator[CountSource]:
    """Two workers that draw everything."""
    source = CountSource(LokyWorkers(2), pays_from=0.0)
    yield source
    source.close()


@pytest.mark.long
def test_counts_do_not_depend_on_the_number_of_workers(two: CountSource) -> None:
    """It must hold that 1, 2 and 3 workers, and none, give the same counts and draws."""
    asked = later(target(mixed))
    here = batch_of(CountSource(), asked)
    for workers in (1, 3):
        source = CountSource(LokyWorkers(workers), pays_from=0.0)
        try:
            assert_same(batch_of(source, asked), here)
        finally:
            source.close()
    assert_same(batch_of(two, asked), here)


@pytest.mark.long
def test_blocks_drawn_here_and_there_make_the_same_batch(two: CountSource) -> None:
    """It must hold that handing over in the middle of a batch changes nothing."""

    def slow(data: float, size: int, rng: np.random.Generator) -> Any:
        time.sleep(2e-5 * size)
        return mixed(data, size, rng)

    asked = later(target(slow))
    handing_over = CountSource(two.workers, pays_from=0.1)
    assert_same(batch_of(handing_over, asked), batch_of(CountSource(), asked))
    assert handing_over.seconds_a_draw > 0


def test_loaded_targets_travel_as_their_name(two: CountSource, tmp_path: Path) -> None:
    """It must hold that functions of a user's file and registered mechanisms are drawn there."""
    (tmp_path / "far.py").write_text(
        "import os\n\n\ndef noise(data, size, rng):\n    return data + rng.laplace(size=size)\n"
        "\n\ndef process(data, size):\n    return [float(os.getpid())] * size\n"
    )
    noise = load_target(f"{tmp_path / 'far.py'}:noise")
    asked = later(noise, draw=laplace())
    assert_same(batch_of(two, asked), batch_of(CountSource(), asked))
    mean = load_target("ksw.transformed-laplace")
    asked = replace(later(mean, 3_000, draw=laplace()), sides=(np.zeros(3), np.ones(3)))
    assert_same(batch_of(two, asked), batch_of(CountSource(), asked))
    asked = later(load_target(f"{tmp_path / 'far.py'}:process"), draw=laplace())
    arms = batch_of(two, asked).arms
    assert arms is not None
    assert set(arms[0].numbers[:, 0]) <= set(map(float, alive())) - {float(os.getpid())}


def test_what_cannot_travel_is_said(two: CountSource) -> None:
    """It must hold that a sampler that holds a lock is a user error, not a crash."""
    lock = threading.Lock()

    def locked(data: float, size: int, rng: np.random.Generator) -> Any:
        with lock:
            return rng.laplace(size=size)

    with pytest.raises(InvalidArgument, match="cannot be sent to another process"):
        two.count(later(target(locked), draw=laplace()))


def raising(error: BaseException) -> Any:
    """Make a sampler that raises."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        raise error

    return target(draw)


class Peculiar(Exception):
    """An exception that cannot be read back from a pickle."""

    def __init__(self, *_: object) -> None:
        super().__init__()
        self.lock = threading.Lock()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ValueError("any"), BatchFailed),
        (Peculiar(1, 2), BatchFailed),
        (MemoryError(), MemoryError),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (SystemExit(3), BatchFailed),
    ],
)
def test_failures_keep_their_meaning(error: BaseException, kind: type[BaseException]) -> None:
    """It must hold that what is no outcome here is none in a worker, and a failed call is one."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        raise error

    task = later(target(draw), draw=laplace())
    with pytest.raises(kind):
        count_block(task, task.blocks()[0])
    reply = guarded(task, task.blocks()[0])
    assert isinstance(reply, BlockFailure)
    assert pickle.loads(pickle.dumps(reply)) == reply
    again = reraise(reply)
    assert type(again) is kind
    if isinstance(again, BatchFailed):
        assert str(again) == type(error).__name__


@pytest.mark.parametrize("kind", [SystemExit, ValueError])
def test_failures_come_back_from_workers(two: CountSource, kind: type[BaseException]) -> None:
    """It must hold that a mechanism that exits fails its batch, as one that raises does."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        raise kind

    with pytest.raises(BatchFailed):
        two.count(later(target(draw), draw=laplace()))


@pytest.mark.long
def test_a_wrong_number_of_draws_is_a_user_error_there_too(two: CountSource) -> None:
    """It must hold that the message is the one of this process."""
    short = later(target(lambda d, n, rng: rng.normal(size=n // 2)), draw=laplace())
    with pytest.raises(InvalidArgument, match="must return"):
        two.count(short)


@pytest.mark.long
def test_a_killed_worker_changes_no_count(two: CountSource, tmp_path: Path) -> None:
    """It must hold that a batch whose worker died in the middle is the batch of one that lived."""
    asked = later(dies_once(tmp_path / "died"), draw=laplace())
    found = batch_of(two, asked)
    assert (tmp_path / "died").exists()
    assert_same(found, batch_of(CountSource(), later(target(laplace()), draw=laplace())))


@final
@dataclass(slots=True)
class Breaking:
    """Workers that draw when they are asked for the answer, and of which some have died by then.

    One dies when block number `submit` is handed over, or when number `reply` should be answered.
    """

    submit_dies: int | None = None
    reply_dies: int | None = None
    size: int = 2
    draws_again: bool = False
    asked: int = 0
    answered: int = 0
    restarts: int = 0

    def submit(self, payload: bytes, block: Block, seconds: float) -> Hashable:
        """Take a block."""
        self.asked += 1
        if self.asked - 1 == self.submit_dies:
            raise WorkerDied
        return payload, block, seconds

    def wait(self, jobs: Collection[Any], seconds: float) -> Collection[Any]:  # noqa: ARG002
        """All have ended."""
        return jobs

    def reply(self, job: Any) -> Reply:
        """Draw it."""
        self.answered += 1
        if self.answered - 1 == self.reply_dies:
            raise WorkerDied
        return work(*job)

    def restart(self) -> None:
        """Count how often."""
        self.restarts += 1

    def forget(self, jobs: Collection[Any]) -> None:
        """Keep nothing."""

    def close(self) -> None:
        """Keep nothing."""


@cache
def drawn_here() -> Batch:
    """Draw the batch that workers should give back."""
    return batch_of(CountSource(), later(target(mixed)))


@pytest.mark.slow
@settings(max_examples=30)
@given(
    submit_dies=st.none() | st.integers(0, 3),
    reply_dies=st.none() | st.integers(0, 3),
    size=st.integers(1, 3),
)
def test_no_block_is_lost_where_workers_die(
    submit_dies: int | None, reply_dies: int | None, size: int
) -> None:
    """It must hold wherever it dies, also as a block is handed over, which then was lost."""
    asked = later(target(mixed))
    workers = Breaking(submit_dies, reply_dies, size)
    assert_same(batch_of(CountSource(workers, pays_from=0.0), asked), drawn_here())
    assert workers.restarts == (submit_dies is not None) + (reply_dies is not None)


@pytest.mark.parametrize("keep", [True, False])
def test_an_arm_with_a_lost_block_is_refused(keep: bool) -> None:
    """It must hold that nothing is concluded from a batch that is not whole."""
    task = replace(later(target(laplace()), draw=laplace()), keep=keep)
    arms, _ = CountSource().count(task)
    for block in task.blocks()[:-1]:
        arms[0].add(block.index, count_block(task, block)[0])  # twice
    with pytest.raises(AssertionError, match="20001"):
        merged(arms, task)


@pytest.mark.long
@pytest.mark.parametrize(("seedable", "times"), [(True, "2 times"), (False, "1 time ")])
def test_a_worker_that_always_dies_ends_the_audit(
    two: CountSource, seedable: bool, times: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that blocks are tried a few times; those of no fixed stream are not redrawn."""
    assert RESTARTS == 3
    monkeypatch.setattr("audit.engine.counts.source.RESTARTS", 1)
    with pytest.raises(WorkerDied, match=f"ended {times}"):
        two.count(later(always_dies(seedable=seedable), draw=laplace()))


@pytest.mark.long
def test_the_deadline_ends_workers(two: CountSource, tmp_path: Path) -> None:
    """It must hold that a batch that takes too long is given up at the deadline."""

    def sleepy(data: float, size: int, rng: np.random.Generator) -> Any:
        time.sleep(300)
        (tmp_path / "awake").touch()

    with pytest.raises(OutOfTime):
        two.count(later(target(sleepy), draw=laplace()), time.monotonic() + 0.5)
    assert not (tmp_path / "awake").exists()


@pytest.mark.slow
def test_a_whole_audit_is_the_same_with_workers() -> None:
    """It must hold that verdict, samples, limits and witness do not depend on the workers."""
    pairs = [Pair("0 and 1", 0.0, 1.0), Pair("0 and 1/2", 0.0, 0.5)]
    settings = Settings(seed=3, false_alarm=0.05, budget_samples=20_000, ideal=True)
    noise = laplace(0.8)
    alone = audit(target(noise), claim("11/10"), pairs, settings)
    source = CountSource(LokyWorkers(2), pays_from=0.0)
    together = audit(target(noise), claim("11/10"), pairs, settings, source=source)
    for result in (alone, together):
        object.__setattr__(result, "seconds", 0.0)
    assert repr(alone) == repr(together)


@pytest.mark.parametrize(
    ("jobs", "backend", "words"), [(0, "loky", "jobs=0"), (2, "threads", "backend='threads'")]
)
def test_unknown_backends_are_refused(jobs: int, backend: str, words: str) -> None:
    """It must hold that a wrong choice is named."""
    with pytest.raises(InvalidArgument, match=words):
        open_source(jobs, backend)


def test_one_job_needs_no_worker() -> None:
    """It must hold that one process is this one, and more are started only where it pays."""
    assert open_source().workers is None
    source = open_source(2)
    source.count(later(target(laplace()), draw=laplace()))
    assert isinstance(source.workers, LokyWorkers)
    assert source.workers.executor is None


def test_workers_are_asked_for_small_batches_of_a_long_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that a run whose batches are short is not drawn here for ever."""
    slow = Clock().install(monkeypatch).ticking(laplace(), a_draw=1e-4)
    asked = later(target(slow), 600, draw=laplace())
    workers = Breaking()
    source = CountSource(workers, pays_from=0.3)
    for _ in range(2):
        source.count(asked)
    assert workers.asked == 0
    while source.seconds_here < 0.3:
        source.count(asked)
    before = workers.asked
    source.count(asked)
    assert workers.asked == before + 1
    source.seconds_a_draw = 0.0
    source.count(later(target(laplace()), 600, draw=laplace()))
    assert workers.asked == before + 1


def test_a_missing_library_is_said_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that --backend dask without dask names the extra."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'touchstone-dp\[dask\]'"):
        open_source(2, "dask")
