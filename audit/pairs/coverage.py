"""What an audit tried of a claim's domain and what not, in words; made from the domain alone.

Each flag (bounds, NaN, sizes, count, order, pairs, floating point, state) is either among what was
tried or among what was not. Whether records and sizes were tried, the pairs themselves tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from audit.results.number_words import plural
from audit.targets.domain import Declared, Domain, steps
from audit.targets.record_keys import size_of
from audit.targets.tables.column import ColumnType
from audit.targets.tables.table_schema import Schema, Table
from mechanisms.claims import Order, Relation


@final
@dataclass(frozen=True, slots=True)
class Coverage:
    """What was tried and what not, each in words by the flag that it belongs to."""

    tried: Mapping[str, str]
    not_tried: Mapping[str, str]


def coverage(
    domain: Domain,
    pairs: Sequence[tuple[Any, Any]],
    *,
    made: bool,
    ideal: bool,
    screening: tuple[str, bool] | None = None,
) -> Coverage:
    """Say what pairs try of a domain, and what they leave out.

    `domain`: of the claim. `pairs`, sequence of (data, neighbor): those that a run begins with.
    `made`: whether some of them were made here, and are searched around; else all were given.
    `ideal`: whether features of floating point are left out. `screening`: what else was looked at
    before the first bet, in words, and whether anything was; None where no pairs are made.
    """
    told = _Told()
    if screening is not None:
        told.put("screening", screening[0], tried=screening[1])
    if domain.listed:
        told.put("pairs", "the listed pairs", tried=True)
    else:
        only = f"only the {len(pairs)} given" if len(pairs) > 1 else "only the one given"
        told.put("pairs", f"pairs that are made or searched, {only}", tried=made)
        sides = [side for pair in pairs for side in pair]
        if domain.schema is None:
            _records(told, domain, sides)
            _sizes(told, domain, sides)
        else:
            _cells(told, domain, domain.schema, sides)
        same = any(steps(*pair, Order.FREE) == (0, 0) for pair in pairs)
        why = "their order is data" if domain.order is Order.FIXED else ""
        told.put("order", "two orders of the same records", tried=same, why=why)
        if domain.rows > 1:
            words = f"pairs that differ in {domain.rows} records"
            changed = [max(domain.apart(*pair) or (0, 0)) for pair in pairs]
            told.put("rows", words, tried=domain.rows in changed)
    told.put("ideal", "floating point representation", tried=not ideal, why="--ideal")
    told.put("state", "state that is kept between runs, and time", tried=False)
    return Coverage(told.tried, told.not_tried)


def _records(told: _Told, domain: Domain, sides: Sequence[Any]) -> None:
    values = np.concatenate([domain.values(side) for side in sides])
    declared = "the domain is declared"
    if domain.source:
        declared = domain.source
    out = domain.records is Declared.DECLARED
    words = f"records {domain.outside('are')}"
    told.put("bounds", words, tried=domain.beyond(values), why=declared * out)
    numbers = domain.records is not Declared.ANY
    tried = bool(np.isnan(values).any())
    told.put("nan", "records that are NaN", tried=tried, why=declared * numbers)


def _cells(told: _Told, domain: Domain, schema: Schema, sides: Sequence[Any]) -> None:
    """What of the cells of each column, of the rows of a unit and of the sizes was tried."""
    tables = [side for side in sides if isinstance(side, Table)]
    why = (domain.source or "the domain is declared") * (domain.records is Declared.DECLARED)
    seen = {words for table in tables for words in schema.strange(table)}
    for _, column in schema.cells:
        for cell in column.outsiders(few=True).values():
            words = column.strange(cell)
            told.put(words, f"cells: {words}", tried=words in seen, why=why)
        if column.type is ColumnType.CATEGORY and not column.unseen:
            words = f"cells: a {column.name} that is not listed"
            told.put(words, words, tried=False, why="unseen = false")
    if schema.unit is not None:
        words = f"more than {plural(schema.max_rows_per_unit, 'row')} of a {schema.unit}"
        told.put("max_rows_per_unit", words, tried=False, why="the schema says so")
    most, fewest = (choose(map(len, tables), default=0) for choose in (max, min))
    told.put("max_size", f"tables of more than {plural(most, 'row')}", tried=False)
    words = f"fewer than {plural(fewest, 'row')}" if fewest else "tables without rows"
    told.put("min_size", words, tried=fewest <= (domain.relation is Relation.SWAP))


def _sizes(told: _Told, domain: Domain, sides: Sequence[Any]) -> None:
    sizes = [size for side in sides if (size := size_of(side)) is not None] or [0]
    if domain.count is not None:
        words = f"numbers of records other than {domain.count}"
        told.put("count", words, tried=False, why="it is public")
        return
    most, fewest = max(sizes), min(sizes)
    words = f"more than {plural(most, 'record')}" if most else "data sets that are not empty"
    told.put("max_size", words, tried=most == domain.max_size)
    words = f"fewer than {plural(fewest, 'record')}" if fewest else "data sets without records"
    told.put("min_size", words, tried=fewest <= (domain.relation is Relation.SWAP))


@final
@dataclass(frozen=True, slots=True)
class _Told:
    """Both lists, as they are filled."""

    tried: dict[str, str] = field(default_factory=dict)
    not_tried: dict[str, str] = field(default_factory=dict)

    def put(self, flag: str, words: str, *, tried: bool, why: str = "") -> None:
        place = self.tried if tried else self.not_tried
        place[flag] = words if tried or not why else f"{words} ({why})"
