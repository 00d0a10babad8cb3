"""Remainders of integers: what an output is modulo small numbers and powers of two.

A sum of cents with noise rounded to 5 gives its last digit away, a doubled count its parity. No
interval of values shows it. The first half of the past chooses which remainders are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.draws.leaf_words import COMMON_MULTIPLE, LARGEST_EXACT
from audit.engine.partitions.halves import learned_part
from audit.engine.partitions.intervals import runs
from audit.engine.partitions.line_pieces import MOST_PIECES_IN_WORDS
from audit.engine.partitions.shrinkage import signal_share

__all__ = ["MODULI", "Residues", "integer_columns"]

MODULI = (2, 3, 5, 7, 10, 100, 2**3, 2**4, 2**6, 2**8, 2**10, 2**12, 2**14, 2**16)
"""All of them divide `COMMON_MULTIPLE`, so that large integers need not be kept."""

MOST_CELLS = 128
"""Of larger moduli a cell is an interval of remainders."""

FEWEST_VALUES = 8
"""Of fewer different integers the table has a cell each."""

MOST_COLUMNS = 16
MOST_CHOSEN = 2
"""Remainders that are counted, of all columns together: those that tell the arms apart best."""

MOST_ROWS = 20_000
"""Draws of each arm that the choice reads."""

GLANCE = 64
"""Draws that are looked at first: of a continuous column they hold a fraction."""

READS = 1_000_000
"""First draws of each arm that are looked at: what remainders have to tell, they tell early."""


@final
@dataclass(frozen=True, slots=True)
class Residues:
    """Cells by the remainder of one column by one modulus; a cell for what is no integer."""

    column: int
    name: str
    coordinate: int | str | None
    modulus: int
    feature: ClassVar[str] = "value"  # an integer's remainder is none of its representation
    supervised: ClassVar[bool] = True  # the first half of the past chose the modulus
    reads: ClassVar[int] = READS

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[Residues]:
        """Those whose counts differ most, of the first columns of integers; often none."""
        half = [learned_part(a)[slice(MOST_ROWS)] for a in (arm, other_arm)]
        shares = {}
        for parity in integer_columns(encoder, arm, other_arm):
            for modulus in MODULI:
                residues = replace(parity, modulus=modulus)
                counts = (np.bincount(residues.codes(a), minlength=residues.size) for a in half)
                shares[residues] = signal_share(*counts)
        telling = [residues for residues in shares if shares[residues] > 0]
        return sorted(telling, key=lambda residues: -shares[residues])[:MOST_CHOSEN]

    @property
    def _width(self) -> int:
        """Remainders in a cell."""
        return max(1, self.modulus // MOST_CELLS)

    @property
    def ordered(self) -> int:
        """Neighboring remainders lie together only where a cell is an interval of them."""
        return self.size - 1 if self._width > 1 else 0

    @property
    def size(self) -> int:
        """The remainders, or intervals of them, and what is no integer."""
        return self.modulus // self._width + 1

    @property
    def ordinary(self) -> NDArray[np.bool_]:
        """The cell of remainder 0, shape (K,): what is left over says more than that nothing is."""
        return np.asarray(np.arange(self.size) == 0)

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""
        values = outcomes.numbers[:, self.column]
        whole = np.abs(values) <= LARGEST_EXACT  # False for NaN
        integers = np.where(whole, values, 0).astype(np.int64)
        whole &= integers == values
        residues = integers - integers // self.modulus * self.modulus
        if outcomes.details is not None:
            details = outcomes.details[:, self.column]
            large = (details >= 0) & (details < COMMON_MULTIPLE)
            residues = np.where(large, details % self.modulus, residues)
            whole |= large
        return np.where(whole, residues // self._width, self.size - 1)

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """A set of remainders in words."""
        place = "" if self.coordinate is None else f", {self.coordinate!r}"
        left = f"residue(z, {self.modulus}{place})"
        chosen = np.flatnonzero(cells[:-1]).tolist()
        pieces, tests = [], []
        if chosen:
            pieces.append(f"{self.name} mod {self.modulus} is {self._words(cells[:-1])}")
            which = left if self._width == 1 else f"{left} // {self._width}"
            tests.append(f"{which} {f'== {chosen[0]}' if len(chosen) == 1 else f'in {chosen}'}")
        if cells[-1]:
            pieces.append(f"{self.name} is no integer")
            tests.append(f"{left} != {left}")
        return " or ".join(pieces) or "never", " or ".join(tests) or "False"

    def _words(self, chosen: NDArray[np.bool_]) -> str:
        """Remainders as a reader would list them."""
        if self._width > 1:
            ends = [(a * self._width, (b + 1) * self._width - 1) for a, b in runs(chosen)]
            words = [f"{low} to {high}" for low, high in ends]
        else:
            words = [str(residue) for residue in np.flatnonzero(chosen)]
        if len(words) > MOST_PIECES_IN_WORDS:
            return f"one of {int(chosen.sum()) * self._width}, such as {words[0]}"
        return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def integer_columns(encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[Residues]:
    """The parity of each of the first columns that hold integers, and many different ones."""
    return [
        Residues(column, name, coordinate, 2)
        for column, (name, coordinate) in enumerate(encoder.columns[:MOST_COLUMNS])
        if name != "form" and _is_integer((arm, other_arm), column)
    ]


def _is_integer(arms: Sequence[Outcomes], column: int) -> bool:
    """Whether all finite values of a column are integers, and many different ones."""
    if not all(_holds_integers(arm.numbers[:GLANCE, column]) for arm in arms):
        return False
    values = np.concatenate([arm.numbers[:, column] for arm in arms])
    if not _holds_integers(values):
        return False
    distinct = np.unique(values[np.isfinite(values)]).size
    for arm in arms:
        if arm.details is not None:
            details = arm.details[:, column]
            distinct += np.unique(details[(details >= 0) & (details < COMMON_MULTIPLE)]).size
    return distinct >= FEWEST_VALUES


def _holds_integers(values: NDArray[np.float64]) -> bool:
    """Whether no value is a fraction, or so large that every double is an integer."""
    finite = values[np.isfinite(values)]
    return bool((finite == np.floor(finite)).all() and (np.abs(finite) <= LARGEST_EXACT).all())
