"""The grid width as Algorithm 4 of PDP prints it.

Three slips, each with a switch. E-08: G holds the differences of all pairs (or of neighbors in the
sorted data), whose counts one record moves by n - 1 (by n / 2), so that the loss of privacy has no
bound. E-10: only positive records take part, and the placeholder is 0, which is none. E-12: the
second scan returns 2^(-j) before it is halved, so that the width is half of what it should be.
The sound form is `mechanisms.personalized.sparse.discretization`.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.all_pairs import PAIRS, pair_counts
from mechanisms.as_printed.slips import check_slips
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.personalized.sparse.octaves import counts_within, octaves
from mechanisms.personalized.sparse.pairs import chunks, matched_differences, scan, sorted_records
from mechanisms.personalized.sparse.sparse_vector import CAP
from mechanisms.personalized.sparse.stage_laws import MOST_MATCHED, WidthLaw, matched_octaves
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["SLIPS", "PrintedDiscretization", "draw_grid_as_printed"]

SLIPS = ("E-08", "E-10", "E-12")
"""Errata of this form."""

APART = 4096.0
"""Distance of records in the counterexamples: ten queries look below it."""
LEAST, MOST = Fraction(1, 100), Fraction(20)
"""Of epsilon, where the counterexamples are known to break the promise."""
STACK, OTHERS = 36, 14
"""36 equal records are in 630 of 1225 pairs, 35 of them in 595."""
TIGHT = 35
"""Pairs of equal records; as many queries as the stack changes."""


@final
@dataclass(frozen=True, slots=True)
class PrintedDiscretization:
    """Algorithm 4: a power of 2 near the median difference of two records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the print promises.
    slip : str
        "all", or some of "E-08", "E-10", "E-12", joined by commas; the others are repaired.
    pairs : {"all", "sorted"}
        Which pairs E-08 takes.

    Claims
    ------
    Pure, swap: epsilon, as printed. False with E-08: no epsilon holds for all data sets.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 4 (PDP-A4, PDP-CX8, PDP-E-08, PDP-E-10, PDP-E-12).
    """

    epsilon: Fraction
    slip: str
    pairs: str
    order: ClassVar[Order] = Order.FREE

    def __init__(self, epsilon: Number = 1, slip: str = "all", pairs: str = "all") -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        check_slips(slip, SLIPS)
        object.__setattr__(self, "slip", slip)
        object.__setattr__(self, "pairs", check_choice(pairs, "pairs", PAIRS))

    @property
    def slips(self) -> frozenset[str]:
        """The errata that are in."""
        return check_slips(self.slip, SLIPS)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        source = Source("PDP", "Algorithm 4 (erratum PDP-E-08)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """Two data sets that lose more than epsilon, with E-08 and for epsilon from 1/100 to 20.

        All pairs: a record leaves a stack of 36 among 50. Sorted pairs: the first of 70 records,
        equal two by two, moves behind the last.
        """
        if "E-08" not in self.slips or not LEAST <= self.epsilon <= MOST:
            return None
        if self.pairs == "all":
            others = [1 + APART * place for place in range(1, OTHERS + 1)]
            last = 1 + APART * (OTHERS + 1)
            return [1.0] * STACK + others, [1.0] * (STACK - 1) + [*others, last]
        data = [1 + APART * (place // 2) for place in range(2 * TIGHT)]
        return data, [*data[1:], 1 + APART * TIGHT]

    def exact_law(self, data: Any) -> WidthLaw | None:
        """State the output law on `data`, array_like of shape (n,).

        Without E-08 it is a mixture over matchings, and None if n is more than 9.
        """
        values = sorted_records(data)
        late = int("E-12" in self.slips)
        if "E-08" not in self.slips:
            if values.size > MOST_MATCHED:
                return None
            differences = matched_octaves(values[_paired(values, self.slips)])
            return WidthLaw(self.epsilon, CAP, differences, late)
        within, total = pair_counts(values, _paired(values, self.slips)[np.newaxis], self.pairs)
        numbers = np.diff(within[0], prepend=0, append=total[0])
        found = np.repeat(np.arange(1 - CAP, CAP + 1), numbers)
        return WidthLaw(self.epsilon, CAP, ((tuple(found.tolist()), Fraction(1)),), late)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent widths.

        `data`, shape (n,): records; what is no finite number is a placeholder and in no pair. n may
        be 0. Returns shape (size,): powers of 2 from 2^-66 to 2^62, in the unit of the data.
        """
        size = check_size(size)
        values, slips, epsilon = sorted_records(data), self.slips, float(self.epsilon)
        if "E-08" in slips:
            within, total = pair_counts(values, _paired(values, slips)[np.newaxis], self.pairs)
            return _widths(*scan(within, total, epsilon, rng=rng, size=size), slips)
        kept = (np.ones((draws, values.size), np.bool_) for draws in chunks(size, values.size))
        return np.concatenate(
            [draw_grid_as_printed(values, k, epsilon, slips, self.pairs, rng=rng) for k in kept]
        )


def draw_grid_as_printed(
    values: NDArray[np.float64],
    kept: NDArray[np.bool_],
    epsilon: float,
    slips: Set[str],
    pairs: str,
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw widths of the grid with some of the slips E-08, E-10, E-12.

    `values`, shape (n,) or (draws, n): records. With E-10 only positive ones take part, so that a
    placeholder may be 0 or NaN; else it is NaN. `kept`, shape (draws, n): which records survive.
    `epsilon`: privacy parameter of the stage. `slips`: others than these three are not looked at.
    `pairs`, one of "all", "sorted": which pairs E-08 takes. Returns shape (draws,): the width b of
    each draw, a power of 2.
    """
    paired = kept & _paired(values, slips)
    if "E-08" in slips:
        within, total = pair_counts(values, paired, pairs)
    else:
        differences, rows = matched_differences(values, paired, rng=rng)
        within, total = counts_within(octaves(differences), rows, kept.shape[0], 1 - CAP, CAP - 1)
    return _widths(*scan(within, total, epsilon, rng=rng), slips)


def _paired(values: NDArray[np.float64], slips: Set[str]) -> NDArray[np.bool_]:
    """Which records are in pairs at all."""
    return np.isfinite(values) & ((values > 0) | ("E-10" not in slips))


def _widths(up: NDArray[np.int64], down: NDArray[np.int64], slips: Set[str]) -> NDArray[np.float64]:
    """Return the widths of the indices: 2^(i-3) if i > 1, else 2^(-j), with E-12 2^(-j-1)."""
    return np.ldexp(1.0, np.where(up > 1, up - 3, -down - ("E-12" in slips)))
