"""A few remainders of an integer coordinate by a small number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.partitions.residues import MODULI, Residues, integer_columns
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.readable_kind import Stated

__all__ = ["MOST_REMAINDERS", "Remainders", "propose_remainders"]

MOST_REMAINDERS = 8
"""As many as a sentence lists."""

SMALL = tuple(modulus for modulus in MODULI if modulus <= 128)
"""Moduli of which each remainder has a cell."""


@final
@dataclass(frozen=True, slots=True)
class Remainders:
    """That a coordinate is an integer with one of some remainders."""

    residues: Residues
    chosen: tuple[int, ...]

    @property
    def pieces(self) -> int:
        """Remainders; that nothing is left over says less than any other."""
        return len(self.chosen) + (0 in self.chosen)

    @property
    def ends(self) -> tuple[float, ...]:
        """Nothing to round."""
        return ()

    def with_ends(self, ends: Sequence[float]) -> Remainders:  # noqa: ARG002 - there are none
        """The same."""
        return self

    @property
    def _cells(self) -> NDArray[np.bool_]:
        return np.isin(np.arange(self.residues.size), self.chosen)

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in it."""
        return np.asarray(self._cells[self.residues.codes(outcomes)])

    def describe(self) -> tuple[str, str]:
        """Words and expression."""
        return self.residues.describe(self._cells)

    def as_json(self) -> Stated:
        """The coordinate, the modulus and the remainders."""
        return {
            "kind": "remainders",
            "of": self.residues.name,
            "modulus": self.residues.modulus,
            "remainders": list(self.chosen),
        }


def propose_remainders(arms: Arms) -> Sequence[Remainders]:
    """The sets with the largest gaps in standard errors, one for each column and modulus."""
    found = []
    for parity in integer_columns(arms.encoder, *arms.both):
        for modulus in SMALL:
            residues = replace(parity, modulus=modulus)
            chosen = _best_set(arms, residues)
            if chosen:
                found.append(Remainders(residues, chosen))
    return found


def _best_set(arms: Arms, residues: Residues) -> tuple[int, ...]:
    """Of the remainders of one column by one modulus."""
    x, y = (
        np.bincount(residues.codes(arm), minlength=residues.size)[:-1].astype(float)
        for arm in arms.both
    )
    best = -np.inf
    chosen: tuple[int, ...] = ()
    for gains in arms.gains(x, y):
        falling = np.argsort(-gains, kind="stable")[:MOST_REMAINDERS]
        inside = falling[gains[falling] > 0]
        if inside.size and inside.size < residues.modulus:
            z = float(arms.z(x[inside].sum(), y[inside].sum()))
            if z > best:
                best, chosen = z, tuple(sorted(map(int, inside)))
    return chosen
