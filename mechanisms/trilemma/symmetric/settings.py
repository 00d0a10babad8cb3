"""The settings of Algorithm 2 of TRI under which Theorem 4.2.1 bounds its error.

For laws with variance at most 1 and E|X - mu|^lam <= psi^lam,

    sigma = 10,   c = sigma + psi (n2 epsilon)^(1 / lam),   gamma = delta^2,
    n1 = the smallest n >= 7 + (7 / epsilon) log(1 / delta), 128 log(2 / gamma) and
         (16 / epsilon) log(n / gamma).

Then the coarse estimate fails, or is more than sigma off, with probability at most gamma
(equation (4.1)).
"""

from __future__ import annotations

from mechanisms.noise.parameters import check_epsilon
from mechanisms.trilemma.parameters import check_delta, check_moment
from mechanisms.trilemma.symmetric.mean import SymmetricMean
from mechanisms.trilemma.symmetric.sizes import SIGMA, clip_distance, smallest_first
from mechanisms.validation import Number, check_fraction, check_integer

__all__ = ["SIGMA", "clip_distance", "smallest_first", "theorem_mean"]


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
