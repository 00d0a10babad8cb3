"""The sign of a product of two or three coordinates, or of their differences from a number each.

Coordinates that each say nothing can say all together: which of them are above, and which are
below. It is an event of as many pieces, where a box of two has half of it, and one of three a
fourth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.readable_kind import Stated, numeric_columns, place_of

__all__ = ["Product", "propose_products"]

Array = NDArray[np.float64]

MOST_COLUMNS = 24
"""As many coordinates as pairs are looked at of."""

MOST_OF_THREE = 12
"""The same of three: 220 choices, where pairs are 276."""


@final
@dataclass(frozen=True, slots=True)
class Product:
    """That (a - cut) (b - cut) ... is negative, or positive, in exact arithmetic; 0 is neither.

    Parameters
    ----------
    columns : tuple of int
        Of the encoded draws, two or three.
    names, coordinates
        Of these coordinates.
    cuts : tuple of float
        What is subtracted from each.
    negative : bool
        Whether an odd number of them lies below.
    """

    columns: tuple[int, ...]
    names: tuple[str, ...]
    coordinates: tuple[int | str | None, ...]
    cuts: tuple[float, ...]
    negative: bool

    @property
    def pieces(self) -> int:
        """Coordinates."""
        return len(self.columns)

    @property
    def ends(self) -> tuple[float, ...]:
        """What is subtracted."""
        return self.cuts

    def with_ends(self, ends: Sequence[float]) -> Product:
        """The same with other cuts."""
        return replace(self, cuts=tuple(ends))

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in it: what is no number is on no side."""
        signs = _signs(outcomes.numbers[:, self.columns], np.array(self.cuts)).prod(axis=1)
        return np.asarray(signs < 0 if self.negative else signs > 0)

    def describe(self) -> tuple[str, str]:
        """Words and expression: comparisons, since a product of floats may vanish."""
        factors = [_factor(*parts) for parts in zip(self.names, self.cuts, strict=True)]
        listed = f"{', '.join(factors[:-1])} and {factors[-1]}"
        sentence = f"the product of {listed} is {'negative' if self.negative else 'positive'}"
        orthants = [
            " and ".join(
                f"number({place_of(place)}) {'<' if is_below else '>'} {cut!r}"
                for place, cut, is_below in zip(self.coordinates, self.cuts, below, strict=True)
            )
            for below in product((True, False), repeat=len(self.cuts))
            if sum(below) % 2 == self.negative
        ]
        return sentence, " or ".join(f"({orthant})" for orthant in orthants)

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
    """The best pair and the best three for each sign, with cuts at 0 and at the medians."""
    columns = numeric_columns(arms.encoder.columns, arms.both, MOST_COLUMNS)
    if len(columns) < 2:
        return []
    pooled = np.concatenate([arm.numbers[:, columns] for arm in arms.both])
    medians = np.array([np.median(x[np.isfinite(x)]) for x in pooled.T])
    found = []
    for cuts in (np.zeros(len(columns)), medians):
        sides = [_signs(arm.numbers[:, columns], cuts) for arm in arms.both]
        for factors, most in ((2, MOST_COLUMNS), (3, MOST_OF_THREE)):
            choices = np.array(list(combinations(range(min(most, len(columns))), factors))).T
            if not choices.size:
                continue
            counts = [_counts(of_arm[:, :most], factors) for of_arm in sides]
            for sign, negative in enumerate((True, False)):
                z = arms.z(*(of_arm[sign][tuple(choices)] for of_arm in counts))
                best = choices[:, int(np.argmax(z))]
                which = tuple(columns[place] for place in best)
                names, places = zip(*(arms.encoder.columns[c] for c in which), strict=True)
                found.append(Product(which, names, places, tuple(cuts[best].tolist()), negative))
    return found


def _signs(values: Array, cuts: Array) -> Array:
    """On which side of its cut each coordinate lies: -1, 1, or 0 for neither."""
    return (values > cuts).astype(float) - (values < cuts)


def _counts(signs: Array, factors: int) -> tuple[Array, Array]:
    """Draws whose product is negative, and positive, for any so many coordinates."""
    total, met = _sums(signs, factors), _sums(np.abs(signs), factors)
    return (met - total) / 2, (met + total) / 2


def _sums(signs: Array, factors: int) -> Array:
    """Sums of the products over all draws, with an axis for each factor."""
    if factors == 2:
        return np.asarray(signs.T @ signs)
    # one after another: np.einsum over three takes forty times as long
    return np.stack([(signs * signs[:, [place]]).T @ signs for place in range(signs.shape[1])])
