"""Shrink the pair of a violation: each smaller pair is audited by itself, on streams of its own.

A smaller pair is taken if a short audit of it alone refutes the claim at a strict level; that
audit's e-process is a valid test (ENGINE T3), whatever the claim and whatever the event. What was
found in values is not exchanged for what shows in floating-point numbers alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import final

from audit.engine.allocation import FIRST_DRAWS
from audit.engine.draws import BatchFailed, OutOfTime
from audit.engine.neighbors import Pair
from audit.engine.pair_state import PairState
from audit.engine.partitions.lattice import FEATURE
from audit.engine.records import Domain, Records
from audit.engine.run import Run
from audit.engine.streams import Purpose
from audit.engine.witness.readable import readable_event
from audit.engine.witness.shrink import StopShrinking, shrink
from mechanisms.claims import PersonalizedDP, Relation

__all__ = ["smallest_pair"]

LEVEL = 1e-4
"""False-alarm rate of each attempt: of many, few should be mistaken."""

DRAWS_OVER_RUN = 4
"""An attempt may take so many times the draws that the violation took to be found."""
FIRST_SHARE, FEWEST_FIRST = 4, 50
"""An attempt learns from a quarter of the draws that the violation took, at least 50."""
FEWEST_DRAWS, MOST_DRAWS = 1_000, 50_000
"""Draws of each arm that an attempt may take."""
DRAWS_OF_ALL = 200_000
"""Draws of all attempts together; more if the run itself took more."""


def smallest_pair(run: Run, found: PairState, seconds: float) -> tuple[PairState, int]:
    """Find the smallest pair that still shows a violation.

    Parameters
    ----------
    run : Run
        The run that refuted the claim.
    found : PairState
        The pair that showed it; listed pairs, those of personalized claims (a record's place is
        its user), and data that are no neighboring arrays of numbers, stay as they are.
    seconds : float
        Time for all attempts.

    Returns
    -------
    PairState
        The smallest pair, with what was learned about it; `found` itself if there is none.
    int
        Draws of all attempts.
    """
    assert found.bets is not None
    of_floats = readable_event(found, found.bets.line).feature == FEATURE
    records = Records.match(found.data, found.neighbor)
    if isinstance(run.claim.level, PersonalizedDP) or records is None:
        return found, 0
    if not records.are_neighbors(run.claim.relation):
        return found, 0
    domain = Domain.around(
        run.target.bounds,
        records,
        min_size=run.settings.min_size,
        fixed_size=run.claim.relation is Relation.SWAP and not found.generated,
    )
    left = max(DRAWS_OF_ALL, run.samples)
    attempts = _Attempts(
        run,
        domain,
        ideal=run.settings.ideal or not of_floats,
        single=found.single,
        first=min(FIRST_DRAWS, max(FEWEST_FIRST, found.draws // FIRST_SHARE)),
        draws=min(MOST_DRAWS, max(FEWEST_DRAWS, DRAWS_OVER_RUN * found.draws)),
        left=left,
        deadline=time.monotonic() + seconds,
    )
    _, state = shrink(records, domain, attempts.refuted_on)
    return state or found, left - attempts.left


@final
@dataclass(slots=True)
class _Attempts:
    """Audits of single pairs, within one budget."""

    run: Run
    domain: Domain
    ideal: bool
    single: bool
    first: int
    draws: int
    left: int
    deadline: float
    made: int = 0

    def refuted_on(self, records: Records) -> PairState | None:
        """The state of a pair whose own audit refutes the claim; None if it does not."""
        pair = Pair(records.describe(self.domain), records.data, records.neighbor)
        try:
            return self._audited(pair)
        except OutOfTime:
            raise StopShrinking from None
        except BatchFailed:
            self.single = True
        try:
            return self._audited(pair)
        except OutOfTime:
            raise StopShrinking from None

    def _audited(self, pair: Pair) -> PairState | None:
        seconds = self.deadline - time.monotonic()
        if seconds <= 0 or self.left <= 0:
            raise StopShrinking
        settings = replace(
            self.run.settings,
            ideal=self.ideal,
            false_alarm=min(LEVEL, self.run.settings.false_alarm),
            budget_samples=2 * self.draws,
            budget_seconds=seconds,
        )
        run = self.run
        attempt = Run.start(run.target, run.claim, [pair], settings, run.grid, None, 1.0)
        attempt.purpose, attempt.first_pair = Purpose.SHRINK, self.made
        self.made += 1
        (state,) = attempt.pairs
        state.single = self.single
        try:
            attempt.first_draws(state, self.first)
            while not attempt.refuted and attempt.samples < settings.budget_samples:
                attempt.bet_on(*attempt.next_bet())
        finally:
            self.left -= attempt.samples
        return state if attempt.refuted else None
