"""No file of ours is longer than 400 lines, but for a table that has less code than that beside it.

A registry is looked up, not read from its beginning: split, it would be sought in several files.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from tests.architecture.sources import modules

MOST_LINES = 400

TABLES = {
    "mechanisms.registry": "one entry a mechanism and a noise law, which everything looks up here"
}
"""Modules whose tables do not count, with the reason."""


def code_lines(text: str) -> int:
    """Lines of a module without those of the tables that it assigns to its names."""
    tables = [
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        if isinstance(node.value, ast.Dict | ast.Tuple | ast.List)
    ]
    rows = sum((table.end_lineno or 0) - table.lineno + 1 for table in tables)
    return len(text.splitlines()) - rows


def faults(texts: Mapping[str, str], tables: Collection[str]) -> list[str]:
    """Modules that are too long, and exceptions that none needs."""
    lines = {name: len(text.splitlines()) for name, text in texts.items()}
    counted = {name: code_lines(texts[name]) if name in tables else lines[name] for name in texts}
    long = [f"{name}: {count} lines" for name, count in counted.items() if count > MOST_LINES]
    idle = [f"{name}: no exception" for name in tables if lines.get(name, 0) <= MOST_LINES]
    return long + idle


def test_no_file_is_longer_than_400_lines() -> None:
    """It must hold of every module but the tables that are named, and of the code beside these."""
    assert faults({module.name: module.text() for module in modules()}, TABLES) == []


def test_a_long_file_is_found() -> None:
    """It must hold that one line too many is seen, in code beside a table too, and no fewer."""
    code, table = "x = 1\n" * MOST_LINES, "ROWS = {\n" + "    1: 2,\n" * MOST_LINES + "}\n"
    assert faults({"at": code, "above": code + "y = 2\n"}, ()) == ["above: 401 lines"]
    assert faults({"rows": table}, ()) == ["rows: 402 lines"]
    assert faults({"rows": table + code}, ["rows"]) == []
    assert faults({"rows": table + code + "y = 2\n"}, ["rows"]) == ["rows: 401 lines"]
    assert faults({"short": code}, ["short"]) == ["short: no exception"]
