"""Laws of the exponential mechanism, as the mechanism states them, in exact cells.

Over an interval the density on a piece is proportional to factor e^(-epsilon loss / 2); over a
finite set a weight is a sum of such terms. Between the ends of all pieces of two laws both
densities are constant, so masses, ratios and divergences are exact. Other than in
`selection_cells` losses may be logarithms of rationals: that is what factors are for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from audit.exact.cells import Cell, CellPair, interval, outcomes
from audit.exact.finite import FinitePmf
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import Exact, ExpSum

__all__ = ["Levels", "Points", "Step", "level_cells", "point_pmf", "probability"]


class Step(Protocol):
    """One interval of constant density."""

    @property
    def lower(self) -> Fraction:
        """Lower end."""
        ...

    @property
    def upper(self) -> Fraction:
        """Upper end, above the lower one."""
        ...

    @property
    def loss(self) -> Fraction:
        """The density is proportional to factor e^(-epsilon loss / 2)."""
        ...

    @property
    def factor(self) -> Fraction:
        """Greater than 0."""
        ...


class Levels(Protocol):
    """A law of piecewise constant density, or a constant."""

    @property
    def epsilon(self) -> Fraction:
        """Unit of the losses."""
        ...

    @property
    def pieces(self) -> Sequence[Step]:
        """Ascending, each beginning where the one before it ends; none for a constant."""
        ...

    @property
    def constant(self) -> Fraction | None:
        """The release if it is constant."""
        ...


class Points(Protocol):
    """A law on finitely many points."""

    @property
    def epsilon(self) -> Fraction:
        """Unit of the losses."""
        ...

    @property
    def points(self) -> Sequence[Fraction]:
        """Where the release can be, m different points."""
        ...

    @property
    def weights(self) -> Sequence[Sequence[tuple[Fraction, Fraction]]]:
        """Terms (factor, loss) of each weight: the sum of factor e^(-epsilon loss / 2)."""
        ...


def point_pmf(law: Points) -> FinitePmf:
    """State a law on points as a finite one."""
    weights = (
        sum((ExpSum.exp(-law.epsilon * loss / 2, c) for c, loss in terms), start=ExpSum({}))
        for terms in law.weights
    )
    return FinitePmf.from_weights(dict(zip(law.points, weights, strict=True)))


def level_cells(law: Levels, neighbor: Levels) -> CellPair:
    """Cut two laws into the intervals on which both densities are constant.

    Parameters
    ----------
    law, neighbor : Levels
        Of one range of outcomes.

    Returns
    -------
    CellPair
        One cell an interval, in ascending order; exact masses.

    Raises
    ------
    InvalidArgument
        If the ranges differ: the mechanism has public bounds.
    """
    if _range(law) != _range(neighbor):
        msg = f"both laws must have one range, got {_range(law)} and {_range(neighbor)}"
        raise InvalidArgument(msg)
    if law.constant is not None:
        return CellPair((Cell(Fraction(1), Fraction(1), outcomes(law.constant)),))
    total, other_total = _total(law), _total(neighbor)
    cells, i, j = [], 0, 0
    while i < len(law.pieces) and j < len(neighbor.pieces):
        p, q = law.pieces[i], neighbor.pieces[j]
        lower, upper = max(p.lower, q.lower), min(p.upper, q.upper)
        width = upper - lower
        mass = _density(law, p) * width * other_total
        other_mass = _density(neighbor, q) * width * total
        cells.append(Cell(mass, other_mass, interval(lower, upper)))
        i, j = i + (p.upper == upper), j + (q.upper == upper)
    return CellPair(tuple(cells), total * other_total)


def probability(law: Levels, lower: Fraction, upper: Fraction) -> Exact:
    """Probability of lower < z <= upper, exactly."""
    if law.constant is not None:
        return Fraction(lower < law.constant <= upper)
    inside = ExpSum({})
    for piece in law.pieces:
        width = min(upper, piece.upper) - max(lower, piece.lower)
        if width > 0:
            inside = inside + _density(law, piece) * width
    return inside / _total(law)


def _density(law: Levels, piece: Step) -> ExpSum:
    """Density up to a factor common to all pieces."""
    return ExpSum.exp(-law.epsilon * piece.loss / 2, piece.factor)


def _total(law: Levels) -> ExpSum:
    masses: dict[Fraction, Fraction] = {}
    for piece in law.pieces:
        exponent = -law.epsilon * piece.loss / 2
        masses[exponent] = masses.get(exponent, Fraction(0)) + piece.factor * (
            piece.upper - piece.lower
        )
    return ExpSum(masses)


def _range(law: Levels) -> tuple[Fraction, Fraction]:
    if law.constant is not None:
        return law.constant, law.constant
    return law.pieces[0].lower, law.pieces[-1].upper
