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
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.encode import Encoder, Outcomes
from audit.engine.partitions.locate import Locator
from audit.engine.partitions.score import UNCUT, cut_scores, describe_score
from audit.engine.partitions.shrinkage import log_ratios
from audit.engine.partitions.table import Table

__all__ = ["JointScore"]

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
ROWS_AT_A_TIME = 8192


@final
@dataclass(frozen=True, slots=True)
class JointScore:
    """Partition by a score that adds a weight for each coordinate.

    Parameters
    ----------
    tables : tuple of Table
        One a coordinate (and the form, where it has weights).
    weights : tuple of ndarray of float
        For each table the weights of its cells.
    cut : Locator
        Edges of the score.
    how : str
        "alike" or "fitted together".
    """

    tables: tuple[Table, ...]
    weights: tuple[Array, ...]
    cut: Locator
    how: str

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[JointScore]:
        """Two, for a vector layout of two coordinates or more; one of very many."""
        if encoder.width is None or encoder.width < 2:
            return []
        half = len(arm) // 2
        past, rest = (
            [a[rows] for a in (arm, other_arm)] for rows in (slice(half), slice(half, None))
        )
        pooled = Outcomes.concatenate(past)
        own = [Table.fit(encoder, pooled, column) for column in range(encoder.width + 1)]
        common = _common(encoder, own, pooled)
        scores = [cls._alike(common, past)]
        if len(own) * (OWN_CELLS + 2) <= MOST_WEIGHTS:
            scores.append(cls._fitted(own, common, [a[slice(MOST_ROWS)] for a in past]))
        return [
            replace(s, cut=cut_scores(np.concatenate([s.scores(a) for a in rest]))) for s in scores
        ]

    @classmethod
    def _alike(cls, common: tuple[Table, ...], past: Sequence[Outcomes]) -> JointScore:
        """Shrunken log-ratios of the values of all coordinates together; not cut into cells yet."""
        counts = np.stack([_counts(common, arm) for arm in past])
        coarse = _coarse(common[0], counts.sum(axis=0), LEAST_DRAWS)
        by_arm = np.stack([np.bincount(coarse, weights=c) for c in counts]).astype(np.float64)
        weights = log_ratios([by_arm])[0][coarse]
        return cls(common, (weights,) * len(common), UNCUT, "alike")

    @classmethod
    def _fitted(
        cls, own: Sequence[Table], common: Sequence[Table], past: Sequence[Outcomes]
    ) -> JointScore:
        """Weights of coarse cells by regression; not cut into cells yet."""
        places: list[Coarse] = []
        start = 0
        for tables, cells in (*(([table], OWN_CELLS) for table in own), (common, COMMON_CELLS)):
            counts = np.sum([_counts(tables, arm) for arm in past], axis=0)
            place = start + _coarse(tables[0], counts, int(counts.sum()) // cells)
            places += [place] * len(tables)
            start = int(place.max()) + 1
        tables = (*own, *common)
        weights = _weights([_design(tables, places, arm, start) for arm in past])
        return cls(tables, tuple(weights[p] for p in places), UNCUT, "fitted together")

    def scores(self, outcomes: Outcomes) -> Array:
        """Score of each draw: large where the first arm is likelier."""
        total = np.zeros(len(outcomes))
        for start in range(0, total.size, ROWS_AT_A_TIME):
            rows = slice(start, start + ROWS_AT_A_TIME)
            block = outcomes[rows]
            for table, weight in zip(self.tables, self.weights, strict=True):
                total[rows] += weight[table.codes(block)]
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
        """The score in words; its expression adds the tables' weights."""
        terms = [table.lookup(w) for table, w in zip(self.tables, self.weights, strict=True)]
        columns = len({table.column for table in self.tables if table.name != "form"})
        subject = f"score of {columns} coordinates ({self.how})"
        return describe_score(self.cut.edges, cells, subject, " + ".join(["0.0", *terms]))


def _counts(tables: Sequence[Table], arm: Outcomes) -> NDArray[np.intp]:
    """Draws by cell, of tables with the same cells together."""
    codes = np.concatenate([table.codes(arm) for table in tables])
    return np.bincount(codes, minlength=tables[0].size)


def _common(encoder: Encoder, own: Sequence[Table], pooled: Outcomes) -> tuple[Table, ...]:
    """One table of the values of all coordinates, as a table of each of them."""
    width = len(own) - 1
    values = Outcomes(
        pooled.numbers[:, :width].reshape(-1, 1), pooled.categories[:, :width].reshape(-1, 1)
    )
    table = Table.fit(Encoder(None, encoder.labels), values, 0)
    return tuple(
        replace(table, column=t.column, name=t.name, number=t.number, kind=t.kind)
        for t in own[:width]
    )


def _coarse(table: Table, counts: NDArray[np.intp], least: int) -> Coarse:
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
    tables: Sequence[Table], places: Sequence[Coarse], outcomes: Outcomes, size: int
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
    spectrum = np.linalg.eigh((train.T @ train).astype(np.float64) / 4)
    best, weights = -np.inf, np.zeros(train.shape[1])
    for share in RIDGES:
        found = _logistic(train, first, max(LEAST_RIDGE, share * len(train)), spectrum)
        score = check @ found.astype(np.float32)
        likelihood = -float(np.logaddexp(0, np.where(first_check, -score, score)).sum())
        if likelihood > best:
            best, weights = likelihood, found
    return weights


def _logistic(
    design: NDArray[np.float32],
    first: NDArray[np.bool_],
    ridge: float,
    spectrum: tuple[Array, Array],
) -> Array:
    """Ridge estimate by Newton steps with the Hessian's bound X'X / 4, given by its spectrum."""
    values, vectors = spectrum
    inverse = (vectors / (values + ridge)) @ vectors.T
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        residual = first - (1 + np.tanh(design @ weights.astype(np.float32) / 2)) / 2
        weights += inverse @ (design.T @ residual.astype(np.float32) - ridge * weights)
    return weights
