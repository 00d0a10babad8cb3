"""All multisets up to a size on a grid of points: the data sets of exhaustive audits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import final

from audit.results.number_words import plural
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument

Records = tuple[Fraction, ...]


@final
@dataclass(frozen=True, slots=True)
class Multisets:
    """Multisets of at most `size` records among `points` evenly spaced numbers."""

    size: int
    points: int
    """At least 1, and at least 2."""
    low: Fraction
    high: Fraction
    """First and last of the numbers."""
    least: int = 0
    """Fewest records of a data set; what has fewer is no neighbor of any."""

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

        Raises InvalidArgument for another relation than add-remove and swap.
        """
        if relation is Relation.LISTED:
            msg = "multisets are neighbors by add-remove or swap, not by a list"
            raise InvalidArgument(msg)
        fewest = self.least - (relation is Relation.SWAP)  # of what both data sets share
        for size in range(max(0, fewest), self.size):
            for data in combinations_with_replacement(self.grid, size):
                if relation is Relation.ADD_REMOVE:
                    yield from ((data, (*data, x)) for x in self.grid)
                else:
                    ends = combinations_with_replacement(self.grid, 2)
                    yield from (((*data, x), (*data, y)) for x, y in ends if x != y)

    def __str__(self) -> str:
        most = f"{plural(self.size, 'record')} among {self.points} points"
        sizes = f"{self.least} to {most}" if self.least else f"at most {most}"
        return f"multisets of {sizes} from {self.low} to {self.high}"
