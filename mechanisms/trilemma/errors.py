"""Bounds and identities of bias and mean squared error (TRI, chapter 3 and Appendix A.2).

For n independent records of a law with mean mu in [a, b] = [low, high]; w = b - a, e = epsilon.
Errors are in the square of the unit of the data, biases in the unit of the data.
"""

from __future__ import annotations

import math

from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.trilemma.margins import (
    clipping_constant,
    combined_margin,
    printed_margin,
    sharp_margin,
    tail_constant,
)
from mechanisms.trilemma.parameters import (
    CONSTANTS,
    check_beta,
    check_delta,
    check_distance,
    check_mean_range,
    check_moment,
)
from mechanisms.validation import Number, check_choice, check_fraction, check_integer, exact

__all__ = [
    "bias_clipped",
    "bias_scarf",
    "mse_clipped",
    "mse_combined",
    "mse_combined_exact",
    "mse_combined_sharp",
    "mse_hodges_lehmann",
    "mse_name_and_shame",
]


def bias_clipped(moment: Number, distance: Number) -> float:
    """Bound K(lam) / c^(lam - 1) of what clipping moves a mean by, if E|X - mu|^lam <= 1.

    `moment`: the order lam, at least 2. `distance`: from the mean to the nearer clip end, c > 0.

    References
    ----------
    .. [1] TRI-LB.1.2; with the printed margin it is K(lam) beta (TRI-P3.0.1).
    """
    lam, c = float(check_moment(moment)), check_distance(distance)
    return clipping_constant(lam) / math.pow(c, lam - 1)


def bias_scarf(distance: Number) -> float:
    """Largest amount (sqrt(1 + c^2) - c) / 2 that clipping moves a mean by, at variance 1.

    `distance`: from the mean to the nearer clip end, c > 0.

    References
    ----------
    .. [1] TRI-LB.1.2, sharp for lam = 2.
    """
    c = check_distance(distance)
    return 1 / (2 * (math.hypot(1, c) + c))


def mse_clipped(
    count: int,
    epsilon: Number,
    beta: Number,
    moment: Number = 2,
    low: Number = 0,
    high: Number = 1,
    constant: str = "printed",
) -> float:
    """Bound of Proposition 3.0.1: 1 / n + beta^2 + 2 ((w + 2 c) / (e n))^2.

    `count`: number of records n. `epsilon`, `beta`, `moment`, `low`, `high`, `constant`: parameters
    of `ClippedMean`; they choose the margin c.

    References
    ----------
    .. [1] TRI-P3.0.1, TRI-P3.0.1-sharp.
    """
    n, eps = _size(count), float(check_epsilon(epsilon))
    margin = {"printed": printed_margin, "sharp": sharp_margin}[
        check_choice(constant, "constant", CONSTANTS)
    ]
    bias = float(check_beta(beta))
    width = _width(low, high) + 2 * margin(bias, float(check_moment(moment)))
    return 1 / n + bias**2 + 2 * (width / (eps * n)) ** 2


def mse_name_and_shame(count: int, delta: Number, variance: Number, mean: Number) -> float:
    """Mean squared error of name-and-shame: (Var + (1 - delta) mu^2) / (delta n), an equality.

    `count`: number of records n. `delta`: probability of the coin. `variance`, `mean`: of the law
    of a record.

    References
    ----------
    .. [1] TRI-P3.0.2.
    """
    n, rate, mu = _size(count), float(check_delta(delta)), float(exact(mean, "mean"))
    return (_square(variance, "variance") + (1 - rate) * mu**2) / (rate * n)


def mse_combined(
    count: int,
    epsilon: Number,
    delta: Number,
    psi: Number = 1,
    moment: Number = 4,
    low: Number = 0,
    high: Number = 1,
) -> float:
    """Bound of Proposition 3.0.3, for laws with Var <= 1 and E|X - mu|^lam <= psi^lam.

    It is 2 / n + (4 w^2 + 24 psi^2 (n e^2 / (4 lam delta))^(2 / lam)) / (n e)^2.

    `count`: number of records n. `epsilon`, `delta`, `psi`, `moment`, `low`, `high`: parameters of
    `CombinedMean`.

    References
    ----------
    .. [1] TRI-P3.0.3.
    """
    n, eps, rate = _size(count), float(check_epsilon(epsilon)), float(check_delta(delta))
    lam = float(check_moment(moment, above_two=True))
    power = math.pow(n * eps**2 / (4 * lam * rate), 2 / lam)
    tail = 24 * float(check_scale(psi, "psi")) ** 2 * power
    return 2 / n + (4 * _width(low, high) ** 2 + tail) / (n * eps) ** 2


def mse_combined_exact(
    count: int, epsilon: Number, delta: Number, width: Number, variance: Number, excess: Number
) -> float:
    """Mean squared error of the combined estimator, an equality for every margin.

    It is Var / n + 2 (width / (n e))^2 + (1 - delta) / (delta n) E[(X - clip(X))^2].

    `count`: number of records n. `epsilon`, `delta`: parameters of `CombinedMean`. `width`:
    distance of the clip ends. `variance`, `excess`: of the law of a record: its variance, and E[(X
    - clip(X))^2].

    References
    ----------
    .. [1] TRI-P3.0.3-exact (our own).
    """
    n, eps, rate = _size(count), float(check_epsilon(epsilon)), float(check_delta(delta))
    spread = _square(variance, "variance") / n
    noise = 2 * (float(check_fraction(width, "width", above=0)) / (n * eps)) ** 2
    return spread + noise + (1 - rate) / (rate * n) * _square(excess, "excess")


def mse_combined_sharp(
    count: int,
    epsilon: Number,
    delta: Number,
    psi: Number = 1,
    moment: Number = 4,
    low: Number = 0,
    high: Number = 1,
    distance: Number | None = None,
) -> float:
    """Bound from the identity, with the best constant of the mean square excess.

    The last term of `mse_combined_exact` has 4 (lam - 2)^(lam - 2) / lam^lam psi^lam / c^(lam - 2)
    in place of E[(X - clip(X))^2], and the variance is at most 1.

    `count`: number of records n. `epsilon`, `delta`, `psi`, `moment`, `low`, `high`: parameters of
    `CombinedMean`. `distance`: the margin c > 0; default that of Proposition 3.0.3.

    References
    ----------
    .. [1] TRI-P3.0.3-exact, sharp form (our own).
    """
    n, eps, rate = _size(count), float(check_epsilon(epsilon)), float(check_delta(delta))
    size, lam = float(check_scale(psi, "psi")), float(check_moment(moment, above_two=True))
    c = combined_margin(n, eps, rate, size, lam) if distance is None else check_distance(distance)
    excess = tail_constant(lam) * size**2 * math.pow(size / c, lam - 2)
    return mse_combined_exact(n, epsilon, delta, _width(low, high) + 2 * c, 1, excess)


def mse_hodges_lehmann(count: int) -> float:
    """Mean squared error 1 / (4 (sqrt(n) + 1)^2) of the Hodges-Lehmann estimator.

    `count`: number of bits n.

    References
    ----------
    .. [1] TRI-EA.2-minimax: no estimator from n bits has less for all Bernoulli laws.
    """
    return 1 / (4 * (math.sqrt(_size(count)) + 1) ** 2)


def _size(count: int) -> int:
    return check_integer(count, "count", at_least=1)


def _width(low: Number, high: Number) -> float:
    exact_low, exact_high = check_mean_range(low, high)
    return float(exact_high - exact_low)


def _square(value: Number, name: str) -> float:
    return float(check_fraction(value, name, at_least=0))
