"""Pairs of tables on which faults were found, by family; all are made from the domain alone.

A unit joins, or its rows are replaced. It has one row or as many as a unit may have: equal rows of
one unit cost most, and a count with noise for one row shows it. Every cell of every column comes at
its ends and as each category, and, where the domain is not declared, as each that code forgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice, product

from audit.pairs.tables.split import Sides, as_pair
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Declared, Domain
from audit.targets.tables.column import BOUNDED, Cell
from audit.targets.tables.table_schema import Row, Schema, Table
from mechanisms.claims import Order, Relation

SCANNED = 128
"""Cells of each column of numbers that the scan comes to: chosen, a quarter of those of records,
as a schema has several columns."""


def schema_of(domain: Domain) -> Schema:
    """The schema of a domain of tables."""
    assert domain.schema is not None
    return domain.schema


def plain_row(schema: Schema, unit: int, rank: int = 0) -> Row:
    """A row of a unit whose cells are the simplest; of rank 1 the second simplest, and so on."""
    return tuple(
        unit if c.name == schema.unit else c.simple[min(rank, len(c.simple) - 1)]
        for c in schema.columns
    )


def with_cell(row: Row, place: int, cell: Cell) -> Row:
    """The row with another cell."""
    return (*row[:place], cell, *row[place + 1 :])


def joined(domain: Domain, common: Iterable[Row], rows: Iterable[Row], instead: Row) -> Sides:
    """A unit that joins with its rows; under swap it takes the place of one with a plain row."""
    schema = schema_of(domain)
    others, own = tuple(common), tuple(rows)
    before = (instead,) if domain.relation is Relation.SWAP else ()
    return Table(schema, (*others, *before)), Table(schema, (*others, *own))


def sizes_of(domain: Domain, *wanted: int) -> tuple[int, ...]:
    """Numbers of other units: as few as there may be, some, and as many as are generated."""
    schema = schema_of(domain)
    least = max(0, domain.min_size - (domain.relation is Relation.SWAP))
    most = max(schema.max_units - 1, least)
    return tuple(sorted({min(max(n, least), most) for n in (*wanted, most)}))


def plain_tables(domain: Domain) -> Iterator[Table]:
    """Tables of simple cells, one row a unit: what the outputs of a target are looked at on."""
    schema = schema_of(domain)
    swap = int(domain.relation is Relation.SWAP)
    for size in sizes_of(domain, 0, 1):
        yield Table(schema, tuple(plain_row(schema, u) for u in range(1, size + swap + 1)))
    most = max(schema.max_units, domain.min_size)
    yield Table(schema, tuple(plain_row(schema, u, u % 3) for u in range(1, most + 1)))


def single_rows(domain: Domain, most: int) -> Iterator[Table]:
    """Tables of one row: all combinations of simple cells, the plain first, then odd ones."""
    schema = schema_of(domain)
    choices = [(1,) if c.name == schema.unit else c.simple for c in schema.columns]
    for row in islice(product(*choices), most):
        yield Table(schema, (row,))
    for place, column in schema.cells:
        for cell in () if domain.records is Declared.DECLARED else column.outsiders().values():
            yield Table(schema, (with_cell(plain_row(schema, 1), place, cell),))


def lengths_of(schema: Schema) -> tuple[int, ...]:
    """Rows of the unit that changes: one, or as many as it may have."""
    return tuple(sorted({1, schema.max_rows_per_unit}))


def worst_tables(domain: Domain) -> list[Pair]:
    """The plain pairs, and a few with cells that code forgets: what an audit begins with."""
    return distinct_tables([*_ends(domain), *hostile(domain, few=True)], domain)


def _ends(domain: Domain) -> Iterator[Sides]:
    schema = schema_of(domain)
    for size in sizes_of(domain, 0, 2):
        for rank in (0, 1):
            common = [plain_row(schema, unit, rank) for unit in range(1, size + 1)]
            if not size and rank:
                continue
            low, high = (plain_row(schema, size + 1, r) for r in (0, 1))
            for count in lengths_of(schema):
                yield joined(domain, common, [high] * count, low)
                yield joined(domain, common, [low] * count, high)
    most = schema.max_rows_per_unit
    for size in sizes_of(domain, 0)[:1]:
        common = [plain_row(schema, unit) for unit in range(1, size + 1)]
        base = plain_row(schema, size + 1)
        for place, column in schema.cells:
            for cell in column.simple[1:]:
                yield joined(domain, common, [with_cell(base, place, cell)] * most, base)
        others = [plain_row(schema, size + 1, rank) for rank in range(most)]
        yield joined(domain, common, others, base)


def hostile(domain: Domain, *, few: bool = False) -> Iterator[Sides]:
    """Cells that code forgets, null where it may be one among them, beside no other unit and more.

    A null that is filled may spoil what the others add up to, so that it costs as much as they do.
    """
    declared = domain.records is Declared.DECLARED
    schema = schema_of(domain)
    for size in sizes_of(domain, 0)[:1] if few else sizes_of(domain, 0, 1, 2):
        for rank in (0,) if few else (0, 1):
            common = [plain_row(schema, unit, rank) for unit in range(1, size + 1)]
            base = plain_row(schema, size + 1)
            for place, column in schema.cells:
                nulls = (None,) if column.nullable and not few else ()
                odd_ones = () if declared else column.outsiders(few=few).values()
                for cell in (*nulls, *odd_ones):
                    for count in lengths_of(schema)[:1] if few else lengths_of(schema):
                        odd = with_cell(base, place, cell)
                        yield joined(domain, common, [odd] * count, base)


def scan(domain: Domain) -> Iterator[Sides]:
    """One cell of each column of numbers that walks between its bounds."""
    schema = schema_of(domain)
    size = sizes_of(domain, 1)[0]
    common = [plain_row(schema, unit) for unit in range(1, size + 1)]
    base = plain_row(schema, size + 1)
    for place, column in schema.cells:
        if column.type not in BOUNDED:
            continue
        walk = [Fraction(int(f"{i:b}"[::-1], 2), 2 ** len(f"{i:b}")) for i in range(1, SCANNED + 1)]
        for cell in column.between(*walk):
            yield joined(domain, common, [with_cell(base, place, cell)], base)


def orders(domain: Domain) -> Iterator[Sides]:
    """The same rows in another order, and one unit that joins first, or with its rows apart."""
    if domain.order is Order.FIXED:
        return
    schema = schema_of(domain)
    for size in sizes_of(domain, 2, 3):
        rows = [plain_row(schema, unit, unit % 3) for unit in range(1, size + 1)]
        yield Table(schema, tuple(rows)), Table(schema, tuple(rows[::-1]))
        new = [plain_row(schema, size + 1, rank) for rank in range(schema.max_rows_per_unit)]
        data, neighbor = joined(domain, rows, new, plain_row(schema, size + 1, 2))
        yield data, neighbor.with_rows(neighbor.rows[::-1])
        yield data, neighbor.with_rows((*new[:1], *rows, *new[1:]))


def distinct_tables(sides: Iterable[Sides], domain: Domain) -> list[Pair]:
    """Leave out equal sides, repeated pairs, and what is not of the domain."""
    kept: dict[frozenset[object], Sides] = {}
    for data, neighbor in sides:
        if data.key != neighbor.key and domain.admits(data, neighbor):
            kept.setdefault(frozenset((data.key, neighbor.key)), (data, neighbor))
    return [as_pair(pair) for pair in kept.values()]
