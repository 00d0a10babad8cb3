"""What the outputs of a target look like on a few plain data sets: scales, kinds, and its seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.screening.caller import Caller, Data
from audit.screening.reading import Reading
from audit.targets.domain import Domain

__all__ = ["Calibration", "bases_of", "calibrated"]

Vector = NDArray[np.float64]

STAGE = 0
"""Of its streams."""

MOST_VALUES = 6
"""Distinct integers up to which a coordinate is a category: a coin, a bit, a winner of a few. More
are numbers, whose shift says more than that they differ."""

FEW_RECORDS = 10


@final
@dataclass(frozen=True, slots=True)
class Calibration:
    """What is known of a target's outputs.

    Parameters
    ----------
    spread : ndarray of float, shape (c,)
        Of each coordinate the largest median absolute deviation over the data sets.
    kinds : frozenset of str
        Kinds that were seen, where a data set has several at random.
    categorical : bool
        Whether outputs are a few values.
    goes_by_seed : bool
        Whether the same generator gives the same outputs.
    """

    spread: Vector
    kinds: frozenset[str]
    categorical: bool
    goes_by_seed: bool

    def spread_for(self, width: int) -> Vector:
        """Spread of so many coordinates; of those not seen the middle one of the others."""
        if width <= self.spread.size:
            return self.spread[:width]
        other = float(np.median(self.spread)) if self.spread.size else 0.0
        return np.append(self.spread, np.full(width - self.spread.size, other))


def bases_of(domain: Domain) -> list[Vector]:
    """Plain data sets of a domain: none, one and ten records at low, ten spread evenly."""
    low, high = domain.ends
    sizes = (0, 1, FEW_RECORDS) if domain.count is None else (domain.count,)
    bases = [np.full(size, low) for size in sizes]
    bases.append(np.linspace(low, high, sizes[-1]))
    return [base for base in bases if domain.holds(base)]


def calibrated(caller: Caller, bases: Sequence[Data], size: int, *, again: int) -> Calibration:
    """Draw from plain data sets, and a few draws once more with the same stream.

    `size`: draws of each. `again`: draws that are made twice.
    """
    known = caller.coupled(bases, STAGE, size)
    caller.forget()
    first = caller.coupled(bases, STAGE, again)
    caller.forget()
    second = caller.coupled(bases, STAGE, again)
    caller.forget()
    by_seed = caller.target.seedable and all(map(_equal, first, second))
    return calibration_of(known, goes_by_seed=by_seed)


def calibration_of(known: Sequence[Reading], *, goes_by_seed: bool) -> Calibration:
    """Scales and kinds of draws from plain data sets."""
    width = max((reading.width for reading in known), default=0)
    spread = np.zeros(width)
    for reading in known:
        usual = max(set(reading.kinds), key=reading.kinds.count)
        rows = reading.values[[kind == usual for kind in reading.kinds]]
        if rows.size:
            middle = np.median(rows, axis=0)
            own = np.median(np.abs(rows - middle), axis=0)
            spread[: reading.width] = np.maximum(spread[: reading.width], own)
    several = any(len(set(reading.kinds)) > 1 for reading in known)
    kinds = frozenset(kind for reading in known for kind in reading.kinds) if several else None
    categorical = all(map(_is_categorical, known)) and any(map(_is_random, known))
    return Calibration(spread, kinds or frozenset(), categorical, goes_by_seed)


def _equal(first: Reading, second: Reading) -> bool:
    return (
        first.kinds == second.kinds
        and first.texts == second.texts
        and np.array_equal(first.values, second.values)
    )


def _is_random(reading: Reading) -> bool:
    return len(set(zip(reading.texts, map(bytes, reading.values), strict=True))) > 1


def _is_categorical(reading: Reading) -> bool:
    if any(reading.texts):
        return True
    values = reading.values
    if not np.array_equal(values, np.round(values)):
        return False
    return all(np.unique(column).size <= MOST_VALUES for column in values.T)
