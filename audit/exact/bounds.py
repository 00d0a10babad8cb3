"""What is known of the largest privacy loss without a sample: reached by a pair, and proved."""

from __future__ import annotations

import math
from typing import Any

from audit.exact.all_neighbors import all_neighbors
from audit.exact.neighbor_pair import loss_reached
from audit.exact.question import asked_for
from audit.exact.step_limit import limited
from audit.faults import users_faults
from audit.results.sampled_result import ExactBounds
from mechanisms.claims import ApproxDP, PrivacyClaim, PureDP
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import NoisyQuery, StatesNoisyQuery

MOST_STEPS = 100_000
"""About 20 s: three times what the slowest registered mean takes (`ksw.release-mean`, 30,000)."""


def exact_bounds(
    mechanism: Any, claim: PrivacyClaim, *, deadline: float = math.inf
) -> ExactBounds | None:
    """Bounds on the loss of a mechanism that states a noisy query; None for any other.

    `mechanism`: its sums and noises are taken as it states them. `claim`: its relation; None is
    returned for levels other than pure and approximate. `deadline`: by `time.monotonic`; the
    samples that the bounds stand beside have taken their part. Raises OutOfSteps if they take more
    than `MOST_STEPS`, or until after the deadline. Raises TargetFault if a user's mechanism raises,
    or states what cannot be read.
    """
    if not isinstance(mechanism, StatesNoisyQuery) or not isinstance(
        claim.level, PureDP | ApproxDP
    ):
        return None
    try:
        with users_faults(mechanism, "noisy_query"), limited(MOST_STEPS, deadline):
            query = asked_for(mechanism, "noisy_query", NoisyQuery)
            found = all_neighbors(query, claim.relation, claim.level.epsilon)
            reached = None if found.loss is None else loss_reached(query, claim.relation)
    except InvalidArgument:  # no lemma for this query, or neighbors differ in a public fact
        return None
    if found.loss is None:
        return None
    return ExactBounds(reached, found.loss, f"the noisy {query.words}", found.lemma.id)
