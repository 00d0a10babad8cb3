"""What the exact laws share: exact levels, lattices, atoms, and arithmetic in doubles.

The laws themselves stand beside their samplers, in `mechanisms.noise`: each gives its log-density
as an exact multiple of epsilon plus the logarithm of one normalizer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, final

__all__ = ["FLOATS", "Floats", "LatticeAtoms", "exact_level", "integers", "progression", "steps"]


@final
@dataclass(frozen=True, slots=True)
class Floats:
    """Double precision as an `Arithmetic`."""

    def rational(self, value: Fraction) -> float:
        """Convert to the nearest double."""
        return float(value)

    def between(self, lower: Fraction, upper: Fraction) -> float:
        """Return the middle."""
        return float((lower + upper) / 2)

    def pi(self) -> float:
        """Return the circle constant."""
        return math.pi

    def exp(self, x: float) -> float:
        """Return e^x."""
        return math.exp(x)

    def log(self, x: float) -> float:
        """Return the natural logarithm."""
        return math.log(x)

    def sqrt(self, x: float) -> float:
        """Return the square root."""
        return math.sqrt(x)

    def erfc(self, x: float) -> float:
        """Return the complementary error function."""
        return math.erfc(x)


FLOATS = Floats()
"""Double precision."""


def exact_level(point: Fraction, gamma: Fraction) -> int:
    """Level s(z) = sgn(z) floor(|z| + 1 - gamma) of an exact point, sensitivity 1 (KSW-D2)."""
    level = math.floor(abs(point) + 1 - gamma)
    return level if point >= 0 else -level


def steps(
    first: Fraction, period: Fraction, lower: Fraction, upper: Fraction
) -> tuple[Fraction, ...]:
    """Points +-(first + k period), k >= 0, in [lower, upper], ascending."""
    right = progression(first, period, max(lower, first), upper)
    left = progression(first, period, max(-upper, first), -lower)
    return tuple(-p for p in reversed(left)) + right


def progression(
    first: Fraction, period: Fraction, lower: Fraction, upper: Fraction
) -> tuple[Fraction, ...]:
    """Points first + k period, k integer, in [lower, upper], ascending."""
    start, stop = math.ceil((lower - first) / period), math.floor((upper - first) / period)
    return tuple(first + k * period for k in range(start, stop + 1))


def integers(lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
    """Integers of [lower, upper], ascending."""
    return progression(Fraction(0), Fraction(1), lower, upper)


@final
@dataclass(frozen=True, slots=True)
class LatticeAtoms(Mapping[Any, Any]):
    """Atoms of a law that gives every integer point a positive probability.

    Parameters
    ----------
    dimension : int
        1: points are integral Fractions; 2: pairs of integral Fractions.
    pmf : callable
        Probability of a point.
    """

    dimension: int
    pmf: Callable[[Any], Any]

    def __getitem__(self, point: Any) -> Any:
        coordinates = (point,) if self.dimension == 1 else tuple(point)
        if len(coordinates) != self.dimension or any(Fraction(c) % 1 for c in coordinates):
            raise KeyError(point)
        return self.pmf(point)

    def __iter__(self) -> Iterator[Any]:
        for k in count():
            side = range(-k, k + 1)
            if self.dimension == 1:
                yield from (Fraction(j) for j in ((k, -k) if k else (0,)))
            else:
                yield from (
                    (Fraction(i), Fraction(j))
                    for i in side
                    for j in side
                    if max(abs(i), abs(j)) == k
                )

    def __len__(self) -> int:
        msg = "the law has infinitely many atoms"
        raise OverflowError(msg)
