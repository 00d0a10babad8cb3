"""What is known of the largest privacy loss without a sample: reached by a pair, and proved."""

from __future__ import annotations

from typing import Any

from audit.exact.neighbor_pair import loss_reached
from audit.exact.neighbors import all_neighbors, query_of
from audit.verdict import ExactBounds
from mechanisms.claims import ApproxDP, PrivacyClaim, PureDP
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import StatesNoisyQuery

__all__ = ["exact_bounds"]


def exact_bounds(mechanism: Any, claim: PrivacyClaim) -> ExactBounds | None:
    """Bounds on the loss of a mechanism that states a noisy query; None for any other.

    Parameters
    ----------
    mechanism : Any
        Its sums and noises are taken as it states them.
    claim : PrivacyClaim
        Its relation; None is returned for levels other than pure and approximate.
    """
    if not isinstance(mechanism, StatesNoisyQuery) or not isinstance(
        claim.level, PureDP | ApproxDP
    ):
        return None
    try:
        query = query_of(mechanism)
        found = all_neighbors(query, claim.relation, claim.level.epsilon)
    except InvalidArgument:  # no lemma for this query, or neighbors differ in a public fact
        return None
    if found.loss is None:
        return None
    reached = loss_reached(query, claim.relation)
    return ExactBounds(reached, found.loss, f"the noisy {query.words}", found.lemma.id)
