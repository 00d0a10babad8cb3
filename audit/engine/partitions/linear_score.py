"""A linear score: a sum of clipped and weighted values, and weights of categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.partitions.locate import Locator
from audit.engine.partitions.score_table import describe_score
from audit.engine.partitions.terms import CategoryWeight, Value

__all__ = ["LinearScore"]


@final
@dataclass(frozen=True, slots=True)
class LinearScore:
    """Sum of terms.

    Parameters
    ----------
    terms : tuple of Value or CategoryWeight
        Of the columns.
    name : str
        What the score is called, before "of 3 coordinates".
    """

    terms: tuple[Value | CategoryWeight, ...]
    name: str

    def of(self, outcomes: Outcomes) -> NDArray[np.float64]:
        """Score of each draw."""
        total = np.zeros(len(outcomes))
        for term in self.terms:
            total += term.of(outcomes)
        return total

    def describe(self, cut: Locator, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """The score in words; its expression adds the weighted columns."""
        columns = len({term.column for term in self.terms})
        score = " + ".join(["0.0", *(term.expression() for term in self.terms)])
        return describe_score(cut.edges, cells, f"{self.name} of {columns} coordinates", score)
