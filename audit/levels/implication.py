"""Whether one claim is at least as strong as another: whether it implies it.

Only known steps count: the same kind of level with parameters no larger, implications between
kinds (`mechanisms.implications`), and from add-remove to swap (`mechanisms.group_privacy`). Where
no step is known the answer is no.
"""

from __future__ import annotations

from audit.levels import kind_of
from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.errors import InvalidArgument, NotImplied
from mechanisms.group_privacy import under_relation


def implies(claim: PrivacyClaim, order: Order, other: PrivacyClaim, other_order: Order) -> bool:
    """Whether a claim implies another one.

    `claim`, `order`: what is promised, and how the data are read: as a multiset more data sets are
    neighbors. `other`, `other_order`: what should follow.
    """
    if order is Order.FIXED and other_order is Order.FREE:
        return False
    if claim.relation is not other.relation:
        if (claim.relation, other.relation) != (Relation.ADD_REMOVE, Relation.SWAP):
            return False
        try:
            claim = under_relation(claim, Relation.SWAP)
        except (NotImplied, InvalidArgument):
            return False
    step = kind_of(claim.level).implies.get(type(other.level))
    return step is not None and step(claim.level, other.level)
