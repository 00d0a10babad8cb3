"""Laws that clipping moves most: two points each (TRI, Lemmas B.1.1 and B.1.2, sharp forms).

All are laws of t = X - mu with mean 0 and E|t|^lam = 1: the value t with probability q, and
-t q / (1 - q) otherwise, where

    q t^lam + (1 - q) (t q / (1 - q))^lam = 1.

Clipping from above at a distance c of the mean moves it by q (t - c).
"""

from __future__ import annotations

import math

from mechanisms.trilemma.parameters import check_distance, check_moment
from mechanisms.validation import Number

__all__ = ["TwoPoints", "moment_law", "worst_law"]

TwoPoints = tuple[tuple[float, float], tuple[float, float]]
"""(value, probability) of each point of a law."""


def moment_law(lam: float, q: float) -> TwoPoints:
    """The law with probability 0 < q < 1 of its upper point, mean 0 and E|t|^lam = 1."""
    t = (q + q**lam * (1 - q) ** (1 - lam)) ** (-1 / lam)
    return (t, q), (-t * q / (1 - q), 1 - q)


def worst_law(moment: Number, distance: Number) -> TwoPoints:
    """The two-point law that clipping at a distance above its mean moves most.

    `moment`: the order lam of the moment that is 1; at least 2. `distance`: from the mean to the
    upper clip end, greater than 0; the lower end lies beyond the law. Returns: deviations from the
    mean, and their probabilities.

    References
    ----------
    .. [1] Scarf, "A min-max solution of an inventory problem", 1958, for lam = 2 (TRI-LB.1.2).
    """
    lam, c = float(check_moment(moment)), check_distance(distance)
    if lam == 2:
        t = c + math.hypot(1, c)
        return moment_law(lam, 1 / (1 + t * t))
    from scipy.optimize import minimize_scalar

    def moved(log_q: float) -> float:
        (t, q), _ = moment_law(lam, math.exp(log_q))
        return -q * (t - c)

    # the bound of Lemma B.1.1 is touched at t = c lam / (lam - 1), where q is about t^-lam
    start = -lam * math.log(max(1.0, c * lam / (lam - 1)))
    best = minimize_scalar(
        moved, bounds=(start - 3, min(start + 3, -1e-9)), method="bounded", options={"xatol": 1e-9}
    )
    return moment_law(lam, math.exp(best.x))
