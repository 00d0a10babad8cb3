"""Which pair is drawn from next, and how much of it: functions of the past and the budget.

A share of the draws goes to the least-sampled pair, the rest to the most suspicious one; most go
to that one while its gap is beyond what chance brings. So many draws of every pair that the run
can be CONSISTENT are kept back, if the budget has them at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from audit.engine.experts import noise_level
from audit.engine.pair_state import SETTLED, PairState

__all__ = [
    "FEW_PAIRS",
    "FIRST_DRAWS",
    "FIRST_DRAWS_OF_PROGRAM",
    "PROMISING",
    "Allocation",
    "is_above",
    "most_suspicious",
]

FIRST_DRAWS = 16
"""Draws of each arm of a pair that only learn: two blocks."""

FIRST_DRAWS_OF_PROGRAM = 200
"""Of a program, each of whose batches begins with its start; fewer where these take long (`cost`),
and its early batches are not smaller."""

SMALLEST_EARLY_BATCH, EARLY_GROWTH = 4, 1.08
"""Up to `SETTLED` draws: a violation that a few draws show is found with a few. (With steps of 1.2
Laplace noise 1 at .1 takes 6 % more draws.)"""
SMALLEST_BATCH, GROWTH, GROWTH_IF_PROMISING = 20, 1.2, 1.06
"""Later: while the wealth says little, and where a batch may well be the last one. Its draws are
spent then, whichever of them refuted. benchmarks/power.py compares them."""
PROMISING = 0.25
"""Share of the logarithm of what refutes from which on the wealth says something."""
SMALLEST_OF_MANY_PAIRS, GROWTH_OF_MANY_PAIRS = 64, 1.15
"""Of the most suspicious one of many pairs."""
GROWTH_OF_LEAST_SAMPLED, GROWTH_OF_LEAST_SAMPLED_LATER, LATER = 4.0, 2.0, 12_000
"""Of the least-sampled one of many pairs, which is drawn from to learn, not to win, and from how
many draws of each arm on in smaller steps. benchmarks/many_pairs.py compares them by the draws and
the time to find a pair at the limit of the power statement, by the time without a violation, and by
weak losses that are found in long runs: with steps of 4 to the end, three of eight are."""
FEW_PAIRS = 4
"""Up to so many pairs are each drawn from as if they were alone."""
EXPLORED_SHARE, EXPLORED_SHARE_IF_SUSPICIOUS = 0.9, 0.15
"""Of the draws that go to the least-sampled pair; less while another is suspicious."""

SUSPICIOUS = 0.6
"""Share of the largest gap by chance alone from which on a pair is drawn from before others."""

FREELY_DRAWN, FURTHEST_AHEAD = 6_400, 4
"""Draws that the most suspicious pair may have: so many, or so many times the least-sampled's."""

MARGIN = 1.02
"""Times the draws that the power statement needs: what is kept back of the budget.

The statement and the need are each rounded up by at most 1 % of the draws."""


def most_suspicious(pairs: Sequence[PairState]) -> PairState:
    """The pair with the largest estimated gap, in standard errors, against the claim."""
    return max(pairs, key=lambda s: s.bets.suspicion if s.bets else -math.inf)


@final
@dataclass(slots=True)
class Allocation:
    """How the draws are shared among the pairs.

    Attributes
    ----------
    given : int
        Pairs that the run began with.
    promised : int
        Draws of each arm of each of them that are kept back.
    explored : int
        Samples so far that went to the least-sampled pair.
    worth_a_start : int
        Least draws of an early batch: where each begins with the start of a program, few are not
        worth it.
    promising : bool
        Whether the wealth against the claim has come so far that the run may soon end.
    """

    given: int
    promised: int = 0
    explored: int = 0
    worth_a_start: int = SMALLEST_EARLY_BATCH
    promising: bool = False

    @classmethod
    def of(cls, given: int, needed: float, budget: int) -> Allocation:
        """Keep back what CONSISTENT needs of each pair, of the budget's draws of each arm."""
        promised = MARGIN * needed
        attainable = given > 1 and promised * given <= budget
        return cls(given, math.ceil(promised) if attainable else 0)

    def exploring(self, pairs: Sequence[PairState], samples: int, left: int) -> bool:
        """Whether the next draws are of the least-sampled pair.

        Parameters
        ----------
        pairs : sequence of PairState
            Those given, and those that joined.
        samples : int
            Of all arms and pairs so far.
        left : int
            Draws of each arm that the budget is still enough for.
        """
        least = min(state.draws for state in pairs[: self.given])
        if most_suspicious(pairs).draws >= max(FREELY_DRAWN, FURTHEST_AHEAD * least):
            return True
        if self._reserved(pairs, left):
            return True
        return self.explored <= self._explored_share(pairs) * samples

    def next_batch(
        self, pairs: Sequence[PairState], samples: int, left: int
    ) -> tuple[PairState, int]:
        """Choose the pair of the next batch and its size; parameters as in `exploring`."""
        if not self.exploring(pairs, samples, left):
            state = most_suspicious(pairs)
            return state, self._bet_size(state, pairs, left)
        given = pairs[: self.given]
        state = min(given, key=lambda s: s.draws)
        missing = self.promised - state.draws
        free = left
        if self.promised:  # one batch must not take what others were promised
            free = max(1, min(left, left - self._missing(pairs) + max(0, missing)))
        size = self._bet_size(state, pairs, free, most=False)
        if missing > 0 and self._reserved(pairs, left):
            return state, min(size, missing)
        # draws of each arm that all pairs drawn from as little as this one can still have
        as_little = sum(other.draws == state.draws for other in given)
        even = max(1, int(self._explored_share(pairs) * left) // as_little)
        return state, even if size // 4 <= even < size else size

    def spares(self, pairs: Sequence[PairState], size: int, left: int) -> bool:
        """Whether a pair that was not given may have draws without what was promised to others."""
        return not self.promised or self._missing(pairs) + size <= left

    def _missing(self, pairs: Sequence[PairState]) -> int:
        return sum(max(0, self.promised - state.draws) for state in pairs[: self.given])

    def _reserved(self, pairs: Sequence[PairState], left: int) -> bool:
        """Whether one more batch of a suspicious pair would take what was promised to others."""
        if not self.promised:
            return False
        return self._missing(pairs) + self._bet_size(most_suspicious(pairs), pairs, left) > left

    def _explored_share(self, pairs: Sequence[PairState]) -> float:
        suspicious = is_above(pairs, SUSPICIOUS)
        return EXPLORED_SHARE_IF_SUSPICIOUS if suspicious else EXPLORED_SHARE

    def _bet_size(
        self, state: PairState, pairs: Sequence[PairState], left: int, *, most: bool = True
    ) -> int:
        """Draws of each arm of the next batch of the most suspicious pair, or the least-sampled."""
        growth = GROWTH_IF_PROMISING if self.promising else GROWTH
        least = SMALLEST_BATCH
        if len(pairs) > FEW_PAIRS:
            later = state.draws >= LATER
            steps = GROWTH_OF_LEAST_SAMPLED_LATER if later else GROWTH_OF_LEAST_SAMPLED
            growth = GROWTH_OF_MANY_PAIRS if most else steps
            least = SMALLEST_OF_MANY_PAIRS
        elif state.draws < SETTLED:
            return self._early_size(state.draws, left)
        size = max(least, math.ceil((growth - 1) * state.draws))
        return int(min(size, left, state.draws_to_read()))

    def _early_size(self, draws: int, left: int) -> int:
        """Draws of an early batch; the last one ends where tables and bets are made anew."""
        size = max(self.worth_a_start, math.ceil((EARLY_GROWTH - 1) * draws))
        missing = SETTLED - draws
        if missing < size + SMALLEST_EARLY_BATCH:
            size = max(self.worth_a_start, missing)
        return min(size, left)


def is_above(pairs: Sequence[PairState], share: float) -> bool:
    """Whether a gap is above a share of what chance brings where all pairs are at the claim."""
    bets = most_suspicious(pairs).bets
    return bets is not None and bets.suspicion > share * noise_level(len(pairs))
