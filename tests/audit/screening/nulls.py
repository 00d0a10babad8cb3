"""How often the seven sound releases are REFUTED with screening on, at two false-alarm rates.

`python -m tests.audit.screening.nulls FILE.jsonl [--seeds 20]` audits each of them for each seed at
.05 and at .001, keeps a line for each run that is done, goes on from there, and prints the table of
benchmarks/README.md. `MOST_WRONG` is how often chance alone refutes them once in a thousand times:
16 of 140 runs at .05, and 2 at .001, of which 1 is asked for.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import final

from scipy.stats import binom

from audit.results.verdict import Verdict
from tests.audit.screening.acceptance import audited_plainly
from tests.audit.screening.defects import SOUND, Row
from tests.audit.screening.kept_runs import keep, kept

__all__ = ["MOST_WRONG", "RATES", "Null", "is_kept", "null_run", "table"]

RATES = (0.05, 0.001)

DRAWS = 20_000
"""Of a run; the sound releases of tests.audit.screening.acceptance have as many."""

MOST_WRONG = 1e-3
"""Probability of more refutations than are allowed, of releases that have just the rate."""


@final
@dataclass(frozen=True, slots=True)
class Null:
    """One run of a sound release."""

    name: str
    false_alarm: float
    seed: int
    verdict: str
    screened: int
    """Pairs that screening measured."""
    samples: int


def null_run(row: Row, rate: float, seed: int) -> Null:
    """Audit a sound release from its bounds alone."""
    result = audited_plainly(row, budget_samples=DRAWS, false_alarm=rate)(seed)
    pairs = 0 if result.screening is None else result.screening.pairs
    return Null(row.name, rate, seed, result.verdict.value, pairs, result.samples)


def refuted_of(found: list[Null]) -> int:
    """How many of the runs are REFUTED."""
    return sum(one.verdict == Verdict.REFUTED for one in found)


def most_of(runs: int, rate: float) -> int:
    """Refutations that so many runs may have; of 140 at .001 one fewer than chance would allow."""
    return min(int(binom.isf(MOST_WRONG, runs, rate)), 1 if rate < RATES[0] else runs)


def is_kept(found: list[Null], rate: float) -> bool:
    """Whether the runs at a rate are refuted no more often than it allows."""
    own = [one for one in found if one.false_alarm == rate]
    return refuted_of(own) <= most_of(len(own), rate)


def table(found: list[Null]) -> str:
    """What came of the runs, for benchmarks/README.md."""
    lines = ["| false alarm | releases | runs | screened | REFUTED | at most |", f"{'|---' * 6}|"]
    for rate in RATES:
        own = [one for one in found if one.false_alarm == rate]
        names, screened = len({one.name for one in own}), sum(one.screened > 0 for one in own)
        cells = (rate, names, len(own), screened, refuted_of(own), most_of(len(own), rate))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """Run what is not done yet, seed by seed, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seeds", type=int, default=20)
    asked = parser.parse_args()
    found = kept(asked.file, Null)
    done = {(one.name, one.false_alarm, one.seed) for one in found}
    for seed in range(1, asked.seeds + 1):
        for rate in RATES:
            for row in SOUND:
                if (row.name, rate, seed) not in done:
                    found.append(null_run(row, rate, seed))
                    keep(asked.file, found[-1])
    print(table(found))


if __name__ == "__main__":
    main()
