"""Pairs for an unbounded personalized claim: one user joins or leaves (ADD_REMOVE).

A data set is a multiset of rows (record, budget), one for each user who takes part; who takes part
is private. The budget of the user who leaves counts. The rows of a data set must be those of some
users of the claim: as many of a budget as there are, or fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.pairs.neighbors import Pair, distinct, ends_of
from audit.pairs.users import alike, check_one_each, first_users, outsiders_of_users, user_in_words
from audit.rounding import plural
from audit.targets.domain import Domain
from mechanisms.errors import InvalidData

Records = NDArray[np.float64]


def pairs_of_members(
    budgets: Sequence[Fraction], domain: Domain, *, records: Records | None = None
) -> list[Pair]:
    """Pairs in which the first user of each budget joins or leaves.

    The others are all at low, at high or at the midpoint, or have the user's own data; or only
    those with the same budget take part, or nobody.

    `budgets`, `domain`, `records`: as in `pairs_of_users`; a data set has a row for each user who
    takes part. Raises InvalidArgument if there are not as many records as budgets.
    """
    size, floats = len(budgets), np.array([float(budget) for budget in budgets])
    check_one_each(records, size)
    ends = ends_of(domain)
    bases = alike(ends, size)
    values = dict(ends) | ({"the placeholder": np.nan} if domain.placeholder else {})
    pairs = []
    for user in first_users(budgets).values():
        groups = {
            "nobody else": np.zeros(size, dtype=bool),
            "those with the same budget": floats == floats[user],
            "all users": np.ones(size, dtype=bool),
        }
        who = user_in_words(user, budgets)
        for words, taking_part in groups.items():
            others = taking_part.copy()
            others[user] = False
            more = outsiders_of_users(domain) if words == "nobody else" else {}
            for name, value in {**values, **more}.items():
                row = np.array([[value, floats[user]]])
                for base_words, base in bases.items():
                    rows = np.column_stack((base, floats))[others]
                    there = f"{words}, {base_words}" if others.any() else "nobody else"
                    label = f"{there}; {who} joins with a record at {name}"
                    pairs.append(Pair(label, rows, np.concatenate((rows, row)), user=user))
        if records is not None:
            rows = np.column_stack((records, floats))
            label = f"the data ({plural(size, 'record')}); {who} leaves"
            pairs.append(Pair(label, np.delete(rows, user, axis=0), rows, user=user))
    return distinct(pairs, domain)


def with_member(pair: Pair, budgets: Sequence[Fraction]) -> Pair:
    """Check that one user joins or leaves and nothing else changes, and say who.

    Raises InvalidData if the data are no rows, more than a row differs, or the rows are not those
    of users of the claim.
    """
    sides = [_rows(side, pair.label) for side in (pair.data, pair.neighbor)]
    first, second = (Counter(row.tobytes() for row in side) for side in sides)
    gone, come = first - second, second - first
    if gone.total() + come.total() != 1:
        msg = (
            f"{pair.label}: one row must be added or removed, got {gone.total()} to remove and "
            f"{come.total()} to add"
        )
        raise InvalidData(msg)
    larger = sides[0] if gone else sides[1]
    (changed,) = gone or come
    budget = float(np.frombuffer(changed)[1])
    known = [float(b) for b in budgets]
    extra = Counter(larger[:, 1].tolist()) - Counter(known)
    if extra:
        value = next(iter(extra))
        msg = (
            f"{pair.label}: more users with budget {value!r} take part than the claim has "
            f"({known.count(value)})"
        )
        raise InvalidData(msg)
    user = pair.user
    if user is None:
        user = known.index(budget)
    elif known[user] != budget:
        who = user_in_words(user, budgets)
        msg = f"{pair.label}: the row of budget {budget!r} differs, and the file names {who}"
        raise InvalidData(msg)
    data, neighbor = sides
    return replace(pair, data=data, neighbor=neighbor, user=user)


def _rows(side: Any, label: str) -> Records:
    """Rows (record, budget); an empty list is nobody."""
    if isinstance(side, (list, np.ndarray)) and len(side) == 0:
        return np.empty((0, 2))
    if isinstance(side, np.ndarray) and side.ndim == 2 and side.shape[1] == 2:
        return np.asarray(side, dtype=np.float64)
    msg = f"{label}: each data set must be a list of rows [record, budget], one for each user"
    raise InvalidData(msg)
