"""Whether one claim is at least as strong as another: whether it implies it.

Only known steps count: the same kind of level with parameters no larger, implications between
kinds (`mechanisms.implications`), and from add-remove to swap (`mechanisms.group_privacy`). Where
no step is known the answer is no.
"""

from __future__ import annotations

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument, NotImplied
from mechanisms.group_privacy import under_relation
from mechanisms.implications import (
    gaussian_to_approx,
    pure_to_approx,
    pure_to_zcdp,
    zcdp_to_approx,
)

__all__ = ["implies"]


def implies(claim: PrivacyClaim, order: Order, other: PrivacyClaim, other_order: Order) -> bool:
    """Whether a claim implies another one.

    Parameters
    ----------
    claim, order
        What is promised, and how the data are read: as a multiset more data sets are neighbors.
    other, other_order
        What should follow.
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
    return _level_implies(claim.level, other.level)


def _level_implies(level: Level, other: Level) -> bool:
    match level, other:
        case PureDP(), PureDP():
            return level.epsilon <= other.epsilon
        case ApproxDP(), ApproxDP():
            return level.epsilon <= other.epsilon and level.delta <= other.delta
        case ZeroConcentratedDP(), ZeroConcentratedDP():
            return level.rho <= other.rho
        case GaussianDP(), GaussianDP():
            return level.mu <= other.mu
        case RenyiDP(), RenyiDP():  # the divergence grows with its order
            return level.alpha >= other.alpha and level.epsilon <= other.epsilon
        case PersonalizedDP(), PersonalizedDP():
            same = len(level.budgets) == len(other.budgets)
            return same and all(map(_at_most, level.budgets, other.budgets))
        case PureDP(), PersonalizedDP():
            return all(level.epsilon <= budget for budget in other.budgets)
        case TradeOff(), TradeOff():  # both are linear between the knots of the two
            places = {a for curve in (level, other) for a, _ in curve.knots}
            return all(level(a) >= other(a) for a in places)
        case PureDP(), ApproxDP():
            return _level_implies(pure_to_approx(level), other)
        case PureDP(), ZeroConcentratedDP():
            return _level_implies(pure_to_zcdp(level), other)
        case ZeroConcentratedDP(), ApproxDP():
            return other.delta > 0 and _level_implies(zcdp_to_approx(level, other.delta), other)
        case GaussianDP(), ApproxDP():
            return _level_implies(gaussian_to_approx(level, other.epsilon), other)
        case _:
            return False


def _at_most(first: object, second: object) -> bool:
    return bool(first <= second)  # type: ignore[operator]
