"""A readable event for a vector output: thresholds on one or two coordinates, joined by "and".

The score of naive Bayes finds a violation but nobody can read it. From the same past draws this
looks for a corner of two coordinates that shows the violation too; fresh draws then say how well.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.betting import z_score
from audit.engine.partitions.table import ColumnTable

__all__ = ["Box", "find_box"]

MOST_COLUMNS = 8


@final
@dataclass(frozen=True, slots=True)
class Box:
    """Conjunction of sets of cells, one table a condition, and its z on the past."""

    conditions: tuple[tuple[ColumnTable, NDArray[np.bool_]], ...]
    z: float

    def contains(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in the box."""
        inside = np.ones(len(outcomes), dtype=bool)
        for table, cells in self.conditions:
            inside &= cells[table.codes(outcomes)]
        return inside

    def describe(self) -> tuple[str, str]:
        """Words and Python expression; what every output meets is left out."""
        described = [
            table.describe(cells)
            for table, cells in self.conditions
            if table.labels or not cells[: table.ordered].all()
        ]
        sentence = " and ".join(words for words, _ in described)
        return sentence, " and ".join(f"({expression})" for _, expression in described)


def find_box(
    encoder: Encoder, likelier: Outcomes, other: Outcomes, line: tuple[float, float]
) -> Box | None:
    """Find the corner of two coordinates whose gap p - s q - t is largest in standard errors.

    Looks at the first `MOST_COLUMNS` columns of numbers; None where there are fewer than two.
    """
    pooled = Outcomes.concatenate([likelier, other])
    columns = range(min(len(encoder.columns), MOST_COLUMNS))
    tables = [ColumnTable.fit(encoder, pooled, column) for column in columns]
    tables = [table for table in tables if table.ordered > 1]
    codes = [(table.codes(likelier), table.codes(other)) for table in tables]
    best: Box | None = None
    for first, second in combinations(range(len(tables)), 2):
        table, other_table = tables[first], tables[second]
        full = (table.size, other_table.size)
        shape = (table.ordered, other_table.ordered)
        arms = [
            np.bincount(
                codes[first][arm] * full[1] + codes[second][arm], minlength=full[0] * full[1]
            ).reshape(full)[: shape[0], : shape[1]]
            for arm in (0, 1)
        ]
        for flip in ((), (0,), (1,), (0, 1)):
            corners = [_corner_counts(counts, flip) for counts in arms]
            z = _gap_scores(corners[0], corners[1], len(likelier), line)
            at = np.unravel_index(int(np.argmax(z)), shape)
            if best is None or z[at] > best.z:
                cells = [
                    _half_line(size, ordered, int(place), axis in flip)
                    for axis, (size, ordered, place) in enumerate(zip(full, shape, at, strict=True))
                ]
                shown = (_widened(cells[0], codes[first]), _widened(cells[1], codes[second]))
                conditions = ((table, shown[0]), (other_table, shown[1]))
                best = Box(conditions, float(z[at]))
    if best is None or all(cells[: table.ordered].all() for table, cells in best.conditions):
        return None
    return best


def _half_line(size: int, ordered: int, place: int, upwards: bool) -> NDArray[np.bool_]:
    """Cells of numbers up to a place, or from it on."""
    cells = np.arange(size)
    return (cells < ordered) & ((cells >= place) if upwards else (cells <= place))


def _widened(
    cells: NDArray[np.bool_], codes: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> NDArray[np.bool_]:
    """All cells, if the past had no draw in the others: a condition that nothing failed."""
    return np.ones_like(cells) if all(cells[arm].all() for arm in codes) else cells


def _corner_counts(counts: NDArray[np.intp], flip: tuple[int, ...]) -> NDArray[np.intp]:
    """Counts of {cells up to here} in both axes; {from here on} in the flipped ones."""
    flipped = np.flip(counts, flip)
    return np.flip(flipped.cumsum(axis=0).cumsum(axis=1), flip)


def _gap_scores(
    hits: NDArray[np.intp], other_hits: NDArray[np.intp], draws: int, line: tuple[float, float]
) -> NDArray[np.float64]:
    p, q = (hits + 0.5) / (draws + 1), (other_hits + 0.5) / (draws + 1)
    return z_score(p, q, *(np.array(float(x)) for x in (draws, *line)))
