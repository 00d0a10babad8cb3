"""Strategies for records and data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from audit.pairs.worst_cases import ends_of
from audit.targets.domain import Domain
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_bounds, check_flag, check_integer, shown

__all__ = ["as_data", "check_sizes", "datasets", "records"]

Records = NDArray[np.float64]


def datasets(
    low: Number = 0,
    high: Number = 1,
    *,
    min_size: int = 0,
    max_size: int = 10,
    hostile: bool = False,
    placeholder: bool = False,
) -> SearchStrategy[Records]:
    """Data sets of numbers between public bounds.

    Parameters
    ----------
    low, high : int, float, str or Fraction
        Public bounds; both, and the midpoint, come often.
    min_size, max_size : int
        Numbers of records.
    hostile : bool
        Also records that are infinite, NaN or out of range.
    placeholder : bool
        Also NaN, as a record that is missing.

    Returns
    -------
    SearchStrategy of ndarray of float, shape (n,)
        Shrinks to few records at `low`.

    Raises
    ------
    InvalidArgument
        If the bounds or sizes are out of order.

    Examples
    --------
    >>> from hypothesis import find
    >>> from audit.strategies import datasets
    >>> find(datasets(18, 100), lambda data: len(data) == 2)
    array([18., 18.])
    """
    check_sizes(min_size, max_size)
    some = records(low, high, hostile=hostile, placeholder=placeholder)
    return st.lists(some, min_size=min_size, max_size=max_size).map(as_data)


def records(
    low: Number, high: Number, *, hostile: bool = False, placeholder: bool = False
) -> SearchStrategy[float]:
    """Single records; see `datasets`. They shrink to `low`.

    Parameters
    ----------
    low, high, hostile, placeholder
        As in `datasets`.
    """
    exact_low, exact_high = check_bounds(low, high)
    check_flag(hostile, "hostile")
    check_flag(placeholder, "placeholder")
    domain = Domain(Relation.ADD_REMOVE, bounds=(exact_low, exact_high))
    special = list(dict.fromkeys(ends_of(domain).values()))
    if placeholder:
        special.append(np.nan)
    if hostile:
        special += domain.outsiders().values()
    return st.sampled_from(special) | st.floats(float(exact_low), float(exact_high))


def as_data(values: list[Any]) -> Records:
    """An array of records."""
    return np.array(values, dtype=np.float64)


def check_sizes(min_size: int, max_size: int, *, least: int = 0) -> None:
    """Check the sizes of data sets.

    Raises
    ------
    InvalidArgument
        If one is below `least`, or they are out of order.
    """
    check_integer(min_size, "min_size", at_least=0)
    check_integer(max_size, "max_size", at_least=least)
    if max_size < min_size:
        msg = (
            f"max_size must be at least min_size={shown(min_size)}, got max_size={shown(max_size)}"
        )
        raise InvalidArgument(msg)
