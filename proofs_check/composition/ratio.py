"""The ratio R = 1 - q + q exp(l) of a sampled mechanism, and the law of l under Q."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import NDArray

from proofs_check.composition.laws import Gaussian, Laplace
from proofs_check.enclosure import Ball, Balls

__all__ = ["NUMBERS", "Ratio", "added", "short"]

NUMBERS = Balls(192)
"""A sum of a thousand terms keeps 50 digits; powers of 10^9 leave 40 of them."""

Floats = NDArray[np.float64]

FINE = 8
"""Points of a normal law in floats, for each unit: the sum is right to ten digits."""
CUT_POINTS = 2_000
"""Of a law in floats that ends: the tilted one may be as narrow as a hundredth of it."""


@final
@dataclass(frozen=True, slots=True)
class Ratio:
    """The loss of a sampled mechanism; see the head of this module."""

    inner: Gaussian | Laplace
    rate: Fraction
    adds: bool
    top: Fraction | None = None
    """The largest loss of (P, Q) that is kept, of a Gaussian; all of them if None."""

    def power(self, c: Fraction) -> Fraction:
        """The real part of w."""
        return -c if self.adds else 1 + c

    def at(self, inner: Ball) -> Ball:
        """R at a loss of (P, Q)."""
        return (1 - self.rate) + self.rate * NUMBERS.exp(inner)

    def log_moment(self, c: float) -> float:
        """By a sum in floats."""
        _, logs, ratios = self.floats(c)
        heights = logs + (-c if self.adds else 1 + c) * ratios
        most = float(heights.max())
        return most + math.log(float(np.exp(heights - most).sum()))

    def floats(self, c: float) -> tuple[Floats, Floats, Floats]:
        """Losses of (P, Q), logarithms of weights and of R, nearly, for tilts up to c."""
        return _floats(self, 1.0 if self.top is not None else _above(c))

    def spared(self, c: float, spare: float) -> float:
        """Room also for what bounds are larger than M(c)."""
        if not self.adds:
            return spare
        return spare - c * math.log1p(-float(self.rate)) - self.log_moment(c)

    def density(self, loss: Ball, numbers: Balls = NUMBERS) -> Ball:
        """The density of l, under Q."""
        if isinstance(self.inner, Laplace):
            return numbers.exp(-(loss + self.inner.epsilon) / 2) / 4
        square = self.inner.mu_squared
        exponent = (loss + square / 2) ** 2 / (2 * square)
        return numbers.exp(-exponent) / numbers.sqrt(2 * square * numbers.pi())


def _above(c: float) -> float:
    """The next power of 2."""
    return 2.0 ** max(math.ceil(math.log2(c)), 0)


@lru_cache(maxsize=64)
def _floats(of: Ratio, c: float) -> tuple[Floats, Floats, Floats]:
    if of.top is None:
        losses, logs = _float_law(of.inner, c)
    else:
        losses, logs = _float_cut(of.inner, of.top)
    rate = float(of.rate)
    rest = math.log1p(-rate) if rate < 1 else -math.inf
    return losses, logs, np.logaddexp(rest, math.log(rate) + losses)


def _float_cut(inner: Gaussian | Laplace, top: Fraction) -> tuple[Floats, Floats]:
    mu = math.sqrt(inner.mu_squared) if isinstance(inner, Gaussian) else 1.0
    last = (float(top) + mu * mu / 2) / mu
    points = np.linspace(-12.0, last, CUT_POINTS)
    apart = points[1] - points[0]
    logs = -(points**2) / 2 - math.log(math.sqrt(2 * math.pi) / apart)
    logs[-1] -= math.log(2)
    return mu * points - mu * mu / 2, logs


def _float_law(inner: Gaussian | Laplace, c: float) -> tuple[Floats, Floats]:
    if isinstance(inner, Laplace):
        epsilon = float(inner.epsilon)
        size = 1_000
        losses = (np.arange(size) + 0.5) / size * 2 * epsilon - epsilon
        logs = -(epsilon + losses) / 2 - math.log(4) + math.log(2 * epsilon / size)
        ends = np.array([epsilon, -epsilon]), np.array([-epsilon - math.log(2), -math.log(2)])
        return np.concatenate([losses, ends[0]]), np.concatenate([logs, ends[1]])
    mu = math.sqrt(inner.mu_squared)
    top = 12.0 + (1 + c) * mu
    points = np.linspace(-12.0, top, min(int(FINE * (12.0 + top)), 10_000))
    apart = points[1] - points[0]
    logs = -(points**2) / 2 - math.log(math.sqrt(2 * math.pi) / apart)
    return mu * points - mu * mu / 2, logs


def short(number: float) -> Fraction:
    """A fraction of few bits, below a number."""
    scale = Fraction(2) ** (20 - math.frexp(number)[1])
    return Fraction(math.floor(Fraction(number) * scale)) / scale


def added(balls: Sequence[Ball]) -> Ball:
    """The sum of some balls."""
    return sum(balls, start=NUMBERS.rational(Fraction(0)))
