"""Worker processes on this machine, by joblib's loky."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any, final

from audit.draws.blocks import Block
from audit.engine.counts.workers import Reply, WorkerDied, interrupts_held, work

__all__ = ["LokyWorkers"]

SECONDS_BETWEEN_LOOKS = 2.0
"""Of a worker for its coordinator."""


@final
@dataclass(slots=True)
class LokyWorkers:
    """Processes that start with the first block.

    Parameters
    ----------
    size : int
        How many.
    """

    size: int
    draws_again: bool = field(default=False, init=False)
    executor: Any = field(default=None, init=False)

    def submit(self, payload: bytes, block: Block, seconds: float) -> Future[Reply]:
        """Begin to run `work`."""
        from joblib.externals.loky.backend.resource_tracker import ensure_running
        from joblib.externals.loky.process_executor import BrokenProcessPool, ProcessPoolExecutor

        if self.executor is None:
            ensure_running()  # see `interrupts_held`: loky has a tracker of its own
            self.executor = ProcessPoolExecutor(
                self.size, initializer=_end_with, initargs=(os.getpid(),)
            )
        try:
            with interrupts_held():  # the first block starts the processes
                future: Future[Reply] = self.executor.submit(work, payload, block, seconds)
        except BrokenProcessPool as exc:
            raise WorkerDied from exc
        return future

    def wait(self, jobs: Collection[Future[Reply]], seconds: float) -> Collection[Future[Reply]]:
        """Wait for the first of some jobs."""
        limit = None if seconds == float("inf") else max(0.0, seconds)
        return wait(jobs, limit, FIRST_COMPLETED).done

    def reply(self, job: Future[Reply]) -> Reply:
        """Answer of a job that has ended."""
        from joblib.externals.loky.process_executor import BrokenProcessPool

        try:
            return job.result()
        except BrokenProcessPool as exc:
            raise WorkerDied from exc

    def forget(self, jobs: Collection[Future[Reply]]) -> None:
        """Begin none of some jobs that has not begun."""
        for job in jobs:
            job.cancel()

    def restart(self) -> None:
        """Forget the processes; new ones start with the next block."""
        self.close()

    def close(self) -> None:
        """End the processes, whatever they do."""
        from joblib.externals.loky.backend.utils import kill_process_tree

        executor, self.executor = self.executor, None
        if executor is None:
            return
        # shutdown(kill_workers=True) stumbles over blocks that still wait in the executor
        for process in list(executor._processes.values()):
            kill_process_tree(process)
        executor.shutdown(wait=True)


def _end_with(coordinator: int) -> None:
    """End this process when its coordinator is gone, however that was ended."""

    def watch() -> None:
        while os.getppid() == coordinator:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
