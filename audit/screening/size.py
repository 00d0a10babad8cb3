"""How much is screened: as much as the draws of a run pay for, and less where draws are slow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

__all__ = ["SIZES", "ScreenSize", "size_for"]


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
        Coupled draws of every pair, of the `kept` best, and of the `last` best.
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
        return 12 + 2 * (self.pairs + self.kept + self.last + climbed + SHRUNK)


CLIMBED, STEPS, STEP_DRAWS = 6, 6, 4
"""Pairs that are climbed from, steps of each a round, and coupled draws of a step."""

SHRUNK = 60
"""Pairs that are tried while three are made smaller, about."""

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
