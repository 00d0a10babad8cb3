"""A failure of a target is an outcome: how single draws are made and failures are kept.

In a supervised process (`audit.draws.supervisor`) whatever a target raises is an outcome, also
what ends a program elsewhere: SystemExit, KeyboardInterrupt, MemoryError, what a library in Rust
raises when it panics. In the process of the audit Ctrl-C and a lack of memory are no outcome.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, final

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


class OutOfTime(Exception):
    """The deadline passed within a batch; its draws are not bet on."""


class BatchFailed(Exception):
    """The target raised on a call for many draws; which of them failed is not known."""


class NoAnswer(Exception):
    """A draw that its process did not live to give, or not in time; the text says which.

    It is an outcome, as any exception of the target's is.
    """


class Raised(Exception):
    """An exception of the target's, of which the name of its class is kept."""

    def __reduce__(self) -> tuple[Callable[[str, str], Exception], tuple[str, str]]:
        return raised, (type(self).__name__, str(self))


def raised(name: str, text: str) -> Exception:
    """Make an exception of a class of this name."""
    kind: type[Exception] = type(name, (Raised,), {})
    return kind(text)


LONGEST_SAID = 80
"""Characters of what an exception says that are told."""


def said_by(failure: BaseException) -> str:
    """What an exception says, for readers: the beginning of its first line, escaped."""
    try:
        line, _, _ = str(failure).strip().partition("\n")
    except Exception:  # noqa: BLE001 - an exception may refuse in any way
        return ""
    shown = line.strip()[:LONGEST_SAID]
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown
    )
    return f"{shown}..." if len(line.strip()) > LONGEST_SAID else shown


@final
@dataclass(frozen=True, slots=True)
class OutputParts:
    """An output with parts, as it leaves a supervised process: leaves, and shape in words."""

    leaves: tuple[Any, ...]
    shape: str


@final
@dataclass(frozen=True, slots=True)
class Label:
    """An output that is no number, as it leaves a supervised process: its kind in words."""

    text: str


class Reporter(Protocol):
    """How a supervised process tells its parent what it is doing."""

    @property
    def restarts(self) -> int:
        """How many processes ended within the request that is worked on."""
        ...

    def call(self, size: int, draw: Callable[[], Any], *, single: bool) -> Any:
        """Make a call of the target for so many draws."""
        ...

    def go_on(self) -> None:
        """Say within a call that one of its draws begins."""
        ...


_reporter: Reporter | None = None


def supervise(process: Reporter | None) -> None:
    """Say that this process is supervised from now on (None: that it is not)."""
    global _reporter
    _reporter = process


def reporter() -> Reporter | None:
    """How this process tells what it is doing, where it is supervised."""
    return _reporter


def calling(size: int, draw: Callable[[], Any], *, single: bool) -> Any:
    """Make a call of the target; of a supervised process its parent sees that it does.

    `size`: draws of the call. `draw`: makes it, and returns outputs of plain types. `single`:
    whether it is a call for one draw, and its failure an outcome.
    """
    return draw() if _reporter is None else _reporter.call(size, draw, single=single)


def continued(rng: np.random.Generator) -> np.random.Generator:
    """A block's generator; behind a draw that ended its process, an unused part of its stream."""
    if _reporter is None or not _reporter.restarts:
        return rng
    state: Any = rng.bit_generator
    return np.random.Generator(state.jumped(_reporter.restarts))


def is_outcome(failure: BaseException) -> bool:
    """Whether what a target raised is an outcome of its draw."""
    if isinstance(failure, OutOfTime):
        return False
    return _reporter is not None or not isinstance(failure, KeyboardInterrupt | MemoryError)


@contextmanager
def drawing_until(when: float) -> Iterator[None]:
    """Let targets that can stop within a call know when their draws are of no use any more.

    `when`: on the clock of `time.monotonic`.
    """
    before = _deadline.set(when)
    try:
        yield
    finally:
        _deadline.reset(before)


def deadline() -> float:
    """When the draws that are made now are of no use any more; infinite where nobody said."""
    return _deadline.get()


def in_time(items: Iterable[T], end: float) -> Iterator[T]:
    """The items, while there is time; making one is work, too.

    `end`: on the clock of `time.monotonic`. Raises OutOfTime before the first item behind it.
    """
    waiting = iter(items)
    while time.monotonic() <= end:
        try:
            item = next(waiting)
        except StopIteration:
            return
        yield item
    raise OutOfTime


def without_frames(failure: BaseException) -> Exception:
    """Cut an exception off its frames: they would keep a copy of the data alive each.

    One that is no `Exception` is exchanged for one of the same name.
    """
    if not isinstance(failure, Exception):
        return raised(type(failure).__name__, str(failure))
    failure.__context__ = failure.__cause__ = None
    return failure.with_traceback(None)


def call_each(call: Callable[[], Any], size: int) -> NDArray[Any] | list[Any]:
    """Make `size` draws, one a call.

    Returns shape (size,): a list where an output is not a float; an exception stands as its
    instance. What is no outcome (`is_outcome`) propagates. Raises OutOfTime when the deadline of
    the draws passes before a call.
    """
    outputs: list[Any] = []
    end, process = deadline(), _reporter
    for _ in range(size):
        if time.monotonic() > end:
            raise OutOfTime
        if process is not None:
            process.go_on()
        try:
            outputs.append(call())
        except BaseException as failure:
            if not is_outcome(failure):
                raise
            outputs.append(without_frames(failure))
    if all(isinstance(output, float) for output in outputs):
        return np.array(outputs, dtype=np.float64)
    return outputs
