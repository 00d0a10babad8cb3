"""What all tables have in common: claims that hold, keys with options, a page that is fresh."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.cli.table import KEYS
from audit.report.table_reports import table_page
from audit.tables.measured_sources import SOURCES
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS
from proofs_check.claim import Status
from proofs_check.registry import find
from proofs_check.tables.registry import TABLES, find_table
from proofs_check.tables.storage import read_stored
from proofs_check.tables.table import Built, Cell, Row

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"

SOLID = {Status.PROVED, Status.CORRECTED, Status.DEFINITION}
EXPANSIONS = {"leading": {"KSW-H5"}}
"""Claims that are asymptotic: the table's numbers are limits."""


def test_tables_are_registered_by_their_own_names(subtests: pytest.Subtests) -> None:
    """Headers must be distinct, and every word must be there."""
    for name in TABLES:
        with subtests.test(name=name):
            table = find_table(name)
            assert table.name == name
            assert len(set(table.headers)) == len(table.headers)
            assert table.about.endswith(".")
            for key in table.keys:
                assert key.name in KEYS, f"no option --{key.name}"
                assert key.says
            for column in table.columns:
                assert column.says.endswith("."), column.name
                assert column.unit
                assert column.digits >= 5


@pytest.mark.parametrize("name", TABLES)
def test_cells_rest_on_claims_that_hold(name: str) -> None:
    """Each must be of the ledger, and registered as true."""
    for column in find_table(name).columns:
        assert column.claims, column.name
        for claim in column.claims:
            status = find(claim).status
            expansion = claim in EXPANSIONS.get(name, set()) and status is Status.ASYMPTOTIC
            assert status in SOLID or expansion, (column.name, claim)


def test_every_option_belongs_to_a_table() -> None:
    """None may be left that no table has."""
    assert set(KEYS) == {key.name for name in TABLES for key in find_table(name).keys}


def test_what_can_be_measured_is_a_column() -> None:
    """Tables, columns and rivals of the sources must exist, and every rival have one."""
    for name, sources in SOURCES.items():
        table = find_table(name)
        rivals = {rival.name for rival in table.rivals}
        assert rivals <= set(sources) <= rivals | {column.name for column in table.columns}
        assert rivals <= set(MECHANISMS)


def test_an_unknown_table_is_told_with_close_names() -> None:
    """The message must name those that are close."""
    with pytest.raises(InvalidArgument, match="no table 'variances'; close: variance"):
        find_table("variances")


def test_the_page_of_all_tables_is_fresh() -> None:
    """It must be what the stored tables make; those are checked one by one."""
    built = {}
    for name in TABLES:
        table = find_table(name)
        path = REFERENCE / "tables" / f"{name}.csv"
        rows = []
        for record in read_stored(table, path.read_text(encoding="utf-8"), str(path)):
            cells = [
                Cell(tuple(record[header] for header in column.headers), column.claims)
                for column in table.columns
            ]
            rows.append(Row(tuple(record[key.name] for key in table.keys), tuple(cells)))
        built[name] = Built(table, tuple(rows))
    page = (REFERENCE / "tables.md").read_text(encoding="utf-8")
    assert page == table_page(built)


def test_the_folder_holds_nothing_else() -> None:
    """A stored table must have the name of a table."""
    assert {path.name for path in (REFERENCE / "tables").iterdir()} == {
        f"{name}.csv" for name in TABLES
    }
