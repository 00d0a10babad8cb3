"""Finite partitions of the output space, fitted to past draws and frozen while they are bet on.

A partition may be anything that the past determines: it decides what can be found, never whether
a finding is valid. To add one: its file here, one line in `PARTITIONS`, and its tests (contracts
in `tests/contracts/test_partitions.py` run over all of them).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.coordinate_pairs import CoordinatePair
from audit.engine.partitions.fine import fit_fine
from audit.engine.partitions.float_lattice import LowestBit, MantissaClass
from audit.engine.partitions.joint import fit_joint
from audit.engine.partitions.logit import fit_logit
from audit.engine.partitions.naive_bayes import fit_naive_bayes
from audit.engine.partitions.projection import fit_projection
from audit.engine.partitions.residues import Residues
from audit.engine.partitions.row_table import RowTable
from audit.engine.partitions.signs import ZerosAndNans

__all__ = [
    "FOR_RATIOS",
    "PARTITIONS",
    "Partition",
    "fit_all",
    "fit_for_ratios",
    "ordinary_cells",
    "single_values",
]


class Partition(Protocol):
    """Cells 0 .. size-1; the first `ordered` of them lie in the order of the output."""

    @property
    def size(self) -> int:
        """Number of cells."""
        ...

    @property
    def ordered(self) -> int:
        """Number of leading cells that are in ascending order of the value (or the score)."""
        ...

    @property
    def feature(self) -> str:
        """What the cells look at: "value", "score", "floating-point lattice"."""
        ...

    @property
    def supervised(self) -> bool:
        """Whether the first half of the past was used to tell the arms apart (count the rest)."""
        ...

    @property
    def reads(self) -> int | None:
        """How many first draws of each arm it may look at; None for all.

        Beyond it the partition is not bet on any more. A constant: fixed before the first draw.
        """
        ...

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw, shape (n,)."""
        ...

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """A set of cells as a sentence, and as a Python expression in the output `z`."""
        ...


Fit = Callable[[Encoder, Outcomes, Outcomes], Sequence[Partition]]

PARTITIONS: dict[str, Fit] = {
    "quantile table": ColumnTable.fit_columns,
    "naive Bayes": fit_naive_bayes,
    "projection": fit_projection,
    "logit": fit_logit,
    "rows": RowTable.fit_columns,
    "joint score": fit_joint,
    "remainders": Residues.fit_columns,
    "zeros and NaNs": ZerosAndNans.fit_columns,
    "lowest bit": LowestBit.fit_columns,
    "mantissa class": MantissaClass.fit_columns,
}
"""Ways to fit partitions to the draws of two arms, by name."""

FOR_RATIOS: dict[str, Fit] = {
    "fine table": fit_fine,
    "pairs of coordinates": CoordinatePair.fit_columns,
}
"""More of them, of so many cells that only a function of all of them can be learned: the ratio
expert reads them, and no other. No events are chosen among their cells, so others lose nothing."""

LATTICES = frozenset({"zeros and NaNs", "lowest bit", "mantissa class"})
"""The partitions that look at the floating-point representation (left out with `ideal`)."""


THOROUGH = frozenset({"joint score"})
"""The partitions that take long to fit: only for audits that fit seldom (mode "bound")."""


def fit_all(
    encoder: Encoder, arm: Outcomes, other_arm: Outcomes, *, ideal: bool, thorough: bool = False
) -> list[Partition]:
    """Fit every partition that applies to the layout, without or with those that take long."""
    return [
        partition
        for name, fit in PARTITIONS.items()
        if not (ideal and name in LATTICES) and (thorough or name not in THOROUGH)
        for partition in fit(encoder, arm, other_arm)
    ]


def fit_for_ratios(encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> list[Partition]:
    """Fit those that only the ratio expert reads."""
    return [p for fit in FOR_RATIOS.values() for p in fit(encoder, arm, other_arm)]


def single_values(partition: Partition) -> NDArray[np.bool_]:
    """Which cells of a partition hold one value, category or row each, shape (K,)."""
    if isinstance(partition, ColumnTable | RowTable):
        return partition.single_values
    return np.zeros(partition.size, dtype=bool)


def ordinary_cells(partition: Partition) -> NDArray[np.bool_]:
    """Which cells of a partition an event would rather not be about, shape (K,).

    Where an event and what is left of it tell two data sets apart alike, "the remainder is 4" says
    more than "it is 0".
    """
    if isinstance(partition, Residues | ZerosAndNans):
        return partition.ordinary
    return np.zeros(partition.size, dtype=bool)
