"""Candidates in the order in which they are worth betting on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from audit.pairs.worst_cases import Pair
from audit.screening.candidate_pairs import Candidate, key_of_pair
from audit.screening.coupled_score import PairScore
from audit.targets.domain import Domain
from audit.targets.tables.table_schema import Table

__all__ = ["HANDED_OVER", "Ranked", "best", "handed_over"]

HANDED_OVER = 3
"""Pairs that are bet on because of their scores: one takes its share of the draws of a run, and of
twelve broken targets the first three pairs were all bad ones (tests/audit/screening)."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """A candidate and its score."""

    candidate: Candidate
    score: PairScore

    @property
    def pair(self) -> Pair:
        """The pair."""
        return self.candidate.pair


def best(found: Iterable[Ranked], count: int, domain: Domain) -> list[Ranked]:
    """Those of the highest score; of scores that are alike the plainest pair, then the earliest."""

    def order(one: Ranked) -> tuple[float, int, float, int, float, int]:
        sides = (one.pair.data, one.pair.neighbor)
        # a score is known to a few percent: pairs that differ by less are alike
        return (
            -round(20 * one.score.worth),
            domain.strangeness(*sides),
            _reach(one.pair),
            sum(map(len, sides)),
            -one.score.value,
            one.candidate.place,
        )

    return sorted(found, key=order)[:count]


def handed_over(found: Sequence[Ranked], domain: Domain) -> list[Ranked]:
    """At most three pairs, one of them without records out of range where there is one."""
    chosen: list[Ranked] = []
    ordered = best(_distinct(found), len(found), domain)
    plain = [one for one in ordered if not domain.strange(one.pair.data, one.pair.neighbor)]
    for one in (*ordered[: HANDED_OVER - 1], *plain[:1], *ordered):
        if one not in chosen and len(chosen) < HANDED_OVER:
            chosen.append(one)
    return chosen


def _reach(pair: Pair) -> float:
    """How many digits the largest finite record has, in tens: a huge one shows less than a plain.

    Records of up to ten digits are alike.
    """
    if isinstance(pair.data, Table):
        return 0.0  # strange cells are counted before
    values = np.abs(np.concatenate([np.ravel(pair.data), np.ravel(pair.neighbor)]))
    values = values[np.isfinite(values)]
    return float(np.log10(1 + values.max(initial=0.0)) // 10)


def _distinct(found: Iterable[Ranked]) -> list[Ranked]:
    first: dict[tuple[bytes, bytes], Ranked] = {}
    for one in found:
        first.setdefault(key_of_pair(one.pair), one)
    return list(first.values())
