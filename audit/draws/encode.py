"""Outputs of any type as columns of numbers and categories.

Every draw is kept: what is no finite number (NaN, infinities, None, text, booleans, a missing
coordinate, an exception) has a category, so the arms always have equal counts (T1 needs that).
A vector output has one column per coordinate and one for its form (length, or the exception).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.hidden_values import HIDES
from audit.draws.layers import flatten, is_container, is_frame
from audit.draws.leaf_words import LARGEST_EXACT, NO_DETAIL, VALUELESS, detail_of, label_of
from audit.draws.output_words import MISSING, SINGLE, STRUCTURAL, form, words_of
from audit.results.number_words import plural
from audit.results.verdict import FAILED
from mechanisms.errors import InvalidArgument

LARGEST_WIDTH = 256
"""Coordinates of an output that are looked at."""

LARGEST_ALPHABET = 4096
LARGEST_SHARE_OF_SINGLE_LABELS = 0.1
NUMERIC = "fiu"
DETAILED = ("is NaN", "is 0x", "is -0x")
"""Beginnings of the labels of NaNs and large integers, which have details."""
MOST_DRAWN = 2**24
"""Draws that are taken of what gives them one by one, and was not asked for so many."""

RARE = "is one of many rare values"
"""Label of all labels beyond the alphabet; it never has a cell of its own in a partition."""


@final
@dataclass(frozen=True, slots=True)
class Outcomes:
    """Encoded draws."""

    numbers: NDArray[np.float64]
    """Shape (n, c): values; NaN where there is a category."""
    categories: NDArray[np.int32]
    """Shape (n, c): 0 for a number, else a code of the encoder."""
    details: NDArray[np.int64] | None = None
    """Shape (n, c): `detail_of` each value: remainders of large integers, bits of NaNs; None
    where no draw has one."""

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: slice) -> Outcomes:
        details = None if self.details is None else self.details[rows]
        return Outcomes(self.numbers[rows], self.categories[rows], details)

    @staticmethod
    def concatenate(parts: Sequence[Outcomes]) -> Outcomes:
        """Join draws of one encoder."""
        details = None
        if any(p.details is not None for p in parts):
            none = (np.full(p.numbers.shape, NO_DETAIL) for p in parts)
            own = zip(parts, none, strict=True)
            details = np.concatenate([n if p.details is None else p.details for p, n in own])
        return Outcomes(
            np.concatenate([p.numbers for p in parts]),
            np.concatenate([p.categories for p in parts]),
            details,
        )


@final
@dataclass(slots=True)
class Encoder:
    """Encoder of one pair of arms; the layout is fixed by the first draws of both."""

    width: int | None = None
    """None for single values; otherwise the number of coordinates, and one more column follows for
    the form. A longer output keeps its first coordinates; its form still differs."""
    labels: dict[str, int] = field(default_factory=dict)
    """Category codes by label; also remarks on the draws (`audit.draws.hidden_values`), whose codes
    no draw has."""
    shift: NDArray[np.float64] | None = None
    """Difference of the arms' data sets, where these are as many numbers each."""

    def fix_layout(self, batches: Sequence[Any]) -> None:
        """Choose between single values and vectors from the first draws."""
        longest = -1
        for outputs in batches:
            if isinstance(outputs, np.ndarray) and outputs.dtype.kind in NUMERIC + "b":
                longest = max(longest, _row_size(outputs))
            else:
                longest = max([longest, *(len(flatten(z)[0]) for z in outputs if is_container(z))])
        self.width = None if longest < 0 else min(max(longest, 1), LARGEST_WIDTH)

    def copy(self) -> Encoder:
        """Return an encoder with the same layout and codes, and a future of its own."""
        return Encoder(self.width, dict(self.labels))

    def adopt(
        self, outcomes: Outcomes, width: int | None, labels: Sequence[str], known: int
    ) -> Outcomes:
        """Take over draws of another encoder: a copy of this one, or one that began anew.

        `outcomes`: in the codes of the other encoder. `width`: its layout; None, or at most the
        width of this one. `labels`: its labels beyond the first `known`, which both have. `known`:
        number of common codes.
        """
        codes = [*range(known + 1), *(self._code(label) for label in labels)]
        categories = np.array(codes, dtype=np.int32)[outcomes.categories]
        if width == self.width or self.width is None:
            return Outcomes(outcomes.numbers, categories, outcomes.details)
        n = len(outcomes)
        numbers = np.full((n, self.width + 1), np.nan)
        details = None
        if outcomes.details is not None:
            details = np.full(numbers.shape, NO_DETAIL)
            known_columns = 1 if width is None else width
            details[:, :known_columns] = outcomes.details[:, :known_columns]
        if width is None:  # single values and failures, in a layout of vectors
            failures = [code for label, code in self.labels.items() if label.startswith(FAILED)]
            failed = np.isin(categories[:, 0], failures)
            forms = np.where(failed, categories[:, 0], self._code(SINGLE))
            leaves = np.where(failed, self._code(MISSING), categories[:, 0])[:, None]
            numbers[:, 0] = outcomes.numbers[:, 0]
        else:
            forms, leaves = categories[:, -1], categories[:, :-1]
            numbers[:, :width] = outcomes.numbers[:, :-1]
        missing = np.full((n, self.width - leaves.shape[1]), self._code(MISSING))
        categories = np.column_stack([leaves, missing, forms]).astype(np.int32, copy=False)
        return Outcomes(numbers, categories, details)

    @property
    def columns(self) -> list[tuple[str, int | str | None]]:
        """Name and coordinate of each column; the form has the name "form".

        Where all outputs with parts have the same form, its words name the coordinates.
        """
        if self.width is None:
            return [("output", None)]
        forms = [label for label in self.labels if label.startswith("has ")]
        return [*words_of(forms, self.width), ("form", None)]

    def label(self, code: int) -> str:
        """Words of a category code."""
        return list(self.labels)[code - 1]

    def encode(self, outputs: Any) -> Outcomes:
        """Encode draws; the first axis of `outputs` is the draw.

        The numbers may share their memory with `outputs`.
        """
        for remark in getattr(outputs, "remarks", ()):
            self._code(remark)
        table = _plain(outputs)
        if table is not None and table.shape[1] == self.width:
            return self._with_form(self._numeric(table), form(outputs[0]))
        if isinstance(outputs, np.ndarray) and outputs.dtype.kind in NUMERIC and _exact(outputs):
            if self.width is None and outputs.ndim == 1:
                return self._numeric(np.asarray(outputs, np.float64).reshape(-1, 1))
            row = _row_size(outputs)
            if self.width is not None and (row == self.width or row > self.width == LARGEST_WIDTH):
                rows = outputs.reshape(len(outputs), row)[:, : self.width]
                values = np.asarray(rows, np.float64)
                flat = outputs.ndim == 2
                label = f"length {row}" if flat else f"shape {outputs.shape[1:]}"
                return self._with_form(self._numeric(values), f"has {label}")
        return self._general(list(outputs))

    def find_opaque(self, arms: Sequence[Outcomes]) -> str | None:
        """Say so if many outputs show no value, or are values of their own that are no numbers.

        Or if two of one text are not equal (`audit.draws.hidden_values`). Values of their own
        cannot be ordered, and each is too rare to compare: an audit sees nothing of what they tell.
        """
        for remark in self.labels:
            if remark.startswith(HIDES):
                return remark
        for column, (name, _) in enumerate(self.columns):
            codes = np.concatenate([arm.categories[:, column] for arm in arms])
            labels, counts = np.unique(codes[codes > 0], return_counts=True)
            blank = [self.label(int(code)).startswith(f"is {VALUELESS}") for code in labels]
            if counts[blank].sum() > LARGEST_SHARE_OF_SINGLE_LABELS * codes.size:
                first = self.label(int(labels[blank][0])).removeprefix("is ")
                return f"{name} is often {first}; what it holds cannot be seen: return numbers"
            single = labels[counts == 1]
            if single.size > LARGEST_SHARE_OF_SINGLE_LABELS * codes.size:
                subject = "the form of the output" if name == "form" else name
                return (
                    f"{subject} is often a value of its own that is no number (such as: "
                    f"{self.label(int(single[0]))}), and what those tell cannot be seen; return "
                    "numbers, or few kinds of values"
                )
        return None

    def _numeric(self, values: NDArray[np.float64]) -> Outcomes:
        categories = np.zeros(values.shape, dtype=np.int32)
        details = None
        special = ~np.isfinite(values)
        if special.any():
            nan = np.isnan(values)
            if nan.any():
                details = np.where(nan, np.ascontiguousarray(values).view(np.int64), NO_DETAIL)
            for label, where in (
                ("is NaN", nan),
                ("is +inf", values == np.inf),
                ("is -inf", values == -np.inf),
            ):
                if where.any():
                    categories[where] = self._code(label)
            values = np.where(special, np.nan, values)
        return Outcomes(values, categories, details)

    def _with_form(self, encoded: Outcomes, label: str) -> Outcomes:
        n = len(encoded)
        details = encoded.details
        if details is not None:
            details = np.column_stack([details, np.full(n, NO_DETAIL)])
        return Outcomes(
            np.column_stack([encoded.numbers, np.full(n, np.nan)]),
            np.column_stack([encoded.categories, np.full(n, self._code(label), dtype=np.int32)]),
            details,
        )

    def _general(self, outputs: Sequence[Any]) -> Outcomes:
        columns = 1 if self.width is None else self.width + 1
        numbers = np.full((len(outputs), columns), np.nan)
        categories = np.zeros((len(outputs), columns), dtype=np.int32)
        details = np.full((len(outputs), columns), NO_DETAIL)
        for row, z in enumerate(outputs):
            if self.width is None:
                leaves = [] if is_container(z) else [z]
                found = [label_of(z) if leaves else (form(z), np.nan)]
            else:
                leaves, shape = ([], "") if isinstance(z, Exception) else flatten(z)
                found = [label_of(leaf) for leaf in leaves[: self.width]]
                found += [(MISSING, np.nan)] * (self.width - len(found))
                found.append((f"has {shape}" if shape else form(z), np.nan))
            for column, (label, value) in enumerate(found):
                if label:
                    categories[row, column] = self._code(label)
                    if label.startswith(DETAILED) and column < len(leaves):
                        details[row, column] = detail_of(leaves[column])
                else:
                    numbers[row, column] = value
        return Outcomes(numbers, categories, details if (details != NO_DETAIL).any() else None)

    def _code(self, label: str) -> int:
        """Code of a label; labels beyond the largest alphabet share one, but for the structure."""
        full = len(self.labels) >= LARGEST_ALPHABET
        if full and label not in self.labels and not label.startswith(STRUCTURAL):
            label = RARE
        return self.labels.setdefault(label, len(self.labels) + 1)


def _plain(outputs: Any) -> NDArray[np.float64] | None:
    """Columns of a table whose fields are all numbers that doubles hold; None for all else."""
    if not isinstance(outputs, np.ndarray) or outputs.dtype.names is None or outputs.ndim != 1:
        return None
    fields = [outputs[name] for name in outputs.dtype.names]
    if not len(outputs) or any(f.ndim != 1 or f.dtype.kind not in NUMERIC for f in fields):
        return None
    return np.column_stack(fields).astype(np.float64) if all(map(_exact, fields)) else None


def _row_size(outputs: NDArray[Any]) -> int:
    """Coordinates of each draw of a numeric array, -1 for single values."""
    return -1 if outputs.ndim == 1 else int(np.prod(outputs.shape[1:]))


def _exact(outputs: NDArray[Any]) -> bool:
    """Whether doubles hold every value: others, as integers beyond 2^53, are encoded one by one."""
    if outputs.size == 0 or (outputs.dtype.kind == "f" and outputs.itemsize <= 8):
        return True
    if outputs.dtype.kind == "f":
        return bool((outputs.astype(np.float64) == outputs)[np.isfinite(outputs)].all())
    return bool(outputs.max() <= LARGEST_EXACT and outputs.min() >= -LARGEST_EXACT)


def as_sequence(outputs: Any, size: int = MOST_DRAWN) -> Any:
    """Return what a target gave as an array, list or tuple of draws.

    Of what never ends, one more than `size` are taken.
    """
    if isinstance(outputs, np.ma.MaskedArray):
        outputs = outputs.tolist()  # masked values become None
    if is_frame(outputs) and hasattr(outputs, "to_records"):
        with suppress(ValueError):  # as for two columns of one name
            outputs = np.asarray(outputs.to_records(index=False))
    if hasattr(outputs, "__array__") and not isinstance(outputs, np.generic):
        with suppress(RuntimeError, TypeError):  # as a tensor with gradients does
            outputs = np.asarray(outputs)  # a table, whose rows are the draws, or a tensor
    if isinstance(outputs, np.ndarray):
        return outputs.reshape(1) if outputs.ndim == 0 else outputs
    if isinstance(outputs, list | tuple):
        return outputs
    if isinstance(outputs, str | bytes | Mapping) or not hasattr(outputs, "__iter__"):
        return [outputs]
    return list(islice(outputs, size + 1))


def checked_length(outputs: Any, size: int, name: str, kind: type) -> Any:
    """Return outputs with `size` draws along the first axis, or say what came, of which type."""
    if len(outputs) != size:
        msg = (
            f"{name} must return {plural(size, 'draw')} along the first axis when asked for "
            f"{size}, got {len(outputs)} (type {kind.__name__}); "
            "a function without a size argument is called once per draw"
        )
        raise InvalidArgument(msg)
    return outputs
