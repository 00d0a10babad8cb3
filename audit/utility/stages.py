"""The draws of a run: pilots, a second pilot where many draws are needed, and the draws tested.

The pilots' draws choose rates of bets and sample sizes, and are then forgotten. A second pilot of a
tenth of the draws that the first asks for is made where these are many: tails are heavy then, and
the first pilot may have missed them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.targets.target import Target
from audit.utility.cases import ErrorCase
from audit.utility.draws import Blocks, estimates_of, releases
from audit.utility.estimates import Pilot, beyond_squares, pilot_of, rounding

__all__ = ["FEWEST", "ErrorRun", "State"]

Needs = Callable[[ErrorCase, Pilot], int]

PILOT, FEWEST = 2_000, 50
LEAST_SHARE = 3 * PILOT
"""Draws of a case with which it has a whole pilot."""

SECOND, LARGEST_PILOT = 10, 20_000
"""A second pilot is so small a part of the draws needed, if that is more than the first."""

FIRST_STAGE, MAIN_STAGE, SECOND_STAGE = range(3)
PILOT_TIME = 0.3
"""Share of the time that pilots may take."""


@final
@dataclass(slots=True)
class State:
    """What is known of one case so far."""

    case: ErrorCase
    index: int
    single: bool = False
    """Whether draws are made one a call."""
    blocks: Blocks = field(default_factory=list)
    """Releases of the present stage."""
    pilot: Pilot | None = None
    """What the pilots told."""
    pilots: int = 0
    """Draws of the pilots."""
    wanted: int = 0
    """Draws of the present stage."""
    failed: str | None = None
    """Why nothing can be said."""

    @property
    def drawn(self) -> int:
        """Draws of the present stage so far."""
        return sum(map(len, self.blocks))


@final
class ErrorRun:
    """Draws of all cases, in turn, until they are done or time is up.

    `target`: what to draw from. `cases`: on which records. `progress`: called with draws and
    seconds so far.
    """

    def __init__(
        self,
        target: Target,
        cases: Sequence[ErrorCase],
        seed: int,
        progress: Callable[[int, float], None] | None,
    ) -> None:
        self.target, self.seed, self.progress = target, seed, progress
        self.states = [State(case, index) for index, case in enumerate(cases)]
        self.started = time.monotonic()
        self.samples = 0
        self.late = False
        self.repeat_samples: int | None = None

    def pilots(self, budget_samples: int, budget_seconds: float, needs: Needs) -> None:
        """Make both pilots and choose how many draws each case is to have.

        `budget_samples`: of the whole run. `budget_seconds`: of the whole run. `needs`, callable
        (case, pilot) -> int: draws that a case needs.
        """
        share = budget_samples // len(self.states)
        first = PILOT if share >= LEAST_SHARE else max(share // 3, FEWEST)
        for state in self.states:
            state.wanted = first
        self._draw(FIRST_STAGE, PILOT_TIME * budget_seconds)
        made = [self._read(state, needs, []) for state in self.states]
        for state in self.states:
            more = min(state.wanted // SECOND, LARGEST_PILOT)
            state.wanted = more if first < more <= share // 2 else 0
        wanted = [state.wanted for state in self.states]
        self._draw(SECOND_STAGE, PILOT_TIME * budget_seconds)
        for state, estimates, more in zip(self.states, made, wanted, strict=True):
            if more or self.late:
                self._read(state, needs, [estimates])
            else:
                state.wanted = needs(state.case, state.pilot) if state.pilot else 0

    def _read(
        self, state: State, needs: Needs, before: list[NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """Choose how many draws to make, by the pilots; return their estimates."""
        parts = [*before, estimates_of(state.blocks, state.case.read, self.target.name)]
        estimates = np.concatenate(parts)
        finite = estimates[np.isfinite(estimates)]
        state.blocks, state.wanted, state.pilots = [], 0, estimates.size
        failed = estimates.size - finite.size
        if estimates.size < FEWEST:
            state.failed = "time was up before the first draws were made"
        elif finite.size < FEWEST // 2:
            state.failed = f"{failed} of the first {estimates.size} draws are no finite number"
        else:
            errors = finite - float(state.case.truth.value)
            state.failed = beyond_squares(errors)
            if state.failed is not None:
                state.pilot = None
                return estimates
            state.pilot = pilot_of(errors, rounding(state.case))
            times = estimates.size / finite.size
            state.wanted = math.ceil(needs(state.case, state.pilot) * times)
        return estimates

    def main(self, budget_samples: int, budget_seconds: float) -> None:
        """Make the draws that are tested; parameters as in `pilots`."""
        early, self.late = self.late, False
        pilots = sum(state.pilots for state in self.states)
        most = max((budget_samples - pilots) // len(self.states), FEWEST)
        for state in self.states:
            state.wanted = min(state.wanted, most)
        self._draw(MAIN_STAGE, budget_seconds)
        if self.late:
            least = self._cut()
            repeat = pilots + len(self.states) * least
            share = repeat // len(self.states)
            whole = share >= max(LEAST_SHARE, *(2 * state.pilots for state in self.states))
            self.repeat_samples = repeat if whole and not early else None
        self.late |= early

    def _cut(self) -> int:
        """Cut all cases to the draws of the slowest, so that a budget of samples repeats them."""
        least = min(state.drawn for state in self.states if state.drawn < state.wanted)
        for state in self.states:
            kept, blocks = 0, []
            for block in state.blocks:
                if kept + len(block) <= least:
                    blocks.append(block)
                    kept += len(block)
            state.blocks = blocks
        return least

    def _draw(self, stage: int, seconds: float) -> None:
        """Draw what each case wants in a stage; sets `late` if time ends it."""
        deadline = self.started + seconds
        running = {state.index: self._blocks(state, stage, deadline) for state in self.states}
        while running:
            for state in self.states:
                if state.index not in running:
                    continue
                try:
                    block = next(running[state.index])
                except StopIteration:
                    del running[state.index]
                except BatchFailed:
                    state.single, state.blocks = True, []
                    running[state.index] = self._blocks(state, stage, deadline)
                except OutOfTime:
                    self.late = True
                    return
                else:
                    state.blocks.append(block)
                    self.samples += len(block)
                    if self.progress is not None:
                        self.progress(self.samples, time.monotonic() - self.started)

    def _blocks(self, state: State, stage: int, deadline: float) -> Iterator[NDArray[Any]]:
        place = (self.seed, state.index, stage)
        return releases(
            self.target, state.case, place, state.wanted, single=state.single, deadline=deadline
        )
