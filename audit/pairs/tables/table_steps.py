"""Steps from a pair of tables to others like it, chosen at random."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from audit.pairs.tables.mixed_tables import cell_of
from audit.pairs.tables.split import Sides, Split, as_pair, setting
from audit.pairs.tables.table_families import schema_of, with_cell
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain
from audit.targets.tables.table_schema import Schema

KINDS = 7


def table_steps(pair: Pair, domain: Domain, rng: np.random.Generator, count: int) -> Iterator[Pair]:
    """At most so many steps; one may leave the domain, and may be no step at all."""
    split = Split.of(pair.data, pair.neighbor)
    for _ in range(count):
        sides = _step(split, domain, rng)
        if sides is not None:
            yield as_pair(sides)


def _step(split: Split, domain: Domain, rng: np.random.Generator) -> Sides | None:
    schema, kind = schema_of(domain), int(rng.integers(KINDS))
    arm = int(rng.integers(2))
    own = split.changed[arm]
    columns = list(schema.cells)
    place, column = columns[int(rng.integers(len(columns)))]
    edit = setting(place, cell_of(column, domain, rng))
    if kind == 0 and own:  # a cell in all rows of the unit that changes
        return split.with_changed(arm, own, edit)
    if kind == 1 and own:  # in one of its rows
        return split.with_changed(arm, [own[int(rng.integers(len(own)))]], edit)
    if kind == 2 and own and schema.unit is not None:  # one row of it more, equal to another
        sides = [split.data, split.neighbor]
        row = sides[arm].rows[own[int(rng.integers(len(own)))]]
        sides[arm] = sides[arm].with_rows((*sides[arm].rows, row))
        return sides[0], sides[1]
    numbers = range(len(split.common))
    if kind == 3 and split.common:  # a cell of a common row
        return split.with_common([int(rng.integers(len(numbers)))], edit)
    if kind == 4 and split.common:  # in all of them
        return split.with_common(numbers, edit)
    if kind == 5 and split.common:  # a common unit less
        return split.without(_of_a_unit(split, int(rng.integers(len(numbers)))))
    if kind == 6 and split.common:  # one more, with the rows of another
        return _with_another(split, schema, int(rng.integers(len(numbers))))
    return None


def _of_a_unit(split: Split, number: int) -> list[int]:
    """Numbers of the common rows of the unit that one of them belongs to."""
    schema, rows = split.schema, split.data.rows
    if schema.unit is None:
        return [number]
    name = schema.unit_of(rows[split.common[number][0]])
    return [k for k, (i, _) in enumerate(split.common) if schema.unit_of(rows[i]) == name]


def _with_another(split: Split, schema: Schema, number: int) -> Sides:
    rows = [split.data.rows[split.common[k][0]] for k in _of_a_unit(split, number)]
    place = schema.place_of_unit
    if place is not None:
        names = [row[place] for side in (split.data, split.neighbor) for row in side.rows]
        new = max((name for name in names if isinstance(name, int)), default=0) + 1
        rows = [with_cell(row, place, new) for row in rows]
    return (
        split.data.with_rows((*rows, *split.data.rows)),
        split.neighbor.with_rows((*rows, *split.neighbor.rows)),
    )
