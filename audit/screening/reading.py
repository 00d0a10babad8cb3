"""Outputs of one call as screening reads them: kinds, numbers and texts, draw by draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.output_words import STRUCTURAL, flatten, form, label_of

__all__ = ["Reading", "as_values", "failed", "from_values", "read"]

Output: TypeAlias = Any
"""What a target returns for one draw."""

LARGEST_WIDTH = 64
"""Coordinates of an output that are looked at: an audit itself looks at 256, and a pair that shows
nothing in the first 64 is one of the pairs that screening cannot tell from others."""

NUMERIC = "fiu"


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """Draws from one data set.

    Parameters
    ----------
    kinds : tuple of str
        Of each draw: its form, its failure, and where it is NaN or infinite.
    values : ndarray of float, shape (k, c)
        Its finite numbers; 0 where there are none.
    texts : tuple of str
        What else it says: texts and truth values.
    words : int
        Random words that the call read, where the generator counts them.
    digest : bytes
        Of all that an audit sees of the outputs, bit for bit; empty where the call gave none.
    """

    kinds: tuple[str, ...]
    values: NDArray[np.float64]
    texts: tuple[str, ...]
    words: int = 0
    digest: bytes = b""

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def width(self) -> int:
        """Coordinates."""
        return int(self.values.shape[1])


def read(outputs: Output, words: int = 0) -> Reading:
    """Read the outputs of a call, the draws along their first axis."""
    if isinstance(outputs, np.ndarray) and outputs.dtype.kind in NUMERIC:
        table = outputs.reshape(len(outputs), -1)[:, :LARGEST_WIDTH].astype(np.float64)
        shape = f"has shape {outputs.shape[1:]}" if outputs.ndim > 1 else ""
        finite, texts = np.isfinite(table), ("",) * len(table)
        digest = _digest((outputs.dtype.str, outputs.shape), outputs.tobytes())
        if finite.all():
            return Reading((shape,) * len(table), table, texts, words, digest)
        kinds = tuple(_with_special(shape, row) for row in table)
        return Reading(kinds, np.where(finite, table, 0.0), texts, words, digest)
    return _read_each(list(outputs), words)


def failed(how: str, size: int) -> Reading:
    """The reading of a call that gave no outputs."""
    return Reading((how,) * size, np.empty((size, 0)), ("",) * size)


def _with_special(shape: str, row: NDArray[np.float64]) -> str:
    special = [f"{place} is {value:g}" for place, value in enumerate(row) if not np.isfinite(value)]
    if not shape and special:  # a single value
        return f"is {row[0]:g}"
    return ", ".join([shape, *special]) if special else shape


def _read_each(outputs: Sequence[Output], words: int) -> Reading:
    kinds, texts, rows = [], [], []
    whole = []
    for output in outputs:
        leaves = [] if isinstance(output, Exception) else flatten(output)[0]
        kind = [form(output)]
        whole.append((form(output), [label_of(leaf) for leaf in leaves]))
        leaves = leaves[:LARGEST_WIDTH]
        text: list[str] = []
        row: list[float] = []
        for place, leaf in enumerate(leaves):
            label, value = label_of(leaf)
            row.append(0.0 if label else value)
            if label:
                (kind if label.startswith(STRUCTURAL) else text).append(f"{place} {label}")
        kinds.append(", ".join(kind))
        texts.append(", ".join(text))
        rows.append(row)
    values = np.zeros((len(rows), max(map(len, rows), default=0)))
    for place, row in enumerate(rows):
        values[place, : len(row)] = row
    failures = all(isinstance(output, Exception) for output in outputs)
    digest = b"" if failures else _digest(whole)
    return Reading(tuple(kinds), values, tuple(texts), words, digest)


def _digest(words: object, body: bytes = b"") -> bytes:
    return blake2b(repr(words).encode("utf-8", "surrogatepass") + body, digest_size=16).digest()


def as_values(readings: Sequence[Reading]) -> list[Any]:
    """Readings as numbers, texts and arrays."""
    return [[one.kinds, one.values, one.texts, one.words, one.digest.hex()] for one in readings]


def from_values(values: Any) -> list[Reading]:
    """The readings that `as_values` was told; raises ValueError for anything else."""
    found = []
    for kinds, numbers, texts, words, digest in values:
        one = Reading(
            tuple(map(str, kinds)),
            numbers,
            tuple(map(str, texts)),
            int(words),
            bytes.fromhex(digest),
        )
        if numbers.dtype != np.float64 or not len(numbers) == len(one.kinds) == len(one.texts):
            msg = "a reading of another kind"
            raise ValueError(msg)
        found.append(one)
    return found
