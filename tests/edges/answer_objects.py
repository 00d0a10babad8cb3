"""Objects that stand in the table of kinds of answers, and short ways to make them."""

from __future__ import annotations

import dataclasses
import enum
import warnings
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse as sp


@dataclasses.dataclass
class Fit:
    """A dataclass with a text of its own."""

    slope: float

    def __repr__(self) -> str:
        return "Fit()"


class Point(NamedTuple):
    """A named tuple."""

    x: float


class Place(NamedTuple):
    """Another one."""

    y: float


class Slotted:
    """An object with slots that says which are equal, and shows all."""

    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Slotted({self.value})"


class Short(Slotted):
    """The same with a text that hides its value."""

    __slots__ = ()
    __hash__ = Slotted.__hash__

    def __repr__(self) -> str:
        return "Short()"


class Amount(Slotted):
    """A number with a currency."""

    __slots__ = ("currency",)

    def __init__(self, value: float, currency: str) -> None:
        super().__init__(value)
        self.currency = currency

    def __float__(self) -> float:
        return self.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and (self.value, self.currency) == (
            other.value,
            other.currency,
        )

    __hash__ = Slotted.__hash__

    def __repr__(self) -> str:
        return f"{self.value} {self.currency}"


class Tensor:
    """What gives itself as an array, and has a text that leaves most out."""

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.values, dtype)

    def __repr__(self) -> str:
        return "Tensor(...)"


class Several:
    """An object whose `==` gives no truth value, and whose text is short."""

    def __init__(self, values: list[float]) -> None:
        self.values = np.array(values)

    def __eq__(self, other: Any) -> Any:
        return self.values == other.values

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "Several()"


class Terse(str):
    """A text that shows nothing of itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Terse()"


class Quiet(float):
    """A double that says it was zero, with something beside its value."""

    note = ""

    def __float__(self) -> float:
        return 0.0


class Listed(list[float]):
    """A list with something beside its members."""

    note = ""


class Level(enum.Enum):
    """Names."""

    LOW = 1
    HIGH = 2


class Model:
    """A fitted model."""

    def __init__(self, weight: float) -> None:
        self.weight = weight


def frame(**columns: Any) -> pd.DataFrame:
    """A frame of pandas."""
    return pd.DataFrame(columns)


def noted(z: Any, note: str) -> Any:
    """The same with an attribute."""
    z.note = note
    return z


def with_attrs(z: Any, note: str) -> Any:
    """The same with something in `attrs`."""
    z.attrs["note"] = note
    return z


def under(name: str) -> pd.DataFrame:
    """A frame whose columns have a name together."""
    return frame(a=[1, 2]).rename_axis(columns=name)


def cut(edge: float) -> pd.Series:
    """Sums in two intervals."""
    return pd.Series([1.0, 2.0], index=pd.IntervalIndex.from_breaks([0, edge, 1]))


def structured(*names: str) -> Any:
    """An array of two records."""
    return np.array([(1, 2.0), (3, 4.0)], dtype=[(names[0], int), (names[1], float)])


def holding(value: float) -> Any:
    """A long array in the middle of which something stands."""
    values = np.zeros(200)
    values[100] = value
    return values


def at(nanoseconds: int) -> Any:
    """A time."""
    return np.datetime64(nanoseconds, "ns")


def series(values: Any, **words: Any) -> pd.Series:
    """A Series."""
    return pd.Series(values, **words)


def masked(value: float, fill: float = 0.0) -> Any:
    """An array whose second value is under a mask."""
    return np.ma.array([1.0, value], mask=[False, True], fill_value=fill)


def levels(*last: int) -> pd.Series:
    """Counts with labels of two levels."""
    return series([1.0, 2.0], index=pd.MultiIndex.from_tuples(zip("ab", last, strict=True)))


def matrix(values: Any) -> Any:
    """A matrix of numpy's, which says that it should not be used any more."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.asmatrix(values)


def entries(*triples: tuple[int, int, float]) -> Any:
    """A sparse matrix of entries."""
    rows, columns, values = zip(*triples, strict=True)
    return sp.coo_matrix((values, (rows, columns)), shape=(2, 2))


def encoded(*categories: str, is_ordered: bool = False) -> Any:
    """An array of pyarrow with the first of its categories."""
    return pa.DictionaryArray.from_arrays(pa.array([0]), pa.array(categories), ordered=is_ordered)


class DataArray:
    """What arrays of xarray are to a reader: values, and the labels of their axes."""

    dims = ("s",)

    def __init__(self, label: str) -> None:
        self._label = label

    @property
    def coords(self) -> dict[str, list[str]]:
        """Labels of each axis."""
        return {"s": [self._label]}

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([1.0], dtype)
