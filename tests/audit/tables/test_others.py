"""Strategies and sensitivities of tables."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import audit
from audit.results.verdict import Verdict
from audit.strategies import neighboring_tables, tables
from audit.targets.domain import Domain
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_rows import table_of
from mechanisms.claims import Relation
from tests.audit.tables.sql_releases import PEOPLE

SCHEMA = read_schema(PEOPLE)
SEARCH = settings(max_examples=200, derandomize=True, database=None, deadline=None)
"""The same in every profile, and enough to shrink."""


@pytest.mark.long
@pytest.mark.parametrize("relation", ["add-remove", "swap"])
def test_drawn_pairs_are_neighbors(relation: Any) -> None:
    """It must hold of all, also of hostile ones; both sides differ."""
    domain = Domain(Relation(relation), schema=SCHEMA)

    @settings(max_examples=60, deadline=None)
    @given(st.booleans().flatmap(lambda h: neighboring_tables(PEOPLE, relation, hostile=h)))
    def check(pair: Any) -> None:
        data, neighbor = (table_of(SCHEMA, x, "drawn") for x in (pair.data, pair.neighbor))
        assert domain.admits(data, neighbor)
        assert data.key != neighbor.key

    check()


@pytest.mark.long
def test_hostile_cells_are_drawn_where_they_are_asked_for() -> None:
    """It must hold that one is found, and that none is among the others."""
    strange = lambda rows: bool(SCHEMA.strange(table_of(SCHEMA, rows, "drawn")))  # noqa: E731
    found = find(tables(PEOPLE, hostile=True), strange, settings=SEARCH)
    assert len(found) == 1

    @settings(max_examples=60, deadline=None)
    @given(tables(PEOPLE))
    def check(rows: Any) -> None:
        assert not strange(rows)

    check()


@pytest.mark.long
def test_a_pair_shrinks_to_one_plain_row() -> None:
    """It must hold under add-remove."""
    pair = find(neighboring_tables(PEOPLE), lambda _: True, settings=SEARCH)
    rows = [pair.data, pair.neighbor]
    assert sorted(map(len, rows)) == [0, 1]


def test_wrong_arguments_are_refused() -> None:
    """It must hold of a form, a relation and a schema without one."""
    with pytest.raises(audit.InvalidArgument, match="takes must be one of"):
        tables(PEOPLE, takes="frame")
    words = copy.deepcopy(PEOPLE)
    del words["relation"]
    with pytest.raises(audit.InvalidArgument, match="the schema does not say which"):
        neighboring_tables(words)


def total(rows: Any) -> float:
    """The sum of all incomes, clipped."""
    return float(sum(min(max(row["income"] or 0.0, 0.0), 1.0) for row in rows if known(row)))


def known(row: Any) -> bool:
    """Whether an income is a number."""
    return row["income"] is not None and row["income"] == row["income"]


@pytest.mark.long
def test_a_sensitivity_is_that_of_a_unit() -> None:
    """It must hold that three rows move a sum by 3: at most 2.9 is refuted, 3.001 is not."""
    words: dict[str, Any] = {"norm": "l1", "schema": PEOPLE, "seed": 1}
    result = audit.sensitivity(total, at_most="29/10", **words)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    rows = max(len(result.witness.data), len(result.witness.neighbor))
    assert rows == 3
    result = audit.sensitivity(total, at_most="3001/1000", budget_pairs=1_500, **words)
    assert result.verdict is Verdict.CONSISTENT, result.reason
    assert float(result.largest) == pytest.approx(3)


@pytest.mark.parametrize(("word", "value"), [("rows", 2), ("count", 3)])
def test_words_of_records_are_refused(word: str, value: int) -> None:
    """It must hold of those that count records."""
    words: dict[str, Any] = {"norm": "l1", "at_most": 1, "schema": PEOPLE, word: value}
    relation = "swap" if word == "count" else "add-remove"
    words["schema"] = {**PEOPLE, "relation": relation}
    with pytest.raises(audit.InvalidArgument, match="with schema neighbors differ in one unit"):
        audit.sensitivity(total, **words)
