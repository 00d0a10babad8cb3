"""What the modules of this package share: two constants, tables, and maxima."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import ENCLOSED
from proofs_check.claim import Finding, every
from proofs_check.cover import positive
from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.printed_values import as_printed

__all__ = [
    "Box",
    "clipping_constant",
    "inverse_root",
    "peak",
    "printed_peaks",
    "printed_table",
    "quotient_peak",
]

Box = dict[Any, tuple[Fraction | int, Fraction | int]]
"""Range of each symbol."""

Formula = Callable[..., Any]
"""A closed form: its parameters, then `numbers`, the functions to use."""


def inverse_root(x: Any, lam: Any, sign: int = 1, *, numbers: Any) -> Any:
    """x^(1/(lam - 1)), or its inverse for sign = -1."""
    return numbers.power(x, sign / (lam - Fraction(1)))


def clipping_constant(lam: Any, *, numbers: Any) -> Any:
    """K(lam) = (lam - 1)^(lam - 1) / lam^lam."""
    return numbers.power(lam - 1, lam - 1) / numbers.power(lam, lam)


def printed_table(formula: Formula, rows: Iterable[tuple[Sequence[Any], str]]) -> Finding:
    """Decide whether a closed form has the printed values.

    Parameters
    ----------
    formula : callable
        Of the parameters and `numbers`.
    rows : iterable of (parameters, printed)
        Parameters are integers, Fractions, or decimals as strings.
    """
    return as_printed(
        (
            "(" + ", ".join(map(str, row)) + ")",
            printed,
            ENCLOSED.ball(formula(*map(Fraction, row), numbers=ENCLOSED)),
        )
        for row, printed in rows
    )


def peak(
    value: Callable[[Any], Any],
    slope: Callable[[Any], Any],
    lower: Fraction,
    at: Fraction,
    upper: Fraction,
    *,
    reach: Fraction,
) -> tuple[Finding, Ball]:
    """Enclose the largest value of a function that rises to a point of [lower, upper] and falls.

    Parameters
    ----------
    value, slope : callable
        The function and its derivative, of balls.
    lower, at, upper : Fraction
        The interval, and a point near the maximizer; at = upper where the function only rises.
    reach : Fraction
        The slope must be certainly positive up to at - reach, and negative from at + reach on.

    Returns
    -------
    Finding, Ball
        Whether those signs are certain; and, if they are, an enclosure of the maximum by the mean
        value theorem.
    """
    left, right = (max(lower, at - reach), min(upper, at + reach)) if at < upper else (at, at)
    covers = [positive(slope, {"b": (lower, left)}, numbers=Balls(96))]
    if right < upper:
        covers.append(positive(lambda b: -slope(b), {"b": (right, upper)}, numbers=Balls(96)))
    here = ENCLOSED.numbers.between(left, right)
    change = slope(here) * ENCLOSED.numbers.between(left - at, right - at)
    low, high = endpoints(change)
    middle = ENCLOSED.ball(value(ENCLOSED.ball(at)))
    return every(covers), middle + ENCLOSED.numbers.between(
        min(low, Fraction(0)), max(high, Fraction(0))
    )


def quotient_peak(
    parts: Callable[[Any], tuple[Any, Any, Any, Any]],
    start: Fraction,
    at: Fraction,
    end: Fraction,
    *,
    reach: Fraction,
) -> tuple[Finding, Ball]:
    """Enclose the largest value of a quotient on [start, end], attained near `at`.

    Near `at` by the sign of the slope, farther off by comparison with the value there.

    Parameters
    ----------
    parts : callable
        Numerator, denominator, and their derivatives.
    start, at, end : Fraction
        The interval, and a point near the maximizer; `end` itself, if it is there.
    reach : Fraction
        Relative: within reach * at of `at` the slope may have either sign.
    """

    def value(b: Any) -> Any:
        top, bottom, _, _ = parts(b)
        return top / bottom

    def slope(b: Any) -> Any:
        top, bottom, rising, growing = parts(b)
        return (rising * bottom - top * growing) / (bottom * bottom)

    near = at / 2 if at < end else 31 * at / 32
    far = min(2 * at, end)
    best = value(ENCLOSED.ball(at))
    farther = [
        positive(lambda b: best - value(b), {"b": ends}, numbers=Balls(96))
        for ends in ((start, near), (far, end))
        if ends[0] < ends[1]
    ]
    signs, ball = peak(value, slope, near, at, far, reach=reach * at)
    return every((*farther, signs)), ball


def printed_peaks(rows: Iterable[tuple[str, str, tuple[Finding, Ball]]]) -> Finding:
    """Decide whether maxima found by `peak` are as printed: (name, printed, found), one by one."""
    return every(
        every((signs, as_printed([(name, printed, ball)]))) for name, printed, (signs, ball) in rows
    )
