r"""Rules of quadrature for moments of the loss of a sampled mechanism, with their errors.

Let l be the loss of (P, Q) under Q, where (P, Q) is symmetric, and R(l) = 1 - q + q exp(l). To
remove the record M(z) = E R^(1 + z), to add it M(z) = E R^(-z); without sampling q = 1. So
M(z) = E R^w with w = 1 + z, or w = -z. The laws of l:

* Gaussian noise, l = mu x - mu^2 / 2 with x standard normal. With step t of x the trapezoid rule
  is in error by at most 2 N / (exp(2 pi a / t) - 1) if the integrand is analytic in |Im x| < a and
  its absolute value integrates to at most N on each line there (Trefethen and Weideman 2014,
  Theorem 5.1). For a <= pi / (2 mu), exp(i mu a) has no negative real part, so |R| >= 1 - q,
  |R| <= R(Re x), and the argument of R is at most mu a: N = exp(a^2 / 2 + |Im w| mu a) times M(c),
  or times (1 - q)^(-c) where Re w = -c. Nodes beyond the last are bounded by tails of a normal
  law: for l < 0, R <= 1; for l > a, R <= k exp(l) with k = q + (1 - q) exp(-a);
  and R^(-c) <= (1 - q)^(-c). A density falls beyond its middle; a sum over all of it exceeds its
  integral by at most one term.
* Laplace noise, and Gaussian noise up to a largest loss: `proofs_check.composition.panels`.
"""

from __future__ import annotations

import math
from fractions import Fraction

from proofs_check.composition.laws import Gaussian, Laplace
from proofs_check.composition.panels import panel_size, panel_terms
from proofs_check.composition.ratio import NUMBERS, Ratio, added, short
from proofs_check.enclosure import Ball, Undecided, certainly_less

__all__ = ["Terms", "terms_of", "terms_size"]

Terms = tuple[list[Ball], list[Ball], Ball]
"""Weights, losses, and an error: M(c + iy) = sum_j w_j exp(i y l_j), up to the error."""

BEYOND = 30
"""Tails of the sum are exp(-30) times what the step of the rule costs: they are cheap."""


def terms_size(of: Ratio, c: float, height: float, spare: float) -> float:
    """About how many nodes it takes."""
    if isinstance(of.inner, Laplace) or of.top is not None:
        return panel_size(of, c, height, spare)
    mu = math.sqrt(of.inner.mu_squared)
    spare = of.spared(c, spare)
    wide = _strip(mu, spare)
    reach = math.sqrt(2 * (spare + BEYOND)) + _top(of, of.inner, c, spare)
    return reach * (wide / 2 + height * mu + spare / wide) / (2 * math.pi)


def terms_of(of: Ratio, c: Fraction, height: Fraction, spare: float) -> Terms:
    """Weights and losses of a sum for M(c + iy), |y| <= height."""
    if isinstance(of.inner, Laplace) or of.top is not None:
        return panel_terms(of, c, height, spare)
    return _gaussian_terms(of, of.inner, c, height, of.spared(float(c), spare))


def _gaussian_terms(
    of: Ratio, inner: Gaussian, c: Fraction, height: Fraction, spare: float
) -> Terms:
    mu = NUMBERS.sqrt(NUMBERS.rational(inner.mu_squared))
    about = math.sqrt(inner.mu_squared)
    wide = _strip(about, spare)
    step = short(2 * math.pi / (wide / 2 + float(height) * about + spare / wide))
    reach = math.sqrt(2 * (spare + BEYOND))
    top = _top(of, inner, float(c), spare)
    first, last = -math.ceil(reach / step), math.ceil(top / step)
    weights, losses = [], []
    scale = step / NUMBERS.sqrt(2 * NUMBERS.pi())
    for number in range(first, last + 1):
        x = NUMBERS.rational(step * number)
        log = NUMBERS.log(of.at(mu * x - inner.mu_squared / 2))
        weights.append(scale * NUMBERS.exp(log * of.power(c) - x**2 / 2))
        losses.append(-log if of.adds else log)
    tails = _tails(of, inner, c, (step * first, step * last, step))
    rule = _rule_error(of, c, (short(wide), step, height), mu, tails + added(weights))
    return weights, losses, tails + rule


def _rule_error(
    of: Ratio, c: Fraction, sizes: tuple[Fraction, Fraction, Fraction], mu: Ball, nearly: Ball
) -> Ball:
    """What the trapezoid rule is in error by at most, from half the strip, the step and |y|.

    To remove, N is a multiple of M(c), which is at most the sum of all weights and the tails, and
    this error again.
    """
    strip, step, height = sizes
    if certainly_less(mu * (2 * strip), NUMBERS.pi()) is not True:
        msg = "the strip is not certainly one where the integrand is analytic"
        raise Undecided(msg)
    growth = NUMBERS.exp(strip**2 / 2 + mu * (height * strip))
    share = 2 * growth / (NUMBERS.exp(2 * NUMBERS.pi() * strip / step) - 1)
    if of.adds:
        return share * NUMBERS.power(NUMBERS.rational(1 - of.rate), -c)
    if certainly_less(share, 1) is not True:
        msg = "the step of the rule is too wide"
        raise Undecided(msg)
    return share * nearly / (1 - share)


def _top(of: Ratio, inner: Gaussian, c: float, spare: float) -> float:
    """About the first x beyond which the integrand has less than exp(-spare - 30) of M(c)."""
    reach = math.sqrt(2 * (spare + BEYOND))
    if of.adds:
        return reach
    mu, rate = math.sqrt(inner.mu_squared), float(of.rate)
    middle = (1 + c) * mu
    for number in range(1, TOPS):
        x = (reach + middle) * number / TOPS
        ratio = math.log(rate + (1 - rate) * math.exp(mu * mu / 2 - mu * x))
        log = (1 + c) * ratio + c * (1 + c) * mu * mu / 2 - max(x - middle, 0.0) ** 2 / 2
        if x > mu and log < of.log_moment(c) - spare - BEYOND:
            return x
    return reach + middle


TOPS = 64
"""Places that are looked at."""


def _tails(
    of: Ratio, inner: Gaussian, c: Fraction, ends: tuple[Fraction, Fraction, Fraction]
) -> Ball:
    """What nodes beyond the first and the last add up to at most: tails of normal laws.

    `ends`: these nodes, left of 0 and right of mu, and the step.
    """
    first, last, step = ends
    numbers = NUMBERS
    mu, root = (numbers.sqrt(numbers.rational(x)) for x in (inner.mu_squared, Fraction(2)))
    below, beyond = numbers.erfc(-first / root) / 2, numbers.erfc(last / root) / 2
    if of.adds:
        return (below + beyond) * numbers.power(numbers.rational(1 - of.rate), -c)
    if first >= 0 or certainly_less(mu, last) is not True:
        msg = "the nodes do not certainly begin left of 0 and end right of mu"
        raise Undecided(msg)
    middle, most = mu * (1 + c), numbers.exp(inner.mu_squared / 2 - mu * last)
    ratio = of.rate + (1 - of.rate) * most
    scale = numbers.power(ratio, 1 + c)
    scale = scale * numbers.exp(numbers.rational(c * (1 + c) * inner.mu_squared / 2))
    mass = numbers.erfc((last - middle) / root) / 2
    if certainly_less(middle, last) is not True:
        mass = mass + step
    return below + scale * mass


def _strip(mu: float, spare: float) -> float:
    """Half of the width of the strip, of which the step of the rule is widest."""
    return min(math.sqrt(2 * spare), 1.5 / mu)
