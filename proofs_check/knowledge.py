"""What is known of each claim, and how, without importing the ledger (which needs sympy).

It is read off `ledger.lock`, which `python -m proofs_check.lock` writes.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

__all__ = ["FIELDS", "FILE", "known", "rows"]

FILE = Path(__file__).with_name("ledger.lock")
"""The lock of the ledger: a line for each claim, in its order."""

FIELDS = ("id", "status", "level", "statement", "checks")
"""Of a line, between tabs; the last two are digests."""


def rows(text: str) -> dict[str, dict[str, str]]:
    """Return the lines of a lock by id."""
    return {row["id"]: row for row in csv.DictReader(text.splitlines(), delimiter="\t")}


@cache
def known() -> Mapping[str, str]:
    """Return status and level by id, such as "PROVED, MACHINE"; the status alone where none is."""
    lines = rows(FILE.read_text(encoding="utf-8")).items()
    return MappingProxyType(
        {name: ", ".join(filter(None, (row["status"], row["level"]))) for name, row in lines}
    )
