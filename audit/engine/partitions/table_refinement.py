"""Several tables of one column, counted at once: a table that refines them all.

The table of the current bets and the one of the persistent bets cut the same column at different
values. Draws are looked up once in the cuts of both, and the counts of the finer cells are added up
to those of each table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.locate import Locator

__all__ = ["refined"]

Cells = NDArray[np.intp]

GRID = 1001
"""Values over which the buckets of the locator are spread."""


def refined(tables: Sequence[ColumnTable]) -> tuple[ColumnTable, list[Cells]]:
    """Refine tables of one column.

    Parameters
    ----------
    tables : sequence of ColumnTable
        At least one, all of the same column.

    Returns
    -------
    Table
        Each of its cells lies in one cell of every table.
    list of ndarray of int
        For each table, the cell that each cell of the refinement lies in.
    """
    breaks = np.unique(np.concatenate([table.breaks for table in tables]))
    is_atom = np.zeros(breaks.size, dtype=bool)
    for table in tables:
        is_atom[np.searchsorted(breaks, table.breaks[table.at_break])] = True
    starts = np.zeros(2 * breaks.size + 1, dtype=np.intp)
    starts[1:-1:2] = is_atom
    starts[2::2] = 1
    cell_of_gap = np.cumsum(starts)
    ordered = int(cell_of_gap[-1]) + 1
    codes = np.arange(max(table.cell_of_category.size for table in tables))
    by_code = np.stack([_cell_of_codes(table, codes) for table in tables])
    kinds, cell_of_category = np.unique(by_code, axis=1, return_inverse=True)
    common = replace(
        tables[0],
        locate=_locator(breaks, tables),
        at_break=is_atom,
        cell_of_gap=cell_of_gap,
        labels=("",) * (kinds.shape[1] - 1),
        cell_of_category=ordered + cell_of_category.ravel(),
    )
    return common, [
        np.concatenate([_cell_of_gaps(table, breaks, cell_of_gap), of_kinds])
        for table, of_kinds in zip(tables, kinds, strict=True)
    ]


def _cell_of_codes(table: ColumnTable, codes: Cells) -> Cells:
    """Cell of each category code; those beyond a table's end are its "other"."""
    return table.cell_of_category[np.minimum(codes, table.cell_of_category.size - 1)]


def _cell_of_gaps(table: ColumnTable, breaks: NDArray[np.float64], cell_of_gap: Cells) -> Cells:
    """Cell of a table in which each cell of numbers of the refinement lies."""
    before = np.searchsorted(table.breaks, breaks)
    own = np.append(table.breaks, np.nan)[before] == breaks
    gaps = np.empty(2 * breaks.size + 1, dtype=np.intp)
    gaps[:-1:2], gaps[1::2], gaps[-1] = 2 * before, 2 * before + own, 2 * table.breaks.size
    cells = np.empty(int(cell_of_gap[-1]) + 1, dtype=np.intp)
    cells[cell_of_gap] = table.cell_of_gap[gaps]
    return cells


def _locator(breaks: NDArray[np.float64], tables: Sequence[ColumnTable]) -> Locator:
    """Buckets where those of the tables are."""
    ranges = [(t.locate.low, t.locate.high) for t in tables if t.locate.below.size]
    if not ranges:
        return Locator.fit(breaks, np.empty(0))
    low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
    return Locator.fit(breaks, np.linspace(low, high, GRID))
