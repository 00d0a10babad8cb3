"""Pairs for a personalized claim: the record of one user is replaced, and its budget counts.

Every data set has one record for each user, in their order. Users with the same budget promise the
same, so the first of them stands for all; a mechanism that treats them differently otherwise needs
pairs of the auditor's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.engine.neighbors import Pair, distinct, ends_of, outside
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument

__all__ = ["pairs_of_users"]

Records = NDArray[np.float64]


def pairs_of_users(
    budgets: Sequence[Fraction],
    low: Fraction,
    high: Fraction,
    *,
    records: Records | None = None,
    min_size: int = 0,
    hostile: bool = False,
) -> list[Pair]:
    """Pairs in which the record of the first user of each budget is replaced.

    The other records are all at low, all at high or all at the midpoint, or the user's own data.

    Parameters
    ----------
    budgets : sequence of Fraction
        One for each user.
    low, high : Fraction
        Public bounds of the records.
    records : ndarray of float, shape (n,) or None
        Data of the same users.
    min_size : int
        No pairs if there are fewer users.
    hostile : bool
        Replace by records that are NaN, infinite or out of range as well.

    Raises
    ------
    InvalidArgument
        If there are not as many records as budgets.
    """
    size = len(budgets)
    if records is not None and records.size != size:
        msg = (
            f"a personalized claim needs one record for each of its {size} users, "
            f"got {records.size} records"
        )
        raise InvalidArgument(msg)
    ends = ends_of(low, high)
    bases = {f"all records at {name}": np.full(size, value) for name, value in ends.items()}
    if records is not None:
        bases[f"the data ({size} records)"] = records
    values = {name: ends[name] for name in ("low", "high")}
    values |= outside(low, high) if hostile else {}
    first: dict[Fraction, int] = {}
    for user, budget in enumerate(budgets):
        first.setdefault(budget, user)
    pairs = []
    for words, base in bases.items():
        for budget, user in first.items():
            for name, value in values.items():
                neighbor = base.copy()
                neighbor[user] = value
                label = f"{words}; that of user {user} (budget {budget}) replaced by {name}"
                pairs.append(Pair(label, base, neighbor, user=user))
    return distinct(pairs, Order.FIXED, min_size)
