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
from audit.engine.loop import bet_on, first_draws, next_bet
from audit.engine.pair_state import PairState
from audit.engine.run_state import Run
from audit.engine.witness.allowance import search_allowance
from audit.engine.witness.event import looks_at_floats
from audit.engine.witness.pair_shrinking import StopShrinking, shrink
from audit.engine.witness.shrink_tables import shrink_tables
from audit.pairs.matched_records import Records
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain
from audit.targets.target import Calls, domain_of
from mechanisms.claims import PersonalizedDP

__all__ = ["smallest_pair"]


@final
@dataclass(frozen=True, slots=True)
class _Effort:
    """What an attempt takes.

    `level` is its false-alarm rate: of many, few should be mistaken. It may take `over_run` times
    the draws that the violation took to be found, and `draws` of each arm; it learns from a quarter
    of those draws, and from `first`: most attempts find nothing, and each bet takes time.
    """

    level: float
    over_run: int
    first: int
    draws: int


AT_ONCE = _Effort(1e-4, 4, 50, 1_000)
"""Of a target that makes many draws in one call."""
EACH = _Effort(1e-3, 2, 16, 50)
"""Of one that is called, or started, for each: small attempts. 16 is what a run learns from."""
FIRST_SHARE, MOST_FIRST, MOST_DRAWS = 4, 200, 50_000

READ_AT_ONCE = 10
FEWEST_OF_ALL, FEWEST_FROM_MANY = 1_000, 40_000
"""Samples that the search may take in any run of a target that makes many draws in one call, where
they cost next to nothing; the latter where a data set has more records than are read at once. Half
of a run of a few hundred draws tries no smaller pair: of 20 records, found with 72 to 472 draws, 12
runs of 12 kept all; 500 records of `tests/audit/engine/test_shrink.py` stay 500 below 20,000, and
so does the record outside of the bounds of the witness of `ksw.shifted-laplace` below 40,000."""

FEWEST_OF_TABLES = 8_000
"""Of tables, which have rows, columns and cells to go through: with 1,000 the witness of `one_row`
of tests/audit/tables kept cells that do not matter."""


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
    at_once = run.target.calls is Calls.MANY
    effort = AT_ONCE if at_once else EACH
    left = search_allowance(run.samples, wanted, _fewest(found, domain) if at_once else 0)
    attempts = _Attempts(
        run,
        domain,
        ideal=run.settings.ideal or not of_floats,
        single=found.single,
        level=effort.level,
        first=min(MOST_FIRST, max(effort.first, found.draws // FIRST_SHARE)),
        draws=min(MOST_DRAWS, max(effort.draws, effort.over_run * found.draws)),
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


def _fewest(found: PairState, domain: Domain) -> int:
    """Samples of the search where draws cost next to nothing."""
    if domain.schema is not None:
        return FEWEST_OF_TABLES
    many = max(len(found.data), len(found.neighbor)) > READ_AT_ONCE
    return FEWEST_FROM_MANY if many else FEWEST_OF_ALL


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
    level: float
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
        if self.left < 2 * self.first:
            raise StopShrinking
        late = self.run.ask("out of time", lambda: time.monotonic() >= self.deadline, back=bool)
        if late:
            raise OutOfTime
        settings = replace(
            self.run.settings,
            ideal=self.ideal,
            false_alarm=min(self.level, self.run.settings.false_alarm),
            budget_samples=min(2 * self.draws, self.left - self.left % 2),  # of two data sets
        )
        run = self.run
        attempt = Run.start(run.target, run.claim, [pair], settings, run.grid, None, 1.0)
        attempt.purpose, attempt.first_pair = Purpose.SHRINK, self.made
        attempt.log, attempt.until = run.log, self.deadline
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
