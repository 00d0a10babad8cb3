"""Bounds of the mean squared error of Algorithm 2 of TRI, with the settings of Theorem 4.2.1.

With N = n2 epsilon, for symmetric laws with variance at most 1 and E|X - mu|^lam <= psi^lam,

    1 / n2 + (33 psi^2 N^(2 / lam) + 3200) / N^2 + delta (1 + mu^2) / n2
        + delta^(2 - 4 / lam) (a psi^2 n1^(2 / lam) + b psi^2 N^(2 / lam) + d)

bounds E(mu^ - mu)^2 with (a, b, d) = (16, 8, 804), as printed, and with (8, 4, 600), our own. The
sharp form, our own too, keeps gamma = delta^2 and K(lam):

    1 / n2 + (8 c^2 (1 + gamma) + K(lam)^2 psi^2 N^(2 / lam)) / N^2
        + gamma (1 + (1 - delta) mu^2) / (n2 delta)
        + 2 gamma^(1 - 2 / lam) (sigma^lam / 2 + n1 2^(lam - 1) psi^lam)^(2 / lam) + 2 gamma c^2.

The printed proof loses sigma^lam, and its route gives 1200 in the place of 804 (TRI-ER-07). Given
that the coarse estimate exists the error has no part of name-and-shame (TRI-T4.2.1-given):

    1 / n2 + (8 c^2 + K(lam)^2 psi^2 N^(2 / lam)) / N^2
        + 2 (gamma^(1 - 2 / lam) (sigma^lam / 2 + n1 2^(lam - 1) psi^lam)^(2 / lam) + gamma c^2)
          / (1 - gamma).
"""

from __future__ import annotations

import math

from mechanisms.claims import Source
from mechanisms.trilemma.margins import clipping_constant
from mechanisms.trilemma.symmetric.sizes import SIGMA, clip_distance, smallest_first
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim

__all__ = ["OWN", "PRINTED", "conditional_error", "explicit_error", "law_bounds", "sharp_error"]

PRINTED = (16.0, 8.0, 804.0)
"""a, b and d, as printed."""
OWN = (8.0, 4.0, 600.0)
"""The same, our own."""

MOMENT = 4
"""lam of the bounds that a mechanism states by itself."""
SLACK = 1e-9
"""Relative error of a moment that is computed in doubles."""


def explicit_error(
    epsilon: float,
    delta: float,
    second: int,
    psi: float,
    moment: float,
    mean: float,
    first: int,
    last: tuple[float, float, float] = PRINTED,
) -> float:
    """Bound of Theorem 4.2.1 as its proof ends.

    `epsilon`, `delta`: privacy parameters, in (0, 1). `second`: in print n2, at least 1. `psi`,
    `moment`: in print psi, at least 1, and lam, at least 2. `mean`: in print mu, in standard
    deviations. `first`: in print n1, as `symmetric.sizes.smallest_first` has it. `last`: the
    numbers of the last bracket. Returns: in squares of the unit of the data.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Theorem 4.2.1 (TRI-T4.2.1).
    """
    n2, lam, (a, b, d) = second, moment, last
    N = n2 * epsilon
    power = psi**2 * math.pow(N, 2 / lam)
    bracket = a * psi**2 * math.pow(first, 2 / lam) + b * power + d
    return (
        1 / n2
        + (33 * power + 3200) / N**2
        + delta * (1 + mean**2) / n2
        + math.pow(delta, 2 - 4 / lam) * bracket
    )


def sharp_error(
    epsilon: float, delta: float, second: int, psi: float, moment: float, mean: float, first: int
) -> float:
    """Bound before the constants are rounded; parameters as in `explicit_error`."""
    eps, n2, lam, sigma = epsilon, second, moment, float(SIGMA)
    N, gamma, c = n2 * eps, delta**2, clip_distance(eps, n2, psi, lam)
    bias = clipping_constant(lam) * psi * math.pow(N, 1 / lam)
    coarse = math.pow(sigma, lam) / 2 + first * math.pow(2, lam - 1) * math.pow(psi, lam)
    return (
        1 / n2
        + (8 * c**2 * (1 + gamma) + bias**2) / N**2
        + gamma * (1 + (1 - delta) * mean**2) / (n2 * delta)
        + 2 * math.pow(gamma, 1 - 2 / lam) * math.pow(coarse, 2 / lam)
        + 2 * gamma * c**2
    )


def conditional_error(
    epsilon: float, delta: float, second: int, psi: float, moment: float, first: int
) -> float:
    """Bound given that the coarse estimate exists; parameters as in `explicit_error`."""
    eps, n2, lam, sigma = epsilon, second, moment, float(SIGMA)
    N, gamma, c = n2 * eps, delta**2, clip_distance(eps, n2, psi, lam)
    bias = clipping_constant(lam) * psi * math.pow(N, 1 / lam)
    coarse = math.pow(sigma, lam) / 2 + first * math.pow(2, lam - 1) * math.pow(psi, lam)
    off = math.pow(gamma, 1 - 2 / lam) * math.pow(coarse, 2 / lam) + gamma * c**2
    return 1 / n2 + (8 * c**2 + bias**2) / N**2 + 2 * off / (1 - gamma)


def law_bounds(
    law: RecordLaw,
    *,
    epsilon: float,
    delta: float,
    distance: float,
    scale: float,
    first: int,
    second: int,
) -> tuple[UtilityClaim, ...]:
    """Both bounds under a symmetric law, with lam = 4 and the psi that the distance is made for.

    `law`: of each record, symmetric. Others: parameters of `SymmetricMean`. Returns: none unless
    sigma, c and n1 are those of Theorem 4.2.1, and the law is in its class.
    """
    lam, N = float(MOMENT), second * epsilon
    if not (epsilon < 1 and delta < 1 and scale == float(SIGMA)):
        return ()
    psi = (distance - float(SIGMA)) / math.pow(N, 1 / lam) * (1 + SLACK)
    inside = law.variance <= 1 + SLACK and law.central_moment(lam) <= math.pow(psi, lam)
    if psi < 1 or not inside or first < smallest_first(epsilon, delta):
        return ()
    whole = sharp_error(epsilon, delta, second, psi, lam, abs(law.mean), first)
    given = conditional_error(epsilon, delta, second, psi, lam, first)
    return (
        UtilityClaim(Quantity.MSE, whole, Source("TRI", "Theorem 4.2.1 (sharp form, ours)")),
        UtilityClaim(
            Quantity.MSE,
            given,
            Source("TRI", "Theorem 4.2.1, fifth display (with constants, ours)"),
            given_success=True,
        ),
    )
