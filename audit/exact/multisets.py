"""All multisets up to a size on a grid of points: exhaustive audits of data-dependent laws.

Where the law depends on the data in more than a few sums, no lemma of ours speaks of all data sets.
On a finite domain all pairs of neighbors can be gone through, each in exact cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, Protocol, final, runtime_checkable

from audit.exact.cells import CellPair
from audit.exact.divergences import Excess, hockey_stick
from audit.exact.from_levels import level_cells, point_cells
from audit.exact.numbers import as_ball, quotient
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, endpoints
from proofs_check.exponential import Exact

__all__ = ["Multisets", "Searched", "StatesLevels", "law_cells", "search"]

Records = tuple[Fraction, ...]
Neighbors = tuple[Any, Any]
ROUGH_BITS = 64


@runtime_checkable
class StatesLevels(Protocol):
    """A mechanism that states its law on every data set."""

    def exact_law(self, data: Any) -> Any:
        """State it: pieces of constant density, or weights of points."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Multisets:
    """Multisets of at most `size` records among `points` evenly spaced numbers.

    Parameters
    ----------
    size, points : int
        At least 1, and at least 2.
    low, high : Fraction
        First and last of the numbers.
    """

    size: int
    points: int
    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.size < 1 or self.points < 2:
            msg = f"at least 1 record and 2 points are needed, got {self.size} and {self.points}"
            raise InvalidArgument(msg)

    @property
    def grid(self) -> Records:
        """The numbers, each rounded to a double: what the mechanism is given."""
        step = (self.high - self.low) / (self.points - 1)
        return tuple(Fraction(float(self.low + i * step)) for i in range(self.points))

    def pairs(self, relation: Relation) -> Iterator[tuple[Records, Records]]:
        """All pairs of neighbors, each in one direction.

        Raises
        ------
        InvalidArgument
            For another relation than add-remove and swap.
        """
        if relation is Relation.LISTED:
            msg = "multisets are neighbors by add-remove or swap, not by a list"
            raise InvalidArgument(msg)
        for size in range(self.size):
            for data in combinations_with_replacement(self.grid, size):
                if relation is Relation.ADD_REMOVE:
                    yield from ((data, (*data, x)) for x in self.grid)
                else:
                    ends = combinations_with_replacement(self.grid, 2)
                    yield from (((*data, x), (*data, y)) for x, y in ends if x != y)

    def __str__(self) -> str:
        return (
            f"multisets of at most {self.size} records among {self.points} points from {self.low} "
            f"to {self.high}"
        )


@final
@dataclass(frozen=True, slots=True)
class Searched:
    """What was found on pairs of neighbors.

    Parameters
    ----------
    pairs, cells : int
        How many were gone through.
    ratio : Ball
        Encloses the largest ratio of probabilities, either way round.
    worst : tuple
        Data and neighbor that have it, the likelier side first.
    broken : tuple of (data, neighbor, Excess) or None
        The first pair that breaks the claim, the likelier side first.
    """

    pairs: int
    cells: int
    ratio: Ball
    worst: Neighbors
    broken: tuple[Any, Any, Excess] | None


def law_cells(mechanism: StatesLevels, data: Any, neighbor: Any) -> CellPair:
    """Cells of the laws on two data sets.

    Raises
    ------
    InvalidArgument
        If the mechanism states neither pieces nor weights of points.
    """
    laws = [
        mechanism.exact_law([float(x) if isinstance(x, Fraction) else x for x in side])
        for side in (data, neighbor)
    ]
    for name, cells in (("pieces", level_cells), ("weights", point_cells)):
        if all(hasattr(law, name) for law in laws):
            return cells(*laws)
    msg = f"no exact cells are known for the law {laws[0]!r}"
    raise InvalidArgument(msg)


def search(
    mechanism: StatesLevels, pairs: Iterable[Neighbors], epsilon: Fraction, delta: Fraction
) -> Searched:
    """Audit all pairs, both ways round; exact, and never decided by rounding.

    Parameters
    ----------
    mechanism : StatesLevels
        What states the laws.
    pairs : iterable of (data, neighbor)
        At least one.
    epsilon, delta : Fraction
        The claim.
    """
    worst: Neighbors | None = None
    largest: Exact = Fraction(0)
    at_least = Fraction(0)
    broken: tuple[Any, Any, Excess] | None = None
    count = cells = 0
    for data, neighbor in pairs:
        both = law_cells(mechanism, data, neighbor).both_ways()
        count, cells = count + 1, cells + len(both[0].cells)
        for (side, other), pair in zip(((data, neighbor), (neighbor, data)), both, strict=True):
            if broken is None:
                found = hockey_stick(pair, epsilon)
                broken = (side, other, found) if found.value > delta else None
            for p, q in (cell.exact() for cell in pair.cells):
                if _surely_at_most(p, q, at_least) or not p > largest * q:
                    continue
                largest, worst = quotient(p, q), (side, other)
                at_least, _ = endpoints(as_ball(largest, ROUGH_BITS))
    if worst is None:
        msg = "there are no pairs of neighbors to audit"
        raise InvalidArgument(msg)
    return Searched(count, cells, as_ball(largest), worst, broken)


def _surely_at_most(p: Exact, q: Exact, ratio: Fraction) -> bool:
    """Whether p <= ratio q, as far as few bits tell."""
    (_, most), (least, _) = (endpoints(as_ball(x, ROUGH_BITS)) for x in (p, q))
    return most <= ratio * least
