"""Naive Bayes score of a vector output, cut into an ordered table.

Each coordinate has a quantile table; its log-likelihood ratios of the two arms, shrunk by how much
of them is noise, are added over the coordinates (and the form), as if they were independent.
Wherever the coordinates are dependent, the score loses power and nothing else: partial sums of
independent noises are scored by their increments as well, if those tell more. The tables come
from the first half of the past, the cells of the score from the second half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.encode import Encoder, Outcomes
from audit.engine.partitions.locate import Locator
from audit.engine.partitions.score import MOST_SCORED, UNCUT, cut_scores, describe_score
from audit.engine.partitions.shrinkage import log_ratios
from audit.engine.partitions.table import Table

__all__ = ["NaiveBayes"]

NO_NUMBER = 1
"""Category of an increment of which an end is no number."""

MOST_VALUES, FEWEST_ROWS = 1_000_000, 10_000
"""Values of each arm that a fit reads, if that are not too few draws."""

SHARE_OF_POWER = 0.999
"""Tables that tell least are left out of the score, as long as so much is kept."""

ROWS_AT_A_TIME = 8192
SMALLEST_DEVIATION = 1e-300


@final
@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """Partition by the naive Bayes score.

    Parameters
    ----------
    tables : tuple of Table
        Of the columns that tell the arms apart.
    ratios : tuple of ndarray of float
        For each table the log-likelihood ratio of its cells.
    cut : Locator
        Edges of the score.
    increments : bool
        Whether the tables are of the differences of consecutive coordinates.
    """

    tables: tuple[Table, ...]
    ratios: tuple[NDArray[np.float64], ...]
    cut: Locator
    increments: bool = False

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[NaiveBayes]:
        """One, for a vector layout; two if the increments tell more on the first half."""
        if encoder.width is None:
            return []
        arms = (arm, other_arm)
        half = len(arm) // 2
        rest = [a[slice(half, half + MOST_SCORED)] for a in arms]
        most = max(MOST_VALUES // len(encoder.columns), FEWEST_ROWS)
        past = [a[slice(min(half, most))] for a in arms]
        fitted = [cls._weighted(_tables(encoder, past), past, increments=False)]
        if encoder.width > 1:
            steps = [_increments(a) for a in past]
            other = cls._weighted(_tables_of_increments(encoder, steps), steps, increments=True)
            if other._separation(past) > fitted[0]._separation(past):
                fitted.append(other)
        return [
            replace(nb, cut=cut_scores(np.concatenate([nb.scores(a) for a in rest])))
            for nb in fitted
        ]

    @classmethod
    def _weighted(
        cls, tables: Sequence[Table], arms: Sequence[Outcomes], *, increments: bool
    ) -> NaiveBayes:
        """The score of some tables, without those that hardly tell; not cut into cells yet."""
        counts = [
            np.stack([np.bincount(table.codes(a), minlength=table.size) for a in arms]).astype(
                float
            )
            for table in tables
        ]
        ratios = log_ratios(counts)
        power = np.array(
            [((c[0] - c[1]) * ratio).sum() for c, ratio in zip(counts, ratios, strict=True)]
        )
        order = np.argsort(-power, kind="stable")
        needed = np.searchsorted(np.cumsum(power[order]), SHARE_OF_POWER * power.sum())
        kept = np.sort(order[: needed + 1])
        return cls(
            tuple(tables[i] for i in kept),
            tuple(ratios[i] for i in kept),
            UNCUT,
            increments,
        )

    def _separation(self, arms: Sequence[Outcomes]) -> float:
        """Distance of the arms' mean scores in standard deviations."""
        scores = [self.scores(a) for a in arms]
        gap = abs(float(scores[0].mean()) - float(scores[1].mean()))
        return gap / max(float(np.concatenate(scores).std()), SMALLEST_DEVIATION)

    def scores(self, outcomes: Outcomes) -> NDArray[np.float64]:
        """Score of each draw: large where the first arm is likelier."""
        total = np.zeros(len(outcomes))
        for start in range(0, total.size, ROWS_AT_A_TIME):
            rows = slice(start, start + ROWS_AT_A_TIME)
            block = _increments(outcomes[rows]) if self.increments else outcomes[rows]
            for table, ratio in zip(self.tables, self.ratios, strict=True):
                total[rows] += ratio[table.codes(block)]
        return total

    @property
    def ordered(self) -> int:
        """All cells are ordered by the score."""
        return self.size

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.cut.edges.size + 1

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
        return self.cut(self.scores(outcomes))

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """The score in words; its expression adds the tables' log-likelihood ratios.

        Of a single column the cells of its table say it better.
        """
        if len(self.tables) == 1:
            return self.tables[0].describe(cells[self.cut(self.ratios[0])])
        terms = [table.lookup(ratio) for table, ratio in zip(self.tables, self.ratios, strict=True)]
        what = "increments" if self.increments else "coordinates"
        columns = sum(table.name != "form" for table in self.tables)
        subject = f"likelihood-ratio score of {columns} {what}"
        return describe_score(self.cut.edges, cells, subject, " + ".join(["0.0", *terms]))


def _tables(encoder: Encoder, arms: Sequence[Outcomes]) -> list[Table]:
    """One table a column."""
    pooled = Outcomes.concatenate(arms)
    return [Table.fit(encoder, pooled, column) for column in range(len(encoder.columns))]


def _tables_of_increments(encoder: Encoder, arms: Sequence[Outcomes]) -> list[Table]:
    """The same of increments: the first coordinate and the form stay what they are."""
    pooled = Outcomes.concatenate(arms)
    form = len(encoder.columns) - 1
    tables = [Table.fit(encoder, pooled, column) for column in (0, form)]
    for column in range(1, form):
        number = f"(number(z, {column}) / 2 - number(z, {column - 1}) / 2)"
        kind = f"('' if {number} == {number} else 'is no number')"
        names = (f"(output[{column}] - output[{column - 1}]) / 2", number, kind)
        labels = {NO_NUMBER: "is no number"} if (pooled.categories[:, column] > 0).any() else {}
        tables.append(Table.fit_column(column, names, [pooled], labels))
    return tables


def _increments(outcomes: Outcomes) -> Outcomes:
    """Half the difference of each coordinate from the one before it (which never overflows)."""
    numbers, categories = outcomes.numbers.copy(), outcomes.categories.copy()
    numbers[:, 1:-1] = outcomes.numbers[:, 1:-1] / 2 - outcomes.numbers[:, :-2] / 2
    categories[:, 1:-1] = np.where(np.isnan(numbers[:, 1:-1]), NO_NUMBER, 0)
    return Outcomes(numbers, categories)
