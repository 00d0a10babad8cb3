"""The sign of a product of two coordinates, or of their differences from a number each.

Two coordinates that each say nothing can say all together: which of them is above, and which is
below. It is an event of two pieces, where a box has half of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.witness.kinds.past import Arms
from audit.engine.witness.kinds.readable import Stated, numeric_columns, place_of

__all__ = ["Product", "propose_products"]

Array = NDArray[np.float64]

MOST_COLUMNS = 24
"""As many coordinates as pairs are looked at of."""


@final
@dataclass(frozen=True, slots=True)
class Product:
    """That (a - cut) (b - cut) is negative, or positive, in exact arithmetic; 0 is neither.

    Parameters
    ----------
    columns : (int, int)
        Of the encoded draws.
    names, coordinates
        Of the two coordinates.
    cuts : (float, float)
        What is subtracted from each.
    negative : bool
        Whether the two lie on different sides.
    """

    columns: tuple[int, int]
    names: tuple[str, str]
    coordinates: tuple[int | str | None, int | str | None]
    cuts: tuple[float, float]
    negative: bool

    @property
    def pieces(self) -> int:
        """Coordinates."""
        return 2

    @property
    def ends(self) -> tuple[float, ...]:
        """What is subtracted."""
        return self.cuts

    def with_ends(self, ends: Sequence[float]) -> Product:
        """The same with other cuts."""
        first, second = ends
        return replace(self, cuts=(first, second))

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in it: what is no number is on no side."""
        first, second = (
            (x < cut, x > cut)
            for x, cut in zip(outcomes.numbers[:, self.columns].T, self.cuts, strict=True)
        )
        with_it = second if not self.negative else second[::-1]
        return np.asarray((first[0] & with_it[0]) | (first[1] & with_it[1]))

    def describe(self) -> tuple[str, str]:
        """Words and expression: comparisons, since a product of floats may vanish."""
        factors = [_factor(*parts) for parts in zip(self.names, self.cuts, strict=True)]
        sign = "negative" if self.negative else "positive"
        sentence = f"the product of {factors[0]} and {factors[1]} is {sign}"
        a, b = (f"number({place_of(c)})" for c in self.coordinates)
        first, second = (repr(cut) for cut in self.cuts)
        below, above = ("<", ">") if self.negative else ("<", "<")
        other = "<" if self.negative else ">"
        expression = (
            f"({a} {below} {first} and {b} {above} {second})"
            f" or ({a} > {first} and {b} {other} {second})"
        )
        return sentence, expression

    def as_json(self) -> Stated:
        """The coordinates, what is subtracted from each, and the sign."""
        return {
            "kind": "product",
            "of": list(self.names),
            "less": list(self.cuts),
            "sign": "negative" if self.negative else "positive",
        }


def _factor(name: str, cut: float) -> str:
    if cut == 0:
        return name
    return f"({name} {'-' if cut > 0 else '+'} {abs(cut)!r})"


def propose_products(arms: Arms) -> Sequence[Product]:
    """The best pair for each sign, with cuts at 0 and at the medians."""
    columns = numeric_columns(arms.encoder.columns, arms.both, MOST_COLUMNS)
    if len(columns) < 2:
        return []
    pooled = np.concatenate([arm.numbers[:, columns] for arm in arms.both])
    medians = np.array([np.median(x[np.isfinite(x)]) for x in pooled.T])
    found = []
    for cuts in (np.zeros(len(columns)), medians):
        sides = [_sides(arm.numbers[:, columns], cuts) for arm in arms.both]
        for negative in (True, False):
            counts = [
                low.T @ (high if negative else low) + high.T @ (low if negative else high)
                for low, high in sides
            ]
            z = np.where(np.triu(np.ones_like(counts[0]), 1) > 0, arms.z(*counts), -np.inf)
            first, second = np.unravel_index(int(np.argmax(z)), z.shape)
            found.append(
                _product(
                    arms,
                    (columns[first], columns[second]),
                    (float(cuts[first]), float(cuts[second])),
                    negative,
                )
            )
    return found


def _sides(values: Array, cuts: Array) -> tuple[Array, Array]:
    """Which coordinates are below and which above their cuts, as 0 and 1."""
    return (values < cuts).astype(float), (values > cuts).astype(float)


def _product(
    arms: Arms, pair: tuple[int, int], cuts: tuple[float, float], negative: bool
) -> Product:
    (name, place), (other_name, other_place) = (arms.encoder.columns[c] for c in pair)
    return Product(pair, (name, other_name), (place, other_place), cuts, negative)
