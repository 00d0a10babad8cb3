"""The exact law of DPUCOARSE given T (Regehr, Algorithm 1), as sums of exponentials.

Given T the output is decided by the counts of the occupied bins: bin j has score c_j + Lap(scale),
and the bin of the largest score is released if that score exceeds theta. The probability of bin j
is the integral over t > theta of f(t - c_j) times the product of F(t - c_i) over i != j, which is
piecewise a sum of exponentials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

__all__ = [
    "hockey_stick",
    "lone_passes",
    "neighbors",
    "noise_scale",
    "outcome_law",
    "threshold",
    "total_delta",
]

Exponential = Callable[[Any], Any]
"""e^x of rationals (`ExpSum.exp`) or of balls."""

Terms = dict[tuple[int, Fraction], Fraction]
"""A sum of r e^(k t + x): the coefficient r by (k, x), in units of the scale."""


def threshold(eps: Any, log_inverse_delta: Any) -> Any:
    """Theta = 2 + (2 / eps) log(1 / delta), Algorithm 1."""
    return 2 + 2 / eps * log_inverse_delta


def noise_scale(eps: Any) -> Any:
    """Scale 2 / eps of the Laplace noise on each count, Algorithm 1."""
    return 2 / eps


def lone_passes(eps: Any, theta: Any, exp: Exponential) -> Any:
    """P[1 + Lap(2 / eps) > theta] = exp(-(theta - 1) eps / 2) / 2, for theta >= 1."""
    return exp((1 - theta) * eps / 2) * Fraction(1, 2)


def total_delta(eps: Any, delta: Any, exp: Exponential) -> Any:
    """Delta (1 + exp(-eps / 2)) / 2: what the proof of Proposition 4.1.1 gives for a swap."""
    return delta * (1 + exp(-eps / 2)) * Fraction(1, 2)


def outcome_law(
    counts: Sequence[int], theta: Any, scale: Fraction, exp: Exponential
) -> tuple[tuple[Any, ...], Any]:
    """Probability of each bin, and of failure, given the counts; an empty bin has no score."""
    occupied = [j for j, count in enumerate(counts) if count]
    centers = {j: Fraction(counts[j]) / scale for j in occupied}
    lowest = theta * (1 / scale)
    ends = [lowest, *sorted({c for c in centers.values() if c > lowest}), None]
    released = [exp(Fraction(0)) * 0 for _ in counts]
    for lower, upper in pairwise(ends):
        for j in occupied:
            terms: Terms = {(0, Fraction(0)): Fraction(1)}
            for i in occupied:
                beyond = not lower < centers[i]
                terms = _times(
                    terms, _density(centers[i], beyond) if i == j else _cdf(centers[i], beyond)
                )
            released[j] = released[j] + _integral(terms, lower, upper, exp)
    fails = exp(Fraction(0))
    for j in occupied:
        cdf = _cdf(centers[j], beyond=not lowest < centers[j])
        fails = fails * sum(
            (exp(rate * lowest + shift) * r for (rate, shift), r in cdf.items()), fails * 0
        )
    return tuple(released), fails


def hockey_stick(
    x: Sequence[int], y: Sequence[int], theta: Any, scale: Fraction, factor: Any, exp: Exponential
) -> Any:
    """Sum of the positive parts of P_x - factor P_y over all bins and failure."""
    (released, fails), (others, fails_too) = (outcome_law(z, theta, scale, exp) for z in (x, y))
    total = factor * 0
    for p, q in zip((*released, fails), (*others, fails_too), strict=True):
        excess = p - factor * q
        if excess > 0:
            total = total + excess
    return total


def neighbors(records: int, bins: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Count vectors of at most some records, each with all results of moving one record.

    The law does not depend on the order of the bins: counts rise before the move.
    """
    for counts in product(range(records + 1), repeat=bins):
        if list(counts) != sorted(counts) or not 1 <= sum(counts) <= records:
            continue
        for a, b in product(range(bins), repeat=2):
            if a != b and counts[a]:
                moved = list(counts)
                moved[a] -= 1
                moved[b] += 1
                yield counts, tuple(moved)


def _density(center: Fraction, beyond: bool) -> Terms:
    """Density of the standard Laplace law at t - center."""
    sign = -1 if beyond else 1
    return {(sign, -sign * center): Fraction(1, 2)}


def _cdf(center: Fraction, beyond: bool) -> Terms:
    """Distribution function of the standard Laplace law at t - center."""
    if beyond:
        return {(0, Fraction(0)): Fraction(1), (-1, center): Fraction(-1, 2)}
    return {(1, -center): Fraction(1, 2)}


def _times(left: Terms, right: Terms) -> Terms:
    result: Terms = {}
    for (k, x), r in left.items():
        for (m, y), s in right.items():
            result[k + m, x + y] = result.get((k + m, x + y), Fraction(0)) + r * s
    return result


def _integral(terms: Terms, lower: Any, upper: Any, exp: Exponential) -> Any:
    """Integral of the terms over [lower, upper]; the upper end None is infinity."""
    total = exp(Fraction(0)) * 0
    for (k, x), r in terms.items():
        if not k:
            total = total + exp(x) * (upper - lower) * r
            continue
        above = exp(k * upper + x) if upper is not None else 0
        total = total + (above - exp(k * lower + x)) * (r / k)
    return total
