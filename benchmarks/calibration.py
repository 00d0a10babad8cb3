"""False alarms at the exact claim: refuted of many runs of every null row.

Long runs: 2,000 of every row in `benchmarks.nulls`, 2e4 draws of each arm; at most 77 may be
refuted (the exact one-sided 99 % upper limit of 77 in 2,000 is 0.0497). Short runs: 20,000 of three
rows, 1,000 draws of each arm; the lower limit must be at most .05 and the share at most .055.
Every block of seeds is one line of the output file, written as it ends: the job may be stopped
and goes on where it was. Lines hold a digest of the sources; runs of two engines are not mixed.

Run: python -m benchmarks.calibration --output FILE [--minutes M] [--jobs 2] [--rows laplace,svt]
[--kinds long,short]; with `--minutes 0` it only prints the table.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, final

from joblib import Parallel, delayed
from scipy.stats import beta

from benchmarks.nulls import DRAWS, DRAWS_OF_SHORT_RUNS, NULLS, SHORT, begin, end_of

ENGINE = (
    "audit.engine.",
    "audit.corpus.",
    "benchmarks.",
    "mechanisms.add_remove.",
    "mechanisms.noise.",
)
"""What decides how a null run goes: engine, samplers, and the rows."""

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
        return "not yet"
    if kind == "long":
        return "met" if hits <= MOST_OF_LONG else "MISSED"
    return "met" if hits <= MOST_SHARE_OF_SHORT * runs else "MISSED"


def blocks(kinds: list[str], rows: list[str]) -> Iterator[Block]:
    """All blocks, rows evenly: the first block of every row, then the second."""
    for name in kinds:
        kind = KINDS[name]
        for first in range(0, kind.runs, kind.block):
            yield from (Block(name, row, first) for row in kind.rows if row in rows)


def digest() -> str:
    """Digest of the sources that a run depends on: of those loaded here the ones below `ENGINE`.

    Vocabulary, registries and reports are left out: they change without changing a run.
    """
    loaded = {
        module.__file__
        for name, module in list(sys.modules.items())
        if name.startswith(ENGINE) and module.__file__
    }
    files = sorted(Path(file) for file in loaded if Path(file) != Path(__file__))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def read_lines(path: Path, engine: str) -> list[dict[str, Any]]:
    """Blocks that a file holds; a last line that was cut is left out."""
    if not path.exists():
        return []
    whole = [text for text in path.read_text().splitlines(keepends=True) if text.endswith("\n")]
    lines = [json.loads(text) for text in whole]
    if any(line["engine"] != engine for line in lines):
        msg = f"{path} holds runs of another version of the sources; name a new --output"
        raise SystemExit(msg)
    path.write_text("".join(whole))
    return lines


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
    end = time.monotonic() + 60 * options.minutes
    engine = digest()
    lines = read_lines(options.output, engine)
    done = {Block(line["kind"], line["row"], line["first"]) for line in lines}
    wanted = blocks(options.kinds.split(","), options.rows.split(","))
    missing = (block for block in wanted if block not in done)
    try:
        with (
            options.output.open("a") as file,
            Parallel(n_jobs=options.jobs, return_as="generator_unordered") as parallel,
        ):
            while time.monotonic() < end and (some := list(islice(missing, options.jobs))):
                for line in parallel(delayed(block.run)() for block in some):
                    lines.append(line | {"engine": engine})
                    print(json.dumps(lines[-1]), file=file, flush=True)
    except KeyboardInterrupt:
        print("stopped; the same command goes on\n")
    print(table(lines))


if __name__ == "__main__":
    main()
