"""Draws of a target in a process of its own, where it can have one.

What draws calls its function by `apart`; whether that is done in a child says the target, which
`supervised` gives one until the end of a block.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, final

import numpy as np

from audit.draws.supervisor import THREADS, Care, Supervisor, limited
from audit.targets.outcomes import reporter
from audit.targets.separation import CAN_FORK, has_pool_of_threads
from audit.targets.tables.table_schema import Form
from audit.targets.target import Target

Draw = Callable[[Any, int, np.random.Generator], Any]

IN_PROCESS = (
    "drawn in this process ({why}): what the target does to it, also ending it, is not contained"
)
"""Said of a target without a child."""


@final
class ApartDraw:
    """A sampler (data, size, rng) -> outputs whose draws are made in a child.

    It travels to another process as what it is made from, and has a child of its own there.
    """

    def __init__(self, draw: Draw, care: Care) -> None:
        self.draw, self.care = draw, care
        self.supervisor: Supervisor | None = None

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Draw in this process."""
        if self.supervisor is None or self.supervisor.most_memory is None:
            return self.draw(data, size, rng)
        with limited(self.supervisor.most_memory):
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

    `target`: of `supervised`, or any other: that is drawn from in this process. `function`,
    `arguments`, `keep`, `logs`, `deadline`: see `Supervisor.call`.
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


@contextmanager
def supervised(
    target: Target, care: Care | None, known: Sequence[Any] = ()
) -> Iterator[tuple[Target, Callable[[], tuple[str, ...]]]]:
    """Draw from a target in a child process until the end of the block.

    `target`: what to draw from. Commands are processes of their own already. `care`: None to draw
    in this process. `known`: what the child inherits besides: data sets that need not be sent.
    Yields the target to draw from, and a function that notes what happened so far.
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
