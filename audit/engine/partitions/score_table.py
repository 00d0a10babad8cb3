"""A partition by a score of several coordinates, cut into ordered cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.partitions.line_pieces import MOST_PIECES_IN_WORDS, such_as
from audit.engine.partitions.locate import Locator

__all__ = ["Score", "ScoreTable", "describe_score", "scores_of"]

Array = NDArray[np.float64]

SCORE_CELLS = 48
FURTHEST_TAIL = 14

MOST_SCORED = 2**15
"""Draws of each arm that the edges are placed by."""

ROWS_AT_A_TIME = 8192


class Score(Protocol):
    """A number for each draw, large where the first arm is likelier."""

    def of(self, outcomes: Outcomes) -> Array:
        """Score of each draw of a block, shape (n,)."""
        ...

    def describe(self, cut: Locator, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """A set of cells between the edges of `cut` in words and as an expression in `z`."""
        ...


@final
@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Partition by a score.

    Parameters
    ----------
    score : Score
        Of each draw.
    cut : Locator
        Edges of the score; an edge closes the cell below it.
    supervised : bool
        Whether the score was learned from the first half of the past.
    """

    score: Score
    cut: Locator
    supervised: bool = True
    feature: ClassVar[str] = "score"
    reads: ClassVar[None] = None

    @classmethod
    def fit(cls, score: Score, arms: Sequence[Outcomes], *, supervised: bool = True) -> ScoreTable:
        """Cut a score by the draws of both arms, at most `MOST_SCORED` of each."""
        scores = np.concatenate([scores_of(score, arm[slice(MOST_SCORED)]) for arm in arms])
        return cls(score, Locator.fit(score_edges(scores), np.sort(scores)), supervised)

    @property
    def ordered(self) -> int:
        """All cells are ordered by the score."""
        return self.size

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.cut.edges.size + 1

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""
        return self.cut(scores_of(self.score, outcomes))

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """The score in words, and an expression that adds its terms."""
        return self.score.describe(self.cut, cells)


def scores_of(score: Score, outcomes: Outcomes) -> Array:
    """Score of each draw, some rows at a time."""
    rows = range(0, len(outcomes), ROWS_AT_A_TIME)
    blocks = [score.of(outcomes[slice(first, first + ROWS_AT_A_TIME)]) for first in rows]
    return np.concatenate([np.empty(0), *blocks])


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
    intervals = [f"({low:.4g}, {high:.4g}]" for low, high in merged]
    words = " or ".join(f"in {interval}" for interval in intervals)
    if len(intervals) > MOST_PIECES_IN_WORDS:
        words = f"in {such_as(intervals, 'intervals')}"
    tests = " or ".join(f"{_bound(low)} < s <= {_bound(high)}" for low, high in merged)
    return f"{subject} {words or 'never'}", f"any({tests or 'False'} for s in [{score}])"


def _bound(x: float) -> str:
    """Python source of an edge of the score."""
    return repr(x) if np.isfinite(x) else f"float('{x}')"
