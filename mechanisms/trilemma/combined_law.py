"""In which interval the combined estimator lies: the exact law of that (TRI, Proposition 3.0.3).

On n records with clipped sum s and excesses z_i the release is, for each outcome H of the coins,

    (s + sum over H of z_i / delta) / n + Lap(b / n),    b = (b_hat - a_hat) / epsilon,

with probability delta^|H| (1 - delta)^(m - |H|) for the m records whose excess is not 0. The
release is told up to intervals that end halfway between neighboring places, or where a caller cuts
it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias, final

from mechanisms.protocols import Arithmetic

__all__ = ["MOST_NAMED", "CombinedLaw", "combined_law"]

End: TypeAlias = Fraction | None
"""Of an interval; None where it has none."""

MOST_NAMED = 8
"""Records beyond the clip ends: each doubles the number of places."""


@final
@dataclass(frozen=True, slots=True)
class CombinedLaw:
    """Law of the interval of a mixture of Laplace laws, itself a `PartialLaw`."""

    places: tuple[tuple[Fraction, Fraction], ...]
    """(place, probability), ascending."""
    scale: Fraction
    """Of the noise around each place."""
    rational: ClassVar[bool] = False
    part: ClassVar[str] = "the interval that the release lies in"

    @property
    def cuts(self) -> tuple[Fraction, ...]:
        """Halfway between neighboring places."""
        return tuple((x + y) / 2 for (x, _), (y, _) in pairwise(self.places))

    def masses(
        self, numbers: Arithmetic[Any], cuts: Sequence[Fraction] = ()
    ) -> Mapping[Hashable, Any]:
        """Probability of each interval, by its ends; None stands for no end."""
        ends = (None, *sorted({*self.cuts, *cuts}), None)
        return {(a, b): self._mass(a, b, numbers=numbers) for a, b in pairwise(ends)}

    def _mass(self, lower: End, upper: End, *, numbers: Arithmetic[Any]) -> Any:
        total = numbers.rational(Fraction(0))
        for place, chance in self.places:
            a, b = (None if end is None else (end - place) / self.scale for end in (lower, upper))
            total = total + numbers.rational(chance) * _between(a, b, numbers=numbers)
        return total

    def describe(self, outcome: Any) -> str:
        """Say in which interval the release is."""
        lower, upper = outcome
        if lower is None:
            return "any z" if upper is None else f"z <= {upper}"
        return f"z > {lower}" if upper is None else f"z in ({lower}, {upper}]"


def combined_law(
    clipped: Fraction, excesses: Sequence[Fraction], *, count: int, delta: Fraction, width: Fraction
) -> CombinedLaw | None:
    """State the law; None if more than `MOST_NAMED` excesses are not 0.

    `clipped`: sum of the clipped records. `excesses`: of the records, their number at most `count`.
    `width`: scale of the noise on the sum.
    """
    named = [x for x in excesses if x]
    if len(named) > MOST_NAMED:
        return None
    places = {clipped: Fraction(1)}
    for x in named:
        moved: dict[Fraction, Fraction] = {}
        for place, chance in places.items():
            for step, heads in ((x / delta, delta), (Fraction(0), 1 - delta)):
                if heads:
                    moved[place + step] = moved.get(place + step, Fraction(0)) + chance * heads
        places = moved
    each = sorted((place / count, chance) for place, chance in places.items())
    return CombinedLaw(tuple(each), width / count)


def _between(lower: End, upper: End, *, numbers: Arithmetic[Any]) -> Any:
    """P(lower < Z <= upper) of standard Laplace noise, without the difference of two near 1."""
    if lower is not None and lower >= 0:
        return _tail(lower, numbers=numbers) - (
            0 if upper is None else _tail(upper, numbers=numbers)
        )
    if upper is not None and upper <= 0:
        return _tail(-upper, numbers=numbers) - (
            0 if lower is None else _tail(-lower, numbers=numbers)
        )
    mass = numbers.rational(Fraction(1))
    for end in (lower, upper):
        if end is not None:
            mass = mass - _tail(abs(end), numbers=numbers)
    return mass


def _tail(x: Fraction, *, numbers: Arithmetic[Any]) -> Any:
    """P(Z > x) for x >= 0."""
    return numbers.exp(numbers.rational(-x)) * numbers.rational(Fraction(1, 2))
