"""Smaller pairs of tables, the smallest first: fewer units, fewer rows, plain columns, plain cells.

First whole units go that do not change, then rows, of these units and of the one that changes; then
a column is set to its simplest cell in all rows, and then single cells are. A column that is not at
its simplest in what is left matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from audit.pairs.tables.split import Sides, Split, as_pair, setting
from audit.pairs.tables.table_families import schema_of
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain
from audit.targets.tables.column import Cell, Column, cell_key
from mechanisms.claims import Order


def reductions(pair: Pair, domain: Domain) -> Iterator[Pair]:
    """Pairs of the domain that cost less than this one."""
    split = Split.of(pair.data, pair.neighbor)
    whole = cost(split, domain)
    for sides in _reduced(split, domain):
        smaller = Split.of(*sides)
        if smaller.differ and domain.admits(*sides) and cost(smaller, domain) < whole:
            yield as_pair(sides)


def cost(split: Split, domain: Domain) -> tuple[int, int, int, int]:
    """What shrinking makes smaller: strange cells, rows, cells that are not simple, disorder.

    Disorder is an odd order of the rows, and units that are not called 1, 2, 3 ... in it.
    """
    schema = schema_of(domain)
    rows = [*split.data.rows, *split.neighbor.rows]
    hard = sum(_difficulty(column, row[i]) for row in rows for i, column in schema.cells)
    strange = domain.strangeness(split.data, split.neighbor)
    disorder = int(not split.is_plain) + int(_renamed(split) is not None)
    return strange, len(rows), hard, disorder


def matters(split: Split) -> list[str]:
    """Names of the columns that are not at their simplest cell in all rows."""
    rows = [*split.data.rows, *split.neighbor.rows]
    return [
        column.name
        for i, column in split.schema.cells
        if any(_difficulty(column, row[i]) for row in rows)
    ]


def _difficulty(column: Column, cell: Cell) -> int:
    """Rank among the simple cells; else by the number of characters."""
    keys = [cell_key(simple) for simple in column.simple]
    key = cell_key(cell)
    return keys.index(key) if key in keys else len(keys) + len(repr(cell))


def _reduced(split: Split, domain: Domain) -> Iterator[Sides]:
    yield from _fewer_units(split)
    yield from _fewer_rows(split)
    if domain.order is Order.FREE and not split.is_plain:
        yield split.plain()
    if (renamed := _renamed(split)) is not None:
        yield renamed
    yield from _plain_columns(split)
    yield from _plain_cells(split)


def _renamed(split: Split) -> Sides | None:
    """Units called 1, 2, 3 ... in the order in which they come; None where they are."""
    place = split.schema.place_of_unit
    if place is None:
        return None
    rows = [*split.data.rows, *split.neighbor.rows]
    names: dict[object, int] = {}
    for row in rows:
        names.setdefault(cell_key(row[place]), len(names) + 1)
    if all(type(row[place]) is int and row[place] == names[cell_key(row[place])] for row in rows):
        return None
    data, neighbor = (
        side.with_rows(setting(place, names[cell_key(row[place])])(row) for row in side.rows)
        for side in (split.data, split.neighbor)
    )
    return data, neighbor


def _fewer_units(split: Split) -> Iterator[Sides]:
    """Without all common units, half of them, or one."""
    groups = _common_units(split)
    yield split.without(range(len(split.common)))
    for half in (groups[: len(groups) // 2], groups[len(groups) // 2 :]):
        if 1 < len(half) < len(groups):
            yield split.without([k for group in half for k in group])
    for group in groups:
        yield split.without(group)


def _common_units(split: Split) -> list[list[int]]:
    """Numbers of the common rows, unit by unit; each row where these are units."""
    schema = split.schema
    if schema.unit is None:
        return [[k] for k in range(len(split.common))]
    found: dict[object, list[int]] = {}
    for k, (i, _) in enumerate(split.common):
        found.setdefault(schema.unit_of(split.data.rows[i]), []).append(k)
    return list(found.values())


def _fewer_rows(split: Split) -> Iterator[Sides]:
    """A row of a unit less, where it has several: of the one that changes first."""
    if split.schema.unit is None:
        return
    for arm, own in enumerate(split.changed):
        for gone in ([own[1:]] if len(own) > 2 else []) + [(place,) for place in own[1:]]:
            yield split.without_places(*((gone, ()) if arm == 0 else ((), gone)))
    for group in _common_units(split):
        for k in group[1:]:
            yield split.without([k])


def _plain_columns(split: Split) -> Iterator[Sides]:
    """A column at its simplest cell in all rows of both."""
    everywhere = range(len(split.common))
    for place, column in split.schema.cells:
        edit = setting(place, column.simple[0])
        data, neighbor = split.with_common(everywhere, edit)
        both = Split(data, neighbor, split.common)
        for arm, own in enumerate(both.changed):
            both = Split(*both.with_changed(arm, own, edit), split.common)
        yield both.data, both.neighbor


def _plain_cells(split: Split) -> Iterator[Sides]:
    """Single cells, alike in all rows of the changed unit and then one by one."""
    for place, column in split.schema.cells:
        for cell in column.simple[:2]:
            edit = setting(place, cell)
            for arm, own in enumerate(split.changed):
                if len(own) > 1:
                    yield split.with_changed(arm, own, edit)
                for one in own:
                    yield split.with_changed(arm, [one], edit)
            known = Counter(cell_key(split.data.rows[i][place]) for i, _ in split.common)
            for key in known:
                alike = [
                    k
                    for k, (i, _) in enumerate(split.common)
                    if cell_key(split.data.rows[i][place]) == key
                ]
                yield split.with_common(alike, edit)
                if len(alike) > 1:
                    yield from (split.with_common([k], edit) for k in alike)
