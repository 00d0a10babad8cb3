"""Counts as people write them: 20000, 1e9, 2.5e6."""

from __future__ import annotations

import re

LARGEST_FLOAT = 2.0**53
"""Beyond it a double says no count: its neighbors are missing."""

POWERS = re.compile(r"(\d+)(?:\.(\d*))?[eE]\+?(\d{1,3})")
"""Digits, and a power of ten of at most three digits: a text is no reason to write a billion."""


def count_of(value: object) -> int | None:
    """The integer that a value is: an integer, or a float such as 1e9; None for all else."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_FLOAT:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def count_in(text: str) -> int | None:
    """The integer that a text with a power of ten says; None for all else.

    Examples
    --------
    >>> from audit.levels.count import count_in
    >>> count_in("1e9"), count_in("2.5e6"), count_in("1e-3"), count_in("1.5")
    (1000000000, 2500000, None, None)
    """
    said = POWERS.fullmatch(text.strip())
    if said is None:
        return None
    whole, part, power = said[1], (said[2] or "").rstrip("0"), int(said[3])
    return None if len(part) > power else int(whole + part) * 10 ** (power - len(part))
