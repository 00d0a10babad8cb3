"""Pairs for a personalized claim: one user's record changes, and that user's budget counts.

Where the number of users is public (SWAP), every data set has one record for each user, in their
order, and one record is replaced; a mechanism that knows missing records is also given its
placeholder. Users with the same budget promise the same, so the first of them stands for all; a
mechanism that treats them differently otherwise needs pairs of the auditor's own.

Reports and pair files count users from 1, as the papers do; `Pair.user` is an index.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.pairs.neighbors import Pair, distinct, ends_of
from audit.rounding import plural
from audit.targets.domain import Declared, Domain
from mechanisms.errors import InvalidArgument

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
