"""All adversarial pairs for the bounds, relation and order of a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from audit.pairs.adversarial.cancellation import cancellation_pairs
from audit.pairs.adversarial.integers import integer_pairs
from audit.pairs.adversarial.order import reordered_pairs
from audit.pairs.adversarial.overflow import overflow_pairs
from audit.pairs.adversarial.powers import power_pairs
from audit.pairs.adversarial.public import Public
from audit.pairs.adversarial.spacing_changes import rounding_pairs
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument

FREE_ORDER_ONLY: tuple[Callable[[Public], Iterator[Pair]], ...] = (reordered_pairs,)
ALWAYS: tuple[Callable[[Public], Iterator[Pair]], ...] = (
    rounding_pairs,
    cancellation_pairs,
    integer_pairs,
    overflow_pairs,
    power_pairs,
)


def adversarial_pairs(domain: Domain) -> list[Pair]:
    """Pairs of neighbors, within the bounds, on which sums in machine numbers go wrong.

    The same pairs every time; data sets of at most 2^15 records. Where both bounds are integers,
    some pairs are int64 arrays; all others are of doubles.

    `domain`: of vectors, with bounds; pairs that are not of it are left out. Order FREE adds pairs
    of the same records in two orders, which are at distance 0. Raises InvalidArgument under LISTED,
    and where there are no bounds.
    """
    if domain.relation is Relation.LISTED:
        msg = "the relation 'listed' has no adversarial pairs: give each pair in a file (--pair)"
        raise InvalidArgument(msg)
    low, high = domain.ends
    if low == high:
        return []
    assert domain.bounds is not None
    public = Public(domain.relation, domain.order, *domain.bounds)
    makers = (*FREE_ORDER_ONLY, *ALWAYS) if domain.order is Order.FREE else ALWAYS
    found: dict[tuple[bytes, ...], Pair] = {}
    for pair in (pair for maker in makers for pair in maker(public)):
        sides = (pair.data, pair.neighbor)
        if domain.admits(*sides):
            key = tuple(sorted(side.dtype.char.encode() + side.tobytes() for side in sides))
            found.setdefault(key, pair)
    return list(found.values())
