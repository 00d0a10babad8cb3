r"""How far |M(c + iy)| is below M(c) for all |y| >= Y.

M(c + iy) / M(c) is the characteristic function of the loss under the tilted law. A density that is
somewhere at least that of a mixture of uniform laws makes the tilted law a mixture of these and of
something else, so |M(c + iy)| / M(c) <= 1 - sum_i w_i (1 - |sin t_i / t_i|) with t_i = y s_i / 2,
s_i the length of the i-th interval and w_i its mass. |sin t / t| falls up to pi, and is at most
0.2173 and at most 1 / t beyond, so the bound with Y in place of y holds for all |y| >= Y.

The uniform laws: least values of the density in cells that follow each other, lowered so that they
rise to one cell and fall from there; above each height lies an interval.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from proofs_check.enclosure import Balls, certainly_less, endpoints

__all__ = ["Guesses", "Layer", "layers_of", "upper_bound"]

NUMBERS = Balls(64)

Floats = NDArray[np.float64]

BEYOND = Fraction(2173, 10_000)
"""More than |sin t / t| for all t >= pi: its largest value there is 0.21723 at 4.4934."""


@final
@dataclass(frozen=True, slots=True)
class Layer:
    """A uniform law times a mass: a density of at least `height` on an interval of some length."""

    height: Fraction
    length: Fraction


def layers_of(cells: Sequence[Layer]) -> tuple[Layer, ...]:
    """Intervals above each height, from cells that follow each other."""
    if not cells:
        return ()
    peak = max(range(len(cells)), key=lambda at: cells[at].height)
    heights = [cell.height for cell in cells]
    for at in range(peak + 1, len(cells)):
        heights[at] = min(heights[at], heights[at - 1])
    for at in range(peak - 1, -1, -1):
        heights[at] = min(heights[at], heights[at + 1])
    order = sorted(range(len(cells)), key=lambda at: -heights[at])
    found, length = [], Fraction(0)
    for at, following in itertools.zip_longest(order, order[1:]):
        length += cells[at].length
        rest = Fraction(0) if following is None else heights[following]
        if heights[at] > rest:
            found.append(_rounded(heights[at] - rest, length))
    return tuple(found)


def _rounded(height: Fraction, length: Fraction) -> Layer:
    """A layer of no more mass in numbers of few bits; a shorter interval only loses."""
    return Layer(_few_bits(height), _few_bits(length))


def _few_bits(number: Fraction) -> Fraction:
    scale = Fraction(2) ** (40 + number.denominator.bit_length() - number.numerator.bit_length())
    return math.floor(number * scale) / scale


def upper_bound(layers: Sequence[Layer], height: Fraction) -> Fraction:
    """At least |M(c + iy)| / M(c) for all |y| >= height."""
    gain = Fraction(0)
    for layer in layers:
        gain += layer.height * layer.length * (1 - _most(height * layer.length / 2))
    return max(min(1 - gain, Fraction(1)), Fraction(0))


def _most(t: Fraction) -> Fraction:
    """At least |sin x / x| for all x >= t > 0."""
    if certainly_less(t, NUMBERS.pi()) is not True:
        return min(BEYOND, 1 / t)
    return max(endpoints(NUMBERS.sinc(NUMBERS.rational(t)))[1], BEYOND)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """Nearly the same of cells in floats: where a line is to end is only chosen by it."""

    masses: Floats
    lengths: Floats

    @classmethod
    def of(cls, heights: Floats, lengths: Floats) -> Guesses:
        """Intervals above each height, from cells that follow each other."""
        peak = int(np.argmax(heights))
        right = np.minimum.accumulate(heights[peak:])
        left = np.minimum.accumulate(heights[peak::-1])[::-1]
        lowered = np.concatenate([left[:-1], right])
        order = np.argsort(-lowered, kind="stable")
        sorted_heights, reach = lowered[order], np.cumsum(lengths[order])
        return cls((sorted_heights - np.append(sorted_heights[1:], 0.0)) * reach, reach)

    def bound(self, height: float) -> float:
        """About |M(c + iy)| / M(c) for all |y| >= height."""
        t = np.maximum(height * self.lengths / 2, 1e-9)
        most = np.where(
            t >= math.pi,
            np.minimum(float(BEYOND), 1 / t),
            np.maximum(np.sin(t) / t, float(BEYOND)),
        )
        return max(1 - float(self.masses @ (1 - most)), 0.0)
