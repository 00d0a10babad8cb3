"""The data sets that a query is asked about: those of a domain, in the type that it reads.

Candidates are arrays of numbers throughout; a data set is handed to the query as it reads it, an
array of doubles to a function and a list of records to a Transformation, whose texts stand behind
small integers until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.pairs.worst_cases import Pair
from audit.targets.domain import Declared, Domain
from audit.targets.libraries.opendp_transformation import Transformation
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_rows import tables_of
from audit.targets.tables.table_schema import Table
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument

Array = NDArray[Any]
"""A data set of numbers."""

TYPES = {
    "f64": "f8",
    "f32": "f4",
    "i32": "i4",
    "i64": "i8",
    "u32": "u4",
    "u64": "u8",
    "usize": "u8",
    "bool": "u1",
    "String": "i8",
}
"""Of arrays, by OpenDP's names of the types of records."""

TEXTS = ("", "a", "b", "c", "x" * 10_000)
"""Records that are texts: an empty and a long one among them."""

MADE_UP = {"f": (Fraction(0), Fraction(1)), "i": (Fraction(0), Fraction(10))}
"""Bounds where there are none: records beyond them come as outsiders do."""


@final
@dataclass(frozen=True, slots=True)
class Space:
    """Data sets, and how the query reads them."""

    domain: Domain
    """Of the claim, with bounds."""
    kind: str = "f8"
    """Type of the records, as numpy writes it."""
    element: str = ""
    """OpenDP's name of the type, where the query is a Transformation."""

    def admitted(self, pairs: Iterable[Pair], seen: set[tuple[int, int]]) -> Iterator[Pair]:
        """Pairs in the type of the records: no other than of the domain, none that was seen."""
        of_tables = self.domain.schema is not None
        for pair in pairs:
            data, neighbor = pair.data, pair.neighbor
            if not of_tables:
                data, neighbor = self._cast(data), self._cast(neighbor)
                if data is None or neighbor is None:
                    continue
            first, second = (hash(x if of_tables else x.tobytes()) for x in (data, neighbor))
            key = (min(first, second), max(first, second))
            if first == second or key in seen or not self.domain.admits(data, neighbor):
                continue
            seen.add(key)
            yield replace(pair, data=data, neighbor=neighbor)

    def _cast(self, data: Any) -> Array | None:
        """A data set in the type of the records; None for records that are none of it."""
        values = np.asarray(data)
        dtype = np.dtype(self.kind)
        if values.dtype == dtype or values.ndim != 1:
            return values
        if dtype.kind == "f":
            return values.astype(dtype)
        if not np.isfinite(values).all():
            return None
        ends = np.iinfo(dtype)
        whole = [round(x) for x in values.tolist()]
        if self.domain.records is Declared.DECLARED and self.domain.bounds is not None:
            low, high = self.domain.bounds  # which doubles may miss by one
            whole = [min(max(x, int(low)), int(high)) for x in whole]
        if not all(ends.min <= x <= ends.max for x in whole):
            return None
        return np.array(whole, dtype=dtype)

    def read(self, pair: Pair) -> Pair:
        """A pair of the user's in the type of the records, where it is one of numbers.

        Raises InvalidData if a row is none of the schema.
        """
        if self.domain.schema is not None:
            data, neighbor = tables_of(self.domain.schema, (pair.data, pair.neighbor), pair.label)
            return replace(pair, data=data, neighbor=neighbor)
        return replace(pair, data=self._read(pair.data), neighbor=self._read(pair.neighbor))

    def _read(self, data: Any) -> Any:
        if self.element in ("", "bool", "String") or not isinstance(data, np.ndarray):
            return data
        cast = self._cast(data)
        return data if cast is None else cast

    def carried(self, data: Any) -> Any:
        """A data set as the query reads it."""
        if isinstance(data, Table):
            return given(data)
        if not self.element or not isinstance(data, np.ndarray):
            return data
        if data.dtype != np.dtype(self.kind):  # of the user's own pair
            return data.tolist()
        if self.element == "bool":
            return [bool(x) for x in data]
        if self.element == "String":
            return [TEXTS[int(x)] for x in data]
        return data.tolist()


def space_of(domain: Domain, transformation: Transformation | None) -> Space:
    """The data sets of a domain.

    Raises InvalidArgument if the records are of a type that none are made of.
    """
    if domain.relation is Relation.LISTED:
        return Space(domain)
    if transformation is None:
        return Space(domain)
    element = transformation.element
    if element not in TYPES:
        msg = (
            f"{transformation.name} reads records of type {element}; they are made of types "
            f"{', '.join(TYPES)}"
        )
        raise InvalidArgument(msg)
    if domain.bounds is None:
        ends = {
            "bool": (Fraction(0), Fraction(1)),
            "String": (Fraction(0), Fraction(len(TEXTS) - 1)),
        }
        bounds = ends.get(element, MADE_UP["f" if element[0] == "f" else "i"])
        told = Declared.DECLARED if element in ends else domain.records
        domain = replace(domain, bounds=bounds, named=False, records=told)
    return Space(domain, TYPES[element], element)
