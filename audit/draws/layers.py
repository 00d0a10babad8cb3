"""An answer as leaves and a form, all that an audit looks at of it: layer by layer.

A layer is its form in words, its parts, and its labels that may be computed.

A label that names a place (a column, a key, a field, a category) stands in the form. A label that
may be computed (an entry of an index, the order of keys) is a leaf behind the values, since noisy
edges of bins must be numbers, and not a new form a draw.
"""

from __future__ import annotations

import dataclasses
from collections import UserString, deque
from collections.abc import (
    Callable,
    ItemsView,
    KeysView,
    Mapping,
    Sequence,
    ValuesView,
)
from enum import Enum
from functools import lru_cache, partial
from itertools import islice
from types import SimpleNamespace
from typing import Any, TypeAlias, final

import numpy as np

from audit.draws.leaf_words import DEEPEST, key_text, shortened, valueless
from audit.targets.outcomes import Label, OutputParts

MOST_PARTS = 2**14
"""Parts of an answer, in all its layers, that are walked through; 256 leaves are looked at."""

COME = "come as "
"""Beginning of the label of an order of keys."""

Layer: TypeAlias = tuple[str, Sequence[Any], Sequence[Any]]
"""Form, parts, and leaves behind them."""

Reader: TypeAlias = Callable[[Any], Layer]

LEAVES = (
    *(type, BaseException, Label, Enum, str, bytes, bytearray, range, set, frozenset),
    *(int, float, bool, type(None), UserString),
)
"""Classes, also derived ones, whose objects have no parts."""


def is_container(z: Any) -> bool:
    """Whether an output has parts: a sequence, array, mapping, dataclass or complex number."""
    try:
        if isinstance(z, np.ndarray):
            return z.ndim > 0 or z.dtype.kind in "Vc"
        kind: Any = type(z)
        return reader_of(kind) is not None
    except Exception:  # noqa: BLE001 - an object may refuse in any way
        return False


def is_frame(z: Any) -> bool:
    """Whether an object is a table with named columns, of whatever library."""
    if isinstance(z, type | np.ndarray | np.generic):
        return False
    return hasattr(z, "columns") and hasattr(z, "__array__")


@lru_cache(maxsize=1024)
def reader_of(kind: type[Any]) -> Reader | None:
    """How objects of a class are read; None for those without parts."""
    if issubclass(kind, LEAVES):
        return None
    if issubclass(kind, complex | np.complexfloating):
        return lambda z: ("a real and an imaginary part", [z.real, z.imag], ())
    if issubclass(kind, np.generic):
        return _read_void if issubclass(kind, np.void) else None
    if issubclass(kind, OutputParts):  # parts that were read before
        return lambda z: (z.shape, z.leaves, ())
    if issubclass(kind, np.ndarray):
        return _read_array
    for has, reader in (
        ("tocoo nnz", _read_sparse),
        ("column_names column", _read_arrow),
        ("columns index iloc", _read_pandas_frame),
        ("columns rows __array__", _read_polars),
        ("index iloc tolist name", _read_series),
        ("names nlevels tolist", _read_index),
        ("categories codes tolist", _read_categorical),
    ):
        if all(hasattr(kind, name) for name in has.split()):
            return reader
    if issubclass(kind, Mapping):
        return _read_mapping
    if hasattr(kind, "__attrs_attrs__"):
        return lambda z: _fields(z, [field.name for field in kind.__attrs_attrs__])
    if dataclasses.is_dataclass(kind):
        return lambda z: _fields(z, [field.name for field in dataclasses.fields(z)])
    if issubclass(kind, SimpleNamespace):
        return lambda z: _fields(z, list(vars(z)))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return lambda z: (f"fields {[*map(str, z._fields)]}", list(z), ())
    for name in ("tolist", "to_pylist", "to_list"):
        if callable(getattr(kind, name, None)):
            return partial(_read_named_list, name)
    if issubclass(kind, deque):
        return _read_deque
    if issubclass(kind, Sequence | KeysView | ValuesView | ItemsView):
        return _read_list
    if hasattr(kind, "__array__"):
        return _read_array_like
    return None


def _read_list(parts: Any) -> Layer:
    if not hasattr(parts, "__iter__") or isinstance(parts, str | bytes):
        return "length 1", [parts], ()
    told = parts if type(parts) in (list, tuple) else list(islice(parts, MOST_PARTS))
    return f"length {len(parts) if hasattr(parts, '__len__') else len(told)}", told, ()


def _read_named_list(way: str, z: Any) -> Layer:
    shape, parts, _ = _read_list(getattr(z, way)())
    name = getattr(z, "name", None) if way == "to_list" else None
    return f"{shape} named {key_text(name)}" if isinstance(name, str) and name else shape, parts, ()


def _read_deque(z: Any) -> Layer:
    shape, parts, _ = _read_list(z)
    return shape if z.maxlen is None else f"{shape} of at most {z.maxlen}", parts, ()


def _fields(z: Any, names: list[str]) -> Layer:
    return f"fields {names}", [getattr(z, name) for name in names], ()


def _read_mapping(z: Any) -> Layer:
    keys = list(islice(z, MOST_PARTS))
    if all(type(key) is str for key in keys):
        shape, order, come = _told_of_texts(tuple(keys))
    else:
        shape, order, come = _told_of([*map(key_text, keys)])
    return shape, [z[keys[place]] for place in order], come


def _told_of(texts: Sequence[str]) -> tuple[str, Sequence[int], Sequence[Label]]:
    """Form of a mapping, its keys in the order of their texts, and how they come."""
    order = sorted(range(len(texts)), key=texts.__getitem__)
    come = (Label(COME + ", ".join(texts)),) if len(texts) > 1 else ()
    return f"keys [{', '.join(texts[place] for place in order)}]", order, come


@lru_cache(maxsize=256)
def _told_of_texts(keys: tuple[str, ...]) -> tuple[str, Sequence[int], Sequence[Label]]:
    return _told_of([*map(repr, keys)])


def _read_void(z: Any) -> Layer:
    names = z.dtype.names
    if names is None:
        return "length 1", [z.tolist()], ()
    return f"keys {list(names)!r}", [z[name] for name in names], ()


def _read_array(z: Any) -> Layer:
    masked = isinstance(z, np.ma.MaskedArray)
    names = z.dtype.names
    if z.ndim != 1:
        # of a class whose axes never become one, the plain array
        _, parts, _ = _read_array(z.ravel() if masked else np.asarray(z).ravel())
        shape = f"shape {z.shape}" + (f" of keys {list(names)}" if names else "")
        return shape, parts, ()
    z = z[:MOST_PARTS]
    if names:
        columns = [list(z[name]) if z[name].ndim > 1 else _read_array(z[name])[1] for name in names]
        parts = [value for row in zip(*columns, strict=True) for value in row]
        return f"keys {list(names)!r} and {len(z)} rows", parts, ()
    if z.dtype.kind in "mM":  # whose `tolist` forgets the unit
        hidden = np.ma.getmaskarray(z)
        parts = [None if off else x for x, off in zip(np.asarray(z), hidden, strict=True)]
        return f"length {len(z)}", parts, ()
    return f"length {len(z)}", z.tolist(), ()


def _read_sparse(z: Any) -> Layer:
    stored = z.tocoo(copy=True)
    stored.sum_duplicates()
    places = stored.coords if hasattr(stored, "coords") else (stored.row, stored.col)
    order = np.lexsort(places[::-1])[:MOST_PARTS]
    rows = zip(*(place[order].tolist() for place in (*places, stored.data)), strict=True)
    shape = f"shape {tuple(map(int, z.shape))}, {stored.data.size} stored"
    return shape, [value for row in rows for value in row], ()


def _names_of_index(index: Any) -> str:
    """How the names of an index stand in a form."""
    names = [*index.names]
    if all(name is None for name in names):
        return ""
    return " named " + ", ".join(map(key_text, names))


def _categories(z: Any) -> str:
    """How the categories of a column or an index of pandas stand in a form."""
    if not hasattr(z.dtype, "categories"):
        return ""
    told = ", ".join(map(key_text, z.dtype.categories.tolist()))
    return f" with categories [{told}]" + " in order" * bool(z.dtype.ordered)


def _labels(index: Any, size: int, words: str) -> tuple[str, list[Any]]:
    """Words for labels of rows, and these; none for numbers from 0 on without a name."""
    entries = index.tolist()[:MOST_PARTS]
    names = _names_of_index(index)
    levels = getattr(index, "nlevels", 1)
    if levels == 1 and not names and not _categories(index) and _counts_up(entries, size):
        return "", []
    told = f" with {words}" + f" of {levels} levels" * (levels > 1)
    leaves = [part for entry in entries for part in entry] if levels > 1 else entries
    return told + names + _categories(index), leaves


def _counts_up(entries: list[Any], size: int) -> bool:
    """Whether labels are the numbers of the rows."""
    return (
        all(type(entry) is int for entry in entries) and entries == list(range(size))[:MOST_PARTS]
    )


def _read_series(z: Any) -> Layer:
    told, labels = _labels(z.index, len(z), "labels")
    name = "" if z.name is None else f" named {key_text(z.name)}"
    return f"length {len(z)}{name}{_categories(z)}{told}", z.tolist()[:MOST_PARTS], labels


def _read_index(z: Any) -> Layer:
    return f"length {len(z)}{_names_of_index(z)}{_categories(z)}", z.tolist()[:MOST_PARTS], ()


def _read_categorical(z: Any) -> Layer:
    return f"length {len(z)}{_categories(z)}", z.tolist()[:MOST_PARTS], ()


def _read_pandas_frame(z: Any) -> Layer:
    columns = [z.iloc[:, place] for place in range(len(z.columns))]
    told, labels = _labels(z.index, len(z), "names")
    rest = told + "".join(
        f"{words} in {key_text(name)}"
        for name, column in zip(z.columns.tolist(), columns, strict=True)
        if (words := _categories(column))
    )
    under = _names_of_index(z.columns).replace(" named ", " under ", 1)
    return _table(z.columns.tolist(), [c.tolist() for c in columns], len(z), rest + under, labels)


def _read_arrow(z: Any) -> Layer:
    columns = [z.column(place).to_pylist() for place in range(len(z.column_names))]
    return _table(z.column_names, columns, z.num_rows)


def _read_polars(z: Any) -> Layer:
    return _table(z.columns, [list(column) for column in zip(*z.rows(), strict=True)], len(z))


def _read_array_like(z: Any) -> Layer:
    values = np.asarray(z)
    if not hasattr(z, "columns"):
        return _read_list(values.tolist())
    return _table(list(z.columns), values.T.tolist(), len(values))


def _table(
    names: Sequence[Any],
    columns: Sequence[Sequence[Any]],
    rows: int,
    rest: str = "",
    labels: Sequence[Any] = (),
) -> Layer:
    """A table by rows; one row without labels is like a mapping."""
    shape = f"keys [{', '.join(map(key_text, names))}]"
    if rows != 1 or labels:
        shape += f" and {rows} rows"
    values = [value for row in zip(*columns, strict=False) for value in row]
    return shape + rest, values[:MOST_PARTS], labels


LONGEST_FORM = 400

SCALARS = frozenset({float, int, bool, str, bytes, type(None), np.float64, np.int64, Label})
"""Types without parts, known at a glance."""


def flatten(z: Any, depth: int = 0) -> tuple[list[Any], str]:
    """Return the leaves of an output, and its shape in words (empty for a leaf).

    `depth`: layers around it.

    Containers nest 16 levels; what contains itself, and what cannot be read, are leaves in words.
    """
    try:
        if type(z) in SCALARS:
            return [z], ""
        walk = _Walk()
        return walk.leaves, walk.add(z, depth)
    except Exception:  # noqa: BLE001 - an object may refuse in any way
        return [Label(valueless(z))], ""


@final
class _Walk:
    """A walk through the layers of one answer."""

    def __init__(self) -> None:
        self.leaves: list[Any] = []
        self.inside: set[int] = set()
        self.left = MOST_PARTS

    def add(self, z: Any, depth: int) -> str:
        """Add the leaves of a part, and return its shape."""
        if not is_container(z):
            self.leaves.append(z)
            return ""
        if isinstance(z, OutputParts):
            self.leaves.extend(z.leaves)
            return z.shape
        if id(z) in self.inside or depth > DEEPEST:
            deep = f"{valueless(z)} (nested more than {DEEPEST} deep)"
            self.leaves.append(Label(deep if depth > DEEPEST else "is a part of itself"))
            return ""
        kind: Any = type(z)
        reader = reader_of(kind)
        assert reader is not None
        self.inside.add(id(z))
        shape, parts, labels = reader(z)
        inner, told = [], False
        for part in parts:
            if self.left <= 0:
                break
            self.left -= 1
            if type(part) in SCALARS:
                self.leaves.append(part)
                inner.append("")
            else:
                words = self.add(part, depth + 1)
                inner.append(words)
                told = told or bool(words)
        self.inside.discard(id(z))
        self.leaves.extend(labels)
        if told:
            shape += " of (" + ", ".join(words or "a value" for words in inner) + ")"
        return shortened(shape, LONGEST_FORM)
