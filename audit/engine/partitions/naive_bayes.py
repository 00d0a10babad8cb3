"""Naive Bayes score of a vector output, cut into an ordered table.

Each coordinate has a quantile table; its log-likelihood ratios of the two arms, shrunk by how much
of them is noise and monotone where that fits, are added over the coordinates (and the form), as if
they were independent. Wherever the coordinates are dependent, the score loses power and nothing
else: partial sums of independent noises are scored by their increments as well, if those tell more.
The tables come from the first half of the past, the cells of the score from the second half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.halves import counted_part, learned_part
from audit.engine.partitions.monotone import monotone
from audit.engine.partitions.score_table import ScoreTable, scores_of
from audit.engine.partitions.shrinkage import log_ratios
from audit.engine.partitions.table_score import NO_NUMBER, TableScore, increments_of

__all__ = ["fit_naive_bayes"]

MOST_VALUES, FEWEST_ROWS = 1_000_000, 10_000
"""Values of each arm that a fit reads, if that are not too few draws."""

SHARE_OF_POWER = 0.999
"""Tables that tell least are left out of the score, as long as so much is kept."""

SMALLEST_DEVIATION = 1e-300


def fit_naive_bayes(encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[ScoreTable]:
    """One, for a vector layout; two if the increments tell more on the first half."""
    if encoder.width is None:
        return []
    arms = (arm, other_arm)
    most = max(MOST_VALUES // len(encoder.columns), FEWEST_ROWS)
    past = [learned_part(a)[slice(most)] for a in arms]
    scores = [_weighted(_tables(encoder, past), past, "coordinates")]
    if encoder.width > 1:
        steps = [increments_of(a) for a in past]
        other = _weighted(_tables_of_increments(encoder, steps), steps, "increments")
        other = replace(other, increments=True)
        if _separation(other, past) > _separation(scores[0], past):
            scores.append(other)
    return [ScoreTable.fit(score, [counted_part(a) for a in arms]) for score in scores]


def _weighted(tables: Sequence[ColumnTable], arms: Sequence[Outcomes], what: str) -> TableScore:
    """The score of some tables, without those that hardly tell."""
    counts = [
        np.stack([np.bincount(table.codes(a), minlength=table.size) for a in arms]).astype(float)
        for table in tables
    ]
    ratios = [
        monotone(ratio, by_arm, table.ordered)
        for ratio, by_arm, table in zip(log_ratios(counts), counts, tables, strict=True)
    ]
    power = np.array(
        [((c[0] - c[1]) * ratio).sum() for c, ratio in zip(counts, ratios, strict=True)]
    )
    order = np.argsort(-power, kind="stable")
    needed = np.searchsorted(np.cumsum(power[order]), SHARE_OF_POWER * power.sum())
    kept = np.sort(order[: needed + 1])
    return TableScore(
        tuple(tables[i] for i in kept),
        tuple(ratios[i] for i in kept),
        f"likelihood-ratio score of {{}} {what}",
    )


def _separation(score: TableScore, arms: Sequence[Outcomes]) -> float:
    """Distance of the arms' mean scores in standard deviations."""
    scores = [scores_of(score, a) for a in arms]
    gap = abs(float(scores[0].mean()) - float(scores[1].mean()))
    return gap / max(float(np.concatenate(scores).std()), SMALLEST_DEVIATION)


def _tables(encoder: Encoder, arms: Sequence[Outcomes]) -> list[ColumnTable]:
    """One table a column."""
    pooled = Outcomes.concatenate(arms)
    return [ColumnTable.fit(encoder, pooled, column) for column in range(len(encoder.columns))]


def _tables_of_increments(encoder: Encoder, arms: Sequence[Outcomes]) -> list[ColumnTable]:
    """The same of increments: the first coordinate and the form stay what they are."""
    pooled = Outcomes.concatenate(arms)
    form = len(encoder.columns) - 1
    tables = [ColumnTable.fit(encoder, pooled, column) for column in (0, form)]
    for column in range(1, form):
        number = f"(number(z, {column}) / 2 - number(z, {column - 1}) / 2)"
        kind = f"('' if {number} == {number} else 'is no number')"
        names = (f"(output[{column}] - output[{column - 1}]) / 2", number, kind)
        labels = {NO_NUMBER: "is no number"} if (pooled.categories[:, column] > 0).any() else {}
        tables.append(ColumnTable.fit_column(column, names, [pooled], labels))
    return tables
