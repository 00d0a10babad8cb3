"""How much is screened: as much as the draws of a run pay for, and less where draws are slow."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import final

__all__ = ["PROGRAM_SIZES", "SIZES", "ScreenSize", "program_size", "size_for"]


@final
@dataclass(frozen=True, slots=True)
class ScreenSize:
    """Pairs and draws of a screening.

    Parameters
    ----------
    pairs : int
        Candidates at most.
    calibration : int
        Draws of each plain data set.
    first, second, third : int
        Coupled draws of every pair, of the `kept` best, and of the `last` best; of the pairs that
        are chosen there are eight times the last.
    kept, last : int
        See there.
    rounds : int
        Of climbing.
    """

    pairs: int
    calibration: int
    first: int
    second: int
    third: int
    kept: int
    last: int
    rounds: int

    @property
    def draws(self) -> int:
        """About what it takes, at most: also of successive halving."""
        climbed = self.rounds * CLIMBED * STEPS * 2 * STEP_DRAWS
        stages = self.pairs * self.first + self.kept * self.second + self.last * self.third
        counted = 6 * max(8, 8 * self.third)
        return 5 * self.calibration + 2 * stages + climbed + 2 * SHRUNK * self.second + counted

    @property
    def calls(self) -> int:
        """About how many, at most."""
        climbed = self.rounds * CLIMBED * STEPS
        shrunk = SHRUNK if self.second else 0
        again = self.kept + self.last + climbed + shrunk if self.second else 0
        return OF_BASES + 2 * (self.pairs + again + HANDED_OVER)


CLIMBED, STEPS, STEP_DRAWS = 6, 6, 4
"""Pairs that are climbed from, steps of each a round, and coupled draws of a step."""

SHRUNK = 60
"""Pairs that are tried while three are made smaller, about."""

OF_BASES = 12
"""Calls on plain data sets: three of each, of four."""

HANDED_OVER = 3
"""Pairs that are drawn from once more at the end."""

SIZES = (
    ScreenSize(2048, 512, 8, 16, 128, 64, 16, 10),
    ScreenSize(512, 128, 4, 8, 64, 32, 8, 3),
    ScreenSize(128, 64, 4, 8, 32, 16, 4, 0),
    ScreenSize(40, 16, 2, 4, 16, 6, 3, 0),
    ScreenSize(24, 16, 1, 0, 0, 0, 0, 0),
)
"""From the whole to what a few draws pay for. Of the whole: 512 draws tell the spread of noise to
3 %, so that no sound sum looks like a violation of 1.25; 8 draws a side show the ratio of scales of
integer noise, which 3 did not. The smaller ones are chosen, not measured."""

PROGRAM_SIZES = (
    ScreenSize(128, 512, 64, 64, 256, 16, 4, 0),
    ScreenSize(120, 64, 4, 8, 32, 16, 4, 0),
    ScreenSize(40, 512, 64, 64, 256, 6, 3, 0),
    ScreenSize(36, 16, 2, 4, 16, 6, 3, 0),
    ScreenSize(24, 64, 16, 0, 128, 0, 0, 0),
)
"""Of a program, of which a start takes longer than a few draws: as many draws of each start as show
an event, and as many starts as a quick one (awk) makes in 2 s; the second and the fourth are for
runs of few draws. Each number of pairs names one, so that --screen N repeats what the clock has
chosen. The broken programs of tests/audit/screening/test_programs.py are refuted with all of
them."""

FEWEST_STARTED = 8
"""Pairs that are screened however slow a program starts: one of each family of records."""

SHARE_OF_DRAWS = 0.2
"""Of the draws that a run may take, beside them."""


def size_for(
    samples: int,
    *,
    pairs: int | None = None,
    most_draws: float = math.inf,
    most_calls: float = math.inf,
) -> tuple[ScreenSize | None, bool]:
    """Choose how much is screened, and whether the clock had a say.

    `samples`: draws that the run may take. `pairs`: what the user asks for, if anything: then
    nothing else counts. `most_draws`, `most_calls`: what the time is enough for.
    """
    if pairs is not None:
        wanted = [size for size in SIZES if size.pairs <= max(pairs, SIZES[-1].pairs)]
        return wanted[0], False
    allowed = [size for size in SIZES if size.draws <= SHARE_OF_DRAWS * samples]
    if not allowed:
        return None, False
    in_time = [s for s in allowed if s.draws <= most_draws and s.calls <= most_calls]
    return (in_time[0] if in_time else allowed[-1]), in_time[:1] != allowed[:1]


def program_size(
    samples: int,
    *,
    pairs: int | None = None,
    seconds: float = math.inf,
    start: float = 0.0,
    per_draw: float = 0.0,
) -> tuple[ScreenSize | None, bool]:
    """Choose how much of a program is screened, and whether the clock had a say.

    `samples`, `pairs`: as of `size_for`, but that what few samples pay for is not exceeded by
    more draws of a start. `seconds`: what there is. `start`, `per_draw`: what a
    start takes, and each draw besides.
    """
    allowed = [one for one in PROGRAM_SIZES if one.draws <= SHARE_OF_DRAWS * samples]
    if pairs is not None:
        allowed = allowed or [PROGRAM_SIZES[-1]]
        wanted = [one for one in allowed if one.pairs <= pairs]
        if wanted and pairs > allowed[0].pairs:
            return replace(wanted[0], pairs=pairs), False
        return (wanted or [replace(allowed[-1], pairs=max(pairs, FEWEST_STARTED))])[0], False
    if not allowed:
        return None, False

    def needed(one: ScreenSize) -> float:
        return one.calls * start + one.draws * per_draw

    for one in allowed:
        if needed(one) <= seconds:
            return one, one is not allowed[0]
    least = allowed[-1]
    of_a_pair = 2 * (start + least.first * per_draw)
    too_many = math.ceil((needed(least) - seconds) / of_a_pair)
    return replace(least, pairs=max(least.pairs - too_many, FEWEST_STARTED)), True
