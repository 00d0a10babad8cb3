"""Confidence limits from bets: exact for every sample size, and at any time of stopping.

A bet at the rates L on an X of mean at most m that is never below `least` has the wealth

    prod (1 + L (X_i - m)),    0 <= L <= 1 / (m - least),

which is not negative, and whose mean is at most 1 (Ville's inequality: it ever reaches 1 / a with
probability at most a). No moment beyond the mean is needed, so that heavy tails do no harm: it is
how a mean squared error is shown to be above a bound. Several rates share the wealth. As a rate
depends on m only through its cap, the wealth falls as m grows, and the m that it does not rule out
are those above one limit.

An X with P(X - c > t) = P(c - X > t) admits prod e^(L (X_i - c)) / cosh(L (X_i - c)), of mean 1:
the sign of X - c is a fair coin whatever its size. It needs no moment at all.

An X of mean m with E X^2 <= V admits prod e^(phi(L (X_i - m))) / (1 + L^2 (V - m^2) / 2), with
Catoni's phi(x) = log(1 + x + x^2 / 2) for x >= 0, phi(-x) = -phi(x). For L sqrt(V) <= 1/2 it falls
as m grows, if the mean of phi' over the draws is at least 1/2: E phi' >= 0.87 under the claim, so
that it is less with probability at most e^(-n / 4) (Hoeffding).

An X >= 0 of mean at least m with E X^2 <= Q admits prod e^(-L X_i) / (1 - L m + L^2 Q / 2): the
way to show, without a largest value, that a mean is too small.

References
----------
.. [1] Waudby-Smith, Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86,
   2024.
.. [2] Catoni, "Challenging the empirical mean and empirical variance", Ann. IHP 48, 2012; Wang,
   Ramdas, "Catoni-style confidence sequences for heavy-tailed mean estimation", SPA 163, 2023.
.. [3] de la Pena, "A general class of exponential inequalities for martingales and ratios", Ann.
   Prob. 27, 1999, for symmetric variables.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RATES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Rates that share the wealth, in units of the best one for a Gauss law."""

LARGEST_SHARE = 0.99
"""Of the wealth that a single bet may lose."""

LARGEST_BET = 0.5
"""Rate of a bet of Catoni's, by the root of V."""

DOUBLINGS = 100
"""Of a step down to where a limit may lie; beyond that there is none."""

STEPS, CLOSE = 100, 1e-6
"""Steps to a limit (by the Illinois rule about ten), and how close is enough, by the interval."""


def rates(spread: float, draws: int, error: float) -> Array:
    """Rates of bets for an expected spread: sqrt(2 log(1 / a) / (n s^2)) and multiples.

    `spread`: standard deviation s, from other draws than those bet on; greater than 0. `draws`:
    number n of draws to come.
    """
    return np.array(RATES) * symmetric_rate(spread, draws, error)


def symmetric_rate(spread: float, draws: int, error: float) -> float:
    """The one rate sqrt(2 log(1 / a) / (n s^2)); parameters as in `rates`."""
    return math.sqrt(-2 * math.log(error) / draws) / spread


def above(x: Array, mean: float, least: float, bets: Array) -> float:
    """Logarithm of the wealth of bets that the mean of x is above `mean`.

    `x`, shape (n,): each at least `least`. `mean`: of the claim, at least `least`. `least`:
    smallest value that x can have. `bets`, shape (k,): rates before they are capped.
    """
    if mean <= least:  # then x is `least` surely
        return math.inf if np.any(x > least) else 0.0
    capped = np.minimum(bets, LARGEST_SHARE / (mean - least))
    return mixed(np.array([np.log1p(rate * (x - mean)).sum() for rate in capped]))


def mixed(logs: Array) -> float:
    """Logarithm of the mean of wealths, from their logarithms."""
    top = float(logs.max())
    if math.isinf(top):
        return top
    return top + math.log(float(np.exp(logs - top).mean()))


def mean_lower(x: Array, least: float, bets: Array, error: float) -> float:
    """Lower confidence limit of the mean of x >= least: wrong with probability at most `error`."""
    if x.size == 0:
        return least
    return lower_limit(lambda m: above(x, m, least, bets), least, float(x.mean()), error)


def lower_limit(
    log_wealth: Callable[[float], float], least: float, most: float, error: float
) -> float:
    """Smallest m in [least, most] at which a falling log-wealth is below log(1 / error).

    `log_wealth`: falling in m. `least`, `most`: between which the limit lies; `least` must be safe.
    `error`: probability with which the limit may be too large.
    """
    need = -math.log(error)
    low, high = least, most
    over, under = log_wealth(low) - need, log_wealth(high) - need
    if not over >= 0:
        return least
    close = CLOSE * (most - least)
    for _ in range(STEPS):
        if high - low <= close:
            break
        middle = (low + high) / 2
        if math.isfinite(over) and under < 0:
            guess = low + (high - low) * over / (over - under)
            middle = min(max(guess, low + close / 2), high - close / 2)
        found = log_wealth(middle) - need
        if found >= 0:  # the other end counts half, so that it moves soon
            low, over, under = middle, found, under / 2
        else:
            high, under, over = middle, found, over / 2
    return low


def symmetric_lower(x: Array, rate: float, error: float, spread: float) -> float:
    """Lower confidence limit of the center of a symmetric law.

    `x`, shape (n,): draws. `rate`: L, from other draws. `error`: probability that the limit is
    above the center. `spread`: about the standard deviation: where to look for the limit.
    """
    return _search(lambda center: symmetric_wealth(x, center, rate), x, error, spread)


def symmetric_wealth(x: Array, center: float, rate: float) -> float:
    """Logarithm of the wealth of one bet that symmetric draws x lie about more than `center`."""
    z = rate * (x - center)
    size = np.abs(z)
    # log cosh z = |z| + log1p(e^(-2 |z|)) - log 2
    return float((z - size - np.log1p(np.exp(-2 * size)) + math.log(2)).sum())


def catoni_lower(x: Array, square: float, rate: float, error: float) -> float:
    """Lower confidence limit of a mean m with E X^2 <= `square`.

    `x`, shape (n,): draws. `square`: V, greater than 0. `rate`: L; best is sqrt(2 log(1 / error) /
    (n (V - m^2))); at most 1 / (2 sqrt(V)) is used. `error`: probability that the limit is above
    the mean.
    """
    return _search(lambda mean: catoni_wealth(x, mean, square, rate), x, error, math.sqrt(square))


def catoni_wealth(x: Array, mean: float, square: float, rate: float) -> float:
    """Logarithm of the wealth of one bet that the mean of x is above `mean`; as `catoni_lower`."""
    bet = min(rate, LARGEST_BET / math.sqrt(square))
    z = bet * (x - mean)
    size = np.abs(z)
    cost = x.size * math.log1p(bet**2 * max(square - mean**2, 0.0) / 2)
    return float((np.sign(z) * np.log1p(size + size**2 / 2)).sum()) - cost


def small_mean_upper(x: Array, square: float, rate: float, error: float) -> float:
    """Upper confidence limit of the mean of x >= 0 with E X^2 <= `square`.

    It solves -L sum x - n log(1 - L m + L^2 Q / 2) = log(1 / error).

    `x`, shape (n,): at least 0. `square`: Q. `rate`: L > 0. `error`: probability that the limit is
    below the mean.
    """
    exponent = -(rate * float(x.sum()) - math.log(error)) / x.size
    return (1 + rate**2 * square / 2 - math.exp(exponent)) / rate


def _search(log_wealth: Callable[[float], float], x: Array, error: float, spread: float) -> float:
    """Find the limit somewhere below the mean of the draws; the wealth falls in m."""
    most = float(x.mean()) + spread
    step = max(spread, np.spacing(abs(most)))
    least = most - 2 * step
    for _ in range(DOUBLINGS):
        if log_wealth(least) >= -math.log(error):
            return lower_limit(log_wealth, least, most, error)
        step *= 2
        least -= step
    return -math.inf
