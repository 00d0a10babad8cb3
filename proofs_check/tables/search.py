"""Where a function of one number crosses 0, or is largest: found by search, certified by signs.

The search decides nothing. What comes back is an interval at whose ends the signs are certain.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs_check.enclosure import Ball, Undecided, certainly_less, endpoints

__all__ = ["crossing", "first_positive", "local_maximum", "middle"]

Function = Callable[[Fraction], Ball]

STEPS = 200
"""Evaluations before a search gives up."""


def middle(ball: Ball) -> Fraction:
    """Midpoint of a ball."""
    lower, upper = endpoints(ball)
    return (lower + upper) / 2


def first_positive(
    function: Function, start: Fraction, factor: Fraction, last: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Go up from `start` by a factor until the function is positive.

    Parameters
    ----------
    function : callable
        Certainly negative at `start`, or there is no answer.
    start, factor, last : Fraction
        First point, step, and where to stop.

    Returns
    -------
    tuple of two Fractions, or None
        Neighbors between which the sign changes from - to +; None if there are none up to `last`.
    """
    if not certainly_less(function(start), 0):
        return None
    before, x = start, start * factor
    while x <= last:
        if _sign(function(x), x) > 0:
            return before, x
        before, x = x, x * factor
    return None


def crossing(
    function: Function, lower: Fraction, upper: Fraction, width: Fraction
) -> tuple[Fraction, Fraction]:
    """Narrow an interval whose ends have the signs - and + or 0 (Chandrupatla's method).

    Parameters
    ----------
    function : callable
        Certainly negative at `lower` and not negative at `upper`.
    lower, upper : Fraction
        Where the search begins.
    width : Fraction
        Of the interval at most.

    Returns
    -------
    lower, upper : Fraction
        Ends at which the signs are certain.

    Raises
    ------
    Undecided
        If a sign is not certain, or the search does not end.
    """
    (x1, f1), (x2, f2) = ((x, float(middle(function(x)))) for x in (upper, lower))
    part, last = 0.5, 1
    for _ in range(STEPS):
        x = _short(x1 + Fraction(part) * (x2 - x1), width)
        value = function(x)
        f, sign = float(middle(value)), _sign(value, x)
        if sign == last:
            x3, f3 = x1, f1
        else:
            x3, f3, x2, f2 = x2, f2, x1, f1
        x1, f1, last = x, f, sign
        if abs(x2 - x1) <= width:
            return min(x1, x2), max(x1, x2)
        part, least = 0.5, float(width / abs(x2 - x1)) / 2
        xi, phi = float((x1 - x2) / (x3 - x2)), (f1 - f2) / (f3 - f2)
        if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:  # inverse quadratic interpolation is safe
            part = f1 / (f2 - f1) * f3 / (f2 - f3)
            part += float((x3 - x1) / (x2 - x1)) * f1 / (f3 - f1) * f2 / (f3 - f2)
        part = min(max(part, least), 1 - least)
    msg = f"no crossing was found to {float(width):.3g} between {lower} and {upper}"
    raise Undecided(msg)


def local_maximum(
    function: Function, guess: Fraction, reach: Fraction
) -> tuple[Fraction, Fraction]:
    """Find an interval around a local maximum: larger inside than at both ends.

    Parameters
    ----------
    function : callable
        Rising, then falling, around the guess.
    guess, reach : Fraction
        Where the search begins, and half of the width of the interval.

    Raises
    ------
    Undecided
        If the function is not certainly smaller at both ends.
    """
    x, h = guess, Fraction(1, 4)
    for _ in range(STEPS):
        left, here, right = (middle(function(z)) for z in (x - h, x, x + h))
        bend = left - 2 * here + right
        if bend >= 0:
            msg = f"no local maximum was found near {float(guess):.9g}"
            raise Undecided(msg)
        step = h * (left - right) / (2 * bend)  # to the top of the parabola
        x = _short(x + step, reach)
        if abs(step) < reach / 8:
            break
        h = max(min(abs(step), h / 4), reach)
    top = function(x)
    for end in (x - reach, x + reach):
        if not certainly_less(function(end), top):
            msg = f"{float(x):.9g} is not certainly near a local maximum"
            raise Undecided(msg)
    return x - reach, x + reach


def _sign(value: Ball, at: Fraction) -> int:
    below = certainly_less(value, 0)
    if below is None:
        msg = f"the sign at {float(at):.12g} is not certain"
        raise Undecided(msg)
    return -1 if below else 1


def _short(x: Fraction, unit: Fraction) -> Fraction:
    """Round to a multiple of a power of 2 below unit / 64."""
    grid = Fraction(1)
    while grid > unit / 64:
        grid /= 2
    return round(x / grid) * grid
