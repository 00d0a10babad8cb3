"""What answers hold and an audit does not look at: seen on the answers that are learned from.

Two objects with one text that are not equal hide a value behind it. A face that is there and is
not looked at (`attrs` of a frame, data under a mask) is named. Nothing that is bet on depends on
it: only a pair's first batch is looked through, where the objects are.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, final

import numpy as np

from audit.draws.layers import SCALARS, is_container, is_frame, reader_of
from audit.draws.leaf_words import DEEPEST, VALUELESS, has_own_eq, label_of
from audit.targets.outcomes import Label, OutputParts, is_outcome

HIDES = "two answers of type "
"""Beginning of the remark that a text hides values."""

HIDES_MORE = "{} have the same text and are not equal: what they hold cannot be seen; return it"

UNSEEN = "not looked at: "
"""Beginning of a remark on a face of an answer."""

MOST_DRAWS, MOST_COMPARED, MOST_WALKED = 16, 120, 256
"""Draws of a side in a block that are looked through, comparisons, and parts of a draw."""


class Remarked(list[Any]):
    """Draws, and what is to be said of them."""

    remarks: tuple[str, ...] = ()


@final
@dataclasses.dataclass(slots=True)
class FacesSeen:
    """What the first draws of a block hold."""

    remarks: dict[str, None] = dataclasses.field(default_factory=dict)
    """With the remarks as keys, in the order in which they were made."""
    firsts: dict[tuple[type[Any], str], Any] = dataclasses.field(default_factory=dict)
    """The first object of each text, as it was then."""
    compared: int = 0
    """Comparisons so far."""

    def look(self, given: Any, outputs: Any) -> None:
        """Look at what one call gave, and at the first draws in it."""
        kind = type(outputs)
        if kind is np.ndarray and outputs.dtype.kind in "biufc" and given is outputs:
            return
        try:
            if (
                is_frame(given)
                or hasattr(type(given), "iloc")
                or is_masked(given)
                or _has_axes(given)
            ):
                self._faces(given)
                if not _counts_up(given):
                    self._unseen("the index of a table whose rows are the draws")
            for output in outputs[:MOST_DRAWS]:
                left = [MOST_WALKED]
                if type(output) not in SCALARS:
                    self._walk(output, 0, left)
        except BaseException as failure:
            if not is_outcome(failure):
                raise

    def _walk(self, z: Any, depth: int, left: list[int]) -> None:
        left[0] -= 1
        if type(z) in SCALARS or depth > DEEPEST or left[0] < 0:
            return
        self._faces(z)
        if is_container(z) or isinstance(z, set | frozenset):
            for part in _parts(z):
                if left[0] <= 0:
                    return
                self._walk(part, depth + 1, left)
        elif isinstance(z, BaseException | np.generic | np.ndarray | Label | str | bytes):
            return
        else:
            self._compare(z)

    def _faces(self, z: Any) -> None:
        """Name what stands beside the values of an object."""
        name = type(z).__name__
        if hasattr(type(z), "iloc") and z.attrs:
            self._unseen(f"attrs of a {name}")
        elif is_masked(z):
            self._unseen("the data under the mask, and the fill value, of a masked array")
        elif hasattr(type(z), "column_names") and is_container(z):
            if z.schema.metadata:
                self._unseen(f"metadata of a {name}")
            for column in z.columns:
                if "dictionary<" in str(column.type):  # within lists and structs, too
                    self._unseen(f"categories of a column of a {name}")
        elif hasattr(type(z), "to_pylist") and "dictionary<" in str(z.type):
            self._unseen(f"categories of a {name}")
        elif _has_axes(z):
            self._unseen(f"names, labels and attrs of a {name}")
        elif _more_than_parts(z):
            self._unseen(f"attributes of a {name} beside its values")

    def _compare(self, z: Any) -> None:
        """Compare an object that is known by a text, or by a number, with the first of its kind."""
        label, value = label_of(z)
        if VALUELESS in label:
            return
        key = type(z), label or repr(value)
        if key not in self.firsts:
            self.firsts[key] = _as_it_is(z)
        elif self.compared < MOST_COMPARED:
            self.compared += 1
            equal = _equal(z, self.firsts[key])
            if equal is False and has_own_eq(z):
                self.remarks[HIDES + HIDES_MORE.format(type(z).__name__)] = None
            elif equal is not True:
                self._unseen(f"what a {type(z).__name__} holds beside its text")

    def _unseen(self, what: str) -> None:
        self.remarks[UNSEEN + what] = None


def is_masked(z: Any) -> bool:
    """Whether an object is a masked array of numpy."""
    return isinstance(z, np.ma.MaskedArray)


def _has_axes(z: Any) -> bool:
    """Whether an object is an array of xarray, or several: axes have names and labels."""
    return hasattr(type(z), "coords") and hasattr(type(z), "dims")


def _counts_up(given: Any) -> bool:
    """Whether the rows of a table have the numbers from 0 on as labels, or none."""
    labels: Any = getattr(given, "index", None)
    if not hasattr(labels, "tolist"):
        return True
    return bool(labels.tolist() == list(range(len(given))))


def _parts(z: Any) -> Iterator[Any]:
    """The parts of a container, and the keys of a mapping."""
    if isinstance(z, np.ndarray) and z.dtype.kind in "biufcSUmM":
        return
    if isinstance(z, set | frozenset):
        yield from z
        return
    if isinstance(z, Mapping):
        yield from z
    kind: Any = type(z)
    reader = reader_of(kind)
    assert reader is not None
    _, parts, labels = reader(z)
    yield from parts
    yield from labels


def _more_than_parts(z: Any) -> bool:
    """Whether an object has attributes beside its parts: one of a derived class."""
    kind = type(z)
    own = getattr(z, "__dict__", None)
    if not own or isinstance(z, type | Enum | BaseException | OutputParts):
        return False
    if dataclasses.is_dataclass(z):
        return not {f.name for f in dataclasses.fields(z)}.issuperset(own)
    plain = (np.ndarray, list, tuple, dict, set, frozenset, str, bytes, int, float, complex)
    return issubclass(kind, plain) or hasattr(kind, "__float__")


def _as_it_is(z: Any) -> Any:
    """A copy, since a target may give one object again and again; if none is equal, the object."""
    try:
        copied = copy.deepcopy(z)
        return copied if _equal(copied, z) is True else z
    except Exception:  # noqa: BLE001 - an object may refuse in any way
        return z


def _equal(z: Any, other: Any) -> bool | None:
    """What `==` says; None where it says nothing, or an object is not even equal to itself."""
    try:
        itself, found = z == z, z == other
    except Exception:  # noqa: BLE001 - likewise
        return None
    if not (isinstance(itself, bool | np.bool_) and isinstance(found, bool | np.bool_)):
        return None
    return bool(found) if itself else None
