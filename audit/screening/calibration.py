"""What the outputs of a target look like on a few plain data sets: scales, kinds, and its seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.pairs.tables.table_families import plain_tables
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
    lumps : ndarray of bool, shape (c,)
        Whether a coordinate is a category: a few integers at random, or one value most of the time.
    kinds : frozenset of str
        Kinds that were seen, where a data set has several at random.
    texts : bool
        Whether outputs say anything but numbers.
    goes_by_seed : bool
        Whether the same generator gives the same outputs.
    silent : bool
        Whether no call gave an output.
    """

    spread: Vector
    lumps: NDArray[np.bool_]
    kinds: frozenset[str]
    texts: bool
    goes_by_seed: bool
    silent: bool = False

    @property
    def has_categories(self) -> bool:
        """Whether counts of outcomes say more of some outputs than differences do."""
        return self.texts or bool(self.lumps.any())

    def lumps_for(self, width: int) -> NDArray[np.bool_]:
        """Which of so many coordinates are categories; those not seen as most of the others."""
        if width <= self.lumps.size:
            return self.lumps[:width]
        other = bool(self.lumps.size) and bool(self.lumps.mean() > 0.5)
        return np.append(self.lumps, np.full(width - self.lumps.size, other))

    def spread_for(self, width: int) -> Vector:
        """Spread of so many coordinates; of those not seen the middle one of the others."""
        if width <= self.spread.size:
            return self.spread[:width]
        other = float(np.median(self.spread)) if self.spread.size else 0.0
        return np.append(self.spread, np.full(width - self.spread.size, other))


def bases_of(domain: Domain) -> list[Data]:
    """Plain data sets of a domain: none, one and ten records at low, ten spread evenly.

    Of tables: none, one and as many units as are generated, all cells at their simplest or not.
    """
    if domain.schema is not None:
        return [table for table in plain_tables(domain) if domain.holds(table)]
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
    spread, random, few = np.zeros(width), np.zeros(width, bool), np.ones(width, bool)
    for reading in known:
        usual = max(set(reading.kinds), key=reading.kinds.count)
        rows = reading.values[[kind == usual for kind in reading.kinds]]
        own = np.s_[: reading.width]
        middle = np.median(rows, axis=0)
        spread[own] = np.maximum(spread[own], np.median(np.abs(rows - middle), axis=0))
        random[own] |= (rows != rows[0]).any(axis=0)
        few[own] &= np.array([_is_few(column) for column in rows.T], dtype=bool)
    several = any(len(set(reading.kinds)) > 1 for reading in known)
    return Calibration(
        spread,
        random & (few | (spread == 0)),
        frozenset(kind for reading in known for kind in reading.kinds if several),
        any(any(reading.texts) for reading in known),
        goes_by_seed,
        not any(reading.digest for reading in known),
    )


def _equal(first: Reading, second: Reading) -> bool:
    return (
        first.kinds == second.kinds
        and first.texts == second.texts
        and np.array_equal(first.values, second.values)
    )


def _is_few(values: Vector) -> bool:
    """Whether values are a few integers."""
    return bool((values == np.round(values)).all()) and np.unique(values).size <= MOST_VALUES
