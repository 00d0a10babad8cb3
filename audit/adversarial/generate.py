"""All adversarial pairs for the bounds, relation and order of a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from audit.adversarial.cancellation import cancellation_pairs
from audit.adversarial.integers import integer_pairs
from audit.adversarial.overflow import overflow_pairs
from audit.adversarial.powers import power_pairs
from audit.adversarial.public import Public
from audit.adversarial.reordered import reordered_pairs
from audit.adversarial.rounding import rounding_pairs
from audit.engine.neighbors import Pair
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument

__all__ = ["adversarial_pairs"]

FREE_ORDER_ONLY: tuple[Callable[[Public], Iterator[Pair]], ...] = (reordered_pairs,)
ALWAYS: tuple[Callable[[Public], Iterator[Pair]], ...] = (
    rounding_pairs,
    cancellation_pairs,
    integer_pairs,
    overflow_pairs,
    power_pairs,
)


def adversarial_pairs(
    relation: Relation,
    low: Fraction,
    high: Fraction,
    *,
    order: Order = Order.FREE,
    min_size: int = 0,
) -> list[Pair]:
    """Pairs of neighbors, within the bounds, on which sums in machine numbers go wrong.

    The same pairs every time; data sets of at most 2^15 records. Where both bounds are integers,
    some pairs are int64 arrays; all others are of doubles.

    Parameters
    ----------
    relation : Relation
        ADD_REMOVE or SWAP; under LISTED the pairs are the user's.
    low, high : Fraction
        Public bounds of the records.
    order : Order
        FREE adds pairs of the same records in two orders, which are at distance 0.
    min_size : int
        Smallest size of either data set: smaller pairs are left out.

    Raises
    ------
    InvalidArgument
        Under LISTED.
    """
    if relation is Relation.LISTED:
        msg = "the relation 'listed' has no adversarial pairs: give each pair in a file (--pair)"
        raise InvalidArgument(msg)
    if float(low) == float(high):
        return []
    public = Public(relation, order, low, high)
    makers = (*FREE_ORDER_ONLY, *ALWAYS) if order is Order.FREE else ALWAYS
    found: dict[tuple[bytes, ...], Pair] = {}
    for pair in (pair for maker in makers for pair in maker(public)):
        sides = (pair.data, pair.neighbor)
        if min(map(len, sides)) >= min_size:
            key = tuple(sorted(side.dtype.char.encode() + side.tobytes() for side in sides))
            found.setdefault(key, pair)
    return list(found.values())
