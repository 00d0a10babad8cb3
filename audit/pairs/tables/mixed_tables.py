"""All pairs of tables that a search begins with, by family, the plain first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from audit.pairs.tables.split import Sides
from audit.pairs.tables.table_families import (
    distinct_tables,
    hostile,
    orders,
    scan,
    schema_of,
    sizes_of,
    with_cell,
    worst_tables,
)
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Declared, Domain
from audit.targets.outcomes import in_time
from audit.targets.tables.column import Cell, Column
from audit.targets.tables.table_schema import Row, Schema, Table
from mechanisms.claims import Order, Relation

TABLE_FAMILIES = ("worst cases", "scan", "orders", "hostile cells", "mixtures")
"""In the order in which a search takes them."""

MIXED = 1_300
"""Pairs of mixed rows: as many as of mixed records (`audit.screening.candidate_pairs`). Of the six
broken releases of tests/audit/tables the self-join is found by these alone."""


def table_families(
    domain: Domain, rng: np.random.Generator, *, deadline: float = math.inf
) -> dict[str, list[Pair]]:
    """Pairs of each family; the last one is drawn. Raises OutOfTime behind the deadline."""
    sides = (scan(domain), orders(domain), hostile(domain), mixed_tables(domain, rng, MIXED))
    made = [
        worst_tables(domain),
        *(distinct_tables(in_time(each, deadline), domain) for each in sides),
    ]
    return dict(zip(TABLE_FAMILIES, made, strict=True))


AT_AN_END, OUTSIDE = 0.6, 0.08
"""Shares of cells that are simple ones, and ones that code forgets: chosen as those of records
(`audit.screening.candidate_pairs`), less often outside as a row has several cells."""

ALIKE = 0.5
"""Share of units whose rows are all equal: they cost most."""

KINDS_OF_ROWS = 4
"""Different rows of a table at most, so that there are ties."""


def mixed_tables(domain: Domain, rng: np.random.Generator, count: int) -> Iterator[Sides]:
    """So many pairs; the rows of a neighbor come in another order half of the time."""
    schema = schema_of(domain)
    sizes = range(sizes_of(domain, 0)[0], schema.max_units)
    for _ in range(count):
        kinds = [_row(domain, schema, rng) for _ in range(int(rng.integers(1, KINDS_OF_ROWS + 1)))]
        units = int(rng.choice(np.array(sizes))) if len(sizes) else sizes_of(domain, 0)[0]
        common = [r for unit in range(1, units + 1) for r in rows_of_unit(schema, unit, kinds, rng)]
        fresh = [*kinds, _row(domain, schema, rng)]
        name = units + 1
        old = rows_of_unit(schema, name, fresh, rng) if domain.relation is Relation.SWAP else []
        other = name + int(rng.random() < 0.25)  # under swap another unit may come in its place
        new = rows_of_unit(schema, other, fresh, rng)
        data = (*common, *old)
        neighbor = _arranged([*common, *new], len(common), domain, rng)
        sides = (Table(schema, data), Table(schema, neighbor))
        yield sides if rng.random() < 0.5 else (sides[1], sides[0])


def _arranged(
    rows: list[Row], common: int, domain: Domain, rng: np.random.Generator
) -> tuple[Row, ...]:
    """The rows with those of the changed unit at any place, or all of them in any order."""
    how = rng.random()
    if how < 0.5:
        return tuple(rows)
    if domain.order is Order.FREE and how < 0.8:
        return tuple(rows[int(i)] for i in rng.permutation(len(rows)))
    place = int(rng.integers(common + 1))
    return (*rows[:place], *rows[common:], *rows[place:common])


def rows_of_unit(
    schema: Schema, unit: int, kinds: list[Row], rng: np.random.Generator
) -> list[Row]:
    """Rows of a unit, of a few kinds: one, or up to as many as it may have, often equal."""
    most = schema.max_rows_per_unit
    count = int(rng.choice([1, most, int(rng.integers(1, most + 1))]))
    if rng.random() < ALIKE:
        chosen = [kinds[int(rng.integers(len(kinds)))]] * count
    else:
        chosen = [kinds[int(rng.integers(len(kinds)))] for _ in range(count)]
    place = schema.place_of_unit
    return chosen if place is None else [with_cell(row, place, unit) for row in chosen]


def _row(domain: Domain, schema: Schema, rng: np.random.Generator) -> Row:
    return tuple(
        0 if column.name == schema.unit else cell_of(column, domain, rng)
        for column in schema.columns
    )


def cell_of(column: Column, domain: Domain, rng: np.random.Generator) -> Cell:
    """A simple cell, one anywhere between, or one that code forgets."""
    kind = rng.random()
    if kind > 1 - OUTSIDE and domain.records is not Declared.DECLARED:
        outsiders = list(column.outsiders().values())
        if outsiders:
            return outsiders[int(rng.integers(len(outsiders)))]
    between = column.between(Fraction(rng.random())) if kind > AT_AN_END else ()
    cells = between or column.simple
    return cells[int(rng.integers(len(cells)))]
