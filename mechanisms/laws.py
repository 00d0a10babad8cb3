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

from mechanisms.protocols import Arithmetic, ExactLaw

__all__ = [
    "FLOATS",
    "Floats",
    "LatticeAtoms",
    "Moved",
    "exact_level",
    "integers",
    "progression",
    "steps",
]


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
    """Atoms of a law that gives every integer point a positive probability."""

    dimension: int
    """1: points are integral Fractions; 2: pairs of integral Fractions."""
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


@final
@dataclass(frozen=True, slots=True)
class Moved:
    """Law of Z + by, Z of a law on the line or in the plane: an answer plus noise."""

    law: ExactLaw
    """Of Z."""
    by: Any
    """The answer, a number or a pair; a float is the number that it is in the machine."""

    def __init__(self, law: ExactLaw, by: Any) -> None:
        object.__setattr__(self, "law", law)
        each = tuple(map(_number, by)) if isinstance(by, tuple) else _number(by)
        object.__setattr__(self, "by", each)

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Those of the law of Z, moved; on the line."""
        inner = self.law.breakpoints(lower - self.by, upper - self.by)
        return tuple(point + self.by for point in inner)

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Any, Any]:
        """Those of the law of Z, moved."""
        return _MovedAtoms(self.law.atoms(numbers), self.by)

    def log_density(self, point: Any, numbers: Arithmetic[Any]) -> Any:
        """Return that of Z at point - by."""
        return self.law.log_density(_plus(point, self.by, -1), numbers)


@final
@dataclass(frozen=True, slots=True)
class _MovedAtoms(Mapping[Any, Any]):
    """Atoms of Z + by."""

    atoms: Mapping[Any, Any]
    by: Any

    def __getitem__(self, point: Any) -> Any:
        return self.atoms[_plus(point, self.by, -1)]

    def __iter__(self) -> Iterator[Any]:
        return (_plus(point, self.by, 1) for point in self.atoms)

    def __len__(self) -> int:
        return len(self.atoms)


def _plus(point: Any, by: Any, sign: int) -> Any:
    if isinstance(by, tuple):
        return tuple(x + sign * y for x, y in zip(point, by, strict=True))
    return point + sign * by


def _number(value: Any) -> Fraction:
    """An exact number; those of numpy become Python's, which do not overflow."""
    return (
        value if isinstance(value, Fraction) else Fraction(getattr(value, "item", lambda: value)())
    )
