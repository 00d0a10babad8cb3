"""Widths and seconds of composed privacy, on the grid of `touchstone table composition`.

`python -m benchmarks.accounting [--delta 1e-5] [--event NAME ...]` encloses each composition as
`touchstone account` does, and prints for each event the engines, the widest relative width of
epsilon, how many rows miss their goal, and the seconds; the rows that miss it follow. Nothing is
drawn. The goals: 1e-10 for closed forms and lattices of the losses, 1e-6 for all others.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from proofs_check.composition.choice import compositions
from proofs_check.tables.composition import TABLE
from proofs_check.tables.mechanism_words import directions_of

EXACT, NEAR = 1e-10, 1e-6
TRIES = 8
"""Finer nodes than a claim needs are not waited for: as in `audit.accounting.enclosed_total`."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A composition, and how it was enclosed."""

    event: str
    words: str
    engine: str
    width: float
    seconds: float

    @property
    def is_red(self) -> bool:
        """Whether it misses its goal."""
        is_exact = self.engine in ("closed form", "lattice of the losses")
        return self.width > (EXACT if is_exact else NEAR)


def enclosed(at: dict[str, Any], delta: Fraction) -> Row:
    """One row."""
    start = time.process_time()
    words, count = at["steps"], int(at["k"])
    directions = directions_of(words, count, at["relation"])
    for number, tried in enumerate(compositions(directions, delta), 1):
        total = tried.composition.epsilon(delta)
        if total.width <= NEAR or number >= TRIES:
            break
    names = {part.rpartition(" of ")[2].split()[0] for part in words.split(" + ")}
    name = names.pop() if " + " not in words else "several"
    return Row(name, f"{count} of {words}", tried.engine, total.width, time.process_time() - start)


def points() -> Iterator[dict[str, Any]]:
    """The grid of the table, each sum once."""
    return (at for at in TABLE.points() if at["delta"] == USUAL)


USUAL = Fraction("1e-5")
"""The delta of the table; of others it has a few rows."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delta", default="1e-5")
    parser.add_argument("--event", action="append")
    asked = parser.parse_args()
    rows: list[Row] = []
    for at in points():
        name = "several" if " + " in at["steps"] else at["steps"].split()[0]
        if asked.event is None or name in asked.event:
            rows.append(enclosed(at, Fraction(asked.delta)))
            last = rows[-1]
            print(
                f"{last.words}: {last.engine}, {last.width:.1e}, {last.seconds:.1f} s",
                file=sys.stderr,
                flush=True,
            )
    print(f"delta {asked.delta}: {len(rows)} compositions, nothing drawn\n")
    print(
        "| event | rows | engines | widest | rows that miss | seconds |\n|---|---|---|---|---|---|"
    )
    for name in dict.fromkeys(row.event for row in rows):
        some = [row for row in rows if row.event == name]
        engines = ", ".join(dict.fromkeys(row.engine for row in some))
        widest, red = max(row.width for row in some), sum(row.is_red for row in some)
        seconds = sum(row.seconds for row in some)
        print(f"| {name} | {len(some)} | {engines} | {widest:.1e} | {red} | {seconds:.1f} |")
    print()
    for row in rows:
        if row.is_red:
            print(f"misses: {row.words}: {row.engine}, {row.width:.1e}, {row.seconds:.1f} s")


if __name__ == "__main__":
    main()
