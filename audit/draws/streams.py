"""Random streams by purpose: the one place where generators and seeds are made.

A stream is a Philox generator whose seed sequence has a key of seven entries below 2^32: the seed
(two of them), the purpose, and the place. numpy pads short keys with zeros, so that (1, 2) and
(1, 2, 0) would be one stream, and reads a seed of 2^32 or more as two entries, so that a key of
another length could meet it; keys of one length do neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import final

import numpy as np

from mechanisms.errors import InvalidArgument

LARGEST_SEED = 2**64 - 1
"""Two entries of a key."""

_ENTRY = 2**32

LARGEST_STREAM = _ENTRY - 1
"""One entry."""


class Purpose(IntEnum):
    """What draws are for. No number is ever used again for another purpose."""

    RUN = 0
    """What an audit learns from and bets on."""
    SECOND_RUN = 1
    """The same, after a call for many draws has failed."""
    CALIBRATE = 2
    """What a draw costs."""
    SCREEN = 3
    ALONE = 4
    """Whether one draw a call has the law of many."""
    ORDER = 5
    """In which order the arms are drawn from."""
    SHRINK = 6
    CONFIRM = 7
    """The event of a witness, counted again."""
    RESERVE = 8
    """Upper limits on learned events."""
    HELD_OUT = 9
    """The one test of `--mode bound`."""
    LABELS = 10
    """Which arm each draw of that test is of."""
    RERUN = 11
    """The script of a witness."""
    TIES = 12
    ERRORS = 13
    """Audits of errors."""
    GATE = 14
    """Seeds of the audits of a gate."""
    NIGHT = 15
    """Seeds of nights."""
    SCAFFOLD = 16
    """What `touchstone init` tries."""
    FIGURE = 17
    TABLE = 18
    STABILITY = 19
    """Which pairs of data sets a query without noise is asked about."""
    SURVEY = 20
    """Seeds of the rows of a survey."""
    REPLAY = 21
    """The same random numbers on both sides, to compare what is asked of the generator."""


def _sequence(
    seed: int, purpose: Purpose, pair: int, arm: int, batch: int, block: int
) -> np.random.SeedSequence:
    if not 0 <= seed <= LARGEST_SEED:
        msg = f"seed must lie in [0, 2^64), got seed={seed!r}"
        raise InvalidArgument(msg)
    key = [seed % _ENTRY, seed // _ENTRY, int(purpose), pair, arm, batch, block]
    if not all(0 <= entry < _ENTRY for entry in key):
        msg = f"the places of a stream must lie in [0, 2^32), got {key[2:]}"
        raise InvalidArgument(msg)
    return np.random.SeedSequence(key)


def stream(
    seed: int, purpose: Purpose, *, pair: int = 0, arm: int = 0, batch: int = 0, block: int = 0
) -> np.random.Generator:
    """Generator of one place of a run.

    `seed`: in [0, 2^64). `purpose`: what it is for. `pair`, `arm`, `batch`, `block`: the place,
    each in [0, 2^32).
    """
    return np.random.Generator(np.random.Philox(_sequence(seed, purpose, pair, arm, batch, block)))


def derived_seed(seed: int, purpose: Purpose, number: int) -> int:
    """A seed of its own for one part of a run: below 2^32, so that it can be typed.

    `seed`, `purpose`: as of a stream. `number`: of the part, in [0, 2^64).
    """
    low, high = number % _ENTRY, number // _ENTRY
    return int(_sequence(seed, purpose, low, high, 0, 0).generate_state(1)[0])


@final
@dataclass(frozen=True, slots=True)
class BatchPlace:
    """Where a batch of draws stands in a run."""

    seed: int
    """Of the run."""
    purpose: Purpose
    """What the draws are for."""
    pair: int = 0
    batch: int = 0
    """Numbers of the pair and of the batch."""

    def stream(self, *, arm: int = 0, block: int = 0) -> np.random.Generator:
        """Generator of one block of one arm."""
        return stream(
            self.seed, self.purpose, pair=self.pair, arm=arm, batch=self.batch, block=block
        )

    def order(self, *, block: int) -> np.random.Generator:
        """Generator of the order in which the arms of a block are drawn from."""
        own = int(self.purpose)
        return stream(
            self.seed, Purpose.ORDER, pair=self.pair, arm=own, batch=self.batch, block=block
        )
