"""A whole batch: both arms' blocks, merged in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.counts.block import Tally, Task
from audit.engine.homogeneity import Watched

__all__ = ["Arm", "Batch", "as_values", "from_values", "merge"]

Array = NDArray[np.float64]


@final
@dataclass(slots=True)
class Arm:
    """Blocks of one arm so far.

    Attributes
    ----------
    counts : list of ndarray of int, shape (2, 2, K)
        Sums over the blocks: integers, so the order in which blocks come does not matter.
    parts : dict of int to Tally
        Blocks whose draws are kept, by number.
    watched : dict of int to tuple of Watched
        What was looked at of each block, by number.
    """

    counts: list[NDArray[np.int64]] = field(default_factory=list)
    parts: dict[int, Tally] = field(default_factory=dict)
    watched: dict[int, tuple[Watched, ...]] = field(default_factory=dict)

    def add(self, block: int, tally: Tally) -> None:
        """Book one block."""
        if not self.counts:
            self.counts = [c.copy() for c in tally.counts]
        else:
            for total, new in zip(self.counts, tally.counts, strict=True):
                total += new
        if tally.outcomes is not None:
            self.parts[block] = tally
        if tally.watched:
            self.watched[block] = tally.watched

    @property
    def draws(self) -> int:
        """So far, in the blocks whose draws are kept."""
        return sum(len(t.outcomes) for t in self.parts.values() if t.outcomes is not None)

    def stretches(self) -> list[Watched]:
        """What was looked at of the whole batch, one for each watch."""
        return [Watched.joined(of_blocks) for of_blocks in zip(*self._in_order(), strict=True)]

    def _in_order(self) -> list[tuple[Watched, ...]]:
        return [parts for _, parts in sorted(self.watched.items())]

    def check_whole(self, size: int) -> None:
        """Check that there are as many draws as were asked for."""
        draws = {int(counts.sum()) for counts in self.counts}
        if self.parts:
            draws.add(self.draws)
        if draws != {size}:
            msg = f"an arm of a batch has {sorted(draws)} draws, and not {size}"
            raise AssertionError(msg)


@final
@dataclass(frozen=True, slots=True)
class Batch:
    """A drawn batch of equal arms.

    Parameters
    ----------
    size : int
        Draws of each arm.
    tallies : sequence of ndarray of int, shape (2, 2, 2, K)
        One a partition, the last that of the persistent bets: by arm, side of the look, parity
        of the draw's number, and cell.
    arms : (Outcomes, Outcomes) or None
        Draws on the data set and on its neighbor, where they are kept.
    encoder : Encoder
        As it stands after the batch.
    watched : tuple of list of Watched
        For each arm and watch, the stretches of the batch.
    cut : bool
        Whether the deadline passed within it: it may teach, and is not bet on.
    """

    size: int
    tallies: Sequence[NDArray[np.int64]]
    arms: tuple[Outcomes, Outcomes] | None
    encoder: Encoder
    watched: tuple[list[Watched], list[Watched]] = ([], [])
    cut: bool = False

    @property
    def looks(self) -> tuple[int, int]:
        """Draws of each arm at which the wealth is looked at: half of the batch, and all of it."""
        return self.size // 2, self.size

    def counts(self, draws: int) -> list[Array]:
        """Counts of the first draws, up to a look: shape (2, K) each, by arm and cell."""
        sides = self.looks.index(draws) + 1
        return [t[:, :sides].sum(axis=(1, 2)).astype(np.float64) for t in self.tallies]

    def by_half(self) -> list[Array]:
        """Counts by half (even and odd draws), arm and cell, shape (2, 2, K) each."""
        return [t.sum(axis=1).swapaxes(0, 1).astype(np.float64) for t in self.tallies]


def merge(
    arms: Sequence[Arm],
    size: int,
    encoder: Encoder | None,
    which: Sequence[int],
    *,
    cut: bool = False,
) -> Batch:
    """Put the blocks of both arms together.

    Labels that are new to the encoder get their codes here, arm by arm and block by block.

    Parameters
    ----------
    arms : sequence of Arm
        Both, with all their blocks.
    size : int
        Draws of each.
    encoder : Encoder or None
        As it stood before the batch; None where this batch chooses the layout.
    which : sequence of int
        For each partition, its place among those that were counted.
    cut : bool
        Whether the deadline passed within the batch.

    Raises
    ------
    AssertionError
        Where an arm has not every draw exactly once: nothing may be concluded from such a batch.
    """
    for arm in arms:
        arm.check_whole(size)
    if encoder is None:
        after, known = Encoder(), 0
        widths = [part.width for arm in arms for part in arm.parts.values()]
        after.width = max((width for width in widths if width is not None), default=None)
    else:
        after, known = encoder.copy(), len(encoder.labels)
    kept = [
        [
            after.adopt(part.outcomes, part.width, part.labels, known)
            for _, part in sorted(arm.parts.items())
            if part.outcomes is not None
        ]
        for arm in arms
    ]
    tallies = [np.stack([arm.counts[place] for arm in arms]) for place in which]
    draws = None
    if all(kept):
        draws = Outcomes.concatenate(kept[0]), Outcomes.concatenate(kept[1])
    watched = (arms[0].stretches(), arms[1].stretches())
    return Batch(size, tallies, draws, after, watched, cut)


def as_values(counted: tuple[Sequence[Arm], bool]) -> list[Any]:
    """What a source has counted, as numbers, texts and arrays (see `from_values`)."""
    arms, cut = counted
    return [cut, [_arm_values(arm) for arm in arms]]


def _arm_values(arm: Arm) -> list[Any]:
    parts = [
        [index, part.width, list(part.labels), o.numbers, o.categories, o.details]
        for index, part in arm.parts.items()
        if (o := part.outcomes) is not None
    ]
    watched = [
        [index, [[one.counts, one.turn] for one in each]] for index, each in arm.watched.items()
    ]
    return [arm.counts, parts, watched]


def from_values(values: Any, task: Task) -> tuple[list[Arm], bool]:
    """The arms and the cut that `as_values` was told; raises ValueError for anything else."""
    cut, each = values
    arms = []
    for counts, parts, watched in each:
        arm = Arm(
            [
                _checked(c, "i8", (2, 2, p.size))
                for c, p in zip(counts, task.partitions, strict=True)
            ]
        )
        for index, width, labels, numbers, categories, details in parts:
            shape = _checked(numbers, "f8").shape
            outcomes = Outcomes(
                numbers,
                _checked(categories, "i4", shape),
                None if details is None else _checked(details, "i8", shape),
            )
            arm.parts[int(index)] = Tally((), outcomes, width, tuple(map(str, labels)))
        for index, of_watches in watched:
            arm.watched[int(index)] = tuple(
                Watched(_checked(c, "i8", (len(turn), watch.size)), _checked(turn, "i8"))
                for (c, turn), watch in zip(of_watches, task.watches, strict=True)
            )
        arms.append(arm)
    if len(arms) != len(task.sides) or type(cut) is not bool:
        msg = "other arms"
        raise ValueError(msg)
    return arms, cut


def _checked(array: Any, kind: str, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
    if (
        not isinstance(array, np.ndarray)
        or array.dtype != kind
        or array.shape != (shape or array.shape)
    ):
        msg = "an array of another kind"
        raise ValueError(msg)
    return array
