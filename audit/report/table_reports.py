"""Tables as CSV, Markdown and JSON; measured intervals stand beside the numbers they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from audit.files.plain import SCHEMA_VERSION
from audit.report.json_text import dump
from audit.results.versions import versions

if TYPE_CHECKING:
    from audit.tables.empirical import Joined, MeasuredInterval
    from proofs_check.tables.column import Column
    from proofs_check.tables.table import Built, Cell, Rival, Table

__all__ = ["FORMS", "table_page", "table_report"]

FORMS = ("csv", "md", "json")
"""Names of the formats."""

PAGE_HEAD = """# Verified tables

Every number is evaluated from a closed form of the [ledger](../how-to/proofs.md#of-the-ledger) with
rigorous enclosures and rounded so that its last digit is certainly right. Below each table stand
its columns: unit, how they are rounded, and the claims that they rest on. `touchstone table NAME`
makes a table on any grid (`--epsilon 0.1:10:log:25 --n 1000`), `touchstone table NAME --check FILE`
evaluates a stored one again and names the cells that no longer hold, `--empirical` measures
mechanisms and released libraries beside it, and `--data FILE.csv` takes your own budgets
(personalized, saturation) or records (subset-risk). In the gate,
`tables = ["docs/reference/tables/variance.csv"]` checks files.

A correctly rounded number may lie half a unit of its last digit on the wrong side of a bound: use
one unit more or less where that matters. Two columns " lower" and " upper" enclose the number. An
empty cell says that no claim of the ledger gives a number there. The tables are stored in
`docs/reference/tables` as CSV, where the column `row` tells a deleted row ("3 of 14" is missing)
from one that was never there, and this page is written by
`touchstone table all --format md --output docs/reference/tables.md`.
"""


def table_report(form: str, built: Built, joined: Joined | None = None) -> str:
    """Write a table in one of `FORMS`, with measured intervals if there are any."""
    if form == "csv":
        return _csv(built, joined)
    if form == "json":
        return dump(_document(built, joined))
    return "\n".join(_markdown(built, joined)) + "\n"


def table_page(tables: Mapping[str, Built]) -> str:
    """Write the page of all tables."""
    parts = [PAGE_HEAD]
    parts += ["\n".join(_markdown(built, None)) + "\n" for built in tables.values()]
    return "\n".join(parts)


def _csv(built: Built, joined: Joined | None) -> str:
    from proofs_check.tables.storage import write_csv

    ends: dict[str, list[tuple[str, str]]] = {}
    for name in joined.columns if joined is not None else ():
        assert joined is not None
        found = [joined.at(number, name) for number in range(len(built.rows))]
        ends[name] = [("", "") if one is None else one.texts for one in found]
    return write_csv(built, ends)


def _document(built: Built, joined: Joined | None) -> dict[str, object]:
    from proofs_check.tables.registry import TABLES

    table = built.table
    libraries = () if joined is None else joined.libraries
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "table",
        "name": table.name,
        "title": TABLES[table.name].title,
        "about": table.about,
        "keys": [{"name": key.name, "unit": key.unit, "text": key.says} for key in table.keys],
        "columns": [
            {
                "name": column.name,
                "unit": column.unit,
                "text": column.says,
                "rounding": column.rounding.value,
                "claims": list(column.claims),
            }
            for column in table.columns
        ]
        + _rivals(table, joined),
        "rows": [
            {
                "keys": dict(zip((key.name for key in table.keys), row.keys, strict=True)),
                "cells": {
                    column.name: _cell(cell, None if joined is None else joined.at(k, column.name))
                    for column, cell in zip(table.columns, row.cells, strict=True)
                }
                | _beside(table, joined, k),
            }
            for k, row in enumerate(built.rows)
        ],
        "claims": _statuses(built),
        "measured": None if joined is None else joined.facts(),
        "versions": versions(["python-flint", *libraries]),
    }


def _rivals(table: Table, joined: Joined | None) -> list[dict[str, object]]:
    """Describe the rivals that were measured, as columns without claims."""
    return [
        {"name": one.name, "unit": one.unit, "text": one.says, "rounding": "measured", "claims": []}
        for one in table.rivals
        if joined is not None and one.name in joined.columns
    ]


def _beside(table: Table, joined: Joined | None, row: int) -> dict[str, dict[str, object]]:
    """Cells of the rivals that were measured in a row, which have no number."""
    from proofs_check.tables.table import Cell

    found: dict[str, dict[str, object]] = {}
    for one in table.rivals if joined is not None else ():
        assert joined is not None
        if (measured := joined.at(row, one.name)) is not None:
            found[one.name] = _cell(Cell(("",), ()), measured)
    return found


def _cell(cell: Cell, measured: MeasuredInterval | None) -> dict[str, object]:
    texts = cell.texts
    found: dict[str, object] = {"value": texts[0] or None}
    if len(texts) == 2:
        found = {"lower": texts[0] or None, "upper": texts[1] or None}
    found["claims"] = list(cell.claims)
    if measured is not None:
        found["measured"] = {
            "lower": measured.texts[0],
            "upper": measured.texts[1],
            "draws": measured.draws,
            "source": measured.source,
            "consistent": measured.consistent,
        }
    return found


def _statuses(built: Built) -> dict[str, str]:
    """Registered status of every claim that a cell rests on."""
    from proofs_check.registry import find

    names = (name for column in built.table.columns for name in column.claims)
    return {name: find(name).status.value for name in dict.fromkeys(names)}


def _markdown(built: Built, joined: Joined | None) -> Iterator[str]:
    from proofs_check.tables.registry import TABLES

    table, statuses = built.table, _statuses(built)
    beside: list[Column | Rival] = [*table.columns, *table.rivals]
    measured = [c for c in beside if joined is not None and c.name in joined.columns]
    names = [*(key.name for key in table.keys), *(column.name for column in table.columns)]
    names += [f"{column.name} measured" for column in measured]
    yield f"## {table.name}: {TABLES[table.name].title}"
    yield ""
    yield table.about
    yield ""
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for number, row in enumerate(built.rows):
        cells = [*row.keys, *(_shown(cell.texts) for cell in row.cells)]
        for column in measured:
            assert joined is not None
            one = joined.at(number, column.name)
            cells.append("" if one is None else _shown(one.texts))
        yield f"| {' | '.join(cells)} |"
    yield ""
    for key in table.keys:
        yield f"* `{key.name}`, a key: {_with_unit(key.says, key.unit)}"
    for column in table.columns:
        yield _described(column, statuses)
    for rival in table.rivals:
        yield f"* `{rival.name}`, measured with --empirical: {_with_unit(rival.says, rival.unit)}"
    if joined is not None:
        yield f"* measured: {joined.says()}"


def _described(column: Column, statuses: Mapping[str, str]) -> str:
    claims = ", ".join(f"{name} ({statuses[name]})" for name in column.claims)
    says = _with_unit(column.says, column.unit)
    return f"* `{column.name}`, {column.rounding.value}: {says} Rests on {claims}."


def _with_unit(says: str, unit: str) -> str:
    return says if unit == "1" else f"{says} Unit: {unit}."


def _shown(texts: tuple[str, ...]) -> str:
    if len(texts) == 1:
        return texts[0]
    return f"[{texts[0]}, {texts[1]}]" if texts[0] else ""
