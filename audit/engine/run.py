"""State of a running audit: what was drawn, from which pair to draw next, and the wealth."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.counts.batch import Batch, merge
from audit.engine.counts.block import Task
from audit.engine.counts.source import CountSource
from audit.engine.draws import BatchFailed
from audit.engine.experts import Grid, noise_level, shares
from audit.engine.grids import grid_of
from audit.engine.neighbors import Pair
from audit.engine.nested import Axis, blocks, lower_limit
from audit.engine.pair_state import PairState
from audit.engine.saved import SavedAudit, undisturbed
from audit.engine.search import Search
from audit.engine.settings import Settings
from audit.engine.wealth import Wealth
from audit.targets import Target
from mechanisms.claims import PersonalizedDP, PrivacyClaim

__all__ = ["FEW_PAIRS", "FIRST_DRAWS", "Run"]

FIRST_DRAWS = 200
"""Draws of each arm of a pair that only learn."""
SMALLEST_BATCH = 20
GROWTH = 1.06
GROWTH_OF_MANY_PAIRS = 2.0
"""Of the least-sampled pair: with many pairs it is drawn from to learn, not to win."""
FEW_PAIRS = 4
"""Up to so many pairs are each drawn from as if they were alone."""
EXPLORED_SHARE, EXPLORED_SHARE_IF_SUSPICIOUS = 0.9, 0.15
"""Of the draws that go to the least-sampled pair; less while another is suspicious."""

SUSPICIOUS = 0.6
"""Share of the largest gap by chance alone from which on a pair is drawn from before others."""

FREELY_DRAWN, FURTHEST_AHEAD = 6_400, 4
"""Draws that the most suspicious pair may have: so many, or so many times the least-sampled's."""

Check = Callable[["Run", PairState, Batch], None]
"""What looks at the draws of a batch that has been booked."""

GIVEN = frozenset({"target", "claim", "settings", "grid", "progress", "source", "save", "started"})
"""What a run is told when it begins, and what belongs to this process."""


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
    started: float
    spent: int = 0
    first_batch: int = 0
    samples: int = 0
    explored: int = 0
    opaque: str | None = None
    failure: str = ""
    source: CountSource = field(default_factory=CountSource)
    save: SavedAudit | None = None
    search: Search = field(default_factory=Search)
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
        states = [_unseen(index, pair, settings, len(pairs)) for index, pair in enumerate(pairs)]
        level = share * settings.false_alarm
        now = time.monotonic()
        return cls(target, claim, settings, grid, states, progress, level, now)

    def __post_init__(self) -> None:
        levels = np.concatenate(
            [np.full(axis.values.size, axis.share * self.level) for axis in self.grid.axes]
        )
        self.wealth = Wealth(shares(self.grid), len(self.pairs), levels)

    def state(self) -> dict[str, Any]:
        """What the run has become: all that its beginning does not say."""
        told = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in GIVEN}
        return told | {"elapsed": time.monotonic() - self.started}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another run with the same beginning was."""
        self.started = time.monotonic() - state.pop("elapsed")
        for name, value in state.items():
            setattr(self, name, value)

    @property
    def deadline(self) -> float:
        """End of the time budget, on the clock of `time.monotonic`."""
        return self.started + self.settings.budget_seconds

    @property
    def refuted(self) -> bool:
        """Whether the wealth against the claim itself has reached 1/alpha."""
        return bool(self.wealth.rejected()[self.grid.claimed])

    @property
    def ended(self) -> str | None:
        """What has ended the run before its budget: "refuted", "failure", or nothing yet."""
        if self.failure:
            return "failure"
        return "refuted" if self.refuted else None

    def lower_limits(self) -> list[tuple[Axis, float]]:
        """Lower confidence limit on each axis of the grid (ENGINE T4)."""
        rejected = self.wealth.rejected()
        return [
            (axis, lower_limit(axis.values, rejected[points]))
            for axis, points in blocks(self.grid.axes)
        ]

    def draw(self, state: PairState, size: int) -> Batch:
        """Draw one batch of both arms, fresh and from separate streams; nothing is booked."""
        try:
            return self._draw(state, size)
        except BatchFailed as failure:
            if state.batches:
                raise
            state.single[failure.arm] = True  # nothing has been bet on this pair yet
            return self.draw(state, size)

    def _draw(self, state: PairState, size: int) -> Batch:
        encoder = state.encoder if state.batches else None
        counted = state.counted()
        partitions = {id(partition): partition for partition in counted}
        tasks = [
            Task(
                target=self.target,
                data=data,
                place=(self.settings.seed, state.index, arm, self.first_batch + state.batches),
                size=size,
                look=size // 2,
                single=state.single[arm],
                encoder=encoder,
                partitions=tuple(partitions.values()),
                keep=state.needs_draws(size),
            )
            for arm, data in enumerate((state.data, state.neighbor))
        ]
        places = list(partitions)
        return merge(
            self.source.count(tasks, self.deadline),
            size,
            encoder,
            [places.index(id(partition)) for partition in counted],
        )

    def first_draws(self, state: PairState, size: int, check: Check | None = None) -> Batch:
        """Draw what a pair's first bets are made from."""
        batch = self.draw(state, size)
        with undisturbed():
            self._learn(state, batch, check)
        self._report()
        return batch

    def bet_on(self, state: PairState, size: int, check: Check | None = None) -> Batch:
        """Draw a batch, look at its first half, book the whole of it, and learn from it.

        Parameters
        ----------
        state, size
            From `next_bet`.
        check : callable or None
            Looks at the draws of the booked batch, and may set `failure` and `opaque`.
        """
        exploring = self.exploring
        batch = self.draw(state, size)
        with undisturbed():
            self._settle(state, batch)
            self.explored += 2 * size * exploring
            self._learn(state, batch, check)
        self._report()
        return batch

    def _learn(self, state: PairState, batch: Batch, check: Check | None) -> None:
        """Book the draws of a batch, and make the pair's next bet."""
        self.samples += 2 * batch.size
        state.learn(batch, self._grid_of(state))
        if check is not None:
            check(self, state, batch)

    def _grid_of(self, state: PairState) -> Grid:
        """The nested claims about a pair: of a personalized claim those of its user."""
        if isinstance(self.claim.level, PersonalizedDP):
            return grid_of(self.claim, user=state.user)
        return self.grid

    def _report(self) -> None:
        """Say how far the run has come, and keep it; between batches only."""
        if self.save is not None:
            self.save.offer(self.state())
        if self.progress is not None:
            self.progress(self.samples, time.monotonic() - self.started)

    def _settle(self, state: PairState, batch: Batch) -> None:
        """Look at the first half of a batch, and book the whole of it."""
        bets, own = state.bets, state.own
        assert bets is not None
        log_own: NDArray[np.float64] | None = None
        for draws in batch.looks:
            counts = batch.counts(draws)
            log_e = bets.log_e(counts, draws)
            if own is not None:
                of_own = counts[len(state.partitions) :]
                log_e_own = own.log_e(of_own)
                log_own = own.log_sum(log_e_own)
            self.wealth.compare(state.index, log_e, log_own)
        if own is not None:
            own.settle(of_own, log_e_own)
        self.wealth.settle(state.index, log_e, log_own)

    @property
    def exploring(self) -> bool:
        """Whether the next draws are of the least-sampled pair."""
        least = min(state.draws for state in self.given)
        if self.most_suspicious().draws >= max(FREELY_DRAWN, FURTHEST_AHEAD * least):
            return True
        return self.explored <= self._explored_share * self.samples

    @property
    def _explored_share(self) -> float:
        return EXPLORED_SHARE_IF_SUSPICIOUS if self.suspicious else EXPLORED_SHARE

    @property
    def suspicious(self) -> bool:
        """Whether a pair is to be drawn from before others."""
        return self._is_above(SUSPICIOUS)

    def _is_above(self, share: float) -> bool:
        """Whether a gap is above a share of what chance brings where all pairs are at the claim."""
        bets = self.most_suspicious().bets
        return bets is not None and bets.suspicion > share * noise_level(len(self.pairs))

    @property
    def given(self) -> Sequence[PairState]:
        """The pairs that the run began with."""
        return self.pairs[: self.wealth.pairs]

    def join_nearby(self) -> PairState | None:
        """Let a pair join that is near the most suspicious one, while none is above the noise.

        Its first draws only learn (see `audit.engine.search`); None where nothing joins. Of a
        personalized claim nothing does: a record's place is its user.
        """
        if isinstance(self.claim.level, PersonalizedDP):
            return None
        learned = min(state.batches for state in self.given) > 1
        enough = self._left > FIRST_DRAWS and self.search.may_join(FIRST_DRAWS, self.samples)
        if self._is_above(1.0) or not learned or not enough:
            return None
        pair = self.search.next_pair(
            self.pairs,
            self.claim.relation,
            self.target.order,
            self.target.bounds,
            self.settings.min_size,
        )
        if pair is None:
            return None
        state = _unseen(len(self.pairs), pair, self.settings, self.wealth.pairs)
        state.single = [any(any(other.single) for other in self.pairs)] * 2
        self.pairs.append(state)
        return state

    def next_bet(self) -> tuple[PairState, int]:
        """Choose the pair of the next batch and its size: functions of the past and the budget.

        A share of the draws goes to the least-sampled pair, the rest to the most suspicious one.
        """
        if self.exploring:
            state = min(self.given, key=lambda s: s.draws)
            growth = GROWTH if len(self.pairs) <= FEW_PAIRS else GROWTH_OF_MANY_PAIRS
            size = self._batch_size(state, growth)
            even = self._even_share(state)
            return state, even if size // 4 <= even < size else size
        state = self.most_suspicious()
        return state, self._batch_size(state, GROWTH)

    def _even_share(self, state: PairState) -> int:
        """Draws of each arm that all pairs drawn from as little as this one can still have."""
        as_little = sum(other.draws == state.draws for other in self.given)
        return max(1, int(self._explored_share * self._left) // as_little)

    def most_suspicious(self) -> PairState:
        """The pair with the largest estimated gap, in standard errors, against the claim."""
        return max(self.pairs, key=lambda s: s.bets.suspicion if s.bets else -math.inf)

    def _batch_size(self, state: PairState, growth: float) -> int:
        size = max(SMALLEST_BATCH, math.ceil((growth - 1) * state.draws))
        return int(min(size, self._left, state.draws_to_read()))

    @property
    def _left(self) -> int:
        """Draws of each arm that the budget is still enough for."""
        return (self.settings.budget_samples - self.spent - self.samples) // 2


def _unseen(index: int, pair: Pair, settings: Settings, pairs: int) -> PairState:
    """State of a pair that nothing was drawn from."""
    return PairState(
        index,
        pair.label,
        pair.data,
        pair.neighbor,
        settings.ideal,
        pair.generated,
        pairs,
        user=pair.user,
    )
