"""Draws that the default configuration needs to refute, beside goals and physical limits.

Every row of `power_rows` is audited with the same configuration (only row 18 reads
the floating-point lattices). The figure is the 0.9 quantile over seeds of the draws of each arm
(all pairs together) at the refutation; a run that does not refute within its budget counts as
infinite. Its 95 % interval is that of order statistics: a goal is met if the upper end is at most
it, missed if the lower end is above it, and open in between; a row whose "must" is open is run
once with three times the seeds. Row 22 is the processor time of a verdict at 1e6 draws of each arm.
K, the oracle and the limits are those that `python -m benchmarks.limits --record` wrote.

With `--output` every block of seeds is a line of a file: the job may be stopped and goes on where
it was, and intervals are compared with those of other seeds in the same file (`--seed 50000`).

Run: python -m benchmarks.power [--rows 1-5,8,23-31] [--reps N] [--seed N] [--output FILE]
[--minutes M] [--jobs 2]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final
from unittest.mock import patch

import numpy as np

from audit.engine import sequential
from audit.engine.run_state import Run
from audit.results.verdict import Verdict
from audit.targets.target import Target
from benchmarks import first_audit
from benchmarks.journal import Journal, digest
from benchmarks.limits import Limit, read_limits
from benchmarks.power_rows import ROWS, Row
from benchmarks.quantiles import QUANTILE, Quantile, ranks
from mechanisms.claims import Order, PrivacyClaim, Relation, Source

__all__ = ["Outcome", "audit_row", "rows_of"]

BUDGET, LEAST_BUDGET = 4, 2_000
"""Budget of a run: draws of each arm in goals ("must"), and at least; the learning draws are not to
be cut by it, as they are by less than 4 times as many."""

REPS, REPS_VECTOR, BLOCK = 300, 60, 20
TIMES_IF_OPEN = 3
VERDICT_ROW = "22"
MUST, AIM = 16, 13
"""Goals for the geometric mean of q90 K: the oracle has about 6."""

HEADER = (
    "| row | mechanism / claim | seeds | q90 [l, u] | median | must | aim | oracle q90 | q90 >= "
    "| E[n] >= | q90 K | must, aim | CPU s/run | confirmed | all draws, q90 | other seeds |\n|"
    + "---|"
    * 16
)


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """Draws of each arm until the wealth was 1 / alpha (else infinite), and processor seconds.

    `confirmed` is whether the fresh draws of the witness alone broke the claim, and `all_draws`
    those of the whole audit: of the witness, of its shrinking, and of a run that went on because
    fresh draws did not confirm it; infinite where the verdict was not REFUTED.
    """

    draws: float
    seconds: float
    confirmed: bool = False
    all_draws: float = math.inf


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Some seeds of a row."""

    row: str
    first: int
    runs: int

    def run(self) -> dict[str, Any]:
        """Audit with every seed: a line of the output file."""
        seeds = range(self.first, self.first + self.runs)
        outcomes = [audit_row(ROWS[self.row], seed) for seed in seeds]
        return {
            "row": self.row,
            "first": self.first,
            "draws": [_finite(outcome.draws) for outcome in outcomes],
            "all": [_finite(outcome.all_draws) for outcome in outcomes],
            "confirmed": [outcome.confirmed for outcome in outcomes],
            "seconds": [round(outcome.seconds, 3) for outcome in outcomes],
        }


def _finite(draws: float) -> float | None:
    return None if math.isinf(draws) else draws


@contextmanager
def refutations() -> Iterator[list[int]]:
    """Samples of the run at each time that its wealth has reached 1 / alpha.

    The first one is the benchmark's figure. A run whose witness is not confirmed goes on at a
    stricter level, so that the samples of its result are no measure of the bets.
    """
    reached: list[int] = []
    shown = sequential.show

    def show(run: Run, *arguments: Any) -> Any:
        reached.append(run.samples)
        return shown(run, *arguments)

    with patch.object(sequential, "show", show):
        yield reached


def audit_row(row: Row, seed: int) -> Outcome:
    """Audit a row with one seed, in the default configuration."""
    target = Target(name=row.name, draw=row.draw, claim=None, order=Order.FIXED)
    settings = sequential.Settings(
        seed=seed,
        false_alarm=0.05,
        ideal=row.ideal,
        budget_samples=2 * max(BUDGET * row.must, LEAST_BUDGET),
        budget_seconds=600,
    )
    claim = PrivacyClaim(row.level, Relation.LISTED, Source("benchmark", "stated"))
    started = time.process_time()
    with refutations() as reached:
        result = sequential.audit(target, claim, row.pairs, settings)
    seconds = time.process_time() - started
    draws = reached[0] / 2 if reached else math.inf
    if result.verdict is not Verdict.REFUTED or result.witness is None:
        return Outcome(draws, seconds)
    return Outcome(draws, seconds, result.witness.confirmed, result.samples / 2)


def outcomes_of(journal: Journal, row: str) -> dict[int, Outcome]:
    """All outcomes of a row, by seed."""
    return {
        line["first"] + i: Outcome(_draws(draws), seconds, confirmed, _draws(every))
        for line in journal.of(row=row)
        for i, (draws, seconds, confirmed, every) in enumerate(
            zip(line["draws"], line["seconds"], line["confirmed"], line["all"], strict=True)
        )
    }


def _draws(recorded: float | None) -> float:
    return math.inf if recorded is None else recorded


def measured(journal: Journal, row: Row, seeds: range, processes: int) -> list[Outcome]:
    """Outcomes of these seeds; those that are not in the journal are made, while there is time."""
    there = outcomes_of(journal, row.number)
    missing = [seed for seed in seeds if seed not in there]
    journal.do(blocks(row.number, missing), processes=processes)
    there = outcomes_of(journal, row.number)
    return [there[seed] for seed in seeds if seed in there]


def others(journal: Journal, row: str, seeds: range) -> list[Outcome]:
    """Outcomes of all other seeds."""
    return [outcome for seed, outcome in outcomes_of(journal, row).items() if seed not in seeds]


def quantile(values: Sequence[float], level: float = QUANTILE) -> float:
    """A quantile that is one of the values."""
    return float(np.quantile(values, level, method="inverted_cdf"))


def line_of(
    row: Row,
    outcomes: Sequence[Outcome],
    first: int,
    limit: Limit | None,
    beside: Sequence[Outcome] = (),
) -> str:
    """Format one line of the table."""
    draws = [outcome.draws for outcome in outcomes]
    q90 = Quantile.of(draws)
    bounds = ["-"] * 4
    if limit is not None:
        bounds = [f"{limit.oracle:.0f}", f"{limit.q90:.0f}", f"{limit.mean:.0f}"]
        bounds.append(f"{q90.value * limit.rate:.2f}")
    met = f"{q90.verdict(row.must)}, {q90.verdict(row.aim) if row.aim else '-'}"
    seconds = np.mean([outcome.seconds for outcome in outcomes])
    confirmed = np.mean([outcome.confirmed for outcome in outcomes])
    every = quantile([outcome.all_draws for outcome in outcomes])
    compared = "-"
    if ranks(len(beside))[1] is not None:
        theirs = Quantile.of([outcome.draws for outcome in beside])
        compared = f"{theirs}, {'overlap' if q90.overlaps(theirs) else 'APART'}"
    seeds = f"{first} to {first + len(draws) - 1}"
    cells = [row.number, row.name, seeds, str(q90), f"{quantile(draws, 0.5):.0f}"]
    cells += [str(row.must), str(row.aim or "-"), *bounds, met]
    cells += [f"{seconds:.2f}", f"{confirmed:.2f}", f"{every:.0f}", compared]
    return "| " + " | ".join(cells) + " |"


def summary(quantiles: dict[str, Quantile], limits: dict[str, Limit]) -> str:
    """The geometric mean of q90 K over the rows with K, and whether its goals are met."""
    rows = [row for row in quantiles if row in limits]
    if not rows:
        return "geometric mean of q90 K: no rows with K"
    logs = [
        np.mean([math.log(end(quantiles[row]) * limits[row].rate) for row in rows])
        for end in (lambda q: q.value, lambda q: q.low, lambda q: q.high)
    ]
    mean, low, high = np.exp(logs)
    told = ", ".join(
        f"{name} {goal}: {'met' if mean <= goal else 'MISSED'}"
        for name, goal in (("must", MUST), ("aim", AIM))
    )
    return (
        f"geometric mean of q90 K over {len(rows)} rows: {mean:.2f} "
        f"(of the lower ends {low:.2f}, of the upper ends {high:.2f}); {told}"
    )


def rows_of(text: str) -> list[str]:
    """Numbers of rows: "1-3,13a" and the like; a range goes in the order of the table."""
    numbers = [*ROWS, VERDICT_ROW]
    found: list[str] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        ends = [first, last or first]
        if unknown := [end for end in ends if end not in numbers]:
            msg = f"no row {unknown[0]!r}; rows are {', '.join(numbers)}"
            raise SystemExit(msg)
        found += [row for row in numbers if _key(ends[0]) <= _key(row) <= _key(ends[1])]
    return list(dict.fromkeys(found))


def _key(row: str) -> tuple[int, str]:
    digits = row.rstrip("ab")
    return int(digits), row[len(digits) :]


def blocks(row: str, missing: Sequence[int]) -> Iterator[Block]:
    """Blocks of the seeds that are missing, each of consecutive ones."""
    start = 0
    while start < len(missing):
        first, stop = missing[start], start + 1
        while (
            stop - start < BLOCK and stop < len(missing) and missing[stop] == first + stop - start
        ):
            stop += 1
        yield Block(row, first, stop - start)
        start = stop


def main() -> None:
    """Print the table, each row as it finishes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default=",".join([*ROWS, VERDICT_ROW]), help="1-5,8,13a")
    parser.add_argument("--reps", type=int, help="of every row; default 300, vectors 60")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--output", type=Path, help="JSON lines, appended to")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    limits = read_limits()
    until = time.monotonic() + 60 * options.minutes
    journal = Journal(options.output, digest(__file__), until)
    quantiles: dict[str, Quantile] = {}
    print(HEADER, flush=True)
    for number in rows_of(options.rows):
        if number == VERDICT_ROW:
            continue
        row = ROWS[number]
        runs = options.reps or (REPS_VECTOR if row.vector else REPS)
        outcomes: list[Outcome] = []
        for reps in (runs, TIMES_IF_OPEN * runs):
            seeds = range(options.seed, options.seed + reps)
            outcomes = measured(journal, row, seeds, options.jobs)
            if len(outcomes) < reps:
                break
            quantiles[number] = Quantile.of([outcome.draws for outcome in outcomes])
            if quantiles[number].verdict(row.must) != "open":
                break
        if outcomes:
            beside = others(journal, number, range(options.seed, options.seed + len(outcomes)))
            print(line_of(row, outcomes, options.seed, limits.get(number), beside), flush=True)
    if VERDICT_ROW in rows_of(options.rows):
        print(f"\nrow 22, 1e6 draws of each arm: {first_audit.measured()} (best of 3)")
    print("\n" + summary(quantiles, limits))


if __name__ == "__main__":
    main()
