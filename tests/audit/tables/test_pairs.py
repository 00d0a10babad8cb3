"""Pairs of tables: all that is made, changed or made smaller is of the domain."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from audit.pairs.coverage import coverage
from audit.pairs.tables.mixed_tables import table_families
from audit.pairs.tables.pairs_of_rows import pairs_with_records
from audit.pairs.tables.reductions import cost, reductions
from audit.pairs.tables.split import Split
from audit.pairs.tables.table_families import hostile
from audit.pairs.tables.table_steps import table_steps
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Declared, Domain
from audit.targets.tables.column import cell_key
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_rows import table_of
from audit.targets.tables.table_schema import Schema, Table
from mechanisms.claims import Order, Relation
from tests.audit.tables.sql_releases import PEOPLE

RELATIONS = (Relation.ADD_REMOVE, Relation.SWAP)


def people(**words: Any) -> Schema:
    """The schema of people, with other words."""
    return read_schema({**copy.deepcopy(PEOPLE), **words})


def single() -> Schema:
    """A schema whose rows are units."""
    columns = copy.deepcopy(PEOPLE["columns"])
    del columns["person"]
    return read_schema({"columns": columns})


def made(domain: Domain) -> Iterator[tuple[str, Pair]]:
    """All pairs of all families."""
    for name, pairs in table_families(domain, np.random.default_rng(1)).items():
        for pair in pairs:
            yield name, pair


def slow_neighbors(domain: Domain, data: Table, other: Table) -> bool:
    """Neighbors by trying every unit: without it the rest is the same."""
    schema = domain.schema
    assert schema is not None

    def bag(table: Table, without: object) -> Counter[Any]:
        rows = [r for r in table.rows if schema.unit_of(r) != without]
        return Counter(tuple(map(cell_key, r)) for r in rows)

    whole, others = bag(data, None), bag(other, None)
    names = {schema.unit_of(r) for r in (*data.rows, *other.rows)}
    mine, theirs = ({schema.unit_of(r) for r in side.rows} for side in (data, other))
    if whole == others:
        return True
    if domain.relation is Relation.ADD_REMOVE:
        joins = [n for n in names if (n in mine) != (n in theirs)]
        return any(bag(data, n) == bag(other, n) for n in joins)
    return any(bag(data, n) == bag(other, m) for n in mine for m in theirs)


@pytest.mark.long
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("order", Order, ids=str)
def test_every_pair_is_of_the_domain(relation: Relation, order: Order) -> None:
    """It must hold of all families, for units of several rows and of one."""
    for schema in (people(), single()):
        domain = Domain(relation, order, schema=schema, min_size=1)
        found = list(made(domain))
        assert len(found) > 1_000
        assert all(domain.admits(pair.data, pair.neighbor) for _, pair in found)
        assert all(pair.data.key != pair.neighbor.key for _, pair in found)


@pytest.mark.long
def test_the_number_of_units_is_public_under_swap() -> None:
    """It must hold that it never differs, so that no release of it is refuted; of rows it may."""
    domain = Domain(Relation.SWAP, schema=people())
    units, rows = Counter[bool](), Counter[bool]()
    for _, pair in made(domain):
        numbers = [len({row[0] for row in side.rows}) for side in (pair.data, pair.neighbor)]
        units[numbers[0] == numbers[1]] += 1
        rows[len(pair.data) == len(pair.neighbor)] += 1
    assert units[False] == 0
    assert min(rows.values()) > 100


@pytest.mark.long
def test_an_order_that_is_data_stays() -> None:
    """It must hold that the rows that both have come in one order; where it is none they do not."""
    for order, kept in ((Order.FIXED, True), (Order.FREE, False)):
        domain = Domain(Relation.ADD_REMOVE, order, schema=people())
        splits = [Split.of(pair.data, pair.neighbor) for _, pair in made(domain)]
        places = [[j for _, j in split.common] for split in splits]
        assert all(own == sorted(own) for own in places) is kept


def test_what_of_a_schema_was_tried_is_told_once() -> None:
    """It must hold that each flag is in one of both lists, and outsiders in the right one."""
    strange = Table(people(), ((1, "?", 0.0, 20),))
    empty = Table(people(), ())
    for records, pairs, tried in (
        (Declared.ANY, [(empty, strange)], True),
        (Declared.ANY, [(empty, Table(people(), ((1, "N", 0.0, 20),)))], False),
        (Declared.DECLARED, [(empty, Table(people(), ((1, "N", 0.0, 20),)))], False),
    ):
        domain = Domain(Relation.ADD_REMOVE, schema=people(), records=records)
        told = coverage(domain, pairs, made=True, ideal=True)
        assert not told.tried.keys() & told.not_tried.keys()
        flag = "a region that is not listed"
        assert (flag in told.tried) is tried
        assert (flag in told.not_tried) is not tried
        assert "max_rows_per_unit" in told.not_tried
        said = told.not_tried["NaN in income"]
        assert said.endswith("(the domain is declared)") is (records is Declared.DECLARED)


@pytest.mark.long
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_neighbors_are_those_of_a_plain_twin(relation: Relation) -> None:
    """It must hold of made pairs, and of tables of different ones, which mostly are none."""
    domain = Domain(relation, schema=people())
    sides = [p for _, pair in list(made(domain))[::60] for p in (pair.data, pair.neighbor)]
    verdicts = Counter()
    for x in sides:
        for y in sides:
            said = domain.neighbors(x, y)
            assert said == slow_neighbors(domain, x, y), (x, y)
            verdicts[said] += 1
    assert min(verdicts[True], verdicts[False]) > 20


@pytest.mark.long
def test_what_code_forgets_is_among_them() -> None:
    """It must hold of null, NaN, unseen categories, huge cells, orders, and equal rows."""
    domain = Domain(Relation.ADD_REMOVE, schema=people())
    schema = people()
    pairs = [pair for _, pair in made(domain)]
    seen = {w for p in pairs for side in (p.data, p.neighbor) for w in schema.strange(side)}
    assert seen == {
        *("a region that is not listed", "NaN in income", "income outside of [0, 1]"),
        *("age outside of [18, 99]", "a null in age"),
    }
    assert any(
        pair.data and Counter(pair.data.rows) == Counter(pair.neighbor.rows) for pair in pairs
    )
    equal = [Counter(side.rows).most_common(1) for p in pairs for side in (p.data, p.neighbor)]
    assert max(top[0][1] for top in equal if top) == 3


@pytest.mark.long
def test_a_declared_domain_has_none_of_it() -> None:
    """It must hold of every pair; and a listed category that cannot be unseen never is."""
    declared = Domain(Relation.ADD_REMOVE, schema=people(), records=Declared.DECLARED)
    assert not any(declared.strange(p.data, p.neighbor) for _, p in made(declared))
    far = Table(people(), ((1, "N", 2.0, 20),))
    assert "income outside of [0, 1], and the domain is declared" in declared.fault(far)
    words = copy.deepcopy(PEOPLE)
    words["columns"]["region"]["unseen"] = False
    domain = Domain(Relation.ADD_REMOVE, schema=read_schema(words))
    regions = {r[1] for _, p in made(domain) for side in (p.data, p.neighbor) for r in side.rows}
    assert regions == {"N", "S", "W", None}
    odd = table_of(read_schema(words), [[1, "N", 0.0, 20]], "").with_rows([(1, "E", 0.0, 20)])
    assert "is 'E'" in domain.fault(odd)


def test_faults_of_a_table_are_named() -> None:
    """It must hold of rows of a unit, cells of another type, and sizes; a sound one has none."""
    schema = people()
    domain = Domain(Relation.ADD_REMOVE, schema=schema, min_size=2)
    row = (1, "N", 0.5, 20)
    assert domain.holds(Table(schema, (row, row)))
    assert "max_rows_per_unit is 3" in domain.fault(Table(schema, (row,) * 4))
    assert "min_size is 2" in domain.fault(Table(schema, (row,)))
    assert "of type int, is 0.5" in domain.fault(Table(schema, ((1, "N", 0.5, 0.5), row)))
    assert "a data set must be a table" in domain.fault(np.zeros(3))


@pytest.mark.long
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_steps_and_reductions_stay_in_the_domain(relation: Relation) -> None:
    """It must hold that what is smaller costs less and is a pair; some of all steps are."""
    domain = Domain(relation, schema=people())
    rng = np.random.default_rng(2)
    steps = 0
    for _, pair in list(made(domain))[::150]:
        whole = cost(Split.of(pair.data, pair.neighbor), domain)
        for smaller in reductions(pair, domain):
            assert domain.admits(smaller.data, smaller.neighbor)
            assert cost(Split.of(smaller.data, smaller.neighbor), domain) < whole
        near = table_steps(pair, domain, rng, 6)
        steps += sum(domain.admits(one.data, one.neighbor) for one in near)
    assert steps > 20


@pytest.mark.long
def test_reductions_end_at_one_plain_row() -> None:
    """It must hold of every pair under add-remove but two orders, where all of them are taken."""
    domain = Domain(Relation.ADD_REMOVE, schema=people())
    for _, pair in list(made(domain))[::100]:
        if len(pair.data) == len(pair.neighbor):
            continue
        while (smaller := next(reductions(pair, domain), None)) is not None:
            pair = smaller
        rows = (*pair.data.rows, *pair.neighbor.rows)
        assert rows == ((1, "N", 0.0, 18),)


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_the_users_rows_make_pairs(relation: Relation) -> None:
    """It must hold that a unit leaves or is replaced with all its rows."""
    schema = people()
    records = table_of(
        schema,
        [[7, "N", 0.5, 20], [8, None, 1.0, 30], [7, "S", None, 20]],
        "the data",
    )
    domain = Domain(relation, schema=schema)
    pairs = pairs_with_records(records, domain)
    assert pairs
    assert all(domain.admits(p.data, p.neighbor) for p in pairs)
    assert all(records.key in (p.data.key, p.neighbor.key) for p in pairs)
    if relation is Relation.ADD_REMOVE:
        assert sorted(min(len(p.data), len(p.neighbor)) for p in pairs) == [1, 2]


@pytest.mark.parametrize("declared", [True, False])
def test_a_null_comes_beside_many_others(declared: bool) -> None:
    """It must hold where it is a cell like any other; a column without nulls has none of them."""
    for nullable in (True, False):
        column = {"type": "float", "low": 0, "high": 1, "nullable": nullable}
        schema = read_schema({"relation": "swap", "max_units": 8, "columns": {"x": column}})
        records = Declared.DECLARED if declared else Declared.ANY
        domain = Domain(Relation.SWAP, schema=schema, records=records)
        rows = [side.rows for sides in hostile(domain) for side in sides]
        spoiled = [row for row in rows if (None,) in row and row.count((1.0,)) == 7]
        assert bool(spoiled) is (nullable or not declared)
