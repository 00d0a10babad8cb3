"""Moments M(z) = E_P exp(z L) of a loss at complex z, enclosed on a vertical line."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Protocol, final

import numpy as np

from proofs_check.composition.decay import Guesses, Layer, layers_of
from proofs_check.composition.laws import (
    Atom,
    Gaussian,
    Geometric,
    Laplace,
    Law,
    LossTable,
    Sampled,
)
from proofs_check.composition.quadrature import terms_of, terms_size
from proofs_check.composition.ratio import NUMBERS, Ratio, added
from proofs_check.enclosure import Ball, Balls, Line, endpoints

__all__ = ["FewAtoms", "Mixture", "Moments", "Normal", "moments_of"]

CUTS = 400
"""Cells of a density from which its decay is found: 1 % of it is lost between them."""
COARSE = Balls(80)
"""Of the ends of these cells, which need no more."""


class Moments(Protocol):
    """What the transform engine asks of a law."""

    def log_moment(self, c: float) -> float:
        """Nearly the logarithm of M(c): for guesses."""
        ...

    def size(self, c: float, height: float, spare: float) -> float:
        """About how many terms a line up to a height takes."""
        ...

    def line(self, c: Fraction, step: Fraction, count: int, spare: float) -> Line:
        """M at c + i n step, each to exp(-spare) of M(c), nearly."""
        ...

    def layers(self, c: Fraction) -> tuple[Layer, ...] | None:
        """What is certain of the density of the tilted law; None where |M| is known itself."""
        ...

    def guesses(self, c: float) -> Guesses | None:
        """The same, nearly."""
        ...

    def moment(self, c: Fraction) -> Ball:
        """M(c)."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Normal:
    """A Gaussian loss: M(z) = exp(mu^2 z (z + 1) / 2)."""

    mu_squared: Fraction

    def log_moment(self, c: float) -> float:
        """As it is."""
        return float(self.mu_squared) * c * (c + 1) / 2

    def size(self, c: float, height: float, spare: float) -> float:  # noqa: ARG002
        """One term."""
        return 1.0

    def line(self, c: Fraction, step: Fraction, count: int, spare: float) -> Line:  # noqa: ARG002
        """As it is."""
        half, start, apart = (NUMBERS.rational(x) for x in (self.mu_squared / 2, c, step))
        return Line.of_exponentials(half, start, apart, count)

    def layers(self, c: Fraction) -> None:  # noqa: ARG002
        """The decay is exp(-mu^2 y^2 / 2)."""
        return

    def guesses(self, c: float) -> None:  # noqa: ARG002
        """The same."""
        return

    def moment(self, c: Fraction) -> Ball:
        """As it is."""
        return NUMBERS.exp(NUMBERS.rational(self.mu_squared * c * (c + 1) / 2))


@final
@dataclass(frozen=True, slots=True)
class FewAtoms:
    """Losses with mass, and no others: sums that do not decay, beside others that do."""

    law: Law

    @property
    def atoms(self) -> list[Atom]:
        """All of them."""
        return list(self.law.atoms(NUMBERS))

    def log_moment(self, c: float) -> float:
        """As it is."""
        logs = [_float_log(atom.p) + c * float(endpoints(atom.loss)[0]) for atom in self.atoms]
        return float(np.logaddexp.reduce(logs))

    def size(self, c: float, height: float, spare: float) -> float:  # noqa: ARG002
        """One term each."""
        return float(len(self.atoms))

    def line(self, c: Fraction, step: Fraction, count: int, spare: float) -> Line:  # noqa: ARG002
        """As they are."""
        weights = [atom.p * NUMBERS.exp(atom.loss * c) for atom in self.atoms]
        losses = [atom.loss for atom in self.atoms]
        zero = NUMBERS.rational(Fraction(0))
        return Line.of_sums(weights, losses, NUMBERS.rational(step), count, zero)

    def layers(self, c: Fraction) -> tuple[Layer, ...]:  # noqa: ARG002
        """None."""
        return ()

    def guesses(self, c: float) -> Guesses:  # noqa: ARG002
        """None."""
        return Guesses(np.zeros(1), np.ones(1))

    def moment(self, c: Fraction) -> Ball:
        """As it is."""
        return added([atom.p * NUMBERS.exp(atom.loss * c) for atom in self.atoms])


@final
@dataclass(frozen=True, slots=True)
class Mixture:
    """The loss of a sampled mechanism; see `proofs_check.composition.quadrature`."""

    of: Ratio

    def log_moment(self, c: float) -> float:
        """By a sum in floats."""
        return self.of.log_moment(c)

    def size(self, c: float, height: float, spare: float) -> float:
        """About how many nodes a rule takes."""
        return terms_size(self.of, c, height, spare)

    def line(self, c: Fraction, step: Fraction, count: int, spare: float) -> Line:
        """By a rule of quadrature."""
        weights, losses, error = terms_of(self.of, c, step * count, spare)
        return Line.of_sums(weights, losses, NUMBERS.rational(step), count, error)

    def moment(self, c: Fraction) -> Ball:
        """By a rule of quadrature."""
        return _moment(self.of, c)

    def layers(self, c: Fraction) -> tuple[Layer, ...]:
        """From the least density of L in each cell, and how far L reaches there.

        Between two losses of (P, Q) the density of l is log-concave, R^w is monotone, and
        dl/dL = R / (q exp(l)) falls.
        """
        most = endpoints(self.moment(c))[1]
        edges = [self._edge(edge, c) for edge in self._cuts(float(c))]
        return layers_of([_cell(low, high, most) for low, high in itertools.pairwise(edges)])

    def _edge(self, loss: Fraction, c: Fraction) -> Edge:
        """All that a cell needs of one of its ends."""
        of, numbers = self.of, COARSE
        at = numbers.rational(loss)
        ratio = (1 - of.rate) + of.rate * numbers.exp(at)
        log = numbers.log(ratio)
        return Edge(
            log,
            endpoints(of.density(at, numbers))[0],
            endpoints(numbers.exp(log * of.power(c)))[0],
            endpoints(ratio / (of.rate * numbers.exp(at)))[0],
        )

    def guesses(self, c: float) -> Guesses:
        """The same in floats."""
        of, edges = self.of, np.array([float(edge) for edge in self._cuts(c)])
        if len(edges) < 2:
            return Guesses(np.zeros(1), np.ones(1))
        rate = float(of.rate)
        rest = math.log1p(-rate) if rate < 1 else -math.inf
        logs = np.logaddexp(rest, math.log(rate) + edges)
        power = -c if of.adds else 1 + c
        if isinstance(of.inner, Laplace):
            bell = -(edges + float(of.inner.epsilon)) / 2 - math.log(4)
        else:
            square = float(of.inner.mu_squared)
            bell = -((edges + square / 2) ** 2) / (2 * square)
            bell -= math.log(2 * math.pi * square) / 2
        slope = (logs - edges - math.log(rate))[1:]
        lowest = np.minimum(bell[:-1], bell[1:])
        lowest = lowest + np.minimum(power * logs[:-1], power * logs[1:])
        heights = np.exp(lowest + slope - of.log_moment(c))
        return Guesses.of(heights, np.diff(logs))

    def _cuts(self, c: float) -> list[Fraction]:
        """Edges of cells of l with all but a millionth of the tilted law."""
        of = self.of
        if isinstance(of.inner, Laplace):
            low, high = -float(of.inner.epsilon), float(of.inner.epsilon)
        else:
            losses, logs, ratios = of.floats(c)
            heights = logs + (-c if of.adds else 1 + c) * ratios
            shares = np.cumsum(np.exp(heights - np.logaddexp.reduce(heights)))
            low, high = losses[np.searchsorted(shares, [1e-6, 1 - 1e-6])]
        edges = [Fraction(float(edge)) for edge in np.linspace(low, high, CUTS + 1)]
        if isinstance(of.inner, Laplace):
            edges[0], edges[-1] = -of.inner.epsilon, of.inner.epsilon
        if of.top is not None:
            edges = [edge for edge in edges if edge <= of.top]
        return sorted(set(edges))


@lru_cache(maxsize=256)
def _moment(of: Ratio, c: Fraction) -> Ball:
    """M(c), which each line asks for twice, and lines of other counts again."""
    weights, _, error = terms_of(of, c, Fraction(0), 60.0)
    most = endpoints(error)[1]
    return added(weights) + NUMBERS.between(-most, most)


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """An end of a cell: L there, and lower ends of a density, a power of R and dl/dL."""

    log: Ball
    density: Fraction
    power: Fraction
    slope: Fraction


def _cell(low: Edge, high: Edge, most: Fraction) -> Layer:
    """The least density of the tilted law of L in a cell, whose moment is at most `most`."""
    least = min(low.density, high.density) * min(low.power, high.power) * high.slope / most
    length = endpoints(high.log - low.log)[0]
    return Layer(max(least, Fraction(0)), max(length, Fraction(0)))


def _float_log(number: Ball) -> float:
    return math.log(endpoints(number)[1]) if endpoints(number)[1] > 0 else -math.inf


LARGEST_LAPLACE = 30
"""The largest loss of Laplace noise whose panels are taken."""


def moments_of(law: Law) -> Moments | None:
    """The moments of a law, where they can be enclosed at complex points."""
    match law:
        case Gaussian():
            return Normal(law.mu_squared)
        case Laplace() if law.epsilon <= LARGEST_LAPLACE:
            return Mixture(Ratio(law, Fraction(1), False))
        case Sampled(inner=Gaussian() as inner):
            return Mixture(Ratio(inner, law.rate, law.adds))
        case Sampled(inner=Laplace() as inner) if inner.epsilon <= LARGEST_LAPLACE:
            return Mixture(Ratio(inner, law.rate, law.adds))
        case LossTable() | Geometric():
            return FewAtoms(law)
        case Sampled(inner=LossTable() | Geometric()):
            return FewAtoms(law)
        case _:
            return None
