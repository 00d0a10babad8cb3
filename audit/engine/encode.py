"""Outputs of any type as columns of numbers and categories.

Every draw is kept: what is no finite number (NaN, infinities, None, text, booleans, a missing
coordinate, an exception) has a category, so the arms always have equal counts (T1 needs that).
A vector output has one column per coordinate and one for its form (length, or the exception).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.events import form, is_sequence, label_of, length
from mechanisms.errors import InvalidArgument

__all__ = ["Encoder", "Outcomes"]

LARGEST_WIDTH = 256
LARGEST_ALPHABET = 4096
NUMERIC = "fiu"
RARE = "is one of many rare values"
"""Label of all labels beyond the alphabet; it never has a cell of its own in a partition."""


@final
@dataclass(frozen=True, slots=True)
class Outcomes:
    """Encoded draws.

    Parameters
    ----------
    numbers : ndarray of float, shape (n, c)
        Values; NaN where there is a category.
    categories : ndarray of int, shape (n, c)
        0 for a number, else a code of the encoder.
    """

    numbers: NDArray[np.float64]
    categories: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: slice) -> Outcomes:
        return Outcomes(self.numbers[rows], self.categories[rows])

    @staticmethod
    def concatenate(parts: Sequence[Outcomes]) -> Outcomes:
        """Join draws of one encoder."""
        return Outcomes(
            np.concatenate([p.numbers for p in parts]),
            np.concatenate([p.categories for p in parts]),
        )


@final
@dataclass(slots=True)
class Encoder:
    """Encoder of one pair of arms; the layout is fixed by the first draws of both.

    Attributes
    ----------
    width : int or None
        None for single values; otherwise the number of coordinates, and one more column follows
        for the form. A longer output keeps its first coordinates; its form still differs.
    labels : dict of str to int
        Category codes by label.
    """

    width: int | None = None
    labels: dict[str, int] = field(default_factory=dict)

    def fix_layout(self, batches: Sequence[Any]) -> None:
        """Choose between single values and vectors from the first draws."""
        longest = -1
        for outputs in batches:
            if isinstance(outputs, np.ndarray) and outputs.dtype.kind in NUMERIC + "b":
                longest = max(longest, _row_size(outputs))
            else:
                longest = max([longest, *(-1 if (k := length(z)) is None else k for z in outputs)])
        self.width = None if longest < 0 else min(longest, LARGEST_WIDTH)

    @property
    def columns(self) -> list[tuple[str, int | None]]:
        """Name and coordinate of each column; the form has the name "form"."""
        if self.width is None:
            return [("output", None)]
        return [*((f"output[{i}]", i) for i in range(self.width)), ("form", None)]

    def label(self, code: int) -> str:
        """Words of a category code."""
        return list(self.labels)[code - 1]

    def encode(self, outputs: Any) -> Outcomes:
        """Encode draws; the first axis of `outputs` is the draw."""
        if isinstance(outputs, np.ndarray) and outputs.dtype.kind in NUMERIC:
            if self.width is None and outputs.ndim == 1:
                return self._numeric(outputs.astype(np.float64).reshape(-1, 1))
            if self.width is not None and _row_size(outputs) == self.width:
                values = outputs.reshape(len(outputs), self.width).astype(np.float64)
                encoded = self._numeric(values)
                return self._with_form(encoded, f"has length {self.width}")
        if isinstance(outputs, np.ndarray) and outputs.dtype.kind in NUMERIC + "b":
            outputs = list(outputs)
        return self._general(outputs)

    def _numeric(self, values: NDArray[np.float64]) -> Outcomes:
        categories = np.zeros(values.shape, dtype=np.int32)
        special = ~np.isfinite(values)
        if special.any():
            for label, where in (
                ("is NaN", np.isnan(values)),
                ("is +inf", values == np.inf),
                ("is -inf", values == -np.inf),
            ):
                if where.any():
                    categories[where] = self._code(label)
            values = np.where(special, np.nan, values)
        return Outcomes(values, categories)

    def _with_form(self, encoded: Outcomes, label: str) -> Outcomes:
        n = len(encoded)
        return Outcomes(
            np.column_stack([encoded.numbers, np.full(n, np.nan)]),
            np.column_stack([encoded.categories, np.full(n, self._code(label), dtype=np.int32)]),
        )

    def _general(self, outputs: Sequence[Any]) -> Outcomes:
        columns = 1 if self.width is None else self.width + 1
        numbers = np.full((len(outputs), columns), np.nan)
        categories = np.zeros((len(outputs), columns), dtype=np.int32)
        for row, z in enumerate(outputs):
            if self.width is None:
                cells = [z]
            else:
                cells = (
                    list(z.ravel() if isinstance(z, np.ndarray) else z) if is_sequence(z) else [z]
                )
                if isinstance(z, Exception):
                    cells = []
                categories[row, -1] = self._code(form(z))
                categories[row, len(cells) : self.width] = self._code("is missing")
            for column, cell in enumerate(cells[: columns if self.width is None else self.width]):
                label, value = label_of(cell)
                if label:
                    categories[row, column] = self._code(label)
                else:
                    numbers[row, column] = value
        return Outcomes(numbers, categories)

    def _code(self, label: str) -> int:
        """Code of a label; labels beyond the largest alphabet share one."""
        if label not in self.labels and len(self.labels) >= LARGEST_ALPHABET:
            label = RARE
        return self.labels.setdefault(label, len(self.labels) + 1)


def _row_size(outputs: NDArray[Any]) -> int:
    """Coordinates of each draw of a numeric array, -1 for single values."""
    return -1 if outputs.ndim == 1 else int(np.prod(outputs.shape[1:]))


def checked_length(outputs: Any, size: int, name: str) -> Any:
    """Return outputs with `size` draws along the first axis, or say what came instead."""
    if isinstance(outputs, np.ndarray) and outputs.ndim == 0:
        outputs = outputs.reshape(1)
    if not isinstance(outputs, np.ndarray | list | tuple):
        try:
            outputs = list(outputs)
        except TypeError:
            outputs = [outputs]
    if len(outputs) != size:
        msg = (
            f"{name} must return {size} draws along the first axis when asked for {size}, "
            f"got {len(outputs)} (type {type(outputs).__name__}); "
            "a function without a size argument is called once per draw"
        )
        raise InvalidArgument(msg)
    return outputs
