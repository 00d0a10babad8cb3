"""What the check of a stored table found, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.rounding import plural

if TYPE_CHECKING:
    from audit.suite.tables import TableOutcome

__all__ = ["checked_text", "differing", "table_lines"]

SHOWN = 5
"""Cells that a line of the gate names."""


def checked_text(outcome: TableOutcome, shown: int) -> str:
    """Report of one stored table; of the cells that differ, at most `shown` are named."""
    if outcome.reason and not outcome.mismatches:
        return f"UNDECIDED: {outcome.name}\n{outcome.reason}\n"
    if not outcome.mismatches:
        return (
            f"HOLDS: {outcome.name}\n{plural(outcome.cells, 'cell')} of the table {outcome.table}, "
            f"evaluated again in {outcome.seconds:.1f} s\n"
        )
    lines = [f"DIFFERS: {outcome.name}", *map(str, outcome.mismatches[:shown])]
    return "\n".join([*lines, differing(outcome, shown)]) + "\n"


def table_lines(outcome: TableOutcome) -> tuple[str, ...]:
    """What a gate run says of a stored table in its line, and below it of what differs."""
    hold = "hold" if outcome.cells != 1 else "holds"
    words = outcome.reason or f"{plural(outcome.cells, 'cell')} {hold}"
    if outcome.mismatches:
        words = differing(outcome, SHOWN)
    return (words, *map(str, outcome.mismatches[:SHOWN]))


def differing(outcome: TableOutcome, shown: int) -> str:
    """Count the cells that differ."""
    count = len(outcome.mismatches)
    named = f"; {shown} of them named" if count > shown else ""
    verb = "differs" if count == 1 else "differ"
    return f"{count} of {outcome.cells} cells {verb}{named}"
