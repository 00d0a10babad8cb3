"""How many draws an audit takes where nobody says: what its power statement needs on its pairs.

A run that finds nothing is CONSISTENT if every pair has the draws with which an event of
probability 0.1 would have been found at the limit (`audit.engine.detectable_power`). The budget is
that number for both data sets of all pairs, a twentieth more, and what is kept for the upper
limits:

    budget = 1.05 * draws_needed * 2 * pairs * 8/7.

Draws that only learn, where more are asked for than the factors leave out, are part of that number.

Draws that no power statement asks for are not made: a mechanism that keeps its claim costs no more
than the sentence about it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

from audit.engine.allocation import FEW_PAIRS
from audit.engine.detectable_power import draws_needed
from audit.engine.loop import FIRST_RUN_SHARE
from audit.engine.upper import with_reserve
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from mechanisms.claims import PersonalizedDP, PrivacyClaim

__all__ = ["FALLBACK_SAMPLES", "MOST_SAMPLES", "Budget", "detectable_budget"]

MARGIN = 1.05
"""Times the draws that are needed: more than what is kept back for each pair, so that pairs which
join and the most suspicious one have some too."""

MOST_SAMPLES = 20_000_000
"""Chosen: some ten seconds of a vectorized mechanism; who wants more says how many."""

FALLBACK_SAMPLES = 2_000_000
"""Chosen: where no number of draws is enough for CONSISTENT, a run still looks for violations."""


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """The draws of an audit, and those that its power statement needs.

    Parameters
    ----------
    samples : int
        Draws of all data sets and pairs together, which the run may take.
    needed : float
        What CONSISTENT needs; infinite where no number of draws is enough.
    """

    samples: int
    needed: float


def detectable_budget(
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    *,
    false_alarm: float,
    resolution: float | None,
    first_draws: int | None = None,
) -> Budget:
    """Compute the budget that a power statement asks for.

    Parameters
    ----------
    claim : PrivacyClaim
        The claim under audit.
    pairs : sequence of Pair
        The pairs at hand.
    false_alarm : float
        Of the audit.
    resolution, first_draws
        See `Settings`.
    """
    coarse = len(pairs) > FEW_PAIRS
    draws = max(
        _needed(claim, user, coarse, FIRST_RUN_SHARE * false_alarm, resolution, first_draws or 0)
        for user in _users(claim, pairs)
    )
    if math.isinf(draws):
        return Budget(FALLBACK_SAMPLES, math.inf)
    needed = with_reserve(2 * len(pairs) * math.ceil(MARGIN * draws), claim.level)
    return Budget(min(needed, MOST_SAMPLES), float(needed))


def _users(claim: PrivacyClaim, pairs: Sequence[Pair]) -> Iterable[int | None]:
    """One user of each budget of a personalized claim; of others the claim is one for all."""
    if not isinstance(claim.level, PersonalizedDP):
        return [None]
    budgets = claim.level.budgets
    return {budgets[pair.user]: pair.user for pair in pairs if pair.user is not None}.values()


@lru_cache(maxsize=1000)
def _needed(
    claim: PrivacyClaim,
    user: int | None,
    coarse: bool,
    false_alarm: float,
    resolution: float | None,
    learned: int,
) -> float:
    grid = grid_of(claim, user=user, coarse=coarse)
    return draws_needed(grid, false_alarm=false_alarm, resolution=resolution, learned=learned)
