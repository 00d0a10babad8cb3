"""Workers of a dask cluster: one that runs already, or processes on this machine."""

from __future__ import annotations

import importlib
import logging
import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, final

from audit.draws.blocks import Block
from audit.engine.counts.workers import Reply, WorkerDied, interrupts_held, work
from mechanisms.errors import InvalidArgument, MissingExtra

__all__ = ["DaskWorkers"]

PATIENCE = 10.0
"""Seconds that a cluster may take to answer."""


@final
@dataclass(slots=True)
class DaskWorkers:
    """Workers of a dask.distributed cluster; it is met with the first block.

    Parameters
    ----------
    size : int
        How many processes to start where no address is given, and to keep busy.
    address : str or None
        Of a scheduler that runs already; None to start workers on this machine.
    """

    size: int
    address: str | None = None
    client: Any = field(default=None, init=False)
    cluster: Any = field(default=None, init=False)

    @property
    def draws_again(self) -> bool:
        """Whether a scheduler that is not ours gives a dead worker's block to another."""
        return self.address is not None

    def submit(self, payload: bytes, block: Block, seconds: float) -> Any:
        """Begin to run `work`."""
        if self.client is None:
            self.connect()
        return self.client.submit(work, payload, block, seconds, pure=False)

    def wait(self, jobs: Collection[Any], seconds: float) -> Collection[Any]:
        """Wait for the first of some jobs."""
        limit = None if math.isinf(seconds) else max(0.0, seconds)
        try:
            ended = _distributed().wait(list(jobs), timeout=limit, return_when="FIRST_COMPLETED")
        except TimeoutError:
            return set()
        return set(ended.done)

    def reply(self, job: Any) -> Reply:
        """Answer of a job that has ended."""
        library = _distributed()
        try:
            result: Reply = job.result(timeout=PATIENCE)
        except (library.KilledWorker, library.CancelledError, OSError) as exc:
            raise WorkerDied from exc
        return result

    def forget(self, jobs: Collection[Any]) -> None:
        """Begin none of some jobs that has not begun."""
        for job in jobs:
            job.cancel()

    def restart(self) -> None:
        """Forget the workers; the next block meets new ones."""
        self.close()

    def close(self) -> None:
        """Leave the cluster, and end it if it is ours."""
        for part in (self.client, self.cluster):
            if part is not None:
                part.close(timeout=PATIENCE)
        self.client = self.cluster = None

    def check(self) -> None:
        """Find out before a long run that there is no cluster; raises as `connect` does."""
        if self.address is None:
            _distributed()
        else:
            self.connect()

    def connect(self) -> None:
        """Meet the cluster, or start one.

        Raises
        ------
        MissingExtra
            Where dask.distributed is not installed.
        InvalidArgument
            Where no scheduler answers.
        """
        library = _distributed()
        if self.address is None:
            import dask

            # whether the block of a dead worker may be drawn again is for us to say
            failures = {"distributed.scheduler.allowed-failures": 0}
            with dask.config.set(failures), interrupts_held():
                self.cluster = library.LocalCluster(
                    n_workers=self.size,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
        try:
            self.client = library.Client(self.cluster or self.address, timeout=PATIENCE)
        except OSError as exc:
            msg = f"no dask scheduler answers at DASK_SCHEDULER_ADDRESS={self.address}"
            raise InvalidArgument(msg) from exc


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as exc:
        msg = (
            f"dask.distributed cannot be imported ({exc}); "
            "install it with: pip install 'touchstone-dp[dask]'"
        )
        raise MissingExtra(msg) from exc
