"""Whole rows of a discrete vector output: one cell for each row that is seen often.

For sequences of symbols (sparse vector answers, one-hot reports) the row itself is what matters,
and no score of single coordinates need see it. Useless where most rows are seen once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import RARE, Encoder, Outcomes

__all__ = ["RowTable"]

MOST_CELLS = 256
LEAST_REPEATS = 3
DRAWS_PER_ROW = 20
"""Rows have cells only if there are so many draws for each distinct row."""

MOST_ROWS_IN_WORDS = 4
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@final
@dataclass(frozen=True, slots=True)
class RowTable:
    """Partition by whole rows; the last cell is for all others.

    Parameters
    ----------
    keys : ndarray of uint64, shape (m,)
        Hashes of the rows, ascending; equal hashes are confirmed by comparing the rows.
    rows : Outcomes
        The rows, of m draws.
    labels : tuple of tuple of (str or float)
        For each row its values, and the words of its categories; the last is its form.
    """

    keys: NDArray[np.uint64]
    rows: Outcomes
    labels: tuple[tuple[str | float, ...], ...]
    ordered: ClassVar[int] = 0
    feature: ClassVar[str] = "value"
    supervised: ClassVar[bool] = False
    reads: ClassVar[None] = None

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[RowTable]:
        """One, for vectors with few distinct rows."""
        if encoder.width is None or encoder.width < 2:
            return []
        pooled = Outcomes.concatenate([arm, other_arm])
        keys, first, counts = np.unique(_hashes(pooled), return_index=True, return_counts=True)
        if DRAWS_PER_ROW * keys.size > len(pooled):
            return []
        rare = encoder.labels.get(RARE, -1)
        told = (counts >= LEAST_REPEATS) & ~(pooled.categories[first] == rare).any(axis=1)
        frequent = np.flatnonzero(told)
        frequent = np.sort(frequent[np.argsort(-counts[frequent], kind="stable")[:MOST_CELLS]])
        if frequent.size < 2:
            return []
        chosen = first[frequent]
        rows = Outcomes(pooled.numbers[chosen], pooled.categories[chosen])
        labels = tuple(
            tuple(
                encoder.label(int(code)) if code else float(value)
                for value, code in zip(values, codes, strict=True)
            )
            for values, codes in zip(rows.numbers, rows.categories, strict=True)
        )
        return [cls(keys[frequent], rows, labels)]

    @property
    def size(self) -> int:
        """The rows, and one cell for all others."""
        return self.keys.size + 1

    @property
    def single_values(self) -> NDArray[np.bool_]:
        """Which cells hold one row: all but the last."""
        return np.arange(self.size) < self.size - 1

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""
        keys = _hashes(outcomes)
        cells = np.minimum(np.searchsorted(self.keys, keys), self.keys.size - 1)
        same = self.keys[cells] == keys
        for column in range(self.rows.numbers.shape[1]):
            value, kind = outcomes.numbers[:, column], outcomes.categories[:, column]
            known, known_kind = (
                self.rows.numbers[cells, column],
                self.rows.categories[cells, column],
            )
            same &= (kind == known_kind) & ((kind > 0) | (value == known))
        return np.where(same, cells, self.keys.size)

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """A list of rows; the event of all other rows lists those that are not in it."""
        others = bool(cells[-1])
        listed = [list(row) for row, c in zip(self.labels, cells, strict=False) if c != others]
        width = len(self.labels[0]) - 1
        row = f"[outcome(z, i) or number(z, i) for i in range({width})] + [form(z)]"
        same_form = len({row[-1] for row in self.labels}) == 1
        words = [_in_words(row[:-1] if same_form else row) for row in listed]
        if not words:
            return ("any output" if others else "never"), str(others)
        if len(words) > MOST_ROWS_IN_WORDS:
            words = [f"one of {len(words)} rows such as {words[0]}"]
        sentence = f"output is {'not ' if others else ''}{' or '.join(words)}"
        return sentence, f"({row}) {'not in' if others else 'in'} {listed!r}"


def _in_words(row: Sequence[str | float]) -> str:
    """A row as a reader would write it."""
    parts = [x.removeprefix("is ") if isinstance(x, str) else f"{x:.17g}" for x in row]
    return "(" + ", ".join(parts) + ")"


def _hashes(outcomes: Outcomes) -> NDArray[np.uint64]:
    """A hash of each row; equal rows have equal hashes."""
    keys = np.zeros(len(outcomes), dtype=np.uint64)
    for column in range(outcomes.numbers.shape[1]):
        kinds = outcomes.categories[:, column]
        values = np.where(kinds > 0, 0.0, outcomes.numbers[:, column] + 0.0)  # no negative zero
        keys = (keys ^ values.view(np.uint64) ^ kinds.astype(np.uint64)) * MULTIPLIER
        keys ^= keys >> np.uint64(29)
    return keys
