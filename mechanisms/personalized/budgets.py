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
"""A sequence of numbers, one number for a single user, or text such as "1/10, 1*20" (20 of 1)."""

LARGEST = Fraction(10**9)
"""Of a budget; the exponential of such a number has a billion digits."""

MOST_USERS = 1_000_000
"""Of a run of equal budgets, so that no text takes all of the memory."""


def check_budgets(value: BudgetsArgument, name: str = "budgets") -> tuple[Fraction, ...]:
    """Read budgets exactly.

    `value`: one epsilon for each user, each from 0 to 1e9; also one number, or text such as "0.1,
    1*20", where 20 users have a budget of 1. `name`: the argument's name, for the message. Raises
    InvalidArgument if there is no user, or a budget is negative, too large or no finite number.
    """
    budgets = PersonalizedDP(tuple(listed(value))).budgets
    if (largest := max(budgets)) > LARGEST:
        msg = f"{name} must be at most {LARGEST}, got a budget of {float(largest):g}"
        raise InvalidArgument(msg)
    return budgets


def listed(value: BudgetsArgument) -> Iterable[Number]:
    """Read a sequence of numbers, one number, or numbers and runs of them that commas part."""
    if isinstance(value, str):
        return [number for part in value.split(",") for number in _run(part)]
    if isinstance(value, (int, float, Fraction)) or not isinstance(value, Iterable):
        return (value,)
    return value


def _run(part: str) -> list[str]:
    """Read "1*20" as twenty times 1; any other text stays as it is."""
    number, star, times = part.partition("*")
    if not star:
        return [part]
    if not (times.strip().isdecimal() and 1 <= int(times) <= MOST_USERS):
        msg = f"a run of budgets must be BUDGET*TIMES, TIMES from 1 to {MOST_USERS}, got {part!r}"
        raise InvalidArgument(msg)
    return [number] * int(times)


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
