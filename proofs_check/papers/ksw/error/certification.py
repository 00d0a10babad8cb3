"""Crossings and maxima of exact errors, certified within the digits that are printed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Finding
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.papers.ksw.error.laplace_error import Algorithm, mean_square_error
from proofs_check.papers.ksw.error.laplace_laws import half_mean_error
from proofs_check.rational import printed_interval

__all__ = ["MORE", "SOME", "at_half", "crosses", "peaks", "scaled"]

Formula = Callable[[Fraction], Ball]
SOME, MORE, MOST = Balls(72), Balls(100), Balls(200)


def scaled(algorithm: Algorithm, N: Fraction, p: Fraction, *, numbers: Balls = SOME) -> Any:
    """N^2 E (X - p)^2."""
    return mean_square_error(algorithm, N, p, numbers=numbers) * N**2


def at_half(N: Fraction) -> Any:
    """N^2 E (X - 1/2)^2 of Algorithm 3 at p = 1/2: its ratio to the bound, which is 1 there."""
    return half_mean_error(MOST.rational(N), numbers=MOST) * N**2


def crosses(name: str, printed: str, function: Formula) -> Finding:
    """Whether a function changes from negative to positive within the last printed digit."""
    low, high = printed_interval(printed)
    signs = certainly_less(function(low), 0), certainly_less(0, function(high))
    holds = None if None in signs else all(signs)
    return Finding(holds, f"{name} at {printed}")


def peaks(name: str, printed: str, function: Formula, inside: Fraction) -> Finding:
    """Whether a function has a local maximum within the last printed digit."""
    low, high = printed_interval(printed)
    top = function(inside)
    higher = certainly_less(function(low), top), certainly_less(function(high), top)
    holds = None if None in higher else all(higher) and low < inside < high
    return Finding(holds, f"{name} at {printed}")
