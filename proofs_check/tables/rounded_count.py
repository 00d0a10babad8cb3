"""Mean squared error of Algorithm 2 as PyDP runs it: the noise of the count is an integer.

The midpoint is taken off the records, so their sum is S = n d with d = mean - 1/2 on [0, 1]. Noise
of the sum is Lap(1 / eps); that of the count is Lap(2 / eps) rounded to the nearest integer, and a
noisy count below 1 counts as 1. Given the noisy count c, the release is y = S / c + Z / c clipped
to [-1/2, 1/2], with Laplace noise of scale theta = 1 / (eps c), and

    E (y - d)^2 = (1/2 + d)^2 + int_{-1/2}^{1/2} 2 (y - d) P(S / c + Z / c > y) dy,

elementary on both sides of S / c. Counts far off enter as an interval: their errors are 0 to 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, log

from proofs_check.enclosure import Ball, Balls

__all__ = ["rounded_count_error"]

HALF = Fraction(1, 2)

MOST_COUNTS = 20_000
"""Noise of the count that is looked at one by one, on either side."""


@lru_cache(maxsize=256)
def rounded_count_error(n: int, epsilon: Fraction, mean: Fraction, bits: int) -> Ball | None:
    """Error in units of (u - l)^2; None where too many counts matter, for a very small budget."""
    numbers, d = Balls(bits), mean - HALF
    digits = bits * log(2) + 2 * log(2 + n * epsilon)
    most = ceil(2 * digits / float(epsilon))
    if most > MOST_COUNTS:
        return None
    step = numbers.exp(numbers.rational(-epsilon / 2))
    edge = numbers.exp(numbers.rational(-epsilon / 4))
    total = (1 - edge) * _given(n, n * d, d, epsilon, numbers=numbers)
    mass = edge * (1 - step) / 2  # P(noise = k) = P(noise = -k)
    for k in range(1, most + 1):
        for count in (n + k, n - k):
            total = total + mass * _given(max(count, 1), n * d, d, epsilon, numbers=numbers)
        mass = mass * step
    rest = numbers.exp(numbers.rational(-epsilon / 2 * (most + HALF)))
    return total + rest * numbers.between(Fraction(0), Fraction(1))


def _given(count: int, total: Fraction, d: Fraction, epsilon: Fraction, *, numbers: Balls) -> Ball:
    """Return E (y - d)^2 given the noisy count."""
    theta, center = 1 / (epsilon * count), total / count
    turn = min(max(center, -HALF), HALF)

    def tail(y: Fraction) -> Ball:
        return numbers.exp(numbers.rational(-abs(y - center) / theta))

    below = (turn - d) ** 2 - (
        tail(turn) * (theta * (turn - d - theta)) - tail(-HALF) * (theta * (-HALF - d - theta))
    )
    above = tail(turn) * (theta * (turn - d + theta)) - tail(HALF) * (theta * (HALF - d + theta))
    return below + above
