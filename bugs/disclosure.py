"""Whether the authors of what the board is about were told: `python -m bugs.disclosure`.

Ends with 1 while there is a row that may not be published, and names each: one without a public
thread whose authors we have not told, or that have had less than the days of SECURITY.md. Nothing
here tells anybody; a row says when somebody did (`told`), and what was agreed (`public_from`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final

from bugs.rows import Defect, defects

__all__ = ["DAYS", "main", "waiting"]

DAYS: Final = 90
"""From the day on which authors were told, unless they agreed to another: SECURITY.md says so."""


def reason(row: Defect, today: date) -> str | None:
    """Why a row may not be published today; None where it may."""
    if row.is_public:
        return None
    if row.told is None:
        return "no public thread, and we have not told the authors"
    told = date.fromisoformat(row.told)
    after = date.fromisoformat(row.public_from) if row.public_from else told + timedelta(DAYS)
    return None if told <= today and after <= today else f"told {told}, not before {after}"


def waiting(rows: Iterable[Defect], today: date) -> Iterator[str]:
    """Lines about rows that may not be published."""
    for row in rows:
        if why := reason(row, today):
            yield f"{row.id}: {row.library} {row.version}: {why}"


def main() -> int:
    """Name them."""
    lines = list(waiting(defects().values(), datetime.now(UTC).date()))
    print(*lines, sep="\n", end="\n" if lines else "")
    print(f"{len(lines)} of {len(defects())} rows may not be published.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
