"""Linear score of a vector output, by ridge logistic regression, cut into an ordered table.

    score(z) = sum over columns i of  w_i max(l_i, min(h_i, z_i)) + v_i[category of z_i]

Where shifts of many dependent or dense coordinates add up, one linear score sees them at once.
What it cannot see is a corner where all log-ratios saturate (ENGINE section 3): naive Bayes does.
The weights come from the first half of the past, the cells from the second half.
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
from audit.engine.partitions.terms import Kind, Value, terms_of

__all__ = ["Logit"]

Array = NDArray[np.float64]

MOST_ROWS = 20_000
"""Draws of each arm that a fit reads."""

RIDGE = 1.0
STEPS = 12
ROWS_AT_A_TIME = 4096


@final
@dataclass(frozen=True, slots=True)
class Logit:
    """Partition by a linear score.

    Parameters
    ----------
    terms : tuple of Value or Kind
        Terms of the score.
    cut : Locator
        Edges of the score.
    """

    terms: tuple[Value | Kind, ...]
    cut: Locator

    @classmethod
    def fit_columns(cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[Logit]:
        """One, for a vector layout in which two columns or more vary."""
        if encoder.width is None:
            return []
        half = len(arm) // 2
        fitted = slice(min(half, MOST_ROWS))
        past = Outcomes.concatenate([arm[fitted], other_arm[fitted]])
        features = [f for c in range(len(encoder.columns)) for f in terms_of(encoder, past, c)]
        if len({feature.column for feature in features}) < 2:
            return []
        unscored = cls(tuple(_weighted(features, past)), UNCUT)
        rest = [a[slice(half, half + MOST_SCORED)] for a in (arm, other_arm)]
        scores = np.concatenate([unscored.scores(outcomes) for outcomes in rest])
        return [cls(unscored.terms, cut_scores(scores))]

    def scores(self, outcomes: Outcomes) -> Array:
        """Score of each draw: large where the first arm is likelier."""
        total = np.zeros(len(outcomes))
        for start in range(0, total.size, ROWS_AT_A_TIME):
            rows = slice(start, start + ROWS_AT_A_TIME)
            for term in self.terms:
                total[rows] += term.of(outcomes[rows])
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
        """The score in words; its expression adds the weighted columns."""
        columns = len({term.column for term in self.terms})
        score = " + ".join(["0.0", *(term.expression() for term in self.terms)])
        return describe_score(
            self.cut.edges, cells, f"linear score of {columns} coordinates", score
        )


def _weighted(features: Sequence[Value | Kind], past: Outcomes) -> list[Value | Kind]:
    """The features with the weights of a ridge logistic regression of the arm."""
    design = np.column_stack([feature.of(past) for feature in features])
    low, high = design.min(axis=0), design.max(axis=0)
    design = (design - low) / (high - low)
    scale = design.std(axis=0)
    first = np.arange(len(past)) < len(past) // 2
    weights = _logistic((design - design.mean(axis=0)) / scale, first) / scale / (high - low)
    return [
        replace(feature, weight=float(weight))
        for feature, weight in zip(features, weights, strict=True)
    ]


def _logistic(design: Array, first: NDArray[np.bool_]) -> Array:
    """Ridge estimate of the weights by Newton steps with the Hessian's bound X'X / 4.

    The bound (Boehning and Lindsay, 1988) is factored once, and every step raises the likelihood;
    where the arms hardly differ, which is where power matters, it is nearly exact.
    """
    bound = design.T @ design / 4 + RIDGE * np.eye(design.shape[1])
    inverse = np.linalg.inv(bound)
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        residual = first - (1 + np.tanh(design @ weights / 2)) / 2
        weights += inverse @ (design.T @ residual - RIDGE * weights)
    return weights
