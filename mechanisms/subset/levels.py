"""Laws whose density is constant on each of finitely many intervals, as exact data.

The exponential mechanism over an interval [low, high] with a score that is a step function has
such a law: on a piece of score "loss" the density is proportional to e^(-epsilon loss / 2), with
exact ends of the pieces and exact losses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.protocols import Arithmetic

__all__ = ["LevelLaw", "LevelPiece"]


@final
@dataclass(frozen=True, slots=True)
class LevelPiece:
    """One interval of constant density."""

    lower: Fraction
    upper: Fraction
    """`lower`, `upper`: its ends, lower < upper."""
    loss: Fraction
    """The density is proportional to factor e^(-epsilon loss / 2)."""
    factor: Fraction = Fraction(1)
    """Greater than 0; not 1 only where a score is a logarithm."""


@final
@dataclass(frozen=True, slots=True)
class LevelLaw:
    """Law of a release with piecewise constant density.

    Raises
    ------
    InvalidArgument
        If pieces leave a gap, overlap or are empty, or if there are none and no constant.
    """

    epsilon: Fraction
    """Unit of the levels."""
    pieces: tuple[LevelPiece, ...]
    """Ascending, each beginning where the one before it ends; none for a constant release."""
    constant: Fraction | None = None
    """The release if it is constant."""

    def __post_init__(self) -> None:
        ends = [end for piece in self.pieces for end in (piece.lower, piece.upper)]
        joined = ends[1:-1:2] == ends[2::2] and all(p.lower < p.upper for p in self.pieces)
        if not joined or bool(self.pieces) == (self.constant is not None):
            msg = f"pieces must follow each other without a gap, got {self!r}"
            raise InvalidArgument(msg)

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Ends of the pieces in [lower, upper], ascending."""
        ends = [piece.lower for piece in self.pieces] + [piece.upper for piece in self.pieces[-1:]]
        if self.constant is not None:
            ends = [self.constant]
        return tuple(end for end in ends if lower <= end <= upper)

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Fraction, Any]:
        """Return the constant, with probability 1; a density has none."""
        return {} if self.constant is None else {self.constant: numbers.rational(Fraction(1))}

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Logarithm of the density; at the end of a piece that of the next one.

        Raises InvalidArgument if the point lies outside the pieces, or the release is constant.
        """
        at, least = self._piece(point), min(piece.loss for piece in self.pieces)
        total = numbers.rational(Fraction(0))
        for piece in self.pieces:
            width = numbers.rational(piece.upper - piece.lower)
            total = total + width * self._density(piece, least, numbers)
        level = numbers.rational(self.epsilon * (least - at.loss) / 2)
        return level + numbers.log(numbers.rational(at.factor)) - numbers.log(total)

    def cdf(self, x: ArrayLike) -> NDArray[np.float64]:
        """P(release <= x), elementwise."""
        x = np.asarray(x, dtype=np.float64)
        if self.constant is not None:
            return np.where(x < float(self.constant), 0.0, 1.0)
        ends = np.array([float(self.pieces[0].lower), *(float(p.upper) for p in self.pieces)])
        least = min(piece.loss for piece in self.pieces)
        masses = [
            float(piece.upper - piece.lower) * self._density(piece, least, FLOATS)
            for piece in self.pieces
        ]
        below = np.concatenate([[0.0], np.cumsum(masses)])
        return np.asarray(np.interp(x, ends, below / below[-1]), dtype=np.float64)

    def _density(self, piece: LevelPiece, least: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Density up to a factor common to all pieces."""
        level = numbers.rational(self.epsilon * (least - piece.loss) / 2)
        return numbers.rational(piece.factor) * numbers.exp(level)

    def _piece(self, point: Fraction) -> LevelPiece:
        place = bisect_right(self.pieces, point, key=lambda piece: piece.lower) - 1
        if place < 0 or point > self.pieces[place].upper:
            msg = f"point must lie in a piece of the density, got point={point!r}"
            raise InvalidArgument(msg)
        return self.pieces[place]
