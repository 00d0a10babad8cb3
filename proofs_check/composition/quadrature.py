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
  law: R^(1 + c) <= 1 - q + q exp((1 + c) l) is convexity, R^(-c) <= (1 - q)^(-c).
* Laplace noise: masses exp(-e) / 2 at e and 1 / 2 at -e, density exp(-(e + l) / 2) / 4 between.
  Gauss's rule with m nodes on a panel is in error by at most 64 / 15 h F r^(-2 (m - 1)) /
  (1 - r^-2), h half of its length, if the integrand is at most F on the ellipse with foci at its
  ends and sum of half axes h r (Trefethen 2013, Theorem 19.3).
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from proofs_check.composition.laws import Gaussian, Laplace
from proofs_check.composition.ratio import NUMBERS, Ratio, added, short
from proofs_check.enclosure import Ball, Undecided, certainly_less, gauss_rule

__all__ = ["Terms", "terms_of", "terms_size"]

Terms = tuple[list[Ball], list[Ball], Ball]
"""Weights, losses, and an error: M(c + iy) = sum_j w_j exp(i y l_j), up to the error."""

BEYOND = 30
"""Tails of the sum are exp(-30) times what the step of the rule costs: they are cheap."""


def terms_size(of: Ratio, c: float, height: float, spare: float) -> float:
    """About how many nodes it takes."""
    if isinstance(of.inner, Laplace):
        return _panel_nodes(of, height, spare) * len(_panels(of.inner)) + 2
    mu = math.sqrt(of.inner.mu_squared)
    spare = of.spared(c, spare)
    wide = _strip(mu, spare)
    reach = 2 * math.sqrt(2 * (spare + BEYOND)) + (0 if of.adds else (1 + c) * mu)
    return reach * (wide / 2 + height * mu + spare / wide) / (2 * math.pi)


def terms_of(of: Ratio, c: Fraction, height: Fraction, spare: float) -> Terms:
    """Weights and losses of a sum for M(c + iy), |y| <= height."""
    more = of.spared(float(c), spare)
    if isinstance(of.inner, Laplace):
        return _laplace_terms(of, of.inner, c, height, more)
    return _gaussian_terms(of, of.inner, c, height, more)


def _gaussian_terms(
    of: Ratio, inner: Gaussian, c: Fraction, height: Fraction, spare: float
) -> Terms:
    mu = NUMBERS.sqrt(NUMBERS.rational(inner.mu_squared))
    about = math.sqrt(inner.mu_squared)
    wide = _strip(about, spare)
    step = short(2 * math.pi / (wide / 2 + float(height) * about + spare / wide))
    reach = math.sqrt(2 * (spare + BEYOND))
    top = reach + (0 if of.adds else (1 + float(c)) * about)
    first, last = -math.ceil(reach / step), math.ceil(top / step)
    weights, losses = [], []
    scale = step / NUMBERS.sqrt(2 * NUMBERS.pi())
    for number in range(first, last + 1):
        x = NUMBERS.rational(step * number)
        log = NUMBERS.log(of.at(mu * x - inner.mu_squared / 2))
        weights.append(scale * NUMBERS.exp(log * of.power(c) - x**2 / 2))
        losses.append(-log if of.adds else log)
    ends = step * first, step * last
    if not of.adds and certainly_less(mu * (1 + c), ends[1]) is not True:
        msg = "the last node is not certainly beyond the middle of the tilted law"
        raise Undecided(msg)
    tails = _tails(of, inner, c, ends, mu)
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


def _tails(
    of: Ratio, inner: Gaussian, c: Fraction, ends: tuple[Fraction, Fraction], mu: Ball
) -> Ball:
    """What nodes beyond the ends add up to at most: tails of normal laws."""
    root = NUMBERS.sqrt(NUMBERS.rational(Fraction(2)))

    def beyond(middle: Ball | Fraction) -> Ball:
        return (
            NUMBERS.erfc((ends[1] - middle) / root) + NUMBERS.erfc((middle - ends[0]) / root)
        ) / 2

    centered = beyond(NUMBERS.rational(Fraction(0)))
    if of.adds:
        return centered * NUMBERS.power(NUMBERS.rational(1 - of.rate), -c)
    moved = NUMBERS.exp(NUMBERS.rational(c * (1 + c) * inner.mu_squared / 2))
    return (1 - of.rate) * centered + of.rate * moved * beyond(mu * (1 + c))


def _laplace_terms(of: Ratio, inner: Laplace, c: Fraction, height: Fraction, spare: float) -> Terms:
    epsilon, power = inner.epsilon, of.power(c)
    count = math.ceil(_panel_nodes(of, float(height), spare))
    nodes = gauss_rule(count, NUMBERS.bits)
    half_mass = NUMBERS.rational(Fraction(1, 2))
    listed = [
        (NUMBERS.rational(epsilon), half_mass * NUMBERS.exp(NUMBERS.rational(-epsilon))),
        (NUMBERS.rational(-epsilon), half_mass),
    ]
    error = NUMBERS.rational(Fraction(0))
    for low, high in _panels(inner):
        middle, half = (low + high) / 2, (high - low) / 2
        for node, weight in nodes:
            loss = middle + half * node
            listed.append((loss, half * weight * of.density(loss)))
        error = error + _panel_error(of, inner, (middle, half), power, (height, count))
    logs = [NUMBERS.log(of.at(loss)) for loss, _ in listed]
    weights = [mass * NUMBERS.exp(log * power) for log, (_, mass) in zip(logs, listed, strict=True)]
    return weights, [-log for log in logs] if of.adds else logs, error


def _panel_error(
    of: Ratio,
    inner: Laplace,
    panel: tuple[Fraction, Fraction],
    power: Fraction,
    rule: tuple[Fraction, int],
) -> Ball:
    """What Gauss's rule is in error by at most on a panel (middle, half), at |y| <= height.

    On the ellipse |Im l| <= half b <= pi / 2, so |R| >= 1 - q, and its argument is at most that.
    """
    (middle, half), (height, count) = panel, rule
    axis = short(_axis(float(half), float(height)))
    long, high = half * (axis + 1 / axis) / 2, half * (axis - 1 / axis) / 2
    if certainly_less(high * 2, NUMBERS.pi()) is not True:
        msg = "the ellipse is not certainly one where the integrand is analytic"
        raise Undecided(msg)
    end = NUMBERS.rational(1 - of.rate) if power < 0 else of.at(NUMBERS.rational(middle + long))
    most = NUMBERS.power(end, power) * NUMBERS.exp(NUMBERS.rational(height * high))
    most = most * NUMBERS.exp(NUMBERS.rational(-(inner.epsilon + middle - long) / 2)) / 4
    r = NUMBERS.rational(axis)
    return Fraction(64, 15) * half * most / r ** (2 * (count - 1)) / (1 - 1 / r**2)


def _panels(inner: Laplace) -> list[tuple[Fraction, Fraction]]:
    """Pieces of [-e, e], each at most 2 long."""
    number = math.ceil(inner.epsilon)
    edges = [inner.epsilon * Fraction(2 * at - number, number) for at in range(number + 1)]
    return list(itertools.pairwise(edges))


def _axis(half: float, height: float) -> float:
    """The sum of half axes, over `half`, of an ellipse that needs few nodes."""
    widest = 1.5 / half + math.sqrt(2.25 / half**2 + 1)
    axes = [1 + (min(widest, 40.0) - 1) * share / 16 for share in range(1, 17)]
    return min(axes, key=lambda r: (60 + height * half * (r - 1 / r) / 2) / math.log(r))


def _panel_nodes(of: Ratio, height: float, spare: float) -> float:
    """Nodes of each panel."""
    assert isinstance(of.inner, Laplace)
    half = float(of.inner.epsilon) / math.ceil(of.inner.epsilon)
    axis = _axis(half, height)
    growth = height * half * (axis - 1 / axis) / 2 + half * axis
    return 3 + (spare + growth) / (2 * math.log(axis))


def _strip(mu: float, spare: float) -> float:
    """Half of the width of the strip, of which the step of the rule is widest."""
    return min(math.sqrt(2 * spare), 1.5 / mu)
