"""Rows of users whose budgets are private: one row (record, budget) for each user who takes part.

Rows are a multiset. A record that is no finite number is the placeholder. A budget is a double that
stands for the decimal that was typed; a row whose budget is no finite positive number is left out,
as nothing can be promised for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.users import BOT
from mechanisms.records import records

__all__ = ["Rows", "user_rows"]

EXPECTED = "data must be rows (record, budget), shape (n, 2)"


class Rows(NamedTuple):
    """Records and budgets of the users who take part, sorted by budget and then by record."""

    records: NDArray[np.float64]
    """Shape (n,): finite numbers and `users.BOT`, which comes last among equal budgets."""
    budgets: NDArray[np.float64]
    """Shape (n,): finite and positive, ascending."""


def user_rows(data: Any) -> Rows:
    """Read rows, so that neither their order nor any record can show but by its value.

    `data`, shape (n, 2): columns are records and budgets; an empty list or array is nobody. Raises
    InvalidArgument if the data have another shape. Never because of a record or a budget.

    Examples
    --------
    >>> from mechanisms.personalized.groups.rows import user_rows
    >>> rows = user_rows([[5.0, 2.0], [7.0, 0.5], [float("inf"), 0.5], [1.0, -1.0]])
    >>> rows.records.tolist(), rows.budgets.tolist()
    ([7.0, nan, 5.0], [0.5, 0.5, 2.0])
    """
    values, budgets = _columns(data)
    values[~np.isfinite(values)] = BOT
    keep = np.isfinite(budgets) & (budgets > 0)
    values, budgets = values[keep] + 0.0, budgets[keep]
    order = np.lexsort((values, budgets))
    return Rows(values[order], budgets[order])


def _columns(data: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both columns as doubles, copied."""
    if not isinstance(data, np.ndarray) and hasattr(data, "__array__"):
        data = np.asarray(data)
    if isinstance(data, np.ndarray):
        if data.size == 0 and data.shape[:1] == (0,):
            return np.empty(0), np.empty(0)
        good = data.ndim == 2 and data.shape[1] == 2 and data.dtype.kind in "biufO"
        if not good:
            msg = f"{EXPECTED}, got a {data.dtype} array of shape {data.shape}"
            raise InvalidArgument(msg)
        sides = _sides(data) if data.dtype.kind == "O" else (data[:, 0], data[:, 1])
    else:
        sides = _sides(data)
    first, second = (np.array(records(side), dtype=np.float64) for side in sides)
    return first, second


def _sides(data: Any) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Both columns of rows that are no array, as they are."""
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        msg = f"{EXPECTED}, got data of type {type(data).__name__}"
        raise InvalidArgument(msg)
    rows = list(data)
    for row in rows:
        if not isinstance(row, (list, tuple, np.ndarray)) or len(row) != 2:
            msg = f"{EXPECTED}, got a row that is no pair (type {type(row).__name__})"
            raise InvalidArgument(msg)
    sides = np.empty((len(rows), 2), dtype=object)
    for place, row in enumerate(rows):
        sides[place] = [None if _is_container(cell) else cell for cell in row]
    return sides[:, 0], sides[:, 1]


def _is_container(cell: Any) -> bool:
    return isinstance(cell, Sized) and not isinstance(cell, (str, bytes))
