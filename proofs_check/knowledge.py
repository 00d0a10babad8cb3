"""What is known of each claim, and how, without importing the ledger (which needs sympy).

`knowledge.csv` has a row for each claim: id, status, level of evidence. `python -m
tests.proofs_check.knowledge` writes it anew, and a test compares it with what is computed.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

__all__ = ["FILE", "known"]

FILE = Path(__file__).with_name("knowledge.csv")
"""The rows."""


@cache
def known() -> Mapping[str, str]:
    """Return status and level by id, such as "PROVED, MACHINE"; the status alone where none is."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    words = {row["id"]: ", ".join(filter(None, (row["status"], row["level"]))) for row in rows}
    return MappingProxyType(words)
