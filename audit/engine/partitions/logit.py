"""Linear score of a vector output, by ridge logistic regression, cut into an ordered table.

    score(z) = sum over columns i of  w_i max(l_i, min(h_i, z_i)) + v_i[category of z_i]

Where shifts of many dependent or dense coordinates add up, one linear score sees them at once.
What it cannot see is a corner where all log-ratios saturate: naive Bayes does.
The weights come from the first half of the past, the cells from the second half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.halves import counted_part, learned_part
from audit.engine.partitions.linear_score import LinearScore
from audit.engine.partitions.logistic import ridge_logistic
from audit.engine.partitions.score_table import ScoreTable
from audit.engine.partitions.terms import CategoryWeight, Value, terms_of

__all__ = ["fit_logit"]

MOST_ROWS = 20_000
"""Draws of each arm that a fit reads."""

RIDGE = 1.0
STEPS = 12


def fit_logit(encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[ScoreTable]:
    """One, for a vector layout in which two columns or more vary."""
    if encoder.width is None:
        return []
    arms = (arm, other_arm)
    past = Outcomes.concatenate([learned_part(a)[slice(MOST_ROWS)] for a in arms])
    features = [f for c in range(len(encoder.columns)) for f in terms_of(encoder, past, c)]
    if len({feature.column for feature in features}) < 2:
        return []
    score = LinearScore(tuple(_weighted(features, past)), "linear score")
    return [ScoreTable.fit(score, [counted_part(a) for a in arms])]


def _weighted(
    features: Sequence[Value | CategoryWeight], past: Outcomes
) -> list[Value | CategoryWeight]:
    """The features with the weights of a ridge logistic regression of the arm."""
    design = np.column_stack([feature.of(past) for feature in features])
    low, high = design.min(axis=0), design.max(axis=0)
    design = (design - low) / (high - low)
    scale = design.std(axis=0)
    first = np.arange(len(past)) < len(past) // 2
    design = (design - design.mean(axis=0)) / scale
    inverse = np.linalg.inv(design.T @ design / 4 + RIDGE * np.eye(design.shape[1]))
    weights = ridge_logistic(design, first, RIDGE, inverse, STEPS) / scale / (high - low)
    return [
        replace(feature, weight=float(weight))
        for feature, weight in zip(features, weights, strict=True)
    ]
