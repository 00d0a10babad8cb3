"""Projection of a vector output on the difference of the two data sets.

    score(z) = sum over coordinates i of  (neighbor_i - data_i) max(l_i, min(h_i, z_i))

Where noise is added to a vector of answers or bits, the outputs move as the data do, and in which
direction need not be learned from draws: in 100 coordinates that takes tens of thousands. For
Gaussian noise this score is the likelihood ratio. The pair determines it, so all draws count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.linear_score import LinearScore
from audit.engine.partitions.score_table import ScoreTable
from audit.engine.partitions.terms import Value, terms_of

__all__ = ["fit_projection", "shift_of"]


def fit_projection(encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[ScoreTable]:
    """One, where the data sets differ in two or more of as many numbers as outputs have."""
    shift = encoder.shift
    if shift is None or shift.size != encoder.width:
        return []
    past = Outcomes.concatenate([arm, other_arm])
    terms = tuple(
        replace(term, weight=float(shift[column]))
        for column in np.flatnonzero(shift).tolist()
        for term in terms_of(encoder, past, column)
        if isinstance(term, Value)
    )
    if len(terms) < 2:
        return []
    score = LinearScore(terms, "projection on the difference of the data sets,")
    return [ScoreTable.fit(score, [arm, other_arm], supervised=False)]


def shift_of(data: Any, neighbor: Any) -> NDArray[np.float64] | None:
    """Difference of two data sets of as many numbers, the largest of magnitude 1; else None."""
    try:
        first, second = (np.asarray(x, dtype=np.float64).reshape(-1) for x in (data, neighbor))
    except (TypeError, ValueError, OverflowError):
        return None
    if first.size != second.size or first.size < 2:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        shift = second / 2 - first / 2
    largest = float(np.abs(shift).max())
    return shift / largest if np.isfinite(largest) and largest > 0 else None
