"""Exponential mechanism: an outcome with density proportional to e^(-rate * loss).

With rate = epsilon / (2 sensitivity) it is epsilon-private, with epsilon / sensitivity where all
losses move in one direction between neighbors (McSherry and Talwar 2007, Theorem 6; Dwork and
Roth 2014, Theorem 3.10). Outcomes are a finite set, or an interval on which the loss is piecewise
constant with rational breakpoints; either way masses are rational multiples of exponentials.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

from audit.exact.cells import Cell, CellPair, interval
from audit.exact.finite import FinitePmf
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import ExpSum

__all__ = ["StepLoss", "largest_change", "selection", "selection_cells", "selection_rate"]


def selection_rate(
    epsilon: Fraction, sensitivity: Fraction, *, one_direction: bool = False
) -> Fraction:
    """Return the rate at which the mechanism is epsilon-private.

    Parameters
    ----------
    epsilon : Fraction
        Greater than 0.
    sensitivity : Fraction
        Largest change of the loss of an outcome between neighbors, greater than 0.
    one_direction : bool
        Whether between any two neighbors all losses change in the same direction, or not at all.
    """
    if epsilon <= 0 or sensitivity <= 0:
        msg = (
            "epsilon and sensitivity must be greater than 0, "
            f"got epsilon={epsilon!r}, sensitivity={sensitivity!r}"
        )
        raise InvalidArgument(msg)
    return Fraction(epsilon) / sensitivity / (1 if one_direction else 2)


def selection(
    losses: Mapping[Hashable, Fraction],
    rate: Fraction,
    base: Mapping[Hashable, Fraction] | None = None,
) -> FinitePmf:
    """Return the law on finitely many outcomes with masses base * e^(-rate * loss).

    Parameters
    ----------
    losses : mapping of hashable to Fraction
        Loss of each outcome.
    rate : Fraction
        See `selection_rate`.
    base : mapping of hashable to Fraction, optional
        Weight of each outcome at loss 0; left out, all are 1.
    """
    return FinitePmf.from_weights(
        {
            outcome: ExpSum.exp(-rate * loss, 1 if base is None else base[outcome])
            for outcome, loss in losses.items()
        }
    )


@final
@dataclass(frozen=True, slots=True)
class StepLoss:
    """Piecewise-constant loss on an interval.

    Parameters
    ----------
    breakpoints : tuple of Fraction, length k + 1
        Ascending; pieces may be empty (two equal breakpoints). The first and last are the ends of
        the interval.
    losses : tuple of Fraction, length k
        Loss on each piece [breakpoints[i], breakpoints[i + 1]).
    """

    breakpoints: tuple[Fraction, ...]
    losses: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        points = self.breakpoints
        if len(points) != len(self.losses) + 1 or any(a > b for a, b in pairwise(points)):
            msg = f"k ascending pieces need k + 1 breakpoints and k losses, got {self!r}"
            raise InvalidArgument(msg)
        if not points[0] < points[-1]:
            msg = f"the interval must have a length, got breakpoints={points!r}"
            raise InvalidArgument(msg)

    def pieces(self) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
        """Return lower end, upper end and loss of the pieces that are not empty."""
        spans = zip(pairwise(self.breakpoints), self.losses, strict=True)
        return tuple((a, b, loss) for (a, b), loss in spans if a < b)


def _common(
    loss: StepLoss, neighbor: StepLoss
) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Pieces on which both losses are constant: lower end, upper end, and the two losses."""
    left, right = loss.pieces(), neighbor.pieces()
    if (left[0][0], left[-1][1]) != (right[0][0], right[-1][1]):
        msg = f"both losses must be on one interval, got {loss!r} and {neighbor!r}"
        raise InvalidArgument(msg)
    return [
        (max(a, c), min(b, d), x, y)
        for a, b, x in left
        for c, d, y in right
        if max(a, c) < min(b, d)
    ]


def largest_change(loss: StepLoss, neighbor: StepLoss) -> Fraction:
    """Return the largest difference of two losses: their pair's share of the sensitivity."""
    return max(abs(x - y) for _, _, x, y in _common(loss, neighbor))


def selection_cells(loss: StepLoss, neighbor: StepLoss, rate: Fraction) -> CellPair:
    """Return the two laws on an interval, with density proportional to e^(-rate * loss).

    Parameters
    ----------
    loss, neighbor : StepLoss
        Losses under the two data sets, on the same interval.
    rate : Fraction
        See `selection_rate`.

    Returns
    -------
    CellPair
        One cell for each piece on which both losses are constant.

    Raises
    ------
    InvalidArgument
        If the intervals differ.
    """
    pieces = _common(loss, neighbor)
    p = [ExpSum.exp(-rate * x, b - a) for a, b, x, _ in pieces]
    q = [ExpSum.exp(-rate * y, b - a) for a, b, _, y in pieces]
    total_p, total_q = _total(p), _total(q)
    cells = tuple(
        Cell(x * total_q, y * total_p, interval(a, b))
        for (a, b, _, _), x, y in zip(pieces, p, q, strict=True)
    )
    return CellPair(cells, total_p * total_q)


def _total(masses: Sequence[ExpSum]) -> ExpSum:
    return sum(masses, start=ExpSum({}))
