"""Shrink the pair of a violation: each smaller pair is audited by itself, on streams of its own.

A smaller pair is taken if a short audit of it alone refutes the claim at a strict level; that
audit's e-process is a valid test (ENG-T3), whatever the claim and whatever the event. What was
found in values is not exchanged for what shows in floating-point numbers alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import final

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.draws.streams import Purpose
from audit.engine.allocation import most_suspicious
from audit.engine.batches import bet_on, first_draws
from audit.engine.pair_choice import next_bet
from audit.engine.pair_state import PairState
from audit.engine.run import Run
from audit.engine.witness.allowance import search_allowance
from audit.engine.witness.event import looks_at_floats
from audit.engine.witness.shrink import StopShrinking, shrink
from audit.engine.witness.shrink_tables import shrink_tables
from audit.pairs.neighbors import Pair
from audit.pairs.records import Records
from audit.targets.domain import Domain
from audit.targets.target import domain_of
from mechanisms.claims import PersonalizedDP

__all__ = ["smallest_pair"]

LEVEL = 1e-3
"""False-alarm rate of each attempt: of many, few should be mistaken."""

DRAWS_OVER_RUN = 2
"""An attempt may take so many times the draws that the violation took to be found."""
FIRST_SHARE, FEWEST_FIRST, MOST_FIRST = 4, 16, 200
"""An attempt learns from a quarter of the draws that the violation took, within bounds: most of
them find nothing, and each bet takes time. The least is what a run learns from."""
FEWEST_DRAWS, MOST_DRAWS = 50, 50_000
"""Draws of each arm that an attempt may take."""


def smallest_pair(
    run: Run, found: PairState, wanted: int, seconds: float
) -> tuple[PairState, int, bool]:
    """Find the smallest pair that still shows a violation.

    Parameters
    ----------
    run : Run
        The run that refuted the claim.
    found : PairState
        The pair that showed it; listed pairs, those of personalized claims (a record's place is
        its user), and data that are no neighboring arrays of numbers, stay as they are.
    wanted : int
        Fresh draws of each arm for this pair: what they take is left (see `allowance`).
    seconds : float
        Most time for all attempts. Draws are what ends them: a run that this cuts is not
        reproducible, and says so.

    Returns
    -------
    PairState
        The smallest pair, with what was learned about it; `found` itself if there is none.
    int
        Samples of all attempts.
    bool
        Whether time cut them.
    """
    assert found.bets is not None
    of_floats = looks_at_floats(found, found.bets.line)
    domain = domain_of(run.target, run.claim, run.settings.min_size)
    records = Records.match(found.data, found.neighbor)
    known = records is not None or domain.schema is not None
    if isinstance(run.claim.level, PersonalizedDP) or not known:
        return found, 0, False
    if domain.listed or not domain.admits(found.data, found.neighbor):
        return found, 0, False
    domain = domain.near(found.data, found.neighbor, generated=found.generated)
    left = search_allowance(run.samples, wanted)
    attempts = _Attempts(
        run,
        domain,
        ideal=run.settings.ideal or not of_floats,
        single=found.single,
        first=min(MOST_FIRST, max(FEWEST_FIRST, found.draws // FIRST_SHARE)),
        draws=min(MOST_DRAWS, max(FEWEST_DRAWS, DRAWS_OVER_RUN * found.draws)),
        left=left,
        deadline=time.monotonic() + seconds,
    )
    if records is None:
        pair = Pair(found.label, found.data, found.neighbor)
        state = shrink_tables(pair, domain, attempts.refuted)
    else:
        start = _plain(run, found, domain, attempts)
        _, state = shrink(start or records, domain, attempts.refuted_on)
    return state or attempts.plain or found, left - attempts.left, attempts.cut


def _plain(run: Run, found: PairState, domain: Domain, attempts: _Attempts) -> Records | None:
    """The most suspicious pair of records that any domain has, if it shows a violation too."""
    if not domain.strangeness(found.data, found.neighbor):
        return None
    plain = [
        state
        for state in run.pairs
        if state.bets is not None and not domain.strangeness(state.data, state.neighbor)
    ]
    best = most_suspicious(plain) if plain else None
    records = None if best is None else Records.match(best.data, best.neighbor)
    if records is None:
        return None
    try:
        attempts.plain = attempts.refuted_on(records)
    except StopShrinking:
        return None
    return records if attempts.plain is not None else None


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
    plain: PairState | None = None
    cut: bool = False

    def refuted_on(self, records: Records) -> PairState | None:
        """The state of a pair whose own audit refutes the claim; None if it does not."""
        return self.refuted(Pair(records.describe(self.domain), records.data, records.neighbor))

    def refuted(self, pair: Pair) -> PairState | None:
        """The same of any pair."""
        try:
            try:
                return self._audited(pair)
            except BatchFailed:
                self.single = True
            return self._audited(pair)
        except OutOfTime:
            self.cut = True
            raise StopShrinking from None

    def _audited(self, pair: Pair) -> PairState | None:
        seconds = self.deadline - time.monotonic()
        if self.left < 2 * self.first:
            raise StopShrinking
        if seconds <= 0:
            raise OutOfTime
        settings = replace(
            self.run.settings,
            ideal=self.ideal,
            false_alarm=min(LEVEL, self.run.settings.false_alarm),
            budget_samples=min(2 * self.draws, self.left - self.left % 2),  # of two data sets
            budget_seconds=seconds,
        )
        run = self.run
        attempt = Run.start(run.target, run.claim, [pair], settings, run.grid, None, 1.0)
        attempt.purpose, attempt.first_pair = Purpose.SHRINK, self.made
        self.made += 1
        (state,) = attempt.pairs
        state.single = self.single
        try:
            first_draws(attempt, state, self.first)
            while not attempt.refuted and attempt.samples < settings.budget_samples:
                bet_on(attempt, *next_bet(attempt))
        finally:
            self.left -= attempt.samples
        return state if attempt.refuted else None
