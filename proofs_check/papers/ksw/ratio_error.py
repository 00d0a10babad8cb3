"""The error of a clipped noisy ratio, and what it gives for Laplace noise (KSW, Lemmas 1 and 2, Theorem 1).

Lemma 1 splits the error of (a + Za) / (b + Zb) into a linear part C, a remainder bounded by F, and
the chance that the denominator is halved. All constants are explicit, so that every (1 + o(1)) of
the papers becomes a bound for every n and eps.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.papers.ksw.common import laplace_moment
from proofs_check.printed import as_printed
from proofs_check.smt import absolute, all_of, choose, exact, implies, reals, valid
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = [
    "CLAIMS",
    "shifted_error_bound",
    "shifted_leading_constant",
    "transformed_error_bound",
    "transformed_leading_constant",
]

Formula = Callable[..., Any]


def shifted_leading_constant(p: Any) -> Any:
    """Lemma 2: N^2 E C^2 / w^2 = 2 + 8 (p - 1/2)^2 for Algorithm 2."""
    return 2 + 8 * (p - Fraction(1, 2)) ** 2


def transformed_leading_constant(p: Any) -> Any:
    """Theorem 1: N^2 E C^2 / w^2 = 1 + 4 (p - 1/2)^2 = 2 - 4 p (1 - p) for Algorithm 3."""
    return 1 + 4 * (p - Fraction(1, 2)) ** 2


def shifted_error_bound(p: Any, N: Any, numbers: Any) -> Any:
    """N^2 MSE / w^2 <= (sqrt(2 + 8 d^2) + sqrt(896) / N)^2 + N^2 e^(-N/4) / 2 for Algorithm 2."""
    main = numbers.sqrt(shifted_leading_constant(p)) + numbers.sqrt(N * 0 + 896) / N
    return main**2 + N**2 * numbers.exp(-N / 4) / 2


def transformed_error_bound(p: Any, N: Any, numbers: Any) -> Any:
    """N^2 MSE / w^2 <= (sqrt(2 - 4 q) + sqrt(800) / N)^2 + 2 N^2 (1 + N/4) e^(-N/2), Algorithm 3."""
    main = numbers.sqrt(transformed_leading_constant(p)) + numbers.sqrt(N * 0 + 800) / N
    return main**2 + 2 * N**2 * (1 + N / 4) * numbers.exp(-N / 2)


# Lemma 1, with b = 1 (divide both numbers by b)


def error_splits(sign: int = 1) -> Finding:
    """(a + za) / (b + zb) - a / b = C + a zb^2 / (b^2 (b + zb)) - za zb / (b (b + zb))."""
    a, b, za, zb = symbols("a b z_a z_b", positive=True)
    left = (a + za) / (b + zb) - a / b
    C = za / b - a * zb / b**2
    rest = sign * a * zb**2 / (b**2 * (b + zb)) - za * zb / (b * (b + zb))
    return identical(left, C + rest, dict.fromkeys((a, b, za, zb), (1, 9)))


def remainder_is_bounded(two: Fraction = Fraction(2)) -> Finding:
    """|a zb^2 - za zb| / (1 + zb) <= 2 M zb^2 + 2 |za zb| for zb >= -1/2 and |a| <= M."""

    def statement(a: Any, M: Any, za: Any, zb: Any) -> Any:
        given = all_of(-M <= a, a <= M, 2 * zb >= -1)
        bound = exact(two) * (M * zb * zb + absolute(za * zb))
        return implies(given, absolute(a * zb * zb - za * zb) <= bound * (1 + zb))

    return valid(reals("a M za zb"), statement, polynomial=True)


def clipping_helps(low: Fraction = Fraction(0)) -> Finding:
    """With a / b = m in I = [0, 2 M]: |Clip(r) - m| <= |r - m|, and it is at most 2 M."""

    def statement(r: Any, m: Any, M: Any) -> Any:
        clipped = choose(r < 0, exact(Fraction(0)), choose(r > 2 * M, 2 * M, r))
        given = all_of(exact(low) * M <= m, m <= 2 * M, M > 0)
        gap = absolute(clipped - m)
        return implies(given, all_of(gap <= absolute(r - m), gap <= 2 * M))

    return valid(reals("r m M"), statement)


def print_fails(lower: Fraction = Fraction(5)) -> Finding:
    """a = 0, b = 1, M = 1, Z = 0, clipping to [lower, 6]: the left side is lower^2, the right 0."""
    left = min(max(Fraction(0), lower), Fraction(6)) ** 2
    return exactly(left > 0, f"left side {left}, right side 0")


# Moments


def laplace_moments(
    fourth: int = 72, mixed: int = 28, shifted: int = 896
) -> Finding:
    """E T^4 = 72, E T^2 Z1^2 = 28 (scale 1); E F^2 <= 2 E Zn^4 + 8 E Zs^2 Zn^2 = 896 (scales 1, 2)."""
    two, four = laplace_moment(2, 1), laplace_moment(4, 1)
    sum_fourth = 2 * four + 6 * two * two
    sum_mixed = four + two * two
    pair = 2 * laplace_moment(4, 2) + 8 * two * laplace_moment(2, 2)
    found = (sum_fourth, sum_mixed, pair)
    return exactly(found == (fourth, mixed, shifted) and 8 * fourth + 8 * mixed == 800, f"{found}")
