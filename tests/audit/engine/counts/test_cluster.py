"""A real dask.distributed cluster of two worker processes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.engine.counts.backends import open_source
from audit.engine.counts.cluster import DaskWorkers
from audit.engine.counts.source import CountSource
from mechanisms.errors import InvalidArgument
from tests.audit.engine.counts.cases import assert_same, batch_of, dies_once, later, mixed
from tests.audit.engine.samplers import laplace, target


@pytest.fixture(scope="module")
def own() -> Iterator[CountSource]:
    """A cluster that the source starts itself."""
    source = CountSource(DaskWorkers(2), pays_from=0.0)
    yield source
    source.close()


@pytest.fixture
def running(own: CountSource) -> str:
    """Address of a scheduler that runs already."""
    workers: Any = own.workers
    if workers.client is None:
        workers.connect()
    return str(workers.cluster.scheduler_address)


@pytest.mark.long
def test_a_cluster_gives_the_counts_of_this_process(own: CountSource) -> None:
    """It must hold that two dask workers give the same counts and draws as none."""
    asked = later(target(mixed))
    assert_same(batch_of(own, asked), batch_of(CountSource(), asked))


@pytest.mark.long
def test_a_running_scheduler_is_used(running: str) -> None:
    """It must hold that workers of somebody else's cluster give the same counts too."""
    source = CountSource(open_source(2, "dask", scheduler=running).workers, pays_from=0.0)
    asked = later(target(mixed))
    try:
        assert_same(batch_of(source, asked), batch_of(CountSource(), asked))
        unseeded = later(target(mixed, seedable=False))
        with pytest.raises(InvalidArgument, match="may draw a block twice"):
            source.count(unseeded)
    finally:
        source.close()


@pytest.mark.long
def test_no_scheduler_is_said_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that an address where nobody answers is a user error."""
    monkeypatch.setattr("audit.engine.counts.cluster.PATIENCE", 0.3)
    logging.getLogger("distributed.comm.core").setLevel(logging.CRITICAL)
    with pytest.raises(InvalidArgument, match="no dask scheduler answers"):
        open_source(2, "dask", scheduler="tcp://127.0.0.1:9")


@pytest.mark.slow
def test_a_killed_dask_worker_changes_no_count(own: CountSource, tmp_path: Path) -> None:
    """It must hold that a batch whose worker died in the middle is the batch of one that lived."""
    found = batch_of(own, later(dies_once(tmp_path / "died"), draw=laplace()))
    assert (tmp_path / "died").exists()
    assert_same(found, batch_of(CountSource(), later(target(laplace()), draw=laplace())))
