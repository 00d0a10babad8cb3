"""The search where a data set is one record: outputs of each record, and all pairs of records.

Of a mechanism of the local model every pair differs in nearly every output, so coupled draws say
little, and there are few records: each is drawn from often, and all pairs are ranked by events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from audit.pairs.matched_records import Records
from audit.pairs.tables.split import as_pair
from audit.pairs.tables.table_families import single_rows
from audit.pairs.vector_families import corput
from audit.pairs.worst_cases import Pair
from audit.screening.caller import Caller, Data
from audit.screening.candidate_pairs import Candidate
from audit.screening.event_counts import event_score
from audit.screening.ranking import Ranked, best, handed_over
from audit.screening.yardstick import Yardstick
from audit.targets.domain import Domain
from mechanisms.claims import Relation

__all__ = ["Local", "is_local", "records_of"]

STAGE = 70
"""Of the streams of records."""

MOST_RECORDS = 24
"""276 pairs."""

DRAWS, LAST_DRAWS, LAST = 256, 1_024, 8
"""Of each record: with 64, the pair of tuples that differ everywhere was second and third of six;
those of the best pairs have more."""


def is_local(domain: Domain) -> bool:
    """Whether every data set is one record."""
    if domain.schema is not None:
        one = domain.schema.max_units == domain.schema.max_rows_per_unit == 1
        return one and domain.relation is Relation.SWAP
    return 1 in (domain.count, domain.max_size) and domain.order is not None


def records_of(domain: Domain) -> list[Data]:
    """Records: the whole numbers between the bounds where they are few, else places between them.

    Then those out of range. Of a schema every row of simple cells, then those with another one.
    """
    if domain.schema is not None:
        return [table for table in single_rows(domain, MOST_RECORDS) if domain.holds(table)]
    low, high = domain.ends
    assert domain.bounds is not None
    whole = all(end.denominator == 1 for end in domain.bounds) and high - low < MOST_RECORDS
    if whole and high - low > 1:
        values = np.arange(low, high + 1).tolist()
    else:
        values = [low, high, *(low + (high - low) * corput(i) for i in range(1, 8))]
    values = [*values, *domain.outsiders().values()][:MOST_RECORDS]
    sides = [np.array([value]) for value in dict.fromkeys(values)]
    return [side for side in sides if domain.holds(side)]


@final
@dataclass(slots=True)
class Local:
    """A search by outputs of each record; parameters and attributes as of `Coupled`."""

    caller: Caller
    claim: Yardstick
    domain: Domain
    share: float = 1.0
    pairs: int = 0
    found: tuple[Ranked, ...] = ()
    scored: tuple[Ranked, ...] = ()

    def search(self, sides: Sequence[Data]) -> list[Ranked]:
        """Find the pairs to bet on."""
        pairs = []
        for place, (x, y) in enumerate(combinations(sides, 2)):
            if self.domain.schema is not None:
                if self.domain.admits(x, y):
                    pairs.append(Candidate(as_pair((x, y)), "records", place))
                continue
            records = Records.match(x, y)
            if records is not None and records.differ and self.domain.admits(x, y):
                pair = Pair(records.describe(self.domain), x, y, generated=True)
                pairs.append(Candidate(pair, "records", place))
        self.found = self.scored = tuple(self._scored(pairs, STAGE, DRAWS))
        again = [one.candidate for one in best(self.found, LAST, self.domain)]
        self.found = tuple(self._scored(again, STAGE + 1, LAST_DRAWS))
        return handed_over(self.found, self.domain)

    def _scored(self, candidates: Sequence[Candidate], stage: int, draws: int) -> list[Ranked]:
        draws = max(8, int(draws * self.share))
        sides = [side for one in candidates for side in (one.pair.data, one.pair.neighbor)]
        readings = self.caller.independent(sides, stage, draws)
        self.pairs += len(candidates)
        return [
            Ranked(one, event_score(readings[2 * i], readings[2 * i + 1], self.claim))
            for i, one in enumerate(candidates)
        ]
