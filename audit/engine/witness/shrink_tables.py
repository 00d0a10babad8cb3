"""The smallest pair of tables that still shows a violation: by units, rows, columns and cells.

As `shrink` for records: each smaller pair is tested on fresh draws, and taken if the violation
shows there again. The evidence of the run never depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from audit.engine.witness.pair_shrinking import StopShrinking
from audit.pairs.tables.reductions import reductions
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain

__all__ = ["shrink_tables"]

Evidence = TypeVar("Evidence")


def shrink_tables(
    start: Pair, domain: Domain, shows: Callable[[Pair], Evidence | None]
) -> Evidence | None:
    """Find a small pair of neighbors that still shows the violation.

    `start`: a pair on which it was found. `shows`: evidence of the violation on a pair, from fresh
    draws, or None; raises `StopShrinking` when the budget is spent. Returns the evidence of the
    smallest pair found; None where there is no smaller one.
    """
    evidence: Evidence | None = None
    tried: set[tuple[object, object]] = set()
    try:
        while True:
            for smaller in reductions(start, domain):
                key = (smaller.data.key, smaller.neighbor.key)
                if key in tried:
                    continue
                tried.add(key)
                if (found := shows(smaller)) is not None:
                    start, evidence = smaller, found
                    break
            else:
                return evidence
    except StopShrinking:
        return evidence
