"""Rational enclosures of the survival probability (e^eps - 1) / (e^tau - 1), with proof.

Two kinds. `word_bounds` gives integers around p 2^64 for many budgets at once, from additions,
products and quotients of doubles alone (each correctly rounded, IEEE 754): its polynomials have
stated remainders, and the whole relative error is below 2^-42. `enclose` gives integers around
p 2^bits for any number of bits, in integers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["WORD_BITS", "enclose", "word_bounds"]

WORD_BITS = 64
"""Of a word: what is known of a uniform number at first."""

SLACK = 2.0**-40
"""More than the relative error of the doubles in `word_bounds`."""

LOG_2 = 0.6931471805599453

FARTHEST = 64.0
"""e^-64 < 2^-64: a probability below that has the bounds 0 and 1."""

TERMS = 20
"""Of the power series on [-1, 1]: the first one left out is below 1 / 21! < 2^-65."""


def word_bounds(budgets: Sequence[Fraction], tau: Fraction) -> NDArray[np.float64]:
    """Integers lower <= p 2^64 <= upper, as doubles, for budgets in (0, tau); shape (2, n).

    p = e^(eps - tau) (eps / tau) q(eps) / q(tau) with q(x) = (1 - e^-x) / x. The quotients of
    integers are correctly rounded, so that errors are relative even where eps and tau are tiny.
    """
    a, b = tau.numerator, tau.denominator
    parts = [budget.as_integer_ratio() for budget in budgets]
    gaps = np.array([min((a * d - c * b) / (b * d), FARTHEST) for c, d in parts])
    shares = np.array([(c * b) / (a * d) for c, d in parts])
    sizes = np.array([c / d for c, d in parts])
    q_tau = _mean_exponential(np.array([a / b]))
    words = np.ldexp(_exponential(gaps) * shares * _mean_exponential(sizes) / q_tau, WORD_BITS)
    lower, upper = np.floor(words * (1 - SLACK)), np.ceil(words * (1 + SLACK))
    return np.array([lower, np.clip(upper, 1.0, 2.0**WORD_BITS)])


def enclose(budget: Fraction, tau: Fraction, bits: int) -> tuple[int, int]:
    """Return integers lower <= p 2^bits <= upper for 0 < budget < tau, at most 2 apart.

    p = e^(eps - tau) (1 - e^-eps) / (1 - e^-tau), and 1 - e^-tau >= min(tau, 1) / 2.
    """
    if tau - budget > bits:
        return 0, 1
    small = max(0, tau.denominator.bit_length() - tau.numerator.bit_length())
    guard = bits + small + WORD_BITS
    one = 1 << guard
    (far_lower, far_upper), (own_lower, own_upper), (tau_lower, tau_upper) = (
        _negative_exponential(x, guard) for x in (tau - budget, budget, tau)
    )
    lower = (far_lower * (one - own_upper) << bits) // ((one - tau_lower) << guard)
    upper = -((-far_upper * (one - own_lower) << bits) // ((one - tau_upper) << guard))
    return lower, min(upper, 1 << bits)


def _exponential(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """e^-x for x in [0, 64], relative error below 2^-44.

    x = k log 2 + r, with |r| < 0.4 known up to 2^-46 (the constant and the product are off by
    less than 2^-54 93 and 2^-48); the series adds rounding of a few units of 2^-53.
    """
    k = np.rint(x / LOG_2)
    rest = k * LOG_2 - x
    total = np.ones_like(x)
    for j in range(TERMS, 0, -1):
        total = 1 + total * rest / j
    return np.asarray(np.ldexp(total, -k.astype(np.int64)))


def _mean_exponential(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """(1 - e^-x) / x for x >= 0, the mean of e^-s over s in [0, x]; relative error below 2^-44."""
    near, far = np.minimum(x, 1.0), np.clip(x, 1.0, FARTHEST)
    total = np.ones_like(x)
    for j in range(TERMS, 1, -1):
        total = 1 - total * near / j
    return np.where(x <= 1, total, (1 - _exponential(far)) / np.maximum(x, 1.0))


def _negative_exponential(x: Fraction, bits: int) -> tuple[int, int]:
    """Return integers lower <= e^-x 2^bits <= upper for x >= 0.

    The series of e^t, t = x / 2^k <= 1, is cut where a term is at most one unit; what is left out
    is at most the last term. Then 1 / e^t is squared k times, rounding down and up.
    """
    if x > bits:
        return 0, 1
    halvings = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 1)
    one, (a, b) = 1 << bits, (x / (1 << halvings)).as_integer_ratio()
    lower = term_lower = upper = term_upper = one
    j = 0
    while term_upper > 1 or j < 2:
        j += 1
        term_lower = term_lower * a // (b * j)
        term_upper = -(-term_upper * a // (b * j))
        lower, upper = lower + term_lower, upper + term_upper
    lower, upper = (one * one) // (upper + term_upper), -(-one * one // lower)
    for _ in range(halvings):
        lower, upper = (lower * lower) >> bits, -((-upper * upper) >> bits)
    return lower, min(upper, one)
