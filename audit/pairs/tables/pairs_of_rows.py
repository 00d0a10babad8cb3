"""Pairs made from the user's own rows: a unit leaves, or is replaced by a plain one."""

from __future__ import annotations

from audit.pairs.tables.split import Sides, units_of
from audit.pairs.tables.table_families import distinct_tables, plain_row, schema_of, with_cell
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain
from audit.targets.tables.table_schema import Table
from mechanisms.claims import Relation

MOST_OF_DATA = 12
"""Units of the user's own rows that are changed: each pair takes its share of a run's draws."""


def pairs_with_records(records: Table, domain: Domain) -> list[Pair]:
    """Pairs made from the user's own rows: a unit leaves, or is replaced."""
    schema = schema_of(domain)
    found: list[Sides] = []
    units = units_of(records)
    for name in sorted(units, key=lambda name: -len(units[name]))[:MOST_OF_DATA]:
        rest = [row for row in records.rows if schema.unit_of(row) != name]
        own = [row for row in records.rows if schema.unit_of(row) == name]
        if schema.unit is None:  # of equal rows one is a unit
            rest, own = [*rest, *own[1:]], own[:1]
        if domain.relation is Relation.ADD_REMOVE:
            found.append((Table(schema, tuple(rest)), records))
            continue
        for rank in (0, 1):
            unit = own[0][schema.place_of_unit] if schema.place_of_unit is not None else 0
            new = plain_row(schema, 0, rank)
            if schema.place_of_unit is not None:
                new = with_cell(new, schema.place_of_unit, unit)
            found.append((records, Table(schema, (*rest, new))))
    return distinct_tables(found, domain)
