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

from audit.engine.encode import RARE, Encoder, Outcomes
from audit.engine.partitions.locate import Locator
from audit.engine.partitions.score import MOST_SCORED, UNCUT, cut_scores, describe_score

__all__ = ["Logit"]

Array = NDArray[np.float64]

MOST_ROWS = 20_000
"""Draws of each arm that a fit reads."""

REACH = 10.0
"""Values are clipped this many interquartile ranges beyond the quartiles."""

MOST_LABELS = 16
"""Categories of a column that have a weight: the most frequent ones."""

LARGEST = 1e150
"""Magnitude beyond which values are not told apart: the fit must not overflow."""

RIDGE = 1.0
STEPS = 12
ROWS_AT_A_TIME = 4096


@final
@dataclass(frozen=True, slots=True)
class Value:
    """Weighted value of a column, clipped to [low, high]; no number counts as `high`."""

    column: int
    place: str
    low: float
    high: float
    weight: float = 1.0

    def of(self, outcomes: Outcomes) -> Array:
        """Its term of each draw."""
        values = np.fmax(self.low, np.fmin(self.high, outcomes.numbers[:, self.column]))
        return np.asarray(self.weight * values)

    def expression(self) -> str:
        """Its term in Python, equal to the last bit."""
        return f"{self.weight!r} * max({self.low!r}, min({self.high!r}, number({self.place})))"


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """Weight of one category of a column."""

    column: int
    place: str
    code: int
    label: str
    weight: float = 1.0

    def of(self, outcomes: Outcomes) -> Array:
        """Its term of each draw."""
        return np.where(outcomes.categories[:, self.column] == self.code, self.weight, 0.0)

    def expression(self) -> str:
        """Its term in Python."""
        return f"({self.weight!r} if {self.place} == {self.label!r} else 0.0)"


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
        features = [f for c in range(len(encoder.columns)) for f in _features(encoder, past, c)]
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


def _features(encoder: Encoder, past: Outcomes, column: int) -> list[Value | Kind]:
    """The number and the categories of a column, as far as they vary; not weighted yet."""
    name, coordinate = encoder.columns[column]
    place = f"z, {coordinate}"
    features: list[Value | Kind] = []
    values = past.numbers[past.categories[:, column] == 0, column]
    values = np.clip(values, -LARGEST, LARGEST)
    if values.size and values.max() - values.min() > 1 / LARGEST:
        lower, upper = np.quantile(values, [0.25, 0.75])
        reach = REACH * (upper - lower) if upper > lower else np.inf
        low, high = max(values.min(), lower - reach), min(values.max(), upper + reach)
        features.append(Value(column, place, float(low), float(high)))
    codes, counts = np.unique(past.categories[:, column], return_counts=True)
    call = "form(z)" if name == "form" else f"outcome({place})"
    if codes.size > 1:
        features += [
            Kind(column, call, code, encoder.label(code))
            for code in codes[np.argsort(-counts, kind="stable")][:MOST_LABELS].tolist()
            if code and encoder.label(code) != RARE
        ]
    return features


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
