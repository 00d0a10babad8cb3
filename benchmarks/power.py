"""Draws that the default configuration needs to refute, beside goals and physical limits.

Every row of `power_rows` is audited with the same configuration (only row 18 reads
the floating-point lattices). The figure is the 0.9 quantile over seeds of the draws of each arm
(all pairs together) at the refutation; a run that does not refute within its budget counts as
infinite. Row 22 is the processor time of a verdict at 1e6 draws of each arm.
K, the oracle and the limits are those that `python -m benchmarks.limits --record` wrote.

Run: python -m benchmarks.power [--rows 1,2,8] [--reps N] [--seed N] [--jobs 2]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from joblib import Parallel, delayed

from audit.engine.sequential import Settings, audit
from audit.targets.target import Target
from audit.verdict import Verdict
from benchmarks.limits import Limit, read_limits
from benchmarks.power_rows import ROWS, Row
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument

BUDGET = 4
"""Budget of a run, in goals ("must")."""

REPS, REPS_VECTOR = 300, 60
VERDICT_ROW = "22"
VERDICT_DRAWS, VERDICT_GOAL = 1_000_000, 0.3

HEADER = (
    "| row | mechanism / claim | reps | q90 | median | must | aim | oracle q90 | q90 >= "
    "| E[n] >= | q90 K | met | CPU s/run | confirmed | all draws, q90 |\n|" + "---|" * 15
)


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """Draws of each arm at the refutation (infinite if there was none), and processor seconds.

    `confirmed` is whether the fresh draws of the witness alone broke the claim, and `all_draws`
    counts them and the shrinking too.
    """

    draws: float
    seconds: float
    confirmed: bool = False
    all_draws: float = math.inf


def run_once(number: str, seed: int) -> Outcome:
    """Audit a row of the table with one seed."""
    return audit_row(ROWS[number], seed)


def audit_row(row: Row, seed: int) -> Outcome:
    """Audit a row with one seed, in the default configuration."""
    target = Target(name=row.name, draw=row.draw, claim=None, order=Order.FIXED)
    settings = Settings(
        seed=seed,
        false_alarm=0.05,
        ideal=row.ideal,
        budget_samples=2 * BUDGET * row.must,
        budget_seconds=600,
    )
    samples: list[int] = []
    started = time.process_time()
    result = audit(
        target,
        PrivacyClaim(row.level, Relation.LISTED, Source("benchmark", "stated")),
        row.pairs,
        settings,
        progress=lambda done, _: samples.append(done),
    )
    seconds = time.process_time() - started
    if result.verdict is not Verdict.REFUTED or result.witness is None:
        return Outcome(math.inf, seconds)
    return Outcome(samples[-1] / 2, seconds, result.witness.confirmed, result.samples / 2)


def verdict_seconds(seed: int) -> float:
    """Processor time of an audit of Laplace noise at its exact claim, 1e6 draws of each arm."""
    row = ROWS["1"]
    target = Target(name="Laplace", draw=row.draw, claim=None, order=Order.FIXED)
    settings = Settings(
        seed=seed,
        false_alarm=0.05,
        ideal=True,
        budget_samples=2 * VERDICT_DRAWS,
        budget_seconds=600,
    )
    claim = PrivacyClaim(PureDP(1), Relation.LISTED, Source("benchmark", "stated"))
    started = time.process_time()
    audit(target, claim, row.pairs, settings)
    return time.process_time() - started


def line_of(row: Row, outcomes: Sequence[Outcome], limit: Limit | None) -> str:
    """Format one line of the table."""
    draws = [outcome.draws for outcome in outcomes]
    q90 = float(np.quantile(draws, 0.9, method="inverted_cdf"))
    median = float(np.quantile(draws, 0.5, method="inverted_cdf"))
    met = "aim" if row.aim and q90 <= row.aim else "must" if q90 <= row.must else "MISSED"
    if limit is None:
        bounds = ["-"] * 3 + ["-"]
    else:
        bounds = [f"{limit.oracle:.0f}", f"{limit.q90:.0f}", f"{limit.mean:.0f}"]
        bounds.append(f"{q90 * limit.rate:.2f}")
    seconds = np.mean([outcome.seconds for outcome in outcomes])
    figures = [f"{q90:.0f}", f"{median:.0f}", str(row.must), str(row.aim or "-"), *bounds, met]
    confirmed = np.mean([outcome.confirmed for outcome in outcomes])
    every = float(np.quantile([o.all_draws for o in outcomes], 0.9, method="inverted_cdf"))
    told = [f"{seconds:.2f}", f"{confirmed:.2f}", f"{every:.0f}"]
    cells = [row.number, row.name, str(len(draws)), *figures, *told]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table, each row as it finishes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default=",".join([*ROWS, VERDICT_ROW]))
    parser.add_argument("--reps", type=int, help="of every row; default 300, vectors 60")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    numbers = options.rows.split(",")
    limits = read_limits()
    print(HEADER, flush=True)
    with Parallel(n_jobs=options.jobs) as parallel:
        for number in numbers:
            if number == VERDICT_ROW:
                continue
            row = ROWS[number]
            reps = options.reps or (REPS_VECTOR if row.vector else REPS)
            try:
                seeds = range(options.seed, options.seed + reps)
                outcomes = parallel(delayed(run_once)(number, seed) for seed in seeds)
            except InvalidArgument as exc:
                print(f"| {number} | {row.name} | n/a: {exc} |", flush=True)
                continue
            print(line_of(row, outcomes, limits.get(number)), flush=True)
    if VERDICT_ROW in numbers:
        seconds = min(verdict_seconds(seed) for seed in range(3))
        met = "met" if seconds <= VERDICT_GOAL else "MISSED"
        print(f"\nrow 22: {seconds:.2f} s of processor time for a verdict at 1e6 draws of each arm")
        print(f"(best of 3; goal {VERDICT_GOAL} s: {met})")


if __name__ == "__main__":
    main()
