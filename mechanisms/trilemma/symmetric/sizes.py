"""Sizes that Theorem 4.2.1 of TRI asks for: sigma, c, and the smallest first half (TRI-E4.1)."""

from __future__ import annotations

import math
from fractions import Fraction

__all__ = ["SIGMA", "clip_distance", "smallest_first"]

SIGMA = Fraction(10)
"""Width of the bins, in standard deviations."""


def smallest_first(epsilon: float, delta: float, gamma: float | None = None) -> int:
    """Return the smallest n1 of equation (4.1).

    `epsilon`: greater than 0. `delta`, `gamma`: in (0, 1]; gamma is the probability of failure to
    be reached, by default delta^2. Returns: at least 89. The third condition, once true there,
    stays true.
    """
    log_inverse = -2 * math.log(delta) if gamma is None else -math.log(gamma)
    n = math.ceil(max(7 - 7 / epsilon * math.log(delta), 128 * (math.log(2) + log_inverse)))
    while (enough := math.ceil(16 / epsilon * (math.log(n) + log_inverse))) > n:
        n = enough  # no smaller n can do: the right-hand side grows with n
    return n


def clip_distance(epsilon: float, second: int, psi: float, moment: float) -> float:
    """Return c = sigma + psi (n2 epsilon)^(1 / lam)."""
    return float(SIGMA) + psi * math.pow(second * epsilon, 1 / moment)
