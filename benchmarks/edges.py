"""False alarms where the assumptions fail: private targets whose laws move, or whose calls depend.

Each row is a target of `tests/edges/targets.py` that keeps its claim draw by draw and breaks what
the theorems rest on. No theorem bounds how often it is refuted; at a rate of .05 at most 23 of 200
runs may be (the 99.99 % quantile of Bin(200, .05)), each in a process of its own, since the targets
count their calls.

Run: python -m benchmarks.edges [--runs 200] [--jobs 2] [--rows drift,warm_up] [--samples 100000]
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import final

from scipy.stats import binom

from audit.request.privacy_plan import plan_audit
from audit.request.request import Request
from audit.runs.privacy_run import run_plan

TARGETS = Path(__file__).parent.parent / "tests" / "edges" / "targets.py"

RATE, SURE = 0.05, 0.9999

ROWS = {
    "drift": "1",
    "random_walk": "1",
    "warm_up": "1",
    "antithetic": "1",
    "shared_offset": "0.1",
    "rate_limited": "1",
}
"""Targets, and what they claim."""


@final
@dataclass(frozen=True, slots=True)
class Job:
    """One run."""

    name: str
    seed: int
    samples: int


def run(job: Job) -> tuple[str, str]:
    """Audit, in this process, which has not loaded the target before."""
    request = Request(
        f"{TARGETS}:{job.name}", stated={"epsilon": ROWS[job.name]}, relation="add-remove",
        low=0, high=1, ideal=True, budget_samples=job.samples,
    )  # fmt: skip
    plan = plan_audit(request, stated_in="benchmarks.edges")
    result = run_plan(plan, seed=job.seed, false_alarm=RATE, budget_seconds=600)
    return job.name, str(result.verdict)


def main() -> None:
    """Print a row a target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--rows", default=",".join(ROWS))
    asked = parser.parse_args()
    most = int(binom.ppf(SURE, asked.runs, RATE))
    jobs = [
        Job(name, seed, asked.samples)
        for name in asked.rows.split(",")
        for seed in range(1, asked.runs + 1)
    ]
    print("| target | REFUTED | INCONCLUSIVE | CONSISTENT | runs | at most |\n" + "|---" * 6 + "|")
    counts: dict[str, Counter[str]] = {name: Counter() for name in asked.rows.split(",")}
    with multiprocessing.get_context("fork").Pool(asked.jobs, maxtasksperchild=1) as pool:
        for name, verdict in pool.imap(run, jobs, chunksize=1):
            counts[name][verdict] += 1
            if counts[name].total() == asked.runs:
                found = [counts[name][v] for v in ("REFUTED", "INCONCLUSIVE", "CONSISTENT")]
                print(
                    f"| {name} | {' | '.join(map(str, found))} | {asked.runs} | {most} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
