"""Naive Bayes score of a vector output, cut into an ordered table.

Each coordinate has a quantile table; its smoothed log-likelihood ratios of the two arms are added
over the coordinates (and the form), as if they were independent, each shrunk by how much of it is
noise: with many coordinates, those that tell nothing would drown the others. Wherever the
coordinates are dependent, the score loses power and nothing else. The tables come from the first
half of the past, the cells of the score from the second half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.encode import Encoder, Outcomes
from audit.engine.partitions.score import describe_score, score_edges
from audit.engine.partitions.table import Table, signal_share

__all__ = ["NaiveBayes"]

PRIOR_COUNT = 1.0


@final
@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """Partition by the naive Bayes score.

    Parameters
    ----------
    tables : tuple of Table
        One per column.
    ratios : tuple of ndarray of float
        For each table the log-likelihood ratio of its cells.
    edges : ndarray of float
        Ascending edges of the score.
    """

    tables: tuple[Table, ...]
    ratios: tuple[NDArray[np.float64], ...]
    edges: NDArray[np.float64]

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[NaiveBayes]:
        """One, for a vector layout."""
        if encoder.width is None:
            return []
        half = len(arm) // 2
        past, other_past = arm[slice(half)], other_arm[slice(half)]
        pooled = Outcomes.concatenate([past, other_past])
        tables = tuple(Table.fit(encoder, pooled, c) for c in range(len(encoder.columns)))
        ratios = tuple(_log_ratios(table, past, other_past) for table in tables)
        unscored = cls(tables, ratios, np.empty(0))
        rest = [arm[slice(half, None)], other_arm[slice(half, None)]]
        scores = np.concatenate([unscored.scores(outcomes) for outcomes in rest])
        return [cls(tables, ratios, score_edges(scores))]

    def scores(self, outcomes: Outcomes) -> NDArray[np.float64]:
        """Score of each draw: large where the first arm is likelier."""
        total = np.zeros(len(outcomes))
        for table, ratio in zip(self.tables, self.ratios, strict=True):
            total += ratio[table.codes(outcomes)]
        return total

    @property
    def ordered(self) -> int:
        """All cells are ordered by the score."""
        return self.size

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.edges.size + 1

    @property
    def feature(self) -> str:
        """A score of several coordinates."""
        return "score"

    @property
    def supervised(self) -> bool:
        """The score is learned from the first half."""
        return True

    @property
    def reads(self) -> None:
        """All draws."""
        return

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw; an edge closes the cell below it."""
        return np.searchsorted(self.edges, self.scores(outcomes), side="left")

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """The score in words; its expression adds the tables' log-likelihood ratios."""
        score = " + ".join(self._term(t, r) for t, r in zip(self.tables, self.ratios, strict=True))
        subject = f"likelihood-ratio score of {len(self.tables) - 1} coordinates"
        return describe_score(self.edges, cells, subject, score)

    @staticmethod
    def _term(table: Table, ratio: NDArray[np.float64]) -> str:
        """Python expression of one coordinate's contribution."""
        parts = []
        for cell in range(table.size):
            only = np.zeros(table.size, dtype=bool)
            only[cell] = True
            parts.append(f"({float(ratio[cell])!r} if {table.describe(only)[1]} else 0.0)")
        return " + ".join(parts)


def _log_ratios(table: Table, arm: Outcomes, other_arm: Outcomes) -> NDArray[np.float64]:
    """Smoothed log-likelihood ratio of each cell, shrunk towards 0 as far as it is noise."""
    counts, other = (
        np.bincount(table.codes(outcomes), minlength=table.size) for outcomes in (arm, other_arm)
    )
    ratios = np.log((counts + PRIOR_COUNT) / (other + PRIOR_COUNT))
    return np.asarray(signal_share(counts, other) * ratios)
