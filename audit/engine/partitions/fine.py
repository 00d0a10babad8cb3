"""A finer table of a single continuous value, for functions that are learned of many cells.

Intervals that the quantiles of the ordinary table cut through show in its cells as a part of what
they lose. Events that are chosen one by one gain nothing from finer cells; a function that is
learned with the cells' neighbors (`experts.learned_ratios`) does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.column_table import ColumnTable

__all__ = ["fit_fine"]

FEWEST_CELLS, MOST_CELLS, DRAWS_TO_A_CELL = 128, 512, 2
"""Quantiles: one for 2 draws of each arm, chosen with rows "six" and "stripes" of
benchmarks/power.py."""

CONTINUOUS = 0.5
"""Share of the values that must come once."""


def fit_fine(encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[ColumnTable]:
    """One, for single values that are mostly different."""
    if encoder.width is not None:
        return []
    values = np.concatenate([a.numbers[a.categories[:, 0] == 0, 0] for a in (arm, other_arm)])
    if np.unique(values).size <= CONTINUOUS * (len(arm) + len(other_arm)):
        return []
    quantiles = min(MOST_CELLS, max(FEWEST_CELLS, len(arm) // DRAWS_TO_A_CELL))
    return [ColumnTable.fit(encoder, (arm, other_arm), 0, quantiles=quantiles)]
