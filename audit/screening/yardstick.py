"""What a claim allows, as the scales on which differences of outputs are measured.

Screening only orders pairs, so the scales need not be exact: a Gaussian claim of about the same
strength stands for every claim that is not pure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import final

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)

__all__ = ["Yardstick", "yardstick_of"]

_NORMAL = NormalDist()

LARGEST_MU = 64.0
"""No claim that a sample can refute is as weak."""

STEPS = 60
"""Halvings of an interval: more than a double has bits."""


@final
@dataclass(frozen=True, slots=True)
class Yardstick:
    """The unit of a claim."""

    epsilon: float
    """Of a pure claim; else the mu of a Gaussian claim about as strong."""
    pure: bool
    """Whether shifts add up over coordinates; else their squares do."""
    distance: float
    """Total variation that the claim allows."""
    line: tuple[float, float] | None = None
    """Epsilon and delta, where the claim is one line."""
    known: bool = True
    """Whether the claim is about as strong, and not only assumed to be."""

    def loss(self, p: float, q: float) -> float:
        """What an event of these probabilities shows, in units of the claim; 1 is allowed."""
        if self.line is not None:
            epsilon, delta = self.line
            beyond = p - delta
            return math.log(beyond / q) / max(epsilon, 1e-12) if 0 < q < beyond else 0.0
        if not 0 < q < p:
            return 0.0
        return (_score(p) - _score(q)) / self.epsilon


def yardstick_of(level: Level) -> Yardstick:
    """The scales of a claim."""
    line, known = None, True
    match level:
        case PureDP():
            epsilon = float(level.epsilon)
            distance = max(math.tanh(epsilon / 2), 1e-12)
            return Yardstick(max(epsilon, 1e-12), True, distance, (epsilon, 0.0))
        case ApproxDP():
            line = float(level.epsilon), float(level.delta)
            mu = _approximate(*line)
        case GaussianDP():
            mu = float(level.mu)
        case ZeroConcentratedDP():
            mu = math.sqrt(2 * float(level.rho))
        case RenyiDP():
            mu = math.sqrt(2 * float(level.epsilon) / float(level.alpha))
        case _:  # a curve: one that allows about as much is good enough to order pairs by
            mu, known = 1.0, False
    mu = max(mu, 1e-12)
    return Yardstick(mu, False, max(2 * _NORMAL.cdf(mu / 2) - 1, 1e-12), line, known)


def _score(p: float) -> float:
    return _NORMAL.inv_cdf(min(max(p, 1e-12), 1 - 1e-12))


def _approximate(epsilon: float, delta: float) -> float:
    """The mu of the weakest Gaussian claim that implies (epsilon, delta)."""
    if delta <= 0:
        return epsilon
    low, high = 0.0, LARGEST_MU
    for _ in range(STEPS):
        mu = (low + high) / 2
        if _delta_of(mu, epsilon) <= delta:
            low = mu
        else:
            high = mu
    return low


def _delta_of(mu: float, epsilon: float) -> float:
    """The delta at epsilon of a Gaussian claim (Balle and Wang 2018, Theorem 8)."""
    if mu <= 0:
        return 0.0
    tail = _NORMAL.cdf(-epsilon / mu - mu / 2)
    return _NORMAL.cdf(-epsilon / mu + mu / 2) - (math.exp(epsilon) * tail if tail else 0.0)
