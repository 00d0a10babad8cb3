"""Pairs of a run: which of them is drawn from next, and which pair joins them.

Both are functions of the past and the budget; `allocation` and `search` say which.
"""

from __future__ import annotations

from audit.engine.allocation import FIRST_DRAWS, is_above
from audit.engine.pair_state import PairState
from audit.engine.run import Run, unseen
from audit.engine.search import FIRST_DRAWS_OF_JOINED
from audit.targets.target import domain_of
from mechanisms.claims import PersonalizedDP

__all__ = ["first_of_joined", "is_exploring", "join_nearby", "next_bet"]


def is_exploring(run: Run) -> bool:
    """Whether the next draws are of the least-sampled pair."""
    return run.allocation.exploring(run.pairs, run.samples, run.left)


def next_bet(run: Run) -> tuple[PairState, int]:
    """Choose the pair of the next batch and its size: functions of the past and the budget."""
    return run.allocation.next_batch(run.pairs, run.samples, run.left)


def join_nearby(run: Run) -> PairState | None:
    """Let a pair join that is near the most suspicious one, while none is above the noise.

    Its first draws only learn (see `audit.engine.search`); None where nothing joins. Of a
    personalized claim nothing does: a record's place is its user.
    """
    if isinstance(run.claim.level, PersonalizedDP):
        return None
    learned = min(state.batches for state in run.given) > 1
    first = first_of_joined(run)
    enough = run.left > first and run.search.may_join(first, run.samples)
    enough = enough and run.allocation.spares(run.pairs, first, run.left)
    if is_above(run.pairs, 1.0) or not learned or not enough:
        return None
    domain = domain_of(run.target, run.claim, run.settings.min_size)
    pair = run.search.next_pair(run.pairs, domain)
    if pair is None:
        return None
    state = unseen(len(run.pairs), pair, run.settings, run.wealth.pairs)
    state.single = any(other.single for other in run.pairs)
    run.pairs.append(state)
    return state


def first_of_joined(run: Run) -> int:
    """Draws of each arm that a pair which joins learns from."""
    return max(run.first, FIRST_DRAWS_OF_JOINED) if run.first >= FIRST_DRAWS else run.first
