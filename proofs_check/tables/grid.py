"""Grids of parameters, written in one line: "0.1:10:log:25", "0:1:lin:11", "0.1,1,2"."""

from __future__ import annotations

from fractions import Fraction

from mechanisms.errors import InvalidArgument
from mechanisms.validation import exact
from proofs_check.rational import root_interval
from proofs_check.tables.rounding import nearest

__all__ = ["MOST_POINTS", "read_grid"]

MOST_POINTS = 10_000
"""Of one grid."""

DIGITS = 6
"""Of the inner points of a logarithmic grid: each is a decimal, and stands for itself exactly."""


def read_grid(text: str, name: str) -> tuple[Fraction, ...]:
    """Read a grid.

    Parameters
    ----------
    text : str
        Parts separated by commas: a number, or A:B:log:K or A:B:lin:K for K points from A to B.
        Inner points of a logarithmic part are rounded to 6 digits.
    name : str
        Of the parameter, for the message.

    Returns
    -------
    tuple of Fraction
        In the order written; at least one.

    Raises
    ------
    InvalidArgument
        If the text is no grid, or has more than `MOST_POINTS` points.

    Examples
    --------
    >>> from proofs_check.tables.grid import read_grid
    >>> [float(x) for x in read_grid("0.1:10:log:5, 20", "epsilon")]
    [0.1, 0.316228, 1.0, 3.16228, 10.0, 20.0]
    """
    points: list[Fraction] = []
    for part in text.split(","):
        ends = [piece.strip() for piece in part.split(":")]
        points += [exact(ends[0], name)] if len(ends) == 1 else _range(part, ends, name)
        if len(points) > MOST_POINTS:
            msg = f"{name} must have at most {MOST_POINTS} points, got {name}={text!r}"
            raise InvalidArgument(msg)
    return tuple(points)


def _range(part: str, pieces: list[str], name: str) -> list[Fraction]:
    words = "a number, or A:B:log:K or A:B:lin:K with K from 2 on"
    msg = f"a part of {name} must be {words}, got {part.strip()!r}"
    if len(pieces) != 4 or pieces[2] not in ("log", "lin") or not pieces[3].isdecimal():
        raise InvalidArgument(msg)
    first, last, count = exact(pieces[0], name), exact(pieces[1], name), int(pieces[3])
    if not 2 <= count <= MOST_POINTS:
        raise InvalidArgument(msg)
    if pieces[2] == "lin":
        return [first + (last - first) * k / (count - 1) for k in range(count)]
    if first <= 0 or last <= 0:
        msg = f"a logarithmic part of {name} must have ends above 0, got {part.strip()!r}"
        raise InvalidArgument(msg)
    inner = [_between(first, last, k, count - 1) for k in range(1, count - 1)]
    return [first, *inner, last]


def _between(first: Fraction, last: Fraction, k: int, steps: int) -> Fraction:
    """Point k of a logarithmic grid, rounded: the root of first^(steps - k) last^k."""
    _, root = root_interval(first ** (steps - k) * last**k, steps, 64)
    return Fraction(nearest(root, DIGITS))
