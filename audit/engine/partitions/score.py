"""A score of several coordinates, cut into ordered cells: what naive Bayes and logit share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.engine.partitions.locate import Locator

__all__ = ["MOST_SCORED", "UNCUT", "cut_scores", "describe_score", "score_edges"]

SCORE_CELLS = 48
FURTHEST_TAIL = 14

MOST_SCORED = 2**15
"""Draws of each arm that the edges are placed by."""

UNCUT = Locator.fit(np.empty(0), np.empty(0))
"""One cell."""


def cut_scores(scores: NDArray[np.float64]) -> Locator:
    """Cells between the edges of some scores."""
    return Locator.fit(score_edges(scores), np.sort(scores))


def score_edges(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ascending edges: quantiles of some scores, and tails 2^-k at both ends."""
    levels = np.arange(1, SCORE_CELLS) / SCORE_CELLS
    tails = 2.0 ** -np.arange(6, FURTHEST_TAIL)
    ranks = np.concatenate([levels, tails, 1 - tails]) * scores.size
    return np.unique(np.sort(scores)[np.unique(ranks.astype(int))])


def describe_score(
    edges: NDArray[np.float64], cells: NDArray[np.bool_], subject: str, score: str
) -> tuple[str, str]:
    """A set of cells in words and as an expression, given both for the score itself.

    An edge closes the cell below it.
    """
    bounds = np.concatenate([[-np.inf], edges, [np.inf]])
    merged: list[tuple[float, float]] = []
    for cell in np.flatnonzero(cells):
        low, high = float(bounds[cell]), float(bounds[cell + 1])
        if merged and merged[-1][1] == low:
            low = merged.pop()[0]
        merged.append((low, high))
    words = " or ".join(f"in ({low:.4g}, {high:.4g}]" for low, high in merged)
    tests = " or ".join(f"{_bound(low)} < s <= {_bound(high)}" for low, high in merged)
    return f"{subject} {words or 'never'}", f"any({tests or 'False'} for s in [{score}])"


def _bound(x: float) -> str:
    """Python source of an edge of the score."""
    return repr(x) if np.isfinite(x) else f"float('{x}')"
