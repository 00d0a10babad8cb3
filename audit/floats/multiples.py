"""Exact discrete noise: every multiple of a step, so that nothing on the grid is out of reach."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from audit.floats.machine_numbers import Float, FloatType, exactly, precision
from audit.floats.noise_values import MOST_SEARCHED, Window
from mechanisms.errors import InvalidArgument


@final
@dataclass(frozen=True, slots=True)
class Multiples:
    """Exact discrete noise: every multiple of a step that the format holds."""

    step: Fraction
    """Greater than 0, and a number of the format."""
    dtype: FloatType = np.float64
    """numpy.float64 or numpy.float32."""

    def __post_init__(self) -> None:
        if exactly(self.step, self.dtype, "step") <= 0:
            msg = f"step must be a positive {self.dtype.__name__}, got step={self.step!r}"
            raise InvalidArgument(msg)

    @property
    def indices(self) -> None:
        """There is no end to them, and no equal probabilities."""
        return

    def value(self, index: int) -> Float:
        """Multiple of the step, which must need no rounding."""
        return exactly(index * self.step, self.dtype, "the multiple")

    def examples(self) -> Iterator[int]:
        """Small multiples, and those around powers of 2."""
        yield 0
        for power in range(precision(self.dtype) - 2 - self.step.numerator.bit_length()):
            for size in sorted({2**power - 1, 2**power, 2**power + 1} - {0}):
                yield from (size, -size)

    def between(self, lower: Float, upper: Float) -> Window:
        """Multiples that lie in the interval, by division."""
        first = math.ceil(Fraction(float(lower)) / self.step)
        last = math.floor(Fraction(float(upper)) / self.step)
        last = max(last, first - 1)
        hits = tuple(range(first, min(last, first + MOST_SEARCHED) + 1))
        return Window(first, last, hits, (first - 1, last + 1))
