"""Pairs for a personalized claim: one user's record changes, and that user's budget counts.

Where the number of users is public (SWAP), every data set has one record for each user, in their
order, and one record is replaced; a mechanism that knows missing records is also given its
placeholder. Users with the same budget promise the same, so the first of them stands for all; a
mechanism that treats them differently otherwise needs pairs of the auditor's own.

Where users join and leave (ADD_REMOVE), a data set is a multiset of rows (record, budget), one for
each user who takes part; who takes part is private. The budget of the user who leaves counts. The
rows of a data set must be those of some users of the claim: as many of a budget as there are, or
fewer.

Reports and pair files count users from 1, as the papers do; `Pair.user` is an index.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.pairs.worst_cases import Pair, distinct, ends_of
from audit.results.number_words import plural
from audit.targets.domain import Declared, Domain
from mechanisms.errors import InvalidArgument, InvalidData

Records = NDArray[np.float64]


def user_in_words(user: int, budgets: Sequence[Fraction]) -> str:
    """Name a user, counted from 1, and the budget."""
    return f"user {user + 1} (budget {budgets[user]})"


def first_users(budgets: Sequence[Fraction]) -> dict[Fraction, int]:
    """The first user of each budget, in the order of the users."""
    first: dict[Fraction, int] = {}
    for user, budget in enumerate(budgets):
        first.setdefault(budget, user)
    return first


def check_one_each(records: Records | None, size: int) -> None:
    """Check that the user's own data, if there are any, hold one record for each user.

    Raises InvalidArgument if they hold another number.
    """
    if records is not None and records.size != size:
        msg = (
            f"a personalized claim needs one record for each of its {size} users, "
            f"got {plural(records.size, 'record')}"
        )
        raise InvalidArgument(msg)


def alike(ends: dict[str, float], size: int) -> dict[str, Records]:
    """Data of `size` users who all have one record, by what it is in words."""
    return {f"all records at {name}": np.full(size, value) for name, value in ends.items()}


def outsiders_of_users(domain: Domain) -> dict[str, float]:
    """Records that code forgets; few, as there is a pair with each for every budget."""
    inf = {"inf": np.inf} if domain.records is Declared.ANY else {}
    return {**inf, **domain.outsiders(few=True)}


def pairs_of_users(
    budgets: Sequence[Fraction], domain: Domain, *, records: Records | None = None
) -> list[Pair]:
    """Pairs in which the record of the first user of each budget is replaced.

    The other records are all at low, all at high, all at the midpoint or all missing, or the user's
    own data.

    `domain`: of as many records; the outsiders replace the first base's record. `records`, ndarray
    of float, shape (n,) or None: data of the same users. Raises InvalidArgument if there are not as
    many records as budgets.
    """
    size, ends = len(budgets), ends_of(domain)
    check_one_each(records, size)
    bases = alike(ends, size)
    values = {name: ends[name] for name in ("low", "high")}
    if domain.placeholder:
        bases["all records missing"] = np.full(size, np.nan)
        values["the placeholder"] = np.nan
    if records is not None:
        bases[f"the data ({plural(size, 'record')})"] = records
    pairs = []
    more = outsiders_of_users(domain)
    for words, base in bases.items():
        for user in first_users(budgets).values():
            for name, value in {**more, **values}.items():
                neighbor = base.copy()
                neighbor[user] = value
                label = f"{words}; that of {user_in_words(user, budgets)} replaced by {name}"
                pairs.append(Pair(label, base, neighbor, user=user))
        more = {}
    return distinct(pairs, domain)


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
