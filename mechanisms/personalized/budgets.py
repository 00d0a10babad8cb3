"""Budgets of users: one public epsilon each, in the order of the records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import PersonalizedDP, PrivacyClaim, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number

__all__ = ["BudgetsArgument", "as_floats", "check_budgets", "halves", "listed", "personal_claim"]

BudgetsArgument: TypeAlias = Number | Iterable[Number]
"""A sequence of numbers, one number for a single user, or text such as "1/10, 1, 1"."""

LARGEST = Fraction(10**9)
"""Of a budget; the exponential of such a number has a billion digits."""


def check_budgets(value: BudgetsArgument, name: str = "budgets") -> tuple[Fraction, ...]:
    """Read budgets exactly.

    `value`: one epsilon for each user, each from 0 to 1e9; also one number, or text such as "0.1,
    1". `name`: the argument's name, for the message. Raises InvalidArgument if there is no user, or
    a budget is negative, too large or no finite number.
    """
    budgets = PersonalizedDP(tuple(listed(value))).budgets
    if (largest := max(budgets)) > LARGEST:
        msg = f"{name} must be at most {LARGEST}, got a budget of {float(largest):g}"
        raise InvalidArgument(msg)
    return budgets


def listed(value: BudgetsArgument) -> Iterable[Number]:
    """Read a sequence of numbers, one number, or numbers that commas part."""
    if isinstance(value, str):
        return value.split(",")
    if isinstance(value, (int, float, Fraction)) or not isinstance(value, Iterable):
        return (value,)
    return value


def as_floats(budgets: Sequence[Fraction]) -> NDArray[np.float64]:
    """Return the budgets as doubles, shape (n,)."""
    return np.array([float(budget) for budget in budgets], dtype=np.float64)


def halves(budgets: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Half of every budget: what either of two stages may spend."""
    return tuple(budget / 2 for budget in budgets)


def personal_claim(
    budgets: Sequence[Fraction], item: str, relation: Relation = Relation.SWAP
) -> PrivacyClaim:
    """Promise each user its budget; `item` is the statement's number in PDP."""
    return PrivacyClaim(PersonalizedDP(tuple(budgets)), relation, Source("PDP", item))
