"""What the check of a stored table found, as text and as a JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.suite.tables import TableOutcome

__all__ = ["checked_document", "checked_text", "differing", "table_line"]

SHOWN = 5
"""Cells that a line of the gate names."""


def checked_text(outcome: TableOutcome, shown: int) -> str:
    """Report of one stored table; of the cells that differ, at most `shown` are named."""
    if outcome.reason and not outcome.mismatches:
        return f"UNDECIDED: {outcome.name}\n{outcome.reason}\n"
    if not outcome.mismatches:
        return (
            f"HOLDS: {outcome.name}\n{outcome.cells} cells of the table {outcome.table}, "
            f"evaluated again in {outcome.seconds:.1f} s\n"
        )
    lines = [f"DIFFERS: {outcome.name}", *map(str, outcome.mismatches[:shown])]
    return "\n".join([*lines, differing(outcome, shown)]) + "\n"


def table_line(outcome: TableOutcome, mark: str, width: int) -> str:
    """Line of a stored table in a gate run; what differs below."""
    words = outcome.reason or f"{outcome.cells} cells hold"
    if outcome.mismatches:
        words = differing(outcome, SHOWN)
    line = f"{mark:<6}{outcome.name:<{width}}  {words}\n"
    rows = (f"      {mismatch}\n" for mismatch in outcome.mismatches[:SHOWN])
    return line + "".join(rows)


def differing(outcome: TableOutcome, shown: int) -> str:
    """Count the cells that differ."""
    count = len(outcome.mismatches)
    named = f"; {shown} of them named" if count > shown else ""
    verb = "differs" if count == 1 else "differ"
    return f"{count} of {outcome.cells} cells {verb}{named}"


def checked_document(outcome: TableOutcome) -> dict[str, Any]:
    """Report of one stored table in that of a gate run."""
    return {
        "name": outcome.name,
        "table": outcome.table,
        "passed": outcome.status == 0,
        "exit_status": int(outcome.status),
        "seconds": round(outcome.seconds, 3),
        "cells": outcome.cells,
        "reason": outcome.reason,
        "mismatches": [
            {
                "row": one.row,
                "column": one.column,
                "stored": one.stored,
                "right": one.right,
                "difference": one.difference,
            }
            for one in outcome.mismatches
        ],
    }
