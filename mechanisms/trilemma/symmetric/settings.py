"""The settings of Algorithm 2 of TRI under which Theorem 4.2.1 bounds its error.

For laws with variance at most 1 and E|X - mu|^lam <= psi^lam,

    sigma = 10,   c = sigma + psi (n2 epsilon)^(1 / lam),   gamma = delta^2,
    n1 = the smallest n >= 7 + (7 / epsilon) log(1 / delta), 128 log(2 / gamma) and
         (16 / epsilon) log(n / gamma).

Then the coarse estimate fails, or is more than sigma off, with probability at most gamma
(equation (4.1)).
"""

from __future__ import annotations

import math
from fractions import Fraction

from mechanisms.noise.parameters import check_epsilon
from mechanisms.trilemma.parameters import check_delta, check_moment
from mechanisms.trilemma.symmetric.mean import SymmetricMean
from mechanisms.validation import Number, check_fraction, check_integer

__all__ = ["SIGMA", "clip_distance", "smallest_first", "theorem_mean"]

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


def theorem_mean(
    epsilon: Number, delta: Number, second: int, *, psi: Number = 1, moment: Number = 4
) -> SymmetricMean:
    """Make Algorithm 2 with the settings of Theorem 4.2.1.

    `epsilon`: privacy parameter. `delta`: in (0, 1], at least 1e-75. `second`: records of the
    second half, at least 1. `psi`: bound of E(|X - mu|^lam)^(1 / lam), in standard deviations, at
    least 1. `moment`: in print lam, at least 2. Raises InvalidArgument if a parameter is out of its
    domain.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Theorem 4.2.1 and equation (4.1) (TRI-T4.2.1, TRI-E4.1).

    Examples
    --------
    >>> from mechanisms.trilemma.symmetric.settings import theorem_mean
    >>> mean = theorem_mean("0.9", "0.01", 10_000)
    >>> mean.first, float(mean.distance)
    (1268, 19.740037464252968)
    """
    eps, bound = check_epsilon(epsilon), check_delta(delta)
    width = check_fraction(psi, "psi", at_least=1)
    lam = check_moment(moment)
    count = check_integer(second, "second", at_least=1)
    distance = clip_distance(float(eps), count, float(width), float(lam))
    first = smallest_first(float(eps), float(bound))
    return SymmetricMean(eps, bound, distance, SIGMA, first, count)
