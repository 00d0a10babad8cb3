"""Joint score of a vector output: a weight for each cell of each coordinate, fitted together.

    score(z) = sum over coordinates i of  w_i[cell of z_i] + u[common cell of z_i]

by ridge logistic regression of the arm on coarse cells. Naive Bayes counts twice what dependent
coordinates say twice (a value, and the stop after it), and the linear score sees values only as
far as they shift. The common cells, of all coordinates together, have one weight for all of them:
of many alike coordinates none tells enough to be learned alone. Weights come from the first half
of the past (how strongly they are shrunk, from a quarter of it), the cells from the second half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.encode import Encoder, Outcomes
from audit.engine.partitions.score import describe_score, score_edges
from audit.engine.partitions.table import Table

__all__ = ["JointScore"]

Array = NDArray[np.float64]

GROUPS = 8
"""Coarse cells of a coordinate's numbers, of about equal mass."""

MOST_WEIGHTS = 400
MOST_ROWS = 100_000
"""Draws of each arm that a fit reads."""

RIDGES = (1e-4, 1e-2, 1.0)
"""Candidates for the ridge, in units of the number of draws."""

LEAST_RIDGE = 3.0
STEPS = 12
ROWS_AT_A_TIME = 8192


@final
@dataclass(frozen=True, slots=True)
class JointScore:
    """Partition by a score that adds one weight for each coordinate.

    Parameters
    ----------
    tables : tuple of Table
        Of every column, and the common table as one of each coordinate.
    weights : tuple of ndarray of float
        For each table the weights of its cells.
    edges : ndarray of float
        Ascending edges of the score.
    """

    tables: tuple[Table, ...]
    weights: tuple[Array, ...]
    edges: Array

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[JointScore]:
        """One, for a vector layout of two coordinates or more, but not very many."""
        columns = len(encoder.columns)
        if encoder.width is None or encoder.width < 2 or (columns + 1) * GROUPS > MOST_WEIGHTS:
            return []
        half = len(arm) // 2
        past = [a[slice(min(half, MOST_ROWS))] for a in (arm, other_arm)]
        pooled = Outcomes.concatenate(past)
        own = [Table.fit(encoder, pooled, column) for column in range(columns)]
        common = _common_tables(encoder, own, pooled)
        groups = [_groups(table, pooled) for table in own]
        shared = _groups_of_all(common, pooled)
        tables = (*own, *common)
        places = _places(groups, [shared] * len(common))
        weights = _weights(tables, places, past)
        unscored = cls(tables, tuple(weights[place] for place in places), np.empty(0))
        rest = [a[slice(half, None)] for a in (arm, other_arm)]
        scores = np.concatenate([unscored.scores(a) for a in rest])
        return [replace(unscored, edges=score_edges(scores))]

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
        """The score in words; its expression adds the tables' weights."""
        terms = [table.lookup(w) for table, w in zip(self.tables, self.weights, strict=True)]
        columns = len({table.column for table in self.tables if table.name != "form"})
        subject = f"joint score of {columns} coordinates"
        return describe_score(self.edges, cells, subject, " + ".join(["0.0", *terms]))


def _common_tables(encoder: Encoder, own: Sequence[Table], pooled: Outcomes) -> list[Table]:
    """One table of the values of all coordinates, as a table of each of them."""
    width = len(own) - 1
    values = Outcomes(
        pooled.numbers[:, :width].reshape(-1, 1), pooled.categories[:, :width].reshape(-1, 1)
    )
    table = Table.fit(replace_layout(encoder), values, 0)
    return [
        replace(table, column=t.column, name=t.name, number=t.number, kind=t.kind)
        for t in own[:width]
    ]


def replace_layout(encoder: Encoder) -> Encoder:
    """The encoder of single values with the same labels."""
    return Encoder(None, encoder.labels)


def _groups(table: Table, pooled: Outcomes) -> NDArray[np.intp]:
    """Coarse group of each cell of a table."""
    return _coarse(table, np.bincount(table.codes(pooled), minlength=table.size))


def _groups_of_all(common: Sequence[Table], pooled: Outcomes) -> NDArray[np.intp]:
    """Coarse group of each cell of the common table."""
    counts = sum(np.bincount(t.codes(pooled), minlength=t.size) for t in common)
    return _coarse(common[0], np.asarray(counts))


def _coarse(table: Table, counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Ordered cells by their middle mass, each category for itself; without gaps."""
    numbers = counts[: table.ordered]
    middle = (np.cumsum(numbers) - numbers / 2) / max(1, int(numbers.sum()))
    group = np.append(
        np.minimum((GROUPS * middle).astype(np.intp), GROUPS - 1),
        GROUPS + np.minimum(np.arange(table.size - table.ordered), GROUPS - 1),
    )
    return np.unique(group, return_inverse=True)[1].astype(np.intp)


def _places(
    groups: Sequence[NDArray[np.intp]], shared: Sequence[NDArray[np.intp]]
) -> list[NDArray[np.intp]]:
    """Index of the weight of each cell: groups of their own first, then the common ones."""
    places, start = [], 0
    for group in groups:
        places.append(start + group)
        start += int(group.max()) + 1
    return [*places, *(start + group for group in shared)]


def _weights(
    tables: Sequence[Table], places: Sequence[NDArray[np.intp]], past: Sequence[Outcomes]
) -> Array:
    """Weights by ridge logistic regression; the ridge that tells a last quarter apart best."""
    size = max(int(place.max()) for place in places) + 1
    design = [_counts(tables, places, arm, size) for arm in past]
    cut = 3 * len(past[0]) // 4
    train, check = (
        np.concatenate([d[rows] for d in design]) for rows in (slice(cut), slice(cut, None))
    )
    center = train.mean(axis=0)
    train, check = train - center, check - center
    first, first_check = (np.arange(len(d)) < len(d) // 2 for d in (train, check))
    values, vectors = np.linalg.eigh((train.T @ train).astype(np.float64) / 4)
    best, weights = -np.inf, np.zeros(size)
    for share in RIDGES:
        ridge = max(LEAST_RIDGE, share * len(train))
        found = _logistic(train, first, ridge, (values, vectors))
        score = check @ found.astype(np.float32)
        likelihood = -float(np.logaddexp(0, np.where(first_check, -score, score)).sum())
        if likelihood > best:
            best, weights = likelihood, found
    return weights


def _counts(
    tables: Sequence[Table], places: Sequence[NDArray[np.intp]], outcomes: Outcomes, size: int
) -> NDArray[np.float32]:
    """How many columns of each draw are in the cells of each weight, shape (n, size)."""
    design = np.zeros((len(outcomes), size), dtype=np.float32)
    rows = np.arange(len(outcomes))
    for table, place in zip(tables, places, strict=True):
        design[rows, place[table.codes(outcomes)]] += 1
    return design


def _logistic(
    design: NDArray[np.float32],
    first: NDArray[np.bool_],
    ridge: float,
    bound: tuple[Array, Array],
) -> Array:
    """Ridge estimate by Newton steps with the Hessian's bound X'X / 4, given by its spectrum."""
    values, vectors = bound
    inverse = (vectors / (values + ridge)) @ vectors.T
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        residual = first - (1 + np.tanh(design @ weights.astype(np.float32) / 2)) / 2
        weights += inverse @ (design.T @ residual.astype(np.float32) - ridge * weights)
    return weights
