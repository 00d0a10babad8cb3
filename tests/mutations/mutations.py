"""The mutations that the tests must kill."""

from pathlib import Path

from tests.mutations.mutation import read

__all__ = ["MUTATIONS"]

TABLES = sorted(Path(__file__).with_name("listed").glob("*.txt"))

MUTATIONS = tuple(row for table in TABLES for row in read(table.read_text(encoding="utf-8")))
