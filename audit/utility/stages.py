"""The draws of a run: pilots, a second pilot where many draws are needed, and the draws tested.

The pilots' draws choose rates of bets and sample sizes, and are then forgotten. A second pilot of a
tenth of the draws that the first asks for is made where these are many: tails are heavy then, and
the first pilot may have missed them.

While the draws are made they are looked at (`audit.utility.error_looks`). Where a claim is refuted
far beyond doubt, what was drawn is forgotten as well, and each case with less than half of its
draws gets new ones, of a number that is known before they are made: limits and tests of the report
are of these alone, so that they do not depend on when the run was stopped. A draw that is no finite
number refutes a claim of a mean for certain; then the run stops with what it has, since when such
draws come tells nothing of the others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.targets.outcomes import BatchFailed, OutOfTime
from audit.targets.target import Target
from audit.utility.error_cases import ErrorCase
from audit.utility.error_looks import far_refuted
from audit.utility.estimate_draws import Blocks, estimates_of, releases
from audit.utility.estimates import Pilot, beyond_squares, pilot_of, rounding
from mechanisms.utility_claims import Quantity, UtilityClaim

Needs = Callable[[ErrorCase, Pilot], int]

PILOT, FEWEST = 2_000, 50
LEAST_SHARE = 3 * PILOT
"""Draws of a case with which it has a whole pilot."""

SECOND, LARGEST_PILOT = 10, 20_000
"""A second pilot is so small a part of the draws needed, if that is more than the first."""

FIRST_LOOK, REPORTED = 1_000, 4_000
"""Draws of a case from which on it is looked at, and new ones of a case when the run stops."""

FIRST_STAGE, MAIN_STAGE, SECOND_STAGE, LAST_STAGE = range(4)
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
    stage: int = FIRST_STAGE
    looked_at: int = 0
    """Draws of the main stage at the last look."""
    refuted: tuple[UtilityClaim, ...] = ()
    """Claims for which the run was stopped."""
    forgotten: Blocks = field(default_factory=list)
    """Releases of the main stage, where the run was stopped."""
    undecided: bool = False
    """Whether the run was stopped before it had the draws that the case needs."""

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
        self.late = self.stopped = False
        self.error: float | None = None
        """Of each end, once draws are looked at."""
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

    def main(self, budget_samples: int, budget_seconds: float, error: float) -> None:
        """Make the draws that are tested; parameters as in `pilots`, and the error of each end."""
        self.error = error
        early, self.late = self.late, False
        pilots = sum(state.pilots for state in self.states)
        most = max((budget_samples - pilots) // len(self.states), FEWEST)
        for state in self.states:
            state.wanted = min(state.wanted, most)
        self._draw(MAIN_STAGE, budget_seconds)
        if self.late and not self.stopped:
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
        for state in self.states:
            state.stage = stage
        running = {state.index: self._blocks(state, deadline) for state in self.states}
        while running:
            if stage == MAIN_STAGE and not self.stopped:
                for state in self._stop():
                    running[state.index] = self._blocks(state, deadline)
            for state in self.states:
                if state.index not in running:
                    continue
                try:
                    block = next(running[state.index])
                except StopIteration:
                    del running[state.index]
                except BatchFailed:
                    state.single, state.blocks = True, []
                    running[state.index] = self._blocks(state, deadline)
                except OutOfTime:
                    self.late = True
                    return
                else:
                    state.blocks.append(block)
                    self.samples += len(block)
                    if self.progress is not None:
                        self.progress(self.samples, time.monotonic() - self.started)

    def _stop(self) -> list[State]:
        """Look at the draws; return the cases that get other ones, if it is time to stop."""
        lost = False
        for state in self.states:
            if state.pilot is None or state.drawn < max(FIRST_LOOK, 2 * state.looked_at):
                continue
            state.looked_at = state.drawn
            estimates = estimates_of(state.blocks, state.case.read, self.target.name)
            finite = estimates[np.isfinite(estimates)]
            # a draw that is no finite number refutes a claim of a mean
            of_means = any(one.quantity is not Quantity.MISS for one in state.case.claims)
            lost |= finite.size < estimates.size and of_means and not state.case.given_success
            if 2 * state.drawn <= state.wanted and beyond_squares(finite) is None:
                assert self.error is not None
                state.refuted = far_refuted(state.case, finite, state.pilot, self.error)
        self.stopped = lost or any(state.refuted for state in self.states)
        if not self.stopped:
            return []
        others = [state for state in self.states if 2 * state.drawn <= state.wanted]
        for state in others:
            state.undecided, state.forgotten = True, state.blocks
            if lost:
                state.wanted, state.refuted = state.drawn, ()
            else:
                new = min(max(state.drawn, REPORTED), state.wanted - state.drawn)
                state.stage, state.wanted, state.blocks = LAST_STAGE, new, []
        return others

    def _blocks(self, state: State, deadline: float) -> Iterator[NDArray[Any]]:
        if state.stage == MAIN_STAGE and state.undecided:
            return iter(())
        place = (self.seed, state.index, state.stage)
        return releases(
            self.target, state.case, place, state.wanted, single=state.single, deadline=deadline
        )
