"""Strategies for neighboring data sets: a base, and the change of one record.

A pair that shrinks stays a pair, because only the base and the change are drawn. The data sets of a
pair always differ. Where two orders of the same records are at distance 0 (order "free"), the
records of the neighbor may come in another order, too.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from audit.pairs.worst_cases import Pair
from audit.results.number_words import plural
from audit.strategies.record_strategies import as_data, check_sizes, records
from mechanisms.claims import Order, OrderWord, PersonalizedDP, Relation, RelationWord
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_bounds, check_choice, shown

__all__ = ["neighboring_pairs", "personalized_pairs"]

T = TypeVar("T")

MADE = (Relation.ADD_REMOVE.value, Relation.SWAP.value)
"""Relations that say how a neighbor is made."""


def neighboring_pairs(
    relation: Relation | RelationWord,
    *,
    order: Order | OrderWord = Order.FREE,
    low: Number = 0,
    high: Number = 1,
    min_size: int = 0,
    max_size: int = 10,
    hostile: bool = False,
) -> SearchStrategy[Pair]:
    """Pairs of neighboring data sets.

    Parameters
    ----------
    relation : Relation or str
        "add-remove" or "swap".
    order : Order or str
        "free": the records of the neighbor come in any order; "fixed": the others keep theirs, and
        the one that changes is at any place.
    low, high, hostile
        As in `datasets`.
    min_size, max_size : int
        Numbers of records of either data set.

    Returns
    -------
    SearchStrategy of Pair
        With `data`, `neighbor` and a `label` in words. Shrinks to few records at `low` and one
        that joins, or moves to `high`.

    Raises
    ------
    InvalidArgument
        If an argument is out of its domain, or there is no such pair.

    Examples
    --------
    >>> from hypothesis import find
    >>> from audit.strategies import neighboring_pairs
    >>> pair = find(neighboring_pairs("add-remove"), lambda pair: True)
    >>> pair.data, pair.neighbor
    (array([], dtype=float64), array([0.]))
    """
    kind = Relation(check_choice(relation, "relation", MADE))
    fixed = check_choice(order, "order", tuple(Order)) == Order.FIXED
    check_sizes(min_size, max_size, least=1)
    exact_low, exact_high = check_bounds(low, high)
    some = records(low, high, hostile=hostile)
    if kind is Relation.SWAP:
        instead = _instead(exact_low, exact_high, missing=hostile)
        base = st.lists(some, min_size=max(1, min_size), max_size=max_size)
        return _swapped(base, some, instead, fixed)
    if max_size == min_size:
        msg = (
            f"max_size must be greater than min_size={shown(min_size)} for add-remove, "
            f"got max_size={shown(max_size)}"
        )
        raise InvalidArgument(msg)
    return _joined(st.lists(some, min_size=min_size, max_size=max_size - 1), some, fixed)


def personalized_pairs(
    budgets: tuple[Number, ...],
    relation: Relation | RelationWord = Relation.SWAP,
    *,
    low: Number = 0,
    high: Number = 1,
    placeholder: bool = False,
) -> SearchStrategy[Pair]:
    """Pairs for a personalized claim; `Pair.user` is the index of the user whose record changes.

    Parameters
    ----------
    budgets : tuple of int, float, str or Fraction
        One epsilon a user.
    relation : Relation or str
        "swap": one record for each user, in their order, and one is replaced. "add-remove": rows
        (record, budget) of the users who take part, and one of them joins or leaves.
    low, high : int, float, str or Fraction
        Public bounds of the records.
    placeholder : bool
        Whether NaN is a record that is missing.

    Returns
    -------
    SearchStrategy of Pair
        Shrinks to the first user, all records at `low`, and nobody else where users join.

    Raises
    ------
    InvalidArgument
        If an argument is out of its domain.
    """
    kind = Relation(check_choice(relation, "relation", MADE))
    level = PersonalizedDP(budgets)
    exact_low, exact_high = check_bounds(low, high)
    some = records(low, high, placeholder=placeholder)
    if kind is Relation.ADD_REMOVE:
        return _members([float(budget) for budget in level.budgets], some)
    instead = _instead(exact_low, exact_high, missing=placeholder)
    users = len(level.budgets)
    base = st.lists(some, min_size=users, max_size=users)
    return _swapped(base, some, instead, fixed=True, personalized=True)


def _instead(low: Fraction, high: Fraction, *, missing: bool) -> list[float]:
    """Records to replace one by that was drawn twice: two at least."""
    if float(low) == float(high) and not missing:
        msg = (
            "a record that is replaced needs low < high in double precision, "
            f"got low={low}, high={high}"
        )
        raise InvalidArgument(msg)
    return [float(high), float(low), *([np.nan] if missing else [])]


@st.composite
def _joined(
    draw: DrawFn, base: SearchStrategy[list[float]], some: SearchStrategy[float], fixed: bool
) -> Pair:
    """One more record, or one less."""
    data, record = draw(base), draw(some)
    if fixed:
        place = draw(st.integers(0, len(data)))
        neighbor = [*data[:place], record, *data[place:]]
        where = f" at place {place + 1}"
    else:
        neighbor, where = _in_any_order(draw, [*data, record]), ""
    label = f"{plural(len(data), 'record')}; one more, {record!r}{where}"
    return _either_way(draw, label, as_data(data), as_data(neighbor))


@st.composite
def _swapped(
    draw: DrawFn,
    base: SearchStrategy[list[float]],
    some: SearchStrategy[float],
    instead: list[float],
    fixed: bool,
    personalized: bool = False,
) -> Pair:
    """One record replaced by another one."""
    data = draw(base)
    place = draw(st.integers(0, len(data) - 1))
    old, new = data[place], draw(some)
    record = next(value for value in (new, *instead) if not _same(value, old))
    neighbor = [*data[:place], record, *data[place + 1 :]]
    if not fixed:
        neighbor = _in_any_order(draw, neighbor)
    label = f"{plural(len(data), 'record')}; number {place + 1}, {old!r}, replaced by {record!r}"
    user = place if personalized else None
    return _either_way(draw, label, as_data(data), as_data(neighbor), user)


def _same(record: float, old: float) -> bool:
    """Whether two records are equal, NaN and NaN too."""
    return record == old or (math.isnan(record) and math.isnan(old))


@st.composite
def _members(draw: DrawFn, budgets: list[float], some: SearchStrategy[float]) -> Pair:
    """Rows of users, and of one more user."""
    user = draw(st.integers(0, len(budgets) - 1))
    taking_part = [other for other in range(len(budgets)) if other != user and draw(st.booleans())]
    rows = [[draw(some), budgets[other]] for other in taking_part]
    row = [draw(some), budgets[user]]
    neighbor = _in_any_order(draw, [*rows, row])
    label = f"{plural(len(rows), 'record')}; user {user + 1} joins with {row[0]!r}"
    data, joined = (as_data(side).reshape(-1, 2) for side in (rows, neighbor))
    return _either_way(draw, label, data, joined, user)


def _in_any_order(draw: DrawFn, values: list[T]) -> list[T]:
    """The same, turned and reversed, or in any order; what fails shrinks in this direction."""
    how = draw(st.sampled_from(["the same", "turned", "any"]))
    if how == "any":
        return draw(st.permutations(values))
    if how == "turned":
        last = len(values) - draw(st.integers(0, len(values)))
        values = [*values[last:], *values[:last]]
        return values[::-1] if draw(st.booleans()) else values
    return values


def _either_way(
    draw: DrawFn, label: str, data: Any, neighbor: Any, user: int | None = None
) -> Pair:
    """The pair, or the same one the other way round."""
    if draw(st.booleans()):
        data, neighbor, label = neighbor, data, f"the other way round: {label}"
    return Pair(label, data, neighbor, user=user)
