"""Draws of a target in a child process, whatever becomes of that.

A unit of work (draw, encode and count a block) runs in the child as a whole, so that little more
than counts comes back (`audit.targets.child` has the mechanics). What ends the child, or holds it
up for too long, is an outcome of one draw where one draw a call is asked for: the draws before it
are written down, and another child goes on behind it. In a call for many draws it is not known
which of them it was; the batch has failed, as after an exception.

At the deadline of a request the child is killed, whatever it does.
"""

from __future__ import annotations

import math
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from audit.targets.child import CAN_FORK, Child, Gone, has_pool_of_threads
from audit.targets.journal import MANY, ONE, OUTSIDE, Journal, Progress
from audit.targets.messages import Answer, WorkOrder
from audit.targets.outcomes import BatchFailed, NoAnswer, OutOfTime, reporter, supervise
from audit.targets.tables.schema import Form
from audit.targets.target import Target
from mechanisms.errors import InvalidArgument, TouchstoneError

__all__ = [
    "DEFAULT_TIMEOUT",
    "ApartDraw",
    "Care",
    "accidents_of",
    "apart",
    "cannot_fork",
    "renewed",
    "supervised",
]

DEFAULT_TIMEOUT = 30.0
"""Seconds without an answer after which a call for at most 64 draws is given up; more draws have
more, in proportion."""

DRAWS_IN_TIME = 64
TIMES_EXPECTED = 20
"""A call has so many times the seconds that the slowest one before took for as many draws."""

GRACE = 2.0
"""Seconds beyond the deadline in which a call may end by itself: it is looked at between calls."""

MEGABYTE = 2**20

Draw = Callable[[Any, int, np.random.Generator], Any]


class BrokenChild(TouchstoneError):
    """The child ended, but not within a draw."""


@final
@dataclass(frozen=True, slots=True)
class Care:
    """How a target is looked after.

    Parameters
    ----------
    timeout : float
        See `DEFAULT_TIMEOUT`.
    memory : int or None
        Megabytes that a call may take beyond what the process has; None for no limit.
    """

    timeout: float = DEFAULT_TIMEOUT
    memory: int | None = None

    def __post_init__(self) -> None:
        """Check both."""
        if not self.timeout > 0:
            msg = f"timeout must be positive, got timeout={self.timeout!r}"
            raise InvalidArgument(msg)
        if self.memory is not None and not self.memory > 0:
            msg = f"memory must be positive, got memory={self.memory!r}"
            raise InvalidArgument(msg)

    def patience(self, progress: Progress) -> float:
        """Seconds that a child may go on with what it does."""
        if progress.doing == OUTSIDE:
            return math.inf
        own = self.timeout * max(1.0, progress.size / DRAWS_IN_TIME)
        return max(own, TIMES_EXPECTED * progress.slowest * progress.size)


@final
@dataclass(slots=True)
class Supervisor:
    """The children of one target, one after the other.

    Parameters
    ----------
    target : Target
        What they draw from.
    care : Care
        How they are looked after.
    known : list
        What else they inherit, besides the target: data sets that need not be sent.

    Attributes
    ----------
    ended : Counter of str
        How often a process ended, by how.
    """

    target: Target
    care: Care
    known: list[Any] = field(default_factory=list)
    child: Child | None = None
    children: int = 0
    ended: Counter[str] = field(default_factory=Counter)

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        *,
        keep: Sequence[Any] = (),
        logs: bool = False,
        deadline: float = math.inf,
    ) -> Any:
        """Call a function in the child.

        Parameters
        ----------
        function : callable
            Of a module of ours; it draws through `audit.targets.outcomes.calling`.
        arguments : tuple
            Its arguments.
        keep : sequence
            Those among them that come again.
        logs : bool
            Whether the target is asked for one draw a call.
        deadline : float
            On the clock of `time.monotonic`.

        Raises
        ------
        OutOfTime
            Where the deadline passed.
        BatchFailed
            Where the child ended in a call for many draws.
        Broken
            Where it ended elsewhere.
        Exception
            Whatever the function raises.
        """
        order = WorkOrder(function, arguments, logs)
        while True:
            answer = self._ask(order, keep, deadline)
            if not isinstance(answer, Gone):
                if answer.failure is not None:
                    raise answer.failure
                return answer.value
            self.child = None
            if answer.late:
                raise OutOfTime
            outcome = self._outcome(answer)
            if answer.progress.doing == ONE:
                drawn = order.drawn + answer.drawn + pickle.dumps(NoAnswer(outcome), protocol=5)
                order = replace(order, drawn=drawn, restarts=order.restarts + 1)
            elif answer.progress.doing == MANY:
                raise BatchFailed(outcome)
            else:
                msg = f"{self.target.name}: {outcome}, but not within a draw"
                raise BrokenChild(msg)

    def _ask(self, order: WorkOrder, keep: Sequence[Any], deadline: float) -> Answer | Gone:
        if self.child is not None and self.child.is_over:  # a thread of the target's ended it
            self.ended["the process ended between draws"] += 1
            self.close()
        if self.child is None:
            self._start()
        assert self.child is not None
        try:
            message = self.child.packed(order, keep)
        except Exception:  # noqa: BLE001 - it cannot be sent, so a child has to inherit it
            self.close()
            self.known += [*keep, *order.arguments]
            self._start()
            message = self.child.packed(order, keep)
        try:
            return self.child.ask(message, end=deadline + GRACE, patience=self.care.patience)
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        care, draw = self.care, self.target.draw
        inherited = [self.target, draw, *self.known]

        def prepare(journal: Journal) -> None:
            supervise(journal)
            if care.memory is not None and isinstance(draw, ApartDraw):
                draw.most_memory = _memory_now() + care.memory * MEGABYTE

        self.child = Child(inherited, type(self.target), prepare=prepare, generation=self.children)
        self.children += 1

    def _outcome(self, gone: Gone) -> str:
        """The outcome in words; the same whenever it happens, or it would tell of the machine."""
        if gone.how:
            words = f"the process ended ({gone.how})"
        elif has_pool_of_threads():
            # which data need them is no outcome: a frame without rows does not
            msg = f"{self.target.name}: no answer in {self.care.timeout:g} s: {THREADS}: {REMEDY}"
            raise InvalidArgument(msg)
        else:
            words = f"no answer in {self.care.timeout:g} s"
        self.ended[words] += 1
        return words

    def notes(self) -> tuple[str, ...]:
        """What a reader of a report should know."""
        return tuple(
            f"{how}, {_times(count)}; another process went on, where state of the target that is "
            "not in its data begins anew"
            for how, count in sorted(self.ended.items())
        )

    def close(self) -> None:
        """End the child."""
        if self.child is not None:
            self.child.close()
            self.child = None


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


@final
class ApartDraw:
    """A sampler (data, size, rng) -> outputs whose draws are made in a child.

    It travels to another process as what it is made from, and has a child of its own there.
    """

    def __init__(self, draw: Draw, care: Care) -> None:
        self.draw, self.care = draw, care
        self.most_memory: int | None = None
        self.supervisor: Supervisor | None = None

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Draw in this process."""
        if self.most_memory is None:
            return self.draw(data, size, rng)
        with _limited(self.most_memory):
            return self.draw(data, size, rng)

    def __reduce__(self) -> tuple[Callable[[Draw, Care], ApartDraw], tuple[Draw, Care]]:
        return _with_care, (self.draw, self.care)

    def of(self, target: Target) -> Supervisor:
        """The supervisor, which begins with the first draw."""
        if self.supervisor is None:
            self.supervisor = Supervisor(target, self.care)
        return self.supervisor


_travelled: dict[int, ApartDraw] = {}
"""Samplers that came to this process, by the identity of what they draw with."""


def _with_care(draw: Draw, care: Care) -> ApartDraw:
    """The sampler of a process: one for each that it was sent, so that its child stays."""
    found = _travelled.get(id(draw))
    if found is None or found.draw is not draw or found.care != care:
        for old in _travelled.values():
            if old.supervisor is not None:
                old.supervisor.close()
        _travelled.clear()
        found = _travelled[id(draw)] = ApartDraw(draw, care)
    return found


def apart(
    target: Target,
    function: Callable[..., Any],
    *arguments: Any,
    keep: Sequence[Any] = (),
    logs: bool = False,
    deadline: float = math.inf,
) -> Any:
    """Call a function that draws from a target: in its child, where it has one.

    Parameters
    ----------
    target : Target
        Of `supervised`, or any other: that is drawn from in this process.
    function, arguments, keep, logs, deadline
        See `Supervisor.call`.
    """
    draw = target.draw
    if not isinstance(draw, ApartDraw) or reporter() is not None:
        return function(*arguments)
    return draw.of(target).call(function, arguments, keep=keep, logs=logs, deadline=deadline)


def renewed(target: Target) -> None:
    """Let the next call be the first of a process; of a target without a child nothing changes."""
    draw = target.draw
    if isinstance(draw, ApartDraw) and draw.supervisor is not None:
        draw.supervisor.close()


def accidents_of(target: Target) -> int:
    """How often the process of a target has ended so far."""
    draw = target.draw
    apart_from = draw.supervisor if isinstance(draw, ApartDraw) else None
    return 0 if apart_from is None else apart_from.ended.total()


THREADS = "polars has threads here, which no fork copies; they begin with its first query"
"""Why a target that gets its frames is drawn where they are."""

REMEDY = "use --in-process, or a process that has made no query"

IN_PROCESS = (
    "drawn in this process ({why}): what the target does to it, also ending it, is not contained"
)
"""Said of a target without a child."""


@contextmanager
def supervised(
    target: Target, care: Care | None, known: Sequence[Any] = ()
) -> Iterator[tuple[Target, Callable[[], tuple[str, ...]]]]:
    """Draw from a target in a child process until the end of the block.

    Parameters
    ----------
    target : Target
        What to draw from. Commands are processes of their own already.
    care : Care or None
        None to draw in this process.
    known : sequence
        What the child inherits besides: data sets that need not be sent.

    Yields
    ------
    Target
        To draw from.
    callable () -> tuple of str
        Notes on what happened so far.
    """
    if target.command or reporter() is not None or isinstance(target.draw, ApartDraw):
        yield target, lambda: ()
        return
    why = "--in-process" if care is None else cannot_fork(target)
    if why:
        yield target, lambda: (IN_PROCESS.format(why=why),)
        return
    assert care is not None
    draw = ApartDraw(target.draw, care)
    looked_after = replace(target, draw=draw)
    supervisor = draw.supervisor = Supervisor(looked_after, care, list(known))
    try:
        yield looked_after, supervisor.notes
    finally:
        supervisor.close()


def cannot_fork(target: Target) -> str:
    """Why a target has no process of its own; "" where it can have one."""
    if not CAN_FORK:
        return f"{sys.platform} has no fork"
    of_polars = target.schema is not None and target.schema.takes is Form.POLARS
    return THREADS if of_polars and has_pool_of_threads() else ""


def _memory_now() -> int:
    """Bytes of address space that this process has."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - one line
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@contextmanager
def _limited(most: int) -> Iterator[None]:
    """Let a call take so much memory, and ours as much as before."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
