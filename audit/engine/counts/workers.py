"""What worker processes have in common: the task they run, and what they answer.

A worker never raises: a failure is an answer, so it needs no class of the target's to be read, and
an exception of the machinery itself always means that a worker has died.
"""

from __future__ import annotations

import math
import pickle
import signal
import threading
import time
from collections.abc import Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import resource_tracker
from typing import Any, Protocol, final

from audit.draws.blocks import BatchFailed, Block, OutOfTime
from audit.engine.counts.block import Tally, Task, count_block
from mechanisms.errors import InvalidArgument, TouchstoneError

__all__ = [
    "BlockFailure",
    "Reply",
    "WorkerDied",
    "Workers",
    "guarded",
    "interrupts_held",
    "packed",
    "reraise",
    "work",
]

TASKS_KEPT = 4
MACHINE: dict[str, type[BaseException]] = {
    kind.__name__: kind for kind in (MemoryError, KeyboardInterrupt, SystemExit)
}
"""What is never an outcome, and keeps its meaning on the way."""

_one_at_a_time = threading.Lock()
"""A mechanism need not stand two threads: a dask worker may have several."""


class WorkerDied(TouchstoneError):
    """A worker process ended while it drew."""


@final
@dataclass(frozen=True, slots=True)
class BlockFailure:
    """Why a block has no tally: an exception's name and text."""

    name: str
    text: str
    usage: bool = False


Reply = tuple[Tally, ...] | BlockFailure
"""What a worker answers."""


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, though a terminal sends it to all.

    The coordinator ends them; a worker that is interrupted while it starts would print where.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let interrupts through where it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Workers(Protocol):
    """Processes that run `work`."""

    @property
    def size(self) -> int:
        """How many blocks may be under way at a time."""
        ...

    @property
    def draws_again(self) -> bool:
        """Whether a block whose worker died may have been drawn twice before an answer comes."""
        ...

    def submit(self, payload: bytes, block: Block, seconds: float) -> Hashable:
        """Begin to run `work`; the answer is found under what is returned."""
        ...

    def wait(self, jobs: Collection[Any], seconds: float) -> Collection[Any]:
        """Wait for the first of some jobs, and return all that have ended."""
        ...

    def reply(self, job: Any) -> Reply:
        """Answer of a job that has ended; WorkerDied if its worker did not live to give it."""
        ...

    def forget(self, jobs: Collection[Any]) -> None:
        """Begin none of some jobs that has not begun."""
        ...

    def restart(self) -> None:
        """Replace the processes; everything under way is forgotten."""
        ...

    def close(self) -> None:
        """End the processes, whatever they do."""
        ...


def packed(task: Task) -> bytes:
    """Write a task down for `work`.

    A loaded target travels as what it was loaded from, any other by value, if it can.
    """
    import cloudpickle

    try:
        return bytes(cloudpickle.dumps(task))
    except Exception as exc:
        msg = (
            f"{task.target.name} cannot be sent to another process ({type(exc).__name__}: {exc}); "
            "leave out --jobs, or name it as file.py:attribute"
        )
        raise InvalidArgument(msg) from exc


@lru_cache(maxsize=TASKS_KEPT)
def _unpacked(payload: bytes) -> Task:
    task = pickle.loads(payload)  # from our own coordinator
    assert isinstance(task, Task)
    return task


def work(payload: bytes, block: Block, seconds: float = math.inf) -> Reply:
    """Count a block in this process.

    Parameters
    ----------
    payload : bytes
        From `packed`.
    block : Block
        Which block.
    seconds : float
        Time until the deadline: clocks of different machines do not agree.
    """
    with _one_at_a_time:
        try:
            task = _unpacked(payload)
        except Exception as exc:  # noqa: BLE001 - whatever a module does when it is imported
            text = f"a worker cannot load the target: {type(exc).__name__}: {exc}"
            return BlockFailure(type(exc).__name__, text, usage=True)
        return guarded(task, block, seconds)


def guarded(task: Task, block: Block, seconds: float = math.inf) -> Reply:
    """Count a block, or say why not."""
    try:
        return count_block(task, block, deadline=time.monotonic() + seconds)
    except TouchstoneError as exc:
        return BlockFailure(type(exc).__name__, str(exc), usage=True)
    except BaseException as exc:  # noqa: BLE001 - the coordinator raises it again
        return BlockFailure(type(exc).__name__, str(exc))


def reraise(failure: BlockFailure) -> BaseException:
    """Make the exception that a block would have raised in this process."""
    if failure.usage:
        return InvalidArgument(failure.text)
    if failure.name == OutOfTime.__name__:
        return OutOfTime()
    if failure.name == BatchFailed.__name__:
        return BatchFailed(failure.text)
    if failure.name in MACHINE:
        return MACHINE[failure.name](failure.text)
    return RuntimeError(f"{failure.name}: {failure.text}")
