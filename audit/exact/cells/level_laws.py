"""Laws of the exponential mechanism, as the mechanism states them, in exact cells.

Over an interval the density on a piece is proportional to factor e^(-epsilon loss / 2); over a
finite set a weight is a sum of such terms. Between the ends of all pieces of two laws both
densities are constant, so masses, ratios and divergences are exact. Losses may be logarithms of
rationals, which is what factors are for; intervals of one ratio are one cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol

from audit.exact.cells.cell import Cell, CellPair, interval, outcomes
from audit.exact.cells.finite_laws import FinitePmf
from audit.exact.exact_numbers import add_up
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import Exact, ExpSum

SHOWN = 4
"""Intervals of a cell that are described; of more their number is told."""


class LevelStep(Protocol):
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


Terms = tuple[tuple[Fraction, Fraction], ...]
Common = tuple[Fraction, Fraction, LevelStep, LevelStep]


class Levels(Protocol):
    """A law of piecewise constant density, or a constant."""

    @property
    def epsilon(self) -> Fraction:
        """Unit of the losses."""
        ...

    @property
    def pieces(self) -> Sequence[LevelStep]:
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
    weights = (_weight(law, tuple(terms)) for terms in law.weights)
    return FinitePmf.from_weights(dict(zip(law.points, weights, strict=True)))


def point_cells(law: Points, neighbor: Points) -> CellPair:
    """Cut two laws on the same points into the sets on which the ratio of weights is one.

    Raises InvalidArgument if the points differ.
    """
    if tuple(law.points) != tuple(neighbor.points):
        msg = "both laws must have the same points"
        raise InvalidArgument(msg)
    groups: dict[tuple[Terms, Terms], list[Fraction]] = {}
    for point, *terms in zip(law.points, law.weights, neighbor.weights, strict=True):
        p, q = (tuple(sorted(side)) for side in terms)
        groups.setdefault((p, q), []).append(point)
    weights = [
        (len(points) * _weight(law, p), len(points) * _weight(neighbor, q), points)
        for (p, q), points in groups.items()
    ]
    total, other_total = add_up([w[0] for w in weights]), add_up([w[1] for w in weights])
    cells = tuple(Cell(p * other_total, q * total, outcomes(*pts)) for p, q, pts in weights)
    return CellPair(cells, total * other_total)


def _weight(law: Points, terms: Terms) -> ExpSum:
    return sum((ExpSum.exp(-law.epsilon * loss / 2, c) for c, loss in terms), start=ExpSum({}))


def level_cells(law: Levels, neighbor: Levels) -> CellPair:
    """Cut two laws into the sets on which the ratio of their densities is constant.

    `law`, `neighbor`: of one range of outcomes. Returns: one cell for each ratio, in the order of
    their first points; exact masses. Losses that differ by at most 1 give few ratios, however many
    pieces there are. Raises InvalidArgument if the ranges differ: the mechanism has public bounds.
    """
    if _range(law) != _range(neighbor):
        msg = f"both laws must have one range, got {_range(law)} and {_range(neighbor)}"
        raise InvalidArgument(msg)
    if law.constant is not None:
        return CellPair((Cell(Fraction(1), Fraction(1), outcomes(law.constant)),))
    groups: dict[tuple[Fraction, Fraction], list[Common]] = {}
    for lower, upper, p, q in _common(law, neighbor):
        ratio = law.epsilon * p.loss - neighbor.epsilon * q.loss, p.factor / q.factor
        groups.setdefault(ratio, []).append((lower, upper, p, q))
    total, other_total = _total(law), _total(neighbor)
    cells = tuple(
        Cell(
            _mass(law, [(upper - lower, p) for lower, upper, p, _ in group]) * other_total,
            _mass(neighbor, [(upper - lower, q) for lower, upper, _, q in group]) * total,
            _where([(lower, upper) for lower, upper, _, _ in group]),
        )
        for group in groups.values()
    )
    return CellPair(cells, total * other_total)


def probability(law: Levels, lower: Fraction, upper: Fraction) -> Exact:
    """Probability of lower < z <= upper, exactly."""
    if law.constant is not None:
        return Fraction(lower < law.constant <= upper)
    inside = [(min(upper, p.upper) - max(lower, p.lower), p) for p in law.pieces]
    return _mass(law, [(width, piece) for width, piece in inside if width > 0]) / _total(law)


def _common(law: Levels, neighbor: Levels) -> Iterator[Common]:
    """Intervals on which both densities are constant: ends, and the piece of either law."""
    i = j = 0
    while i < len(law.pieces) and j < len(neighbor.pieces):
        p, q = law.pieces[i], neighbor.pieces[j]
        upper = min(p.upper, q.upper)
        yield max(p.lower, q.lower), upper, p, q
        i, j = i + (p.upper == upper), j + (q.upper == upper)


def _mass(law: Levels, parts: Iterable[tuple[Fraction, LevelStep]]) -> ExpSum:
    """Mass of parts of pieces, given by their widths, up to the normalizer."""
    masses: dict[Fraction, Fraction] = {}
    for width, piece in parts:
        exponent = -law.epsilon * piece.loss / 2
        masses[exponent] = masses.get(exponent, Fraction(0)) + piece.factor * width
    return ExpSum(masses)


def _total(law: Levels) -> ExpSum:
    return _mass(law, [(piece.upper - piece.lower, piece) for piece in law.pieces])


def _where(intervals: list[tuple[Fraction, Fraction]]) -> str:
    """Describe a union of intervals; those that meet are joined."""
    joined = intervals[:1]
    for lower, upper in intervals[1:]:
        if lower == joined[-1][1]:
            joined[-1] = joined[-1][0], upper
        else:
            joined.append((lower, upper))
    parts = [interval(*ends) for ends in joined]
    words = " or ".join(parts[:SHOWN])
    rest = f" or in one of {len(parts) - SHOWN} more intervals" if len(parts) > SHOWN else ""
    return words + rest


def _range(law: Levels) -> tuple[Fraction, Fraction]:
    if law.constant is not None:
        return law.constant, law.constant
    return law.pieces[0].lower, law.pieces[-1].upper
