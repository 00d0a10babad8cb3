"""Printed values: an enclosure must lie within what the printed digits stand for."""

from __future__ import annotations

from collections.abc import Iterable

from proofs_check.claim import Finding
from proofs_check.enclosure import Ball, agrees_with_print, endpoints

__all__ = ["as_printed"]

SHOWN = 4


def as_printed(rows: Iterable[tuple[str, str, Ball]]) -> Finding:
    """Decide whether every printed decimal is right to its last digit.

    Parameters
    ----------
    rows : iterable of (name, printed, ball)
        What the number is, its printed decimal such as "0.4917", and its enclosure.

    Returns
    -------
    Finding
        True if every ball lies within half a unit of the last digit; False with the first one that
        certainly does not; None if a ball is too wide to tell.

    Examples
    --------
    >>> from proofs_check.enclosure import Balls
    >>> from proofs_check.printed_values import as_printed
    >>> as_printed([("pi", "3.1416", Balls(64).pi())])
    Finding(holds=True, detail='right to the last digit: pi 3.1416')
    >>> as_printed([("pi", "3.1415", Balls(64).pi())]).holds
    False
    """
    values, wide = [], ""
    for name, printed, ball in rows:
        values.append(f"{name} {printed}")
        agrees = agrees_with_print(ball, printed)
        if agrees is False:
            low, high = (float(end) for end in endpoints(ball))
            return Finding(
                holds=False, detail=f"{name} is in [{low!r}, {high!r}], printed {printed}"
            )
        if agrees is None:
            wide = wide or f"the enclosure of {name} is too wide for {printed}: {ball!r}"
    if wide:
        return Finding(holds=None, detail=wide)
    more = f" and {len(values) - SHOWN} more" if len(values) > SHOWN else ""
    return Finding(holds=True, detail=f"right to the last digit: {', '.join(values[:SHOWN])}{more}")
