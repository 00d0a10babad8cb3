"""False alarms at the exact claim: refuted of many runs of every null row.

Long runs: 2,000 of every row in `benchmarks.nulls`, 2e4 draws of each arm; at most 77 may be
refuted (the exact one-sided 99 % upper limit of 77 in 2,000 is 0.0497). Short runs: 20,000 of three
rows, 1,000 draws of each arm; the lower limit must be at most .05 and the share at most .055. Of
fewer runs it is said whether their own upper limit is below .05.
Every block of seeds is one line of the output file, written as it ends: the job may be stopped
and goes on where it was. Lines hold a digest of the sources; runs of two engines are not mixed.

Run: python -m benchmarks.calibration --output FILE [--minutes M] [--jobs 2] [--rows laplace,svt]
[--kinds long,short]; with `--minutes 0` it only prints the table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from scipy.stats import beta

from benchmarks.journal import Journal, digest
from benchmarks.nulls import DRAWS, DRAWS_OF_SHORT_RUNS, NULLS, SHORT, begin, end_of

CONFIDENCE = 0.99
STATED = 0.05
MOST_OF_LONG, MOST_SHARE_OF_SHORT = 77, 0.055

HEADER = (
    "| runs | mechanism / claim | refuted | of | lower 99 % | upper 99 % | verdict | CPU s/run |\n"
    + "|---" * 8
    + "|"
)


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """Runs of one length: how many of a row, draws of each arm, seeds in a block, rows."""

    runs: int
    draws: int
    block: int
    rows: tuple[str, ...]


KINDS = {
    "long": Kind(2_000, DRAWS, 25, tuple(NULLS)),
    "short": Kind(20_000, DRAWS_OF_SHORT_RUNS, 500, SHORT),
}


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Some seeds of a row."""

    kind: str
    row: str
    first: int

    def run(self) -> dict[str, Any]:
        """Audit with every seed: a line of the output file."""
        kind, started = KINDS[self.kind], time.process_time()
        seeds = range(self.first, self.first + kind.block)
        ends = {seed: end_of(begin(NULLS[self.row], seed, kind.draws)) for seed in seeds}
        return {
            "kind": self.kind,
            "row": self.row,
            "first": self.first,
            "runs": kind.block,
            "refuted": [seed for seed, end in ends.items() if end == "refuted"],
            "seconds": round(time.process_time() - started, 2),
        }


def lower_limit(hits: int, runs: int) -> float:
    """Clopper-Pearson's one-sided lower limit."""
    return float(beta.ppf(1 - CONFIDENCE, hits, runs - hits + 1)) if hits else 0.0


def upper_limit(hits: int, runs: int) -> float:
    """Clopper-Pearson's one-sided upper limit."""
    return float(beta.ppf(CONFIDENCE, hits + 1, runs - hits)) if hits < runs else 1.0


def verdict(kind: str, hits: int, runs: int) -> str:
    """Say what the runs so far show of the goal."""
    if lower_limit(hits, runs) > STATED:
        return "UNSOUND"
    if runs < KINDS[kind].runs:
        return "below .05 so far" if upper_limit(hits, runs) < STATED else "open"
    if kind == "long":
        return "met" if hits <= MOST_OF_LONG else "MISSED"
    return "met" if hits <= MOST_SHARE_OF_SHORT * runs else "MISSED"


def blocks(kinds: list[str], rows: list[str]) -> Iterator[Block]:
    """All blocks, rows evenly: the first block of every row, then the second."""
    for name in kinds:
        kind = KINDS[name]
        for first in range(0, kind.runs, kind.block):
            yield from (Block(name, row, first) for row in kind.rows if row in rows)


def table(lines: list[dict[str, Any]]) -> str:
    """All rows that have runs, with the exact limits."""
    rows = [HEADER]
    for name, kind in KINDS.items():
        for row in kind.rows:
            found = [line for line in lines if (line["kind"], line["row"]) == (name, row)]
            if not found:
                continue
            runs = sum(line["runs"] for line in found)
            hits = sum(len(line["refuted"]) for line in found)
            limits = f"{lower_limit(hits, runs):.4f} | {upper_limit(hits, runs):.4f}"
            seconds = sum(line["seconds"] for line in found) / runs
            cells = f"{hits} | {runs} | {limits} | {verdict(name, hits, runs)} | {seconds:.2f}"
            rows.append(f"| {name} | {NULLS[row].name} | {cells} |")
    return "\n".join(rows)


def main() -> None:
    """Go on with the runs, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, help="JSON lines, appended to")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rows", default=",".join(NULLS))
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    journal = Journal(options.output, digest(__file__), until)
    done = {Block(line["kind"], line["row"], line["first"]) for line in journal.lines}
    wanted = blocks(options.kinds.split(","), options.rows.split(","))
    try:
        journal.do((block for block in wanted if block not in done), processes=options.jobs)
    except KeyboardInterrupt:
        print("stopped; the same command goes on\n")
    print(table(journal.lines))


if __name__ == "__main__":
    main()
