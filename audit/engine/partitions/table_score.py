"""A score that adds a weight for the cell of each coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.locate import Locator
from audit.engine.partitions.score_table import describe_score

__all__ = ["NO_NUMBER", "TableScore", "increments_of"]

NO_NUMBER = 1
"""Category of an increment of which an end is no number."""


@final
@dataclass(frozen=True, slots=True)
class TableScore:
    """Sum of weights.

    Parameters
    ----------
    tables : tuple of ColumnTable
        Of the columns that have weights.
    weights : tuple of ndarray of float
        For each table the weights of its cells.
    name : str
        What the score is called, with {} for the number of its columns.
    increments : bool
        Whether the tables are of the differences of consecutive coordinates.
    """

    tables: tuple[ColumnTable, ...]
    weights: tuple[NDArray[np.float64], ...]
    name: str
    increments: bool = False

    def of(self, outcomes: Outcomes) -> NDArray[np.float64]:
        """Score of each draw."""
        block = increments_of(outcomes) if self.increments else outcomes
        total = np.zeros(len(outcomes))
        for table, weight in zip(self.tables, self.weights, strict=True):
            total += weight[table.codes(block)]
        return total

    def describe(self, cut: Locator, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """The score in words; its expression adds the tables' weights.

        Of a single column the cells of its table say it better.
        """
        if len(self.tables) == 1:
            return self.tables[0].describe(cells[cut(self.weights[0])])
        terms = [table.lookup(w) for table, w in zip(self.tables, self.weights, strict=True)]
        columns = len({table.column for table in self.tables if table.name != "form"})
        score = " + ".join(["0.0", *terms])
        return describe_score(cut.edges, cells, self.name.format(columns), score)


def increments_of(outcomes: Outcomes) -> Outcomes:
    """Half the difference of each coordinate from the one before it (which never overflows)."""
    numbers, categories = outcomes.numbers.copy(), outcomes.categories.copy()
    numbers[:, 1:-1] = outcomes.numbers[:, 1:-1] / 2 - outcomes.numbers[:, :-2] / 2
    categories[:, 1:-1] = np.where(np.isnan(numbers[:, 1:-1]), NO_NUMBER, 0)
    return Outcomes(numbers, categories)
