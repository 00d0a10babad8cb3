"""Worker processes on this machine, by joblib's loky."""

from __future__ import annotations

import signal
from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any, final

from audit.engine.counts.workers import Reply, WorkerDied, work
from audit.engine.draws import Block

__all__ = ["LokyWorkers"]


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
        from joblib.externals.loky.process_executor import BrokenProcessPool, ProcessPoolExecutor

        if self.executor is None:
            self.executor = ProcessPoolExecutor(self.size, initializer=_ignore_interrupts)
        try:
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

    def restart(self) -> None:
        """Forget the processes; new ones start with the next block."""
        self.close()

    def close(self) -> None:
        """End the processes, whatever they do."""
        if self.executor is not None:
            self.executor.shutdown(wait=True, kill_workers=True)
            self.executor = None


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to all, to the coordinator: it ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
