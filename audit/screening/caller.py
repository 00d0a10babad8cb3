"""Draws for screening, made in the target's own process, and the budget that they take.

Coupled draws of two data sets begin at one state of the generator; independent ones have a stream
for each data set. All streams have the purpose SCREEN, which nothing else draws from.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, final

import numpy as np

from audit.draws.containment import apart
from audit.draws.encode import as_sequence, checked_length
from audit.draws.portable import portable
from audit.draws.run_log import RunLog
from audit.draws.streams import Purpose, stream
from audit.screening.reading import Reading, as_values, failed, from_values, read
from audit.targets.outcomes import OutOfTime, calling, drawing_until, is_outcome
from audit.targets.tables.table_schema import Table
from audit.targets.target import Target

__all__ = ["REQUEST", "Caller", "Data", "key_of", "reading_of"]

Data: TypeAlias = Any
"""A data set."""

REQUEST = 128
"""Data sets of one request to the target's process: a hang is found behind at most so many."""

TIMED = 3
"""Calls on a data set that are timed."""

TRIAL = 100
"""The first of the stages of calls that are only to see whether any gives an output."""

COUPLED, APART = range(2)
"""Arms of the streams: one for all data sets, or one for each."""


@final
@dataclass(slots=True)
class Caller:
    """A target that is screened, and what that has taken so far.

    Parameters
    ----------
    target : Target
        In a process of its own.
    seed : int
        Of the run.
    deadline, soon : float
        On the clock of `time.monotonic`: when drawing ends, and from when on it ends as soon as no
        pair can look worse than those that were found.
    log : RunLog
        Through which all comes that is drawn, or that the clock decides.

    Attributes
    ----------
    calls, draws : int
        Made so far.
    """

    target: Target
    seed: int
    deadline: float = math.inf
    soon: float = math.inf
    log: RunLog = field(default_factory=RunLog)
    calls: int = 0
    draws: int = 0
    kept: dict[tuple[int, int, bytes], Reading] = field(default_factory=dict)

    def coupled(self, sides: Sequence[Data], stage: int, size: int) -> list[Reading]:
        """Draw from each data set with the same stream; from equal ones once a stage."""
        keys = [(stage, size, key_of(side)) for side in sides]
        new = {k: s for k, s in zip(keys, sides, strict=True) if k not in self.kept}
        made = self._drawn(list(new.values()), [(stage, 0, COUPLED)] * len(new), size)
        self.kept |= dict(zip(new, made, strict=True))
        return [self.kept[key] for key in keys]

    def independent(self, sides: Sequence[Data], stage: int, size: int) -> list[Reading]:
        """Draw from each data set with a stream of its own; equal ones share their draws."""
        distinct = {key_of(side): side for side in sides}
        places = [(stage, number, APART) for number in range(len(distinct))]
        made = dict(zip(distinct, self._drawn(list(distinct.values()), places, size), strict=True))
        return [made[key_of(side)] for side in sides]

    def seconds(self, sides: Sequence[Data], size: int) -> float:
        """Seconds of a call on a data set: of each the shortest of a few calls.

        What else the machine does only adds to it. These calls are of no stage, and not counted:
        their number is the same on every machine, but not what they are for.
        """
        arguments = (self.target, list(sides), self.seed, size, self.deadline)
        each: list[float] = apart(
            self.target, seconds_of, *arguments, logs=True, deadline=self.deadline
        )
        return sum(each) / len(each)

    def always_fails(self, sides: Sequence[Data], calls: int) -> bool:
        """Whether so many calls of one draw all fail, on each data set; they are not counted."""
        counted = self.calls, self.draws
        each = [self.independent(sides, TRIAL + number, 1) for number in range(calls)]
        self.calls, self.draws = counted
        return not any(reading.digest for readings in each for reading in readings)

    def forget(self) -> None:
        """Leave out the draws of earlier stages, which no later one uses."""
        self.kept.clear()

    def _drawn(
        self, sides: Sequence[Data], places: Sequence[tuple[int, int, int]], size: int
    ) -> list[Reading]:
        found: list[Reading] = []
        for start in range(0, len(sides), REQUEST):
            part = slice(start, start + REQUEST)
            found += self._answer(sides[part], places[part], size)
        self.calls += len(sides)
        self.draws += len(sides) * size
        return found

    def _answer(
        self, sides: Sequence[Data], places: Sequence[tuple[int, int, int]], size: int
    ) -> list[Reading]:
        """Draw what one request is for, if no earlier session has.

        That time was up is an answer, too: the run goes on with what was found before.
        """

        def draw() -> list[Reading]:
            if time.monotonic() > self.deadline:
                raise OutOfTime
            arguments = (self.target, sides, places, self.seed, size, self.deadline)
            found: list[Reading] = apart(
                self.target, readings_of, *arguments, logs=True, deadline=self.deadline
            )
            return found

        asked = hashlib.sha256(repr((places, size)).encode())
        for side in sides:
            asked.update(hashlib.sha256(key_of(side)).digest())
        return self.log.ask(
            f"screening {asked.hexdigest()}", draw, to=as_values, back=from_values, lasting=True
        )


def key_of(side: Data) -> bytes:
    """The same for equal data sets, and for no others."""
    if isinstance(side, Table):
        return repr(side.key).encode()
    array = np.asarray(side)
    return b"".join((array.dtype.str.encode(), repr(array.shape).encode(), array.tobytes()))


def readings_of(
    target: Target,
    sides: Sequence[Data],
    places: Sequence[tuple[int, int, int]],
    seed: int,
    size: int,
    deadline: float,
) -> list[Reading]:
    """Draw from each data set; it runs where the target is called."""
    return list(_each(target, sides, places, seed, size, deadline))


def seconds_of(
    target: Target, sides: Sequence[Data], seed: int, size: int, deadline: float
) -> list[float]:
    """Time calls on each data set; it runs where the target is called."""
    found = []
    for side in sides:
        best = math.inf
        for _ in range(TIMED):
            started = time.perf_counter()
            list(_each(target, [side], [(0, 0, COUPLED)], seed, size, deadline))
            best = min(best, time.perf_counter() - started)
        found.append(best)
    return found


def _each(
    target: Target,
    sides: Sequence[Data],
    places: Sequence[tuple[int, int, int]],
    seed: int,
    size: int,
    deadline: float,
) -> Iterator[Reading]:
    with drawing_until(deadline):
        for side, (stage, number, arm) in zip(sides, places, strict=True):
            rng = stream(seed, Purpose.SCREEN, pair=number, arm=arm, batch=stage)
            made = calling(
                size, partial(reading_of, target, side, rng, size, deadline), single=True
            )
            # the process that drew it may not have lived to read it
            yield failed(f"raises {made}", size) if isinstance(made, Exception) else made


def reading_of(
    target: Target, side: Data, rng: np.random.Generator, size: int, deadline: float
) -> Reading:
    """Make one call for so many draws, and read them."""
    if time.monotonic() > deadline:
        raise OutOfTime
    try:
        given = target.draw(side, size, rng)
        outputs = as_sequence(given)
    except BaseException as failure:
        if not is_outcome(failure):
            raise
        return failed(f"raises {type(failure).__name__}", size)
    outputs = checked_length(outputs, size, target.name, type(given))
    return read(portable(outputs), words_of(rng))


def words_of(rng: np.random.Generator) -> int:
    """Random words of 64 bits that a Philox generator has given."""
    state: Any = rng.bit_generator.state
    return 4 * int(state["state"]["counter"][0]) + int(state["buffer_pos"])
