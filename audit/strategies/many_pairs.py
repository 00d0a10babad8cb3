"""Many pairs of neighbors at once, for a search that asks about each of them."""

from __future__ import annotations

import math
import time
from contextlib import suppress

from hypothesis import HealthCheck, Phase, given, seed, settings

from audit.pairs.worst_cases import Pair
from audit.strategies.pairs import neighboring_pairs
from audit.targets.domain import Declared, Domain
from mechanisms.claims import Relation

__all__ = ["many_pairs"]

LARGEST = 10
"""Records of a data set: the small ones hold orders, ties and mixtures; others make large ones."""


class TimeIsUp(BaseException):
    """Ends the making of examples; of an Exception Hypothesis would look for a smaller cause."""


def many_pairs(
    domain: Domain, count: int, *, number: int, deadline: float = math.inf
) -> list[Pair]:
    """Pairs of a domain; the same ones for the same number, if there is time for all.

    Hypothesis also draws numbers that stand in the user's modules: in a process that has loaded
    others since, the pairs are others.

    Parameters
    ----------
    domain : Domain
        Of vectors, with bounds. Where it has a public number of records above 100 there are none:
        Hypothesis makes them one by one.
    count : int
        How many at most.
    number : int
        Of the choice.
    deadline : float
        On the clock of `time.monotonic`; behind it no more are made.
    """
    assert domain.bounds is not None
    fewest = domain.count if domain.count is not None else domain.min_size
    most = domain.count if domain.count is not None else max(LARGEST, fewest + 1)
    one_end = float(domain.bounds[0]) == float(domain.bounds[1])
    least = 1 if domain.relation is Relation.SWAP else 0
    if most > 10 * LARGEST or one_end or most < least:
        return []
    low, high = domain.bounds
    strategy = neighboring_pairs(
        domain.relation,
        order=domain.order,
        low=low,
        high=high,
        min_size=fewest,
        max_size=most,
        hostile=domain.records is not Declared.DECLARED,
    )
    found: list[Pair] = []

    @seed(number)
    @settings(
        max_examples=count,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def keep(pair: Pair) -> None:
        if time.monotonic() > deadline:
            raise TimeIsUp
        found.append(pair)

    with suppress(TimeIsUp):
        keep()
    return found
