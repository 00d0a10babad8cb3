"""Strategies for what a mechanism promises: budgets of users, and levels of every kind.

All numbers are exact; they shrink to 1, which reads best.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    RenyiDP,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_fraction, check_integer

__all__ = ["budgets", "positives", "privacy_levels"]

LARGEST = 8
"""Of a parameter, unless told otherwise: what people call private is far below."""

FINEST = 20
"""Denominator of drawn numbers, so that they can be read."""

DELTAS = (Fraction(1, 10**5), Fraction(0), Fraction(1, 100), Fraction(1))
STEEPEST, MOST_SEGMENTS = 10, 4


def positives(largest: Number = LARGEST) -> SearchStrategy[Fraction]:
    """Numbers greater than 0; they shrink to 1, or to `largest` if that is less.

    Parameters
    ----------
    largest : int, float, str or Fraction
        No number is greater.
    """
    most = check_fraction(largest, "largest", above=0)
    simple = min(Fraction(1), most)
    least = min(Fraction(1, FINEST), most / FINEST)
    steps = int((most - least) * FINEST)
    finer = st.integers(0, steps).map(lambda step: least + Fraction(step, FINEST))
    return st.just(simple) | finer


def budgets(
    *, min_users: int = 1, max_users: int = 8, largest: Number = LARGEST
) -> SearchStrategy[tuple[Fraction, ...]]:
    """Budgets of a personalized claim, one epsilon a user.

    Parameters
    ----------
    min_users, max_users : int
        Numbers of users, at least 1.
    largest : int, float, str or Fraction
        No budget is greater; all are greater than 0, and several users often have the same.

    Raises
    ------
    InvalidArgument
        If the numbers of users are out of order.

    Examples
    --------
    >>> from hypothesis import find
    >>> from audit.strategies import budgets
    >>> find(budgets(), lambda drawn: len(set(drawn)) > 1)
    (Fraction(1, 1), Fraction(1, 20))
    """
    check_integer(min_users, "min_users", at_least=1)
    check_integer(max_users, "max_users", at_least=1)
    if max_users < min_users:
        msg = f"max_users must be at least {min_users}, got max_users={max_users!r}"
        raise InvalidArgument(msg)
    some = positives(largest)
    return st.lists(some, min_size=min_users, max_size=max_users).map(tuple)


def privacy_levels(*kinds: type[Level]) -> SearchStrategy[Level]:
    """Privacy levels of every kind, or of the given ones.

    Parameters
    ----------
    *kinds : class
        Of `mechanisms.claims`: PureDP, ApproxDP, ZeroConcentratedDP, RenyiDP, GaussianDP,
        TradeOff, PersonalizedDP; all of them if none is given.

    Raises
    ------
    InvalidArgument
        For another class.
    """
    size = st.just(Fraction(1)) | st.integers(0, LARGEST * FINEST).map(
        lambda steps: Fraction(steps, FINEST)
    )
    delta = st.sampled_from(DELTAS) | st.fractions(0, 1, max_denominator=1000)
    order = positives().map(lambda more: 1 + more)
    every: dict[type[Level], SearchStrategy[Level]] = {
        PureDP: st.builds(PureDP, size),
        ApproxDP: st.builds(ApproxDP, size, delta),
        ZeroConcentratedDP: st.builds(ZeroConcentratedDP, size),
        RenyiDP: st.builds(RenyiDP, order, size),
        GaussianDP: st.builds(GaussianDP, size),
        TradeOff: _trade_offs(),
        PersonalizedDP: st.builds(PersonalizedDP, budgets()),
    }
    for kind in kinds:
        if kind not in every:
            known = ", ".join(known.__name__ for known in every)
            msg = f"kinds must be among {known}, got {kind!r}"
            raise InvalidArgument(msg)
    return st.one_of([every[kind] for kind in kinds or every])


def _trade_offs() -> SearchStrategy[TradeOff]:
    """Convex curves: segments of any widths, steeper ones first, from a height down to 0."""
    steps = st.integers(1, STEEPEST)
    slopes = st.sampled_from([*range(1, STEEPEST + 1), 0])
    segments = st.lists(st.tuples(steps, slopes), min_size=1, max_size=MOST_SEGMENTS)
    height = st.just(Fraction(1)) | st.fractions(0, 1, max_denominator=FINEST)
    return st.builds(_curve, segments, height)


def _curve(segments: Sequence[tuple[int, int]], height: Fraction) -> TradeOff:
    ordered = sorted(segments, key=lambda segment: -segment[1])
    widths = [Fraction(width) for width, _ in ordered]
    falls = [Fraction(width * slope) for width, slope in ordered]
    levels = [level / sum(widths) for level in accumulate(widths, initial=Fraction(0))]
    whole = sum(falls) or Fraction(1)
    rest = [sum(falls, Fraction(0)) - fallen for fallen in accumulate(falls, initial=Fraction(0))]
    errors = [height * part / whole for part in rest]
    return TradeOff(tuple(zip(levels, errors, strict=True)))
