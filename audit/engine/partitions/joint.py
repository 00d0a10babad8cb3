"""Scores of a vector output for two cases in which coordinates do not speak for themselves.

    score(z) = sum over coordinates i of  w_i[cell of z_i] + u[common cell of z_i]

*Alike*: one table for all coordinates. Of many releases of the same thing none tells enough to be
learned alone; their cells are counted together, and every coordinate has the weights u alone.
*Fitted together*: ridge logistic regression of the arm on coarse cells of each coordinate. Naive
Bayes counts twice what dependent coordinates say twice (a value, and the stop after it), and a
linear score sees values only as far as they shift.

Weights come from the first half of the past (how strongly the fitted ones are shrunk, from its
last quarter), the cells of the score from the second half. A fit takes a second or so: for the
audits that fit seldom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.halves import counted_part, learned_part
from audit.engine.partitions.logistic import ridge_logistic
from audit.engine.partitions.score_table import ScoreTable
from audit.engine.partitions.shrinkage import log_ratios
from audit.engine.partitions.table_score import TableScore

__all__ = ["fit_joint"]

Array = NDArray[np.float64]
Coarse = NDArray[np.intp]
"""Coarse cell of each cell of a table."""

OWN_CELLS, COMMON_CELLS = 4, 12
"""Coarse cells of one coordinate and of all in the regression, of about equal mass."""

LEAST_DRAWS = 400
"""Of a coarse cell where all coordinates are alike."""

MOST_CATEGORIES = 8
SHARE_OF_AN_ATOM = 0.03
"""Values that come at least so often are a coarse cell each."""

MOST_WEIGHTS = 400
MOST_ROWS = 50_000
"""Draws of each arm that the regression reads."""

RIDGES = (1e-4, 1e-2, 1.0)
"""Candidates for the ridge, in units of the number of draws."""

LEAST_RIDGE = 3.0
STEPS = 8
NAME = "score of {} coordinates"


def fit_joint(encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[ScoreTable]:
    """Two, for a vector layout of two coordinates or more; one of very many."""
    if encoder.width is None or encoder.width < 2:
        return []
    arms = (arm, other_arm)
    past, rest = ([part(a) for a in arms] for part in (learned_part, counted_part))
    pooled = Outcomes.concatenate(past)
    own = [ColumnTable.fit(encoder, pooled, column) for column in range(encoder.width + 1)]
    common = _common(encoder, own, pooled)
    scores = [_alike(common, past)]
    if len(own) * (OWN_CELLS + 2) <= MOST_WEIGHTS:
        scores.append(_fitted(own, common, [a[slice(MOST_ROWS)] for a in past]))
    return [ScoreTable.fit(score, rest) for score in scores]


def _alike(common: tuple[ColumnTable, ...], past: Sequence[Outcomes]) -> TableScore:
    """Shrunken log-ratios of the values of all coordinates together."""
    counts = np.stack([_counts(common, arm) for arm in past])
    coarse = _coarse(common[0], counts.sum(axis=0), LEAST_DRAWS)
    by_arm = np.stack([np.bincount(coarse, weights=c) for c in counts]).astype(np.float64)
    weights = log_ratios([by_arm])[0][coarse]
    return TableScore(common, (weights,) * len(common), f"{NAME} (alike)")


def _fitted(
    own: Sequence[ColumnTable], common: Sequence[ColumnTable], past: Sequence[Outcomes]
) -> TableScore:
    """Weights of coarse cells by regression."""
    places: list[Coarse] = []
    start = 0
    for tables, cells in (*(([table], OWN_CELLS) for table in own), (common, COMMON_CELLS)):
        counts = np.sum([_counts(tables, arm) for arm in past], axis=0)
        place = start + _coarse(tables[0], counts, int(counts.sum()) // cells)
        places += [place] * len(tables)
        start = int(place.max()) + 1
    tables = (*own, *common)
    weights = _weights([_design(tables, places, arm, start) for arm in past])
    return TableScore(tables, tuple(weights[p] for p in places), f"{NAME} (fitted together)")


def _counts(tables: Sequence[ColumnTable], arm: Outcomes) -> NDArray[np.intp]:
    """Draws by cell, of tables with the same cells together."""
    codes = np.concatenate([table.codes(arm) for table in tables])
    return np.bincount(codes, minlength=tables[0].size)


def _common(
    encoder: Encoder, own: Sequence[ColumnTable], pooled: Outcomes
) -> tuple[ColumnTable, ...]:
    """One table of the values of all coordinates, as a table of each of them."""
    width = len(own) - 1
    values = Outcomes(
        pooled.numbers[:, :width].reshape(-1, 1), pooled.categories[:, :width].reshape(-1, 1)
    )
    table = ColumnTable.fit(Encoder(None, encoder.labels), values, 0)
    return tuple(
        replace(table, column=t.column, name=t.name, number=t.number, kind=t.kind)
        for t in own[:width]
    )


def _coarse(table: ColumnTable, counts: NDArray[np.intp], least: int) -> Coarse:
    """Merge neighboring cells of numbers until they hold so many draws.

    Frequent values and categories are for themselves.
    """
    coarse = np.arange(table.size) + table.size
    coarse[table.ordered :] = np.minimum(
        coarse[table.ordered :], coarse[table.ordered] + MOST_CATEGORIES
    )
    atoms = table.cell_of_gap[1::2][table.at_break]
    frequent = atoms[counts[atoms] > SHARE_OF_AN_ATOM * counts.sum()]
    group, held = 0, 0
    for cell in np.setdiff1d(np.arange(table.ordered), frequent):
        coarse[cell] = group
        held += int(counts[cell])
        if held >= least:
            group, held = group + 1, 0
    if held < least and group:
        coarse[coarse == group] = group - 1
    return np.unique(coarse, return_inverse=True)[1].astype(np.intp)


def _design(
    tables: Sequence[ColumnTable], places: Sequence[Coarse], outcomes: Outcomes, size: int
) -> NDArray[np.float32]:
    """How often each draw has each weight, shape (n, size)."""
    design = np.zeros((len(outcomes), size), dtype=np.float32)
    rows = np.arange(len(outcomes))
    for table, place in zip(tables, places, strict=True):
        design[rows, place[table.codes(outcomes)]] += 1
    return design


def _weights(designs: Sequence[NDArray[np.float32]]) -> Array:
    """Weights with the ridge that tells a last quarter of the draws apart best."""
    cut = 3 * len(designs[0]) // 4
    train, check = (
        np.concatenate([d[rows] for d in designs]) for rows in (slice(cut), slice(cut, None))
    )
    center = train.mean(axis=0)
    train, check = train - center, check - center
    first, first_check = (np.arange(len(d)) < len(d) // 2 for d in (train, check))
    values, vectors = np.linalg.eigh((train.T @ train).astype(np.float64) / 4)
    best, weights = -np.inf, np.zeros(train.shape[1])
    for share in RIDGES:
        ridge = max(LEAST_RIDGE, share * len(train))
        inverse = (vectors / (values + ridge)) @ vectors.T
        found = ridge_logistic(train, first, ridge, inverse, STEPS)
        score = check @ found.astype(np.float32)
        likelihood = -float(np.logaddexp(0, np.where(first_check, -score, score)).sum())
        if likelihood > best:
            best, weights = likelihood, found
    return weights
