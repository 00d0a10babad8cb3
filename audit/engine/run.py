"""State of a running audit: what was drawn, from which pair to draw next, and the wealth."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.draws import BatchFailed, draw_batch
from audit.engine.encode import Outcomes
from audit.engine.experts import Grid, shares
from audit.engine.nested import Axis, blocks, lower_limit
from audit.engine.experts.persistent import PersistentBets
from audit.engine.neighbors import Pair
from audit.engine.pair_state import PairState
from audit.engine.settings import Settings
from audit.engine.wealth import Wealth
from audit.targets import Target
from mechanisms.claims import PrivacyClaim

__all__ = ["FIRST_DRAWS", "Run"]

FIRST_DRAWS = 200
"""Draws of each arm of a pair that only learn."""
SMALLEST_BATCH = 20
GROWTH = 1.1
GROWTH_OF_MANY_PAIRS = 2.0
"""Of the least-sampled pair: with many pairs it is drawn from to learn, not to win."""
FEW_PAIRS = 4
EXPLORED_SHARE = 0.75


@final
@dataclass(slots=True)
class Run:
    """State of one audit: wealth over the grid, pairs, budget."""

    target: Target
    claim: PrivacyClaim
    settings: Settings
    grid: Grid
    pairs: list[PairState]
    progress: Callable[[int, float], None] | None
    level: float
    started: float = field(default_factory=time.monotonic)
    spent: int = 0
    first_batch: int = 0
    samples: int = 0
    explored: int = 0
    opaque: str | None = None
    wealth: Wealth = field(init=False)

    @classmethod
    def start(
        cls,
        target: Target,
        claim: PrivacyClaim,
        pairs: Sequence[Pair],
        settings: Settings,
        grid: Grid,
        progress: Callable[[int, float], None] | None,
        share: float,
    ) -> Run:
        """Begin with nothing drawn, at a share of the false-alarm rate."""
        states = [
            PairState(index, pair.label, pair.data, pair.neighbor, settings.ideal)
            for index, pair in enumerate(pairs)
        ]
        level = share * settings.false_alarm
        return cls(target, claim, settings, grid, states, progress, level)

    def __post_init__(self) -> None:
        levels = np.concatenate(
            [np.full(axis.values.size, axis.share * self.level) for axis in self.grid.axes]
        )
        self.wealth = Wealth(shares(self.grid), len(self.pairs), levels)

    @property
    def deadline(self) -> float:
        """End of the time budget, on the clock of `time.monotonic`."""
        return self.started + self.settings.budget_seconds

    @property
    def refuted(self) -> bool:
        """Whether the wealth against the claim itself has reached 1/alpha."""
        return bool(self.wealth.rejected()[self.grid.claimed])

    def lower_limits(self) -> list[tuple[Axis, float]]:
        """Lower confidence limit on each axis of the grid (ENGINE T4)."""
        rejected = self.wealth.rejected()
        return [
            (axis, lower_limit(axis.values, rejected[points]))
            for axis, points in blocks(self.grid.axes)
        ]

    def draw(self, state: PairState, size: int) -> tuple[Outcomes, Outcomes]:
        """Draw one batch of both arms, fresh and from separate streams."""
        outputs = [self._draw_arm(state, arm, size) for arm in (0, 1)]
        if state.batches == 0:
            state.encoder.fix_layout([block for blocks in outputs for block in blocks])
        arms = [
            Outcomes.concatenate([state.encoder.encode(block) for block in blocks])
            for blocks in outputs
        ]
        self.samples += 2 * size
        if self.progress is not None:
            self.progress(self.samples, time.monotonic() - self.started)
        return arms[0], arms[1]

    def _draw_arm(self, state: PairState, arm: int, size: int) -> list[Any]:
        place = (self.settings.seed, state.index, arm, self.first_batch + state.batches)
        data = (state.data, state.neighbor)[arm]

        def blocks() -> list[Any]:
            return list(
                draw_batch(
                    self.target,
                    data,
                    size,
                    place,
                    single=state.single[arm],
                    small_blocks=state.batches == 0,
                    deadline=self.deadline,
                )
            )

        try:
            return blocks()
        except BatchFailed:
            if state.batches:
                raise
            state.single[arm] = True  # nothing has been bet on this pair yet
            return blocks()

    def bet_on(self, state: PairState, size: int) -> tuple[Outcomes, Outcomes]:
        """Draw a batch, look at its first half, book the whole of it, and learn from it."""
        bets, persistent = state.bets, state.persistent
        assert bets is not None
        batch = state.code(self.draw(state, size))
        factors = None if persistent is None else persistent.log_factors()
        for draws in (size // 2, size):
            counts = batch.counts(slice(draws))
            log_e = bets.log_e(counts, draws)
            log_e_fixed = None if persistent is None else persistent.log_e(factors, counts[-1])
            log_pair = self._of_pair(persistent, log_e_fixed)
            self.wealth.compare(state.index, log_e, log_pair)
        if persistent is not None:
            persistent.settle(counts[-1], log_e_fixed)
        log_pair = self._of_pair(persistent, None)
        self.wealth.settle(state.index, log_e, log_pair)
        state.learn(batch, self.grid)
        return batch.arms

    def _of_pair(self, persistent: PersistentBets | None, log_e: Any) -> NDArray[np.float64]:
        """Wealth of a pair's own bets with a look."""
        return np.zeros(self.grid.points) if persistent is None else persistent.log_mean(log_e)

    def next_bet(self) -> tuple[PairState, int]:
        """Choose the pair of the next batch and its size: functions of the past and the budget.

        A share of the draws goes to the least-sampled pair, the rest to the most suspicious one.
        """
        if self.explored <= EXPLORED_SHARE * self.samples:
            state = min(self.pairs, key=lambda s: s.draws)
            growth = GROWTH if len(self.pairs) <= FEW_PAIRS else GROWTH_OF_MANY_PAIRS
            size = self._batch_size(state, growth)
            self.explored += 2 * size
            return state, size
        state = self.most_suspicious()
        return state, self._batch_size(state, GROWTH)

    def most_suspicious(self) -> PairState:
        """The pair with the largest estimated gap, in standard errors, against the claim."""
        return max(self.pairs, key=lambda s: s.bets.suspicion if s.bets else -math.inf)

    def _batch_size(self, state: PairState, growth: float) -> int:
        left = (self.settings.budget_samples - self.spent - self.samples) // 2
        return min(max(SMALLEST_BATCH, math.ceil((growth - 1) * state.draws)), left)
