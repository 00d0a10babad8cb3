r"""Gauss's rule on panels, for moments of losses that lie between two ends.

With l the loss of (P, Q) under Q and R(l) = 1 - q + q exp(l), M(z) = E R^w (see
`proofs_check.composition.quadrature`), over

* Laplace noise: masses exp(-e) / 2 at e and 1 / 2 at -e, density exp(-(e + l) / 2) / 4 between;
* Gaussian noise up to a largest loss: density exp(-(l + mu^2 / 2)^2 / (2 mu^2)) / (mu sqrt(2 pi)).

Gauss's rule with m nodes on a panel is in error by at most 64 / 15 h F r^(-2 (m - 1)) /
(1 - r^-2), h half of its length, if the integrand is at most F on the ellipse with foci at its
ends and sum of half axes h r (Trefethen 2013, Theorem 19.3). There |Im l| <= b <= pi / 2, so
|R| is at least 1 - q and at most R(Re l), and its argument is at most b and at most
b q exp(Re l) / (1 - q). Gaussian losses below the first panel have a mass that is known, and R is
at most its value there.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.composition.laws import Gaussian, Laplace
from proofs_check.composition.ratio import NUMBERS, Ratio, short
from proofs_check.enclosure import Ball, Undecided, certainly_less, endpoints, gauss_rule

__all__ = ["panel_size", "panel_terms"]

BEYOND = 30
"""Losses below the first panel have a mass of exp(-30) times what the rule is asked for."""
COUNTS = 8
"""Nodes of a panel are a multiple of it: their rules are made once for all panels."""
MOST_NODES = 2_000
"""Of a panel; a line of so many is far too long in any case."""

MOST_PANELS = 10_000
"""Losses of accounts that are used need a few hundred; beyond, nodes take less time."""


@final
@dataclass(frozen=True, slots=True)
class Panel:
    """A piece of the losses, half of its length, and the ellipse and the nodes of its rule."""

    middle: Fraction
    half: Fraction
    axis: float
    count: int


def panel_size(of: Ratio, c: float, height: float, spare: float) -> float:
    """About how many nodes it takes."""
    return 2.0 + sum(panel.count for panel in _panels(of, c, height, spare))


def panel_terms(
    of: Ratio, c: Fraction, height: Fraction, spare: float
) -> tuple[list[Ball], list[Ball], Ball]:
    """Weights and losses of a sum for M(c + iy), |y| <= height, and its error."""
    power = of.power(c)
    listed, error = _ends(of, c, spare)
    for panel in _panels(of, float(c), float(height), spare):
        for node, weight in gauss_rule(panel.count, NUMBERS.bits):
            loss = panel.middle + panel.half * node
            listed.append((loss, panel.half * weight * of.density(loss)))
        error = error + _error(of, panel, c, height)
    logs = [NUMBERS.log(of.at(loss)) for loss, _ in listed]
    weights = [mass * NUMBERS.exp(log * power) for log, (_, mass) in zip(logs, listed, strict=True)]
    return weights, [-log for log in logs] if of.adds else logs, error


def _ends(of: Ratio, c: Fraction, spare: float) -> tuple[list[tuple[Ball, Ball]], Ball]:
    """Losses with mass of their own; and what is below the first panel, as an error."""
    if isinstance(of.inner, Laplace):
        size = NUMBERS.rational(of.inner.epsilon)
        half = NUMBERS.rational(Fraction(1, 2))
        return [(size, half * NUMBERS.exp(-size)), (-size, half)], NUMBERS.rational(Fraction(0))
    first = NUMBERS.rational(_first(of.inner, spare))
    square = of.inner.mu_squared
    root = NUMBERS.sqrt(NUMBERS.rational(2 * square))
    mass = NUMBERS.erfc(-(first + square / 2) / root) / 2
    most = NUMBERS.rational(1 - of.rate) if of.adds else of.at(first)
    return [], mass * NUMBERS.power(most, of.power(c))


def _first(inner: Gaussian, spare: float) -> Fraction:
    """Where the first panel begins."""
    mu = math.sqrt(inner.mu_squared)
    return short(-mu * mu / 2) - short(mu * math.sqrt(2 * (spare + BEYOND)))


def _panels(of: Ratio, c: float, height: float, spare: float) -> list[Panel]:
    """Pieces at most 2 long, or as long as the noise is wide, with rules that are near enough."""
    if isinstance(of.inner, Laplace):
        low, high, longest = -of.inner.epsilon, of.inner.epsilon, 2.0
    else:
        assert of.top is not None
        low, high = _first(of.inner, spare), of.top
        longest = min(2.0, 2 * math.sqrt(of.inner.mu_squared))
    number = max(math.ceil(float(high - low) / longest), 1)
    if number > MOST_PANELS:
        msg = f"{number} panels are more than a transform goes through"
        raise OverflowError(msg)
    edges = [low + (high - low) * Fraction(at, number) for at in range(number + 1)]
    target = of.log_moment(c) - spare - math.log(number)
    return [_panel(of, pair, (c, height), target) for pair in itertools.pairwise(edges)]


def _panel(
    of: Ratio, ends: tuple[Fraction, Fraction], at: tuple[float, float], target: float
) -> Panel:
    """The rule of the fewest nodes whose error is about exp(target)."""
    middle, half = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
    size = float(half)
    widest = 1.5 / size + math.sqrt(2.25 / size**2 + 1)
    best, fewest = 1.1, math.inf
    for share in range(1, 17):
        axis = 1 + (min(widest, 40.0) - 1) * share / 16
        needed = _log_most(of, (float(middle), size), at, axis) + math.log(size) - target
        count = 2 + max(needed, 0.0) / (2 * math.log(axis))
        if count < fewest:
            best, fewest = axis, count
    count = min(COUNTS * math.ceil(fewest / COUNTS), MOST_NODES)
    return Panel(middle, half, best, count)


def _log_most(of: Ratio, panel: tuple[float, float], at: tuple[float, float], axis: float) -> float:
    """About the logarithm of the integrand's largest value on an ellipse."""
    (middle, half), (c, height) = panel, at
    long, high = half * (axis + 1 / axis) / 2, half * (axis - 1 / axis) / 2
    rate = float(of.rate)
    turn = min(1.0, rate * math.exp(middle + long) / (1 - rate)) if rate < 1 else 1.0
    found = height * high * turn
    if of.adds:
        found -= c * math.log1p(-rate)
    else:
        found += (1 + c) * math.log(1 - rate + rate * math.exp(middle + long))
    if isinstance(of.inner, Laplace):
        return found - (float(of.inner.epsilon) + middle - long) / 2 - math.log(4)
    square = float(of.inner.mu_squared)
    away = max(abs(middle + square / 2) - long, 0.0)
    return found + (high**2 - away**2) / (2 * square)


def _error(of: Ratio, panel: Panel, c: Fraction, height: Fraction) -> Ball:
    """What Gauss's rule is in error by at most on a panel, at |y| <= height."""
    axis, half, power = short(panel.axis), panel.half, of.power(c)
    long, high = half * (axis + 1 / axis) / 2, half * (axis - 1 / axis) / 2
    if certainly_less(high * 2, NUMBERS.pi()) is not True:
        msg = "the ellipse is not certainly one where the integrand is analytic"
        raise Undecided(msg)
    last = NUMBERS.rational(panel.middle + long)
    end = NUMBERS.rational(1 - of.rate) if of.adds else of.at(last)
    turn = Fraction(1)
    if of.rate < 1:
        turn = min(turn, endpoints(of.rate * NUMBERS.exp(last) / (1 - of.rate))[1])
    most = NUMBERS.power(end, power) * NUMBERS.exp(NUMBERS.rational(height * high * turn))
    most = most * _largest_density(of.inner, (panel.middle, long, high))
    r = NUMBERS.rational(axis)
    return Fraction(64, 15) * half * most / r ** (2 * (panel.count - 1)) / (1 - 1 / r**2)


def _largest_density(
    inner: Gaussian | Laplace, ellipse: tuple[Fraction, Fraction, Fraction]
) -> Ball:
    """The largest absolute value of the density on an ellipse: middle and half axes."""
    middle, long, high = ellipse
    if isinstance(inner, Laplace):
        return NUMBERS.exp(NUMBERS.rational(-(inner.epsilon + middle - long) / 2)) / 4
    square = inner.mu_squared
    away = max(abs(middle + square / 2) - long, Fraction(0))
    bell = NUMBERS.exp(NUMBERS.rational((high**2 - away**2) / (2 * square)))
    return bell / NUMBERS.sqrt(2 * square * NUMBERS.pi())
