"""The children of a target, one after the other: what draws from it, whatever becomes of that.

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
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, final

from audit.targets.child import Child, Gone
from audit.targets.child_messages import (
    MANY,
    ONE,
    OUTSIDE,
    ChildAnswer,
    Journal,
    Progress,
    WorkOrder,
)
from audit.targets.outcomes import BatchFailed, NoAnswer, OutOfTime, supervise
from audit.targets.separation import has_pool_of_threads
from audit.targets.surroundings import ProcessChanged
from audit.targets.target import Target
from mechanisms.errors import InvalidArgument, TouchstoneError

DEFAULT_TIMEOUT = 30.0
"""Seconds without an answer after which a call for at most 64 draws is given up; more draws have
more, in proportion."""

DRAWS_IN_TIME = 64
TIMES_EXPECTED = 20
"""A call has so many times the seconds that the slowest one before took for as many draws."""

GRACE = 2.0
"""Seconds beyond the deadline in which a call may end by itself: it is looked at between calls."""

THREADS = "polars has threads here, which no fork copies; they begin with its first query"
"""Why a target that gets its frames is drawn where they are."""

CHANGED = "has it closed the files of its process, or changed its limits or modules?"

REMEDY = "use --in-process, or a process that has made no query"


MEGABYTE = 2**20


def memory_with(megabytes: int) -> int:
    """Bytes of address space that this process has, and so many megabytes more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - one line
            now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        now = 0
    return now + megabytes * MEGABYTE


@contextmanager
def limited(most: int) -> Iterator[None]:
    """Let a call take so much memory, and ours as much as before."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


class BrokenChild(TouchstoneError):
    """The child ended, but not within a draw."""


@final
@dataclass(frozen=True, slots=True)
class Care:
    """How a target is looked after."""

    timeout: float = DEFAULT_TIMEOUT
    """See `DEFAULT_TIMEOUT`."""
    memory: int | None = None
    """Megabytes that a call may take beyond what the process has; None for no limit."""

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
    """The children of one target, one after the other."""

    target: Target
    """What they draw from."""
    care: Care
    """How they are looked after."""
    known: list[Any] = field(default_factory=list)
    """What else they inherit, besides the target: data sets that need not be sent."""
    child: Child | None = None
    children: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    """How often a process ended, by how."""
    most_memory: int | None = None
    """Bytes that a call may have: of a child that its care limits, and there alone."""

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

        `function`: of a module of ours; it draws through `audit.targets.outcomes.calling`.
        `arguments`: its arguments. `keep`: those among them that come again. `logs`: whether the
        target is asked for one draw a call. `deadline`: on the clock of `time.monotonic`. Raises
        OutOfTime where the deadline passed. Raises BatchFailed where the child ended in a call for
        many draws. Raises BrokenChild where it ended elsewhere. Raises whatever the
        function raises.
        """
        order = WorkOrder(function, arguments, logs)
        while True:
            answer = self._ask(order, keep, deadline)
            if not isinstance(answer, Gone):
                if isinstance(answer.failure, ProcessChanged):
                    msg = f"{self.target.name}: {answer.failure}"
                    raise BrokenChild(msg)
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
                msg = f"{self.target.name}: {outcome}, but not within a draw: {CHANGED}"
                raise BrokenChild(msg)

    def _ask(self, order: WorkOrder, keep: Sequence[Any], deadline: float) -> ChildAnswer | Gone:
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
        inherited = [self.target, self.target.draw, *self.known]

        def prepare(journal: Journal) -> None:
            supervise(journal)
            if self.care.memory is not None:
                self.most_memory = memory_with(self.care.memory)

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
