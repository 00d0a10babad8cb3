"""A union of at most three intervals of one coordinate; a tail and a single value are such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.witness.kinds.conditions import Condition
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.readable_kind import Stated, numeric_columns
from audit.engine.witness.kinds.segments import Cells, best_runs

__all__ = ["MOST_INTERVALS", "Union", "propose_unions"]

Array = NDArray[np.float64]

MOST_INTERVALS = 3
"""What a reader takes in at once; more pieces are told by three of them."""

MOST_COLUMNS = 24
"""As many coordinates as pairs are looked at of."""


@final
@dataclass(frozen=True, slots=True)
class Union:
    """That one coordinate lies in one of some intervals."""

    condition: Condition

    @property
    def pieces(self) -> int:
        """Intervals."""
        return len(self.condition.intervals)

    @property
    def ends(self) -> tuple[float, ...]:
        """Ends that may be rounded."""
        return self.condition.ends

    def with_ends(self, ends: Sequence[float]) -> Union:
        """The same with other ends."""
        return replace(self, condition=self.condition.with_ends(iter(ends)))

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in it."""
        return self.condition.holds(outcomes)

    def describe(self) -> tuple[str, str]:
        """Words and expression."""
        return self.condition.describe()

    def as_json(self) -> Stated:
        """The coordinate and its intervals."""
        return {"kind": "intervals", **self.condition.as_json()}


def propose_unions(arms: Arms) -> Sequence[Union]:
    """The best tail, and the best union of one, two and three intervals, of all coordinates.

    Best is what has the largest gap in standard errors. A tail has one end to choose, so chance has
    little to say in it.
    """
    best: dict[int, tuple[float, Union]] = {}
    for column in numeric_columns(arms.encoder.columns, arms.both, MOST_COLUMNS):
        cells = Cells.of(*(arm.numbers[:, column] for arm in arms.both))
        x, y = (cells.count(arm.numbers[:, column]) for arm in arms.both)
        by_price = best_runs(arms.gains(x, y), MOST_INTERVALS)
        tried = {(1 + count, tuple(runs)) for of in by_price for count, runs in enumerate(of)}
        tried |= {(0, (run,)) for run in _best_tails(arms, x, y)}
        for kind, runs in sorted(tried):
            inside = np.zeros(len(cells), dtype=bool)
            for first, last in runs:
                inside[first : last + 1] = True
            if inside.any() and not inside.all():
                z = float(arms.z(x[inside].sum(), y[inside].sum()))
                if kind not in best or z > best[kind][0]:
                    name, coordinate = arms.encoder.columns[column]
                    intervals = tuple(map(cells.ends, runs))
                    best[kind] = z, Union(Condition(column, name, coordinate, intervals))
    return [best[kind][1] for kind in sorted(best)]


def _best_tails(arms: Arms, x: Array, y: Array) -> list[tuple[int, int]]:
    """The first cells, and the last ones, with the largest z."""
    if x.size < 2:
        return []
    up = int(np.argmax(arms.z(x.cumsum()[:-1], y.cumsum()[:-1])))
    down = int(np.argmax(arms.z(x[::-1].cumsum()[:-1], y[::-1].cumsum()[:-1])))
    return [(0, up), (x.size - 1 - down, x.size - 1)]
