"""Which errata a printed form holds, so that one slip at a time can be studied."""

from __future__ import annotations

from collections.abc import Sequence

from mechanisms.errors import InvalidArgument

__all__ = ["ALL", "check_slips"]

ALL = "all"
"""All slips of the form."""


def check_slips(value: object, known: Sequence[str]) -> frozenset[str]:
    """Read the slips that a printed form holds; the others are repaired.

    `value`: "all", or errata such as "E-11" or "E-11, E-12". `known`: the errata of this form.
    Raises InvalidArgument if an erratum is unknown.

    Examples
    --------
    >>> from mechanisms.as_printed.slips import check_slips
    >>> sorted(check_slips("E-11, E-12", ("E-10", "E-11", "E-12")))
    ['E-11', 'E-12']
    """
    names = [name.strip() for name in value.split(",")] if isinstance(value, str) else []
    if names == [ALL]:
        return frozenset(known)
    if not names or not set(names) <= set(known):
        msg = f"slip must be {ALL} or some of {', '.join(known)}, got slip={value!r}"
        raise InvalidArgument(msg)
    return frozenset(names)
