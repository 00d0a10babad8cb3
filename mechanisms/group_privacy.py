"""What an add-remove promise says about swaps: a swap is a removal and an addition.

Only theorems are here; each carries its source, and irrational parameters are rounded up.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from itertools import pairwise

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    TotalVariationDP,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import NotImplied
from mechanisms.implications import LARGEST_EXPONENT, next_up, rounded_up

__all__ = ["add_remove_to_swap", "under_relation"]

GROUP_PURE = Source(
    "Dwork and Roth 2014", "Theorem 2.2, groups of two: a swap is a removal and an addition"
)
GROUP_APPROX = Source(
    "Dwork and Roth 2014", "group privacy of (epsilon, delta), groups of two: (1 + e^epsilon) delta"
)
GROUP_ZCDP = Source("Bun and Steinke 2016", "Proposition 1.9, groups of two: 4 rho")
GROUP_RENYI = Source("Mironov 2017", "Proposition 2, groups of two: order alpha / 2, 3 epsilon")
GROUP_TRADE_OFF = Source("Dong, Roth and Su 2022", "Theorem 2.14, groups of two: f(1 - f)")
TRIANGLE = Source("triangle inequality of total variation", "groups of two: 2 tv")


@singledispatch
def add_remove_to_swap(level: Level) -> tuple[Level, Source]:
    """Return what an add-remove promise says about swaps (a swap is two steps), and why.

    Raises
    ------
    NotImplied
        For personalized levels, and Renyi orders below 4.
    """
    msg = f"no implication from add-remove to swap is known for {level}"
    raise NotImplied(msg)


@add_remove_to_swap.register
def _pure_of_two(level: PureDP) -> tuple[Level, Source]:
    return PureDP(2 * level.epsilon), GROUP_PURE


@add_remove_to_swap.register
def _distance_of_two(level: TotalVariationDP) -> tuple[Level, Source]:
    return TotalVariationDP(min(Fraction(1), 2 * level.tv)), TRIANGLE


@add_remove_to_swap.register
def _approx_of_two(level: ApproxDP) -> tuple[Level, Source]:
    return ApproxDP(2 * level.epsilon, _group_delta(level.epsilon, level.delta)), GROUP_APPROX


@add_remove_to_swap.register
def _zcdp_of_two(level: ZeroConcentratedDP) -> tuple[Level, Source]:
    return ZeroConcentratedDP(4 * level.rho), GROUP_ZCDP


@add_remove_to_swap.register
def _gaussian_of_two(level: GaussianDP) -> tuple[Level, Source]:
    return GaussianDP(2 * level.mu), GROUP_TRADE_OFF


@add_remove_to_swap.register
def _renyi_of_two(level: RenyiDP) -> tuple[Level, Source]:
    if level.alpha < 4:
        msg = f"no implication from add-remove to swap is known for {level}"
        raise NotImplied(msg)
    return RenyiDP(level.alpha / 2, 3 * level.epsilon), GROUP_RENYI


@add_remove_to_swap.register
def _trade_off_of_two(level: TradeOff) -> tuple[Level, Source]:
    return _twice(level), GROUP_TRADE_OFF


def under_relation(claim: PrivacyClaim, relation: Relation) -> PrivacyClaim:
    """Return the claim that `claim` implies under another relation.

    Raises
    ------
    NotImplied
        Where no theorem derives it (swap says nothing about add-remove).

    Examples
    --------
    >>> from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source
    >>> from mechanisms.group_privacy import under_relation
    >>> claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "stated"))
    >>> str(under_relation(claim, Relation.SWAP))
    'epsilon = 2 (swap)'
    """
    if relation is claim.relation:
        return claim
    if (claim.relation, relation) == (Relation.ADD_REMOVE, Relation.SWAP):
        level, reason = add_remove_to_swap(claim.level)
        return PrivacyClaim(level, relation, claim.source, (*claim.derived, reason))
    msg = (
        f"a claim under {claim.relation.value} implies nothing under {relation.value}; "
        "state the claim yourself (for example --epsilon)"
    )
    raise NotImplied(msg)


def _group_delta(epsilon: Fraction, delta: Fraction) -> Fraction:
    """(1 + e^epsilon) delta rounded up, at most 1."""
    if delta == 0:
        return delta
    if epsilon > LARGEST_EXPONENT:
        return Fraction(1)
    return min(Fraction(1), rounded_up(lambda e, d: d * (1 + next_up(e.exp())), epsilon, delta))


def _twice(f: TradeOff) -> TradeOff:
    """Compose f(1 - f(a)): the trade-off curve of two steps, exactly."""
    levels = {a for a, _ in f.knots}
    for (a0, b0), (a1, b1) in pairwise(f.knots):
        for knot, _ in f.knots:  # where 1 - f(a) meets a knot the slope may change
            if b0 != b1 and min(b0, b1) < 1 - knot < max(b0, b1):
                levels.add(a0 + (1 - knot - b0) * (a1 - a0) / (b1 - b0))
    return TradeOff(tuple((a, f(1 - f(a))) for a in sorted(levels)))
