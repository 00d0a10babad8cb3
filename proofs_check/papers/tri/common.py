"""What the modules of this package share: one arithmetic for numbers and for symbols, and tables.

A closed form takes the functions to use as its first argument, so that the same line runs on exact
parameters with rigorous enclosures (`ENCLOSED`) and on symbols (`SYMBOLIC`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, final

from proofs_check import symbolic
from proofs_check.claim import Finding, every
from proofs_check.cover import positive
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints
from proofs_check.printed import as_printed

__all__ = [
    "ENCLOSED",
    "SYMBOLIC",
    "Domain",
    "Enclosed",
    "Symbolic",
    "clipping_constant",
    "inverse_root",
    "peak",
    "printed_peaks",
    "printed_table",
    "quotient_peak",
]

Domain = dict[Any, tuple[Fraction | int, Fraction | int]]
"""Range of each symbol."""

Formula = Callable[..., Any]
"""A closed form: the functions to use, then its parameters."""


@final
class Enclosed:
    """Functions of integers, Fractions and balls, with rigorous values.

    Parameters
    ----------
    bits : int
        Working precision.
    """

    def __init__(self, bits: int = 192) -> None:
        self.numbers = Balls(bits)

    def ball(self, x: Any) -> Ball:
        """Enclose a number."""
        return x if isinstance(x, Ball) else self.numbers.rational(Fraction(x))

    def pi(self) -> Ball:
        """Return the circle constant."""
        return self.numbers.pi()

    def exp(self, x: Any) -> Ball:
        """Return e^x."""
        return self.numbers.exp(self.ball(x))

    def log(self, x: Any) -> Ball:
        """Return the natural logarithm."""
        return self.numbers.log(self.ball(x))

    def sqrt(self, x: Any) -> Ball:
        """Return the square root."""
        return self.numbers.sqrt(self.ball(x))

    def gamma(self, x: Any) -> Ball:
        """Return the gamma function."""
        return self.numbers.gamma(self.ball(x))

    def sinh(self, x: Any) -> Ball:
        """Return (e^x - e^-x) / 2."""
        return (self.exp(x) - self.exp(-x)) / 2

    def power(self, x: Any, exponent: Any) -> Any:
        """Return x^exponent of x > 0, or of x = 0 (exactly) with a positive exponent."""
        if not isinstance(x, Ball) and x == 0:
            return Fraction(0)
        return self.numbers.power(self.ball(x), exponent)

    def largest(self, x: Any, y: Any) -> Any:
        """Return the larger one, which must be certain unless they are equal."""
        if certainly_less(x, y) is None:
            lower = max(endpoints(self.ball(z))[0] for z in (x, y))
            upper = max(endpoints(self.ball(z))[1] for z in (x, y))
            return self.numbers.between(lower, upper)
        return y if certainly_less(x, y) else x

    def smallest(self, x: Any, y: Any) -> Any:
        """Return the smaller one."""
        return -self.largest(-x, -y)


@final
class Symbolic:
    """The same functions, of symbols."""

    def pi(self) -> Any:
        """Return the circle constant."""
        return symbolic.pi

    def exp(self, x: Any) -> Any:
        """Return e^x."""
        return symbolic.exp(x)

    def log(self, x: Any) -> Any:
        """Return the natural logarithm."""
        return symbolic.log(x)

    def sqrt(self, x: Any) -> Any:
        """Return the square root."""
        return symbolic.sqrt(x)

    def gamma(self, x: Any) -> Any:
        """Return the gamma function."""
        return symbolic.gamma(x)

    def sinh(self, x: Any) -> Any:
        """Return (e^x - e^-x) / 2."""
        return (symbolic.exp(x) - symbolic.exp(-x)) / 2

    def power(self, x: Any, exponent: Any) -> Any:
        """Return x^exponent."""
        return self.number(x) ** self.number(exponent)

    def number(self, x: Any) -> Any:
        """Convert a Fraction."""
        return symbolic.Rational(x.numerator, x.denominator) if isinstance(x, Fraction) else x

    def largest(self, x: Any, y: Any) -> Any:
        """Return the larger one."""
        return symbolic.Max(x, y)

    def smallest(self, x: Any, y: Any) -> Any:
        """Return the smaller one."""
        return symbolic.Min(x, y)


ENCLOSED = Enclosed()
"""Functions of numbers, as balls."""
SYMBOLIC = Symbolic()
"""Functions of symbols."""


def inverse_root(f: Any, x: Any, lam: Any, sign: int = 1) -> Any:
    """x^(1/(lam - 1)), or its inverse for sign = -1."""
    return f.power(x, sign / (lam - Fraction(1)))


def clipping_constant(f: Any, lam: Any) -> Any:
    """K(lam) = (lam - 1)^(lam - 1) / lam^lam."""
    return f.power(lam - 1, lam - 1) / f.power(lam, lam)


def printed_table(formula: Formula, rows: Iterable[tuple[Sequence[Any], str]]) -> Finding:
    """Decide whether a closed form has the printed values.

    Parameters
    ----------
    formula : callable
        Of the functions to use and the parameters.
    rows : iterable of (parameters, printed)
        Parameters are integers, Fractions, or decimals as strings.
    """
    return as_printed(
        (
            "(" + ", ".join(map(str, row)) + ")",
            printed,
            ENCLOSED.ball(formula(ENCLOSED, *map(Fraction, row))),
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
