"""Whether a witness's fresh draws depend on each other, or differ from the past more than chance.

A run that refutes early has few draws to tell by. Its fresh ones tell more: they come in calls,
which are compared in turn at equal places (a fixed seed in each call shows there), and as stretches
beside those of the past (`homogeneity`): draws of one call that are alike differ from call to call.
Where the target starts anew for each block, a block is one call, and calls are not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

from audit.draws.blocks import FIRST_BLOCK, blocks_of, call_size, calls_of
from audit.draws.encode import Outcomes
from audit.draws.independence import find_dependence, in_turn
from audit.engine.homogeneity import LEVEL, LOOKS, Watched, change_of
from audit.engine.pair_state import LOOKED_AT, PairState
from audit.targets.target import Target

__all__ = ["LEVEL_OF_FRESH", "Fresh", "dependence_of"]

LEVEL_OF_FRESH = LEVEL / LOOKS
"""Of both looks at stretches of fresh draws together, taken off that of the run's pairs."""


@final
@dataclass(slots=True)
class Fresh:
    """The first fresh draws of both arms by block, and the lengths of each block's calls."""

    arms: tuple[list[Outcomes], list[Outcomes]] = field(default_factory=lambda: ([], []))
    calls: list[list[list[int]]] = field(default_factory=list)

    def begin(self, target: Target, size: int, *, single: bool) -> None:
        """Forget what there is: so many draws of each arm come now."""
        self.arms = ([], [])
        per_call = call_size(target, size, single=single)
        blocks = blocks_of((size, size), first=FIRST_BLOCK)
        self.calls = [calls_of(block.sizes, per_call) for block in blocks]

    def add(self, arms: Sequence[Outcomes]) -> None:
        """Keep a block, if it is among the first draws."""
        if sum(map(len, self.arms[0])) < LOOKED_AT:
            for kept, arm in zip(self.arms, arms, strict=True):
                kept.append(arm)

    def lengths(self, arm: int) -> list[int]:
        """Lengths of the calls that the kept draws of an arm came in."""
        return [size for calls in self.calls[: len(self.arms[arm])] for size in calls[arm]]


def dependence_of(state: PairState, fresh: Fresh) -> str:
    """Say how a pair's draws and its fresh ones depend on each other; empty if nothing is found."""
    if not fresh.arms[0] or not state.past[0]:
        return ""
    second = Outcomes.concatenate(fresh.arms[0]), Outcomes.concatenate(fresh.arms[1])
    past = state.first_arms()
    arms = tuple(Outcomes.concatenate([old, new]) for old, new in zip(past, second, strict=True))
    found = find_dependence((arms[0], arms[1])) or find_dependence(past, second)
    turns = in_turn(second, (fresh.lengths(0), fresh.lengths(1)))
    if not found and turns is not None:
        found = find_dependence(*turns)
    return found or _change(state, fresh)


def _change(state: PairState, fresh: Fresh) -> str:
    """Compare stretches of the past and of fresh draws, and those of the latter alone."""
    each = LEVEL_OF_FRESH / (2 * 2 * max(1, len(state.watches)))
    for watch, of_arms in zip(state.watches, state.watched, strict=True):
        for arm, (word, past) in enumerate(zip(("data", "neighbor"), of_arms, strict=True)):
            new = [
                watch.count(outcomes, calls[arm])
                for outcomes, calls in zip(fresh.arms[arm], fresh.calls, strict=False)
            ]
            for parts in ([*past, *new], new):
                if found := change_of(watch, Watched.joined(parts), word, each):
                    return found
    return ""
