"""Exact laws of the grid width and of the radius (PDP, Algorithms 4 and 5), as exact data.

Both are powers of 2 in a unit, given by indices of sparse vectors. Given the pairs of records the
two scans of the width are independent; over the random matchings the law is a mixture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, ClassVar, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.personalized.sparse.index_law import index_law
from mechanisms.personalized.sparse.octaves import octaves
from mechanisms.protocols import Arithmetic

__all__ = ["MOST_MATCHED", "IndexLaw", "Octaves", "RadiusLaw", "WidthLaw", "matched_octaves"]

MOST_MATCHED = 9
"""Records, with placeholders, whose matchings are all gone through: 9 have 945."""

Octaves: TypeAlias = tuple[int, ...]
"""The octaves of some differences, ascending."""


@final
@dataclass(frozen=True, slots=True)
class IndexLaw:
    """Law of the index of one scan."""

    epsilon: Fraction
    answers: tuple[Fraction, ...]
    """Queries less the threshold."""
    rational: ClassVar[bool] = False
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """Probability of each index; `numbers` are balls, or `FLOATS`."""
        return dict(enumerate(index_law(self.answers, self.epsilon, numbers=numbers), 1))

    def describe(self, outcome: Any) -> str:
        """Say what the release is."""
        return f"z is {outcome}"


@final
@dataclass(frozen=True, slots=True)
class WidthLaw:
    """Law of the width b."""

    epsilon: Fraction
    """Of both scans together."""
    cap: int
    """Queries of each scan."""
    differences: tuple[tuple[Octaves, Fraction], ...]
    """What G may be, with its probability."""
    late: int = 0
    """0, or 1 for the print: 2^(-j-1) in place of 2^(-j)."""
    rational: ClassVar[bool] = False
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """Probability of each width; `numbers` are balls, or `FLOATS`."""
        found: dict[Hashable, Any] = {}
        for octave, chance in self.differences:
            up, down = (self._index(octave, sign, numbers) for sign in (1, -1))
            first = up[0] * numbers.rational(chance)
            rows = [(j + self.late, first * mass) for j, mass in enumerate(down, 1)]
            rows += [(3 - i, numbers.rational(chance) * m) for i, m in enumerate(up[1:], 2)]
            for halvings, mass in rows:
                width = Fraction(2) ** -halvings
                found[width] = found[width] + mass if width in found else mass
        return found

    def _index(self, octave: Octaves, sign: int, numbers: Arithmetic[Any]) -> tuple[Any, ...]:
        """Law of the index of the scan upwards (sign 1) or downwards (-1)."""
        half = Fraction(len(octave), 2)
        answers = tuple(
            sign * (sum(o <= sign * step for o in octave) - half) for step in range(self.cap)
        )
        return index_law(answers, self.epsilon / 2, numbers=numbers)

    def describe(self, outcome: Any) -> str:
        """Say what the release is."""
        return f"z is {outcome}"


@final
@dataclass(frozen=True, slots=True)
class RadiusLaw:
    """Law of the radius."""

    epsilon: Fraction
    beta: Fraction
    """`epsilon`, `beta`: parameters of the stage."""
    unit: Fraction
    """The smallest radius b."""
    outside: tuple[int, ...]
    """How many records are farther from 0 than b, 2 b, 4 b, ..."""
    early: int = 0
    """0, or 1 for the print: half of the radius that fired."""
    rational: ClassVar[bool] = False
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """Probability of each radius; `numbers` are balls, or `FLOATS`."""
        answers = tuple(Fraction(-count) for count in self.outside)
        law = index_law(answers, self.epsilon, self.beta, numbers=numbers)
        first = self.unit / 2**self.early
        return {first * 2**place: mass for place, mass in enumerate(law)}

    def describe(self, outcome: Any) -> str:
        """Say what the release is."""
        return f"z is {outcome}"


def matched_octaves(
    values: NDArray[np.float64],
) -> tuple[tuple[Octaves, Fraction], ...]:
    """What the differences of a random matching may be, with probabilities.

    `values`, shape (m,): finite; m at most `MOST_MATCHED`, or it takes long.
    """
    count = values.size
    with np.errstate(over="ignore"):
        table = octaves(np.abs(np.subtract.outer(values, values)))
    octave = {(i, j): int(table[i, j]) for i, j in combinations(range(count), 2)}

    @cache
    def ways(left: tuple[int, ...]) -> Counter[Octaves]:
        """Count matchings of an even number of records by their octaves."""
        if not left:
            return Counter({(): 1})
        found: Counter[Octaves] = Counter()
        for other in left[1:]:
            rest = tuple(x for x in left[1:] if x != other)
            for more, number in ways(rest).items():
                found[tuple(sorted((*more, octave[left[0], other])))] += number
        return found

    total: Counter[Octaves] = Counter()
    for members in combinations(range(count), count - count % 2):
        total.update(ways(members))
    whole = sum(total.values())
    return tuple((key, Fraction(number, whole)) for key, number in sorted(total.items()))
