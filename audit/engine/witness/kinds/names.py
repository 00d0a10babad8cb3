"""A set of names: categories of a coordinate, forms of an output, exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import RARE, Outcomes
from audit.draws.output_words import MISSING, said
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.readable_kind import Stated

__all__ = ["MOST_NAMES", "Names", "propose_names"]

MOST_NAMES = 8
"""As many as a sentence lists."""

MOST_COLUMNS = 24
"""As many coordinates as pairs are looked at of."""

UNSAID = (MISSING, RARE)
"""Labels that no event is of: the form names what is missing, and rare ones share a code."""


@final
@dataclass(frozen=True, slots=True)
class Names:
    """That a coordinate, or the form of an output, has one of some labels.

    Parameters
    ----------
    column : int
        Of the encoded draws.
    name : str
        Of the coordinate, "form" for the form.
    coordinate : int or str or None
        Its place or name in an output.
    codes, labels
        Of the labels, in one order.
    """

    column: int
    name: str
    coordinate: int | str | None
    codes: tuple[int, ...]
    labels: tuple[str, ...]

    @property
    def pieces(self) -> int:
        """Names."""
        return len(self.labels)

    @property
    def ends(self) -> tuple[float, ...]:
        """Nothing to round."""
        return ()

    def with_ends(self, ends: Sequence[float]) -> Names:  # noqa: ARG002 - there are none
        """The same."""
        return self

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in it."""
        return np.isin(outcomes.categories[:, self.column], self.codes)

    def describe(self) -> tuple[str, str]:
        """Words and expression."""
        return said(self.name, self.coordinate, self.labels)

    def as_json(self) -> Stated:
        """The coordinate and the labels."""
        of = "the form of the output" if self.name == "form" else self.name
        return {"kind": "names", "of": of, "labels": list(self.labels)}


def propose_names(arms: Arms) -> Sequence[Names]:
    """The sets with the largest gaps in standard errors, one for each column and price."""
    found: dict[Names, None] = {}
    unsaid = [arms.encoder.labels.get(label, -1) for label in UNSAID]
    for column, (name, coordinate) in enumerate(arms.encoder.columns):
        if column >= MOST_COLUMNS and name != "form":
            continue
        codes = [arm.categories[:, column] for arm in arms.both]
        size = max(int(c.max(initial=0)) for c in codes) + 1
        x, y = (np.bincount(c, minlength=size).astype(float) for c in codes)
        x[[0, *(code for code in unsaid if 0 < code < size)]] = 0  # no name
        for gains in arms.gains(x, y):
            falling = np.argsort(-gains, kind="stable")[:MOST_NAMES]
            chosen = tuple(sorted(int(code) for code in falling if gains[code] > 0 and x[code] > 0))
            if chosen:
                labels = tuple(arms.encoder.label(code) for code in chosen)
                found[Names(column, name, coordinate, chosen, labels)] = None
    return list(found)
