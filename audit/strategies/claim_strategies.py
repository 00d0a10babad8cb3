"""Strategies for what a mechanism promises: budgets of users, and levels of every kind.

All numbers are exact; they shrink to 1, which reads best.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from audit.levels import LEVELS, examples
from audit.levels.examples import LARGEST
from mechanisms.claims import Level
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_fraction, check_integer, shown

__all__ = ["budgets", "positives", "privacy_levels"]


def positives(largest: Number = LARGEST) -> SearchStrategy[Fraction]:
    """Numbers greater than 0; they shrink to 1, or to `largest` if that is less.

    Parameters
    ----------
    largest : int, float, str or Fraction
        No number is greater.
    """
    most = check_fraction(largest, "largest", above=0)
    drawn: SearchStrategy[Fraction] = examples.positives(st, most)
    return drawn


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
        msg = (
            f"max_users must be at least min_users={shown(min_users)}, "
            f"got max_users={shown(max_users)}"
        )
        raise InvalidArgument(msg)
    some = positives(largest)
    return st.lists(some, min_size=min_users, max_size=max_users).map(tuple)


def privacy_levels(*kinds: type[Level]) -> SearchStrategy[Level]:
    """Privacy levels of every kind, or of the given ones.

    Parameters
    ----------
    *kinds : class
        Levels of `audit.levels.LEVELS`, such as PureDP; all of them if none is given.

    Raises
    ------
    InvalidArgument
        For another class.
    """
    every = {kind.level: kind.example for kind in LEVELS}
    for kind in kinds:
        if not any(kind is known for known in every):
            known = ", ".join(known.__name__ for known in every)
            msg = f"kinds must be among {known}, got {shown(kind)}"
            raise InvalidArgument(msg)
    return st.one_of([every[kind](st) for kind in kinds or every])
