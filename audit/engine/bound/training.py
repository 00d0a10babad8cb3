"""The training draws: which pair to test, by rounds in which half of the pairs drop out.

Three tenths of the budget choose an event, and a tenth more the pair for each doubling of the
pairs. They are spent in rounds of equal cost. In each, every remaining pair gets equally many
draws; then half of them go on, in turn the pair with the largest predicted limit and the one whose
arms differ most, down to one. Draws, pairs, partitions and sizes of later rounds depend on earlier
ones as they like: no training draw is used in the test.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.draws.independence import find_dependence
from audit.engine.alone import compare_calls_of
from audit.engine.bound.choose import ChosenEvent, best_event, divergence_lower
from audit.engine.counts.batch import Batch
from audit.engine.faults_of_draws import dependent, fault_of
from audit.engine.hopeless import all_failed, hopeless
from audit.engine.loop import fresh_batch, tell_progress
from audit.engine.pair_state import PairState
from audit.engine.run_state import Run
from audit.levels import supporting_line
from audit.results.number_words import plural
from audit.targets.target import Calls

__all__ = ["Failed", "Training", "training_share"]

SHARE, SHARE_BY_PAIRS, LARGEST_SHARE = 0.3, 0.1, 0.6
"""Of the budget: for an event, for each doubling of the pairs, and in all."""
FEWEST_DRAWS = 50
"""Of each arm of a pair in the first round."""
MOST_DRAWS = 900_000
"""Of each arm of a pair: more would not make a better choice worth their time."""
GROWTH = 4
SMALLEST_BATCH = 200
LARGEST_BATCH = 2**18
SHARE_OF_TIME = 0.8
"""Of the time that is left, what the rest of the draws is planned to take."""
DRAWS_COMPARED = 2**14


def training_share(pairs: int) -> float:
    """Share of the draws that choose pair and event, of an audit of so many pairs."""
    return min(LARGEST_SHARE, SHARE + SHARE_BY_PAIRS * math.log2(pairs))


class Failed(Exception):
    """Nothing can be said; the text is the reason."""


@final
@dataclass(slots=True)
class Training:
    """State of the training.

    Attributes
    ----------
    run : Run
        Draws and pairs.
    budget : int
        Draws of the whole audit: what was asked for, or as many as the time is enough for.
    """

    run: Run
    budget: int = field(init=False)
    firsts: dict[int, Batch] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.budget = self.asked

    @property
    def asked(self) -> int:
        """Draws that were asked for, without those that calls were compared with."""
        return self.run.settings.budget_samples - self.run.checked

    @property
    def cut_by_time(self) -> bool:
        """Whether the time is not enough for the budget."""
        return self.budget < self.asked

    @property
    def share(self) -> float:
        """Share of the budget that trains."""
        return training_share(len(self.run.pairs))

    @property
    def held_out(self) -> int:
        """Draws of each arm that are left for the test."""
        return max(0, (self.budget - self.run.samples) // 2)

    def choose(self) -> ChosenEvent:
        """Train, and choose pair and event.

        Raises
        ------
        Failed
            Where draws are dependent, all of them fail, or the budget is too small.
        OutOfTime
            Where the deadline passes first.
        """
        states = list(self.run.pairs)
        rounds = 1 + math.ceil(math.log2(len(states)))
        if self.run.target.calls is Calls.START and (fault := hopeless(self.run)):
            raise Failed(fault)
        self._check_budget(rounds)
        compare_calls_of(self.run)
        if self.run.failure:
            raise Failed(self.run.failure)
        self.budget = self.asked
        for number in range(rounds):
            for state in states:
                state.pairs = len(states)
                state.thorough = len(states) == 1
                state.learns_ratios = False  # what is tested is one event
                self._learn(state, rounds, len(states))
                if state.index == number == 0 and all_failed(state):
                    self.run.failure = hopeless(self.run)
                    if self.run.failure:
                        raise Failed(self.run.failure)
            keep = math.ceil(len(self.run.pairs) / 2 ** (number + 1))
            states = self._best(states, keep)
        if fault := fault_of(self.run):
            raise Failed(fault)
        return self._judge(states[0])

    def _check_budget(self, rounds: int) -> None:
        pairs = len(self.run.pairs)
        needed = math.ceil(2 * FEWEST_DRAWS * pairs * rounds / self.share)
        if self.budget < needed:
            few = f"{plural(self.budget, 'sample')} {'is' if self.budget == 1 else 'are'} too few"
            msg = f"{few} for {plural(pairs, 'pair')}; at least {needed:,} are needed"
            raise Failed(hopeless(self.run) or msg)

    def _learn(self, state: PairState, rounds: int, pairs: int) -> None:
        """Draw a pair's part of one round."""
        before = state.draws

        def until() -> int:
            part = int(self.share * self.budget / (2 * rounds * pairs))
            return min(MOST_DRAWS, before + max(FEWEST_DRAWS, part))

        while state.draws < until():
            left = until() - state.draws
            room = state.memory - state.draws
            size = min(left, max(SMALLEST_BATCH, GROWTH * state.draws), LARGEST_BATCH)
            size = min(size, room) if room > 0 else size
            if size in (left, room):
                state.fitted_at = 0  # partitions are fitted to all that can be kept
            started = time.monotonic()
            batch = self._draw(state, size)
            seconds = time.monotonic() - started
            self._check(state, batch)
            self._book(state, batch)
            self._plan(seconds / (2 * size))

    def _book(self, state: PairState, batch: Batch) -> None:
        run = self.run
        run.samples += 2 * batch.size
        state.learn(batch, run.grid)
        tell_progress(run)

    def _draw(self, state: PairState, size: int) -> Batch:
        try:
            return fresh_batch(self.run, state, size)
        except BatchFailed:
            state.single = True
            return fresh_batch(self.run, state, size)

    def _check(self, state: PairState, batch: Batch) -> None:
        """Look for dependence within the first two batches of a pair, and for opaque outputs."""
        if state.batches > 1 or batch.arms is None:
            return
        cut = slice(DRAWS_COMPARED)
        arms = batch.arms[0][cut], batch.arms[1][cut]
        if state.batches == 0:
            self.firsts[state.index] = batch
            self.run.opaque = self.run.opaque or batch.encoder.find_opaque(arms)
            found = find_dependence(arms)
        else:
            first = self.firsts[state.index].arms
            assert first is not None
            found = find_dependence(first, arms)
        if found:
            raise Failed(dependent(found, state))

    def _plan(self, seconds_a_draw: float) -> None:
        """Set the budget to what the time is enough for, at the speed of the last batch."""

        def possible() -> int:
            left = self.run.deadline - time.monotonic()
            if left <= 0:
                raise OutOfTime
            return self.run.samples + int(SHARE_OF_TIME * left / seconds_a_draw)

        self.budget = min(self.asked, self.run.log.ask("draws in time", possible, back=int))

    def _best(self, states: Sequence[PairState], keep: int) -> list[PairState]:
        """Half of the pairs, taken in turn by how much their arms differ and by their limits."""
        if len(states) <= keep:
            return list(states)
        signals = {state.index: divergence_lower(state) for state in states}
        choices = {state.index: self._judge(state) for state in states}

        def promise(state: PairState) -> tuple[bool, float]:
            choice = choices[state.index]
            return choice.safe, choice.score if choice.safe else signals[state.index]

        by_limit = sorted(states, key=promise, reverse=True)
        by_signal = sorted(states, key=lambda state: -signals[state.index])
        in_turn = [state for both in zip(by_limit, by_signal, strict=True) for state in both]
        ranked = list({state.index: state for state in in_turn}.values())
        for state in ranked[keep:]:
            state.past = ([], [])
        return ranked[:keep]

    def _judge(self, state: PairState) -> ChosenEvent:
        return best_event(
            state,
            max(1, self.held_out),
            delta=float(supporting_line(self.run.claim.level)[1]),
            false_alarm=self.run.settings.false_alarm,
        )
