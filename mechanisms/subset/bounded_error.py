"""Expected error of the bounded mean (SUB, Lemma 3.3 and SUB-L3.3e).

In units of the width it depends only on N = n epsilon and on rho = (mean - midpoint) / width. With
X and Y standard Laplace it is

    E(N, rho) = E |clip((N rho + Y) / (N + 2 X), [-1/2, 1/2]) - rho|
              = integral of e^(-|x|) / 2  [T(c, |d| (1/2 -+ rho)) + T(-c, |d| (1/2 +- rho))] / |d|,

with d = N + 2 x, c = 2 rho x, the upper signs for d > 0, and T(c, h) = E min(max(Y - c, 0), h).
"""

from __future__ import annotations

import math
from itertools import pairwise

__all__ = ["bounded_error"]

REACH = 40.0
"""Beyond |x| = 40 the integral is at most e^-40."""

NARROW = 1e-13
"""Between two kinks so close the integral is at most this, and a node could fall on one."""


def bounded_error(size: float, rho: float) -> float:
    """Return E |mean_hat - mean| / width, to about 12 digits.

    `size`: N = n epsilon, greater than 0. `rho`: place of the mean, (mean - midpoint) / width, from
    -1/2 to 1/2.
    """
    from scipy.integrate import quad

    shares = 0.5 - rho, 0.5 + rho
    # Where d changes its sign, and where c + h does: there the integrand has a kink.
    kinks = {0.0} | {-size * share for share in (*shares, 0.5)}
    ends = sorted({-REACH, REACH} | {x for x in kinks if abs(x) < REACH})

    def density(x: float) -> float:
        d, c = size + 2 * x, 2 * rho * x
        above, below = shares if d > 0 else shares[::-1]
        excess = _excess(c, abs(d) * above) + _excess(-c, abs(d) * below)
        return math.exp(-abs(x)) / 2 * excess / abs(d)

    return math.fsum(
        quad(density, left, right, epsabs=1e-15, epsrel=1e-12, limit=200)[0]
        for left, right in pairwise(ends)
        if right - left > NARROW
    )


def _excess(c: float, h: float) -> float:
    """T(c, h) = E min(max(Y - c, 0), h) for standard Laplace Y and h >= 0."""
    if c >= 0:
        return -math.exp(-c) * math.expm1(-h) / 2
    if c + h <= 0:
        return h - math.exp(c) * math.expm1(h) / 2
    return -c + math.expm1(c) / 2 - math.expm1(-(c + h)) / 2
