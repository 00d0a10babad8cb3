"""Chances that all queries of a sparse vector stay silent where each is -1 or 0 (PDP, Algorithm 1).

Of one record the queries of Algorithm 5 are -1 up to the first radius that covers it, then 0. Given
the noisy threshold t they are silent independently. With F, the distribution function of their
noise Lap(4 / epsilon),

    S(a, c) = E[F(t + 1)^a F(t)^c]

is the chance that a queries of -1 and c of 0 are silent. For many data sets all S(a, c) are needed;
one recurrence in a gives them at once. In w = e^(epsilon t / 4), with s = e^(-epsilon / 4) and
u = (beta / 2)^(3/2), which belongs to the threshold -(6 / epsilon) ln(2 / beta) without noise,

    w has the density min(w / u, u / w)^2 / w,
    w < s:      F(t) = w / 2,          F(t + 1) = w / (2 s),
    s < w < 1:  F(t) = w / 2,          F(t + 1) = 1 - (s / 4) / F(t),
    w > 1:      F(t) = 1 - 1 / (2 w),  F(t + 1) = (1 - s) + s F(t).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from mechanisms.protocols import Arithmetic

__all__ = ["Silence", "index_masses", "silence", "tie_masses"]

Silence: TypeAlias = Mapping[tuple[int, int], Any]
"""S(a, c) by (a, c)."""

KEPT = 8
"""Tables that are kept: all records of one mechanism have the same."""


def silence(epsilon: Fraction, beta: Fraction, most: int, *, numbers: Arithmetic[Any]) -> Silence:
    """State S(a, c) for all a + c <= most.

    `epsilon`, `beta`: of the radius stage; epsilon > 0, 0 < beta < 2. `most`: number of queries.
    `numbers`: Balls, hashable; the differences lose up to 2 bits a query, so that doubles do not
    suffice.
    """
    kind: Any = numbers
    return _silence(epsilon, beta, most, numbers=kind)


@lru_cache(maxsize=KEPT)
def _silence(epsilon: Fraction, beta: Fraction, most: int, *, numbers: Any) -> Silence:
    zero, log_s = numbers.rational(Fraction(0)), numbers.rational(-epsilon / 4)
    log_u = numbers.log(numbers.rational(beta / 2)) * Fraction(3, 2)
    s, u_squared = numbers.exp(log_s), numbers.exp(log_u * 2)
    quarter, rest = s / 4, 1 - s
    counts = range(most + 1)
    below = [_moment(k, None, log_s, log_u, numbers=numbers) / 2**k for k in counts]
    between = {
        c: _moment(c, log_s, zero, log_u, numbers=numbers) * Fraction(2) ** -c
        for c in range(-most, most + 1)
    }
    above = {c: u_squared * _moment_above(c) for c in counts}
    found = {}
    for a in counts:
        scale = numbers.exp(numbers.rational(epsilon / 4 * a))
        for c in range(most + 1 - a):
            found[a, c] = below[a + c] * scale + between[c] + above[c]
        between = {c: between[c] - quarter * between[c - 1] for c in range(a + 1 - most, most + 1)}
        above = {c: rest * above[c] + s * above[c + 1] for c in range(most - a)}
    return found


def index_masses(misses: int, silent: Silence, most: int) -> list[Any]:
    """P(index = i), i = 1, ..., most + 1, if the first `misses` queries are -1 and the others 0."""
    missed = min(misses, most)
    tails = [silent[min(m, missed), max(m - missed, 0)] for m in range(most + 1)]
    return [*(x - y for x, y in pairwise(tails)), tails[most]]


def tie_masses(most: int) -> list[Fraction]:
    """P(index = i), i = 1, ..., most + 1, if all queries equal the threshold, for every epsilon.

    Then P(index > m) = (4 - 2^(1 - m)) / ((m + 1) (m + 2)) (PDP-A1-TAIL).
    """
    tails = [(4 - Fraction(2, 2**m)) / ((m + 1) * (m + 2)) for m in range(most + 1)]
    return [*(x - y for x, y in pairwise(tails)), tails[most]]


def _moment(k: int, lower: Any | None, upper: Any, log_u: Any, *, numbers: Arithmetic[Any]) -> Any:
    """Integrate w^k times its density over lower < log w < upper <= 0; None is -infinity."""
    rises = lower is None or lower < log_u
    total = numbers.rational(Fraction(0))
    if rises:
        end = min(log_u, upper)
        total = numbers.exp(log_u * -2) * _integral(k + 2, lower, end, numbers=numbers)
    if log_u < upper:
        start = log_u if rises else lower
        total = total + numbers.exp(log_u * 2) * _integral(k - 2, start, upper, numbers=numbers)
    return total


def _integral(k: int, lower: Any | None, upper: Any, *, numbers: Arithmetic[Any]) -> Any:
    """Integrate w^(k - 1) over lower < log w < upper."""
    if k == 0:
        return upper - lower
    top = numbers.exp(upper * k)
    return (top if lower is None else top - numbers.exp(lower * k)) / k


def _moment_above(c: int) -> Fraction:
    """Integrate F(t)^c / w^3 over w > 1, which is 4 (1 - f) f^c over 1/2 < f < 1."""
    first, second = (Fraction(2**k - 1, k * 2**k) for k in (c + 1, c + 2))
    return 4 * (first - second)
