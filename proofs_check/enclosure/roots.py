"""Certified roots of polynomials whose coefficients are balls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from proofs_check.enclosure.ball import Ball, Balls, Undecided

__all__ = ["largest_root"]


def largest_root(
    coefficients: Sequence[Ball], lower: Fraction, upper: Fraction, *, bits: int
) -> tuple[Fraction, Fraction]:
    """Enclose the largest real root of a polynomial, by a sign change and a Taylor shift.

    At the lower end found the polynomial is certainly negative; at the upper end all its Taylor
    coefficients are certainly positive, so it has no root from there on.

    Parameters
    ----------
    coefficients : sequence of Ball
        Of falling powers, the leading one positive.
    lower, upper : Fraction
        Where the search by bisection begins: below and above the largest root.
    bits : int
        The interval found is at most 2^-bits wide.

    Returns
    -------
    lower, upper : Fraction
        The largest root lies strictly between.

    Raises
    ------
    Undecided
        If the signs cannot be certified this closely: the coefficients are too wide, the search
        began on the wrong side, or the polynomial is not increasing and convex from its largest
        root on.
    """
    lo, hi = lower, upper
    while hi - lo > Fraction(1, 2 ** (bits + 1)):
        middle = (lo + hi) / 2
        if all(c.value > 0 for c in _taylor(coefficients, middle)):
            hi = middle
        else:
            lo = middle
    lo -= hi - lo  # the root may be `lo` itself, where no sign is certain
    at_lower = next(_taylor(coefficients, lo))
    if not at_lower.value < 0 or not all(c.value > 0 for c in _taylor(coefficients, hi)):
        msg = f"no largest root is certain in [{lower}, {upper}] to {bits} bits"
        raise Undecided(msg)
    return lo, hi


def _taylor(coefficients: Sequence[Ball], x: Fraction) -> Iterator[Ball]:
    """Coefficients of p(x + t) in rising powers of t, one by one; the first is p(x) (Horner)."""
    shifted = list(coefficients)
    point = Balls(shifted[0].bits).rational(x)
    for last in range(len(shifted) - 1, -1, -1):
        for k in range(1, last + 1):
            shifted[k] = shifted[k] + shifted[k - 1] * point
        yield shifted[last]
