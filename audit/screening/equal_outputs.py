"""Whether any pair of data sets changes an output, with equal random numbers.

What ignores its data keeps every claim: a function that reads them in another form, and finds
nothing, does. So both data sets of a pair are asked from one state: the same stream, and, where the
target has a process of its own, a copy of that process for each, so that generators of its own and
those of libraries begin alike too. Nothing that is bet on comes from here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, TypeAlias

from audit.draws.containment import apart
from audit.draws.streams import Purpose, stream
from audit.pairs.worst_cases import Pair
from audit.screening.caller import reading_of
from audit.screening.reading import Reading
from audit.targets.outcomes import OutOfTime, calling, drawing_until, reporter
from audit.targets.target import Target
from mechanisms.errors import TouchstoneError

__all__ = ["unmoved"]

MOST_DRAWS, FEWEST_DRAWS, ONE_BY_ONE = 8_192, 8, 64
"""Of a data set; the last where calls for many fail. An exponential mechanism of epsilon .01 with
three outcomes changes one in some 400."""

SHARE_OF_DRAWS = 10
"""A run makes so many times the draws that are made here, but for the fewest."""

FIRST_PAIRS = 3
"""That are asked however few the draws of the run were."""

STAGE = 90
"""Of its streams."""

ANSWERED = b"+"

Seen: TypeAlias = bytes
"""A digest of the outputs of a data set; it begins with a plus where there was one."""


def unmoved(
    target: Target,
    pairs: Sequence[Pair],
    *,
    seed: int,
    samples: int,
    deadline: float,
) -> int:
    """Ask for both data sets of pairs from equal states.

    Parameters
    ----------
    target : Target
        Of `supervised`, or any other.
    pairs : sequence of Pair
        Those of a run, the most telling first.
    seed, samples : int
        Of the run.
    deadline : float
        On the clock of `time.monotonic`.

    Returns
    -------
    int
        Pairs that were asked, if none changed any output; 0 where one did, where outputs do not
        repeat themselves from equal states, where no call gave an output, or time was up.
    """
    allowed = max(samples // SHARE_OF_DRAWS, 2 * FIRST_PAIRS * FEWEST_DRAWS)
    chosen = list(pairs[: max(FIRST_PAIRS, allowed // (2 * FEWEST_DRAWS))])
    size = min(MOST_DRAWS, max(FEWEST_DRAWS, allowed // (2 * len(chosen))))
    sides = [(pair.data, pair.neighbor) for pair in chosen]
    try:
        asked: bool = apart(
            target, all_equal, target, sides, seed, size, deadline, logs=True, deadline=deadline
        )
    except (OutOfTime, TouchstoneError, OSError):  # a target may leave no file for a copy
        return 0
    return len(chosen) if asked else 0


def all_equal(
    target: Target, sides: Sequence[tuple[Any, Any]], seed: int, size: int, deadline: float
) -> bool:
    """Whether outputs repeat, and no pair changes one; it runs where the target is called."""
    answered = False
    with drawing_until(deadline):
        for place, (data, neighbor) in enumerate(sides):

            def read(side: Any, place: int = place) -> Seen:
                if time.monotonic() > deadline:
                    raise OutOfTime
                draw = partial(_seen, target, side, seed, place, size, deadline)
                if reporter() is None:
                    return draw()
                made = calling(size, partial(_in_a_copy, draw), single=True)
                return str(made).encode() if isinstance(made, Exception) else made

            first = read(data)
            if first != read(neighbor) or (place == 0 and first != read(data)):
                return False
            answered |= first.startswith(ANSWERED)
    return answered


def _seen(target: Target, side: Any, seed: int, place: int, size: int, deadline: float) -> Seen:
    def read(count: int, number: int) -> Reading:
        rng = stream(seed, Purpose.SCREEN, pair=place, batch=STAGE, block=number)
        return reading_of(target, side, rng, count, deadline)

    each = [read(size, 0)]
    if not each[0].digest and size > 1:  # a call for many that fails says nothing of each draw
        each = [read(1, number) for number in range(1, 1 + min(size, ONE_BY_ONE))]
    kinds = repr([one.kinds for one in each]).encode("utf-8", "surrogatepass")
    digest = b"".join(one.digest for one in each)
    return ANSWERED * bool(digest) + blake2b(kinds + digest).digest()


def _in_a_copy(draw: Callable[[], Seen]) -> Seen:
    """Call a function in a fork of this process, and have what it returns."""
    read, write = os.pipe()
    copy = os.fork()
    if copy == 0:
        try:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                pipe.write(draw())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        body = pipe.read()
    os.waitpid(copy, 0)
    return body
