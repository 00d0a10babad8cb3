"""Answers of a query, each on a fresh copy of its data and in a process of its own.

Every data set of a batch is asked about twice, the second time in the other order, so that what a
query keeps from the calls before shows as another answer on the same data.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, final

import numpy as np

from audit.draws.containment import apart, renewed
from audit.draws.streams import Purpose, stream
from audit.pairs.literal import key_text
from audit.stability.answers import Answer, read_value
from audit.stability.space import Array, Space
from audit.targets.libraries.opendp_transformation import Transformation
from audit.targets.outcomes import NoAnswer, OutOfTime, calling, in_time, is_outcome
from audit.targets.tables.table_schema import Table
from audit.targets.target import Target
from mechanisms.errors import InvalidArgument

KEPT = 2_048
"""Answers that are remembered: many pairs share a data set, and those that do follow each other."""

Twice = tuple[Answer, Answer]
"""The answers of two calls on one data set."""


@final
@dataclass(slots=True)
class QueryCalls:
    """A query, and its answers so far."""

    target: Target
    """What is asked."""
    space: Space
    """How it reads data."""
    transformation: Transformation | None = None
    """What it states of its domains."""
    deadline: float = math.inf
    """On the clock of `time.monotonic`."""
    made: int = 0
    """Calls."""
    given_up: int = 0
    """Of them, how many had no answer in time."""
    kept: dict[bytes, Twice] = field(default_factory=dict)

    def twice(self, sides: Sequence[Any]) -> list[Twice]:
        """Ask about each data set twice; raises OutOfTime behind the deadline."""
        keys = [_key(side) for side in sides]
        new = {key: side for key, side in zip(keys, sides, strict=True) if key not in self.kept}
        data = list(new.values())
        answers = self.once([*data, *data[::-1]])
        pairs = zip(answers[: len(data)], answers[len(data) :][::-1], strict=True)
        found = {key: self.kept[key] for key in keys if key in self.kept}
        found |= dict(zip(new, pairs, strict=True))
        self.kept |= found
        while len(self.kept) > KEPT:
            del self.kept[next(iter(self.kept))]
        return [found[key] for key in keys]

    def once(self, sides: Sequence[Any]) -> list[Answer]:
        """Ask about each data set once, in this order."""
        if not sides:
            return []
        if time.monotonic() > self.deadline:
            raise OutOfTime
        known = (self.target, self.space, self.transformation)
        arguments = (*known, list(sides), self.deadline)
        answers: list[Answer] = apart(
            self.target, answers_of, *arguments, logs=True, deadline=self.deadline
        )
        self.made += len(answers)
        self.given_up += sum(answer.is_silent for answer in answers)
        return answers

    def alone(self, side: Any) -> Answer:
        """Ask a process that was never asked before."""
        renewed(self.target)
        return self.once([side])[0]


def answers_of(
    target: Target,
    space: Space,
    transformation: Transformation | None,
    sides: Sequence[Any],
    deadline: float = math.inf,
) -> list[Answer]:
    """Answer about each data set; it runs where the target is called.

    Raises OutOfTime before the first call behind the deadline: where the target has no process of
    its own, nobody else looks at the clock until all have answered.
    """
    rng = stream(0, Purpose.STABILITY)  # a query draws nothing from it
    timely = in_time(sides, deadline)
    calls = (partial(_answer, target, space, transformation, side, rng) for side in timely)
    answers = [calling(1, call, single=True) for call in calls]
    return [_ended(one) if isinstance(one, Exception) else one for one in answers]


def _ended(failure: Exception) -> Answer:
    """The outcome of a process that did not live to answer."""
    if isinstance(failure, NoAnswer):
        return Answer(None, str(failure))
    raise failure


def _answer(
    target: Target,
    space: Space,
    transformation: Transformation | None,
    side: Any,
    rng: np.random.Generator,
) -> Answer:
    data = space.carried(side)
    member = transformation is None or transformation.holds(data)
    if not member:
        return Answer(None, "is not asked", member=False)
    try:
        output = target.draw(data, 1, rng)[0]
    except BaseException as failure:
        if not is_outcome(failure):
            raise
        output = failure
    if isinstance(output, BaseException):
        return Answer(None, f"raises {type(output).__name__}")
    if isinstance(output, np.floating) and transformation is not None:
        output = float(output)  # a list of floats came as an array
    fits = transformation is None or transformation.fits(output)
    try:
        value = read_value(output)
    except InvalidArgument as exc:
        msg = f"{target.name}: {exc}"
        raise InvalidArgument(msg) from None
    return Answer(value, fits=fits)


def _key(side: Any) -> bytes:
    if isinstance(side, Table):
        return repr(side.key).encode()
    if isinstance(side, np.ndarray) and not side.dtype.hasobject:
        array: Array = side
        return b"".join((array.dtype.str.encode(), repr(array.shape).encode(), array.tobytes()))
    return key_text(side).encode()
