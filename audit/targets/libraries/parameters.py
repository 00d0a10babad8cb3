"""Public parameters that several libraries ask for, checked and kept in frozen adapters."""

from __future__ import annotations

from typing import Any

from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_bounds, check_fraction

__all__ = ["set_noise", "set_query"]


def set_query(adapter: Any, epsilon: Number, low: Number, high: Number) -> None:
    """Set `epsilon`, `low` and `high` of an adapter that clamps records.

    Parameters
    ----------
    adapter : object
        A frozen dataclass with these fields.
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public bounds, low < high.

    Raises
    ------
    InvalidArgument
        If one of them is not.
    """
    exact_low, exact_high = check_bounds(low, high)
    if exact_low == exact_high:
        msg = f"low must be less than high, got low={low!r}, high={high!r}"
        raise InvalidArgument(msg)
    object.__setattr__(adapter, "epsilon", check_fraction(epsilon, "epsilon", above=0))
    object.__setattr__(adapter, "low", exact_low)
    object.__setattr__(adapter, "high", exact_high)


def set_noise(
    adapter: Any,
    epsilon: Number,
    sensitivity: Number,
    *,
    delta: Number | None = None,
    most: int | None = None,
) -> None:
    """Set `epsilon`, `sensitivity` and, where it is given, `delta` of an adapter that adds noise.

    Parameters
    ----------
    adapter : object
        A frozen dataclass with these fields.
    epsilon, sensitivity : int, float, str or Fraction
        Both greater than 0.
    delta : int, float, str, Fraction or None
        In (0, 1].
    most : int or None
        Of epsilon, where the library has a limit.

    Raises
    ------
    InvalidArgument
        If one of them is not.
    """
    exact = check_fraction(epsilon, "epsilon", above=0, at_most=most)
    object.__setattr__(adapter, "epsilon", exact)
    if delta is not None:
        object.__setattr__(adapter, "delta", check_fraction(delta, "delta", above=0, at_most=1))
    object.__setattr__(adapter, "sensitivity", check_fraction(sensitivity, "sensitivity", above=0))
