"""Time of the add-remove means on 1,000 records, beside the goals.

Run: python -m benchmarks.means. Goals: 1e6 draws of Algorithm 3 in under 1 s; the hardened mean
at 3e5 draws a second or more.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from mechanisms.add_remove.grid import exact_sums
from mechanisms.registry import MECHANISMS, build_mechanism

RECORDS = 1_000
DRAWS = 1_000_000
REPEATS = 3
GOAL_SECONDS = {
    "ksw.transformed-laplace": 1.0,
    "ksw.transformed-staircase": 1.0,
    "ksw.transformed-hourglass": 1.0,
    "ksw.release-mean": DRAWS / 3e5,
}


def best_seconds(task: Any) -> float:
    """Shortest of a few runs."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print one line a mechanism: seconds, draws a second, goal."""
    rng = np.random.default_rng(1)
    data = rng.random(RECORDS)
    print(f"{DRAWS:,} draws on {RECORDS:,} records, best of {REPEATS}")
    for name in MECHANISMS:
        mechanism = build_mechanism(name)
        seconds = best_seconds(lambda m=mechanism: m.sample(data, DRAWS, rng=rng))
        goal = GOAL_SECONDS.get(name)
        verdict = f"goal {goal:.2f} s: {'met' if seconds < goal else 'MISSED'}" if goal else ""
        print(f"{name:36} {seconds:7.3f} s {DRAWS / seconds:12,.0f} draws/s  {verdict}".rstrip())
    for low, high in (("0", "1"), ("-0.1", "1.7")):
        mean = build_mechanism("ksw.transformed-laplace", low=low, high=high)
        seconds = best_seconds(lambda m=mean: exact_sums(data, m.low, m.high))
        print(f"exact sums of {RECORDS:,} records in [{low}, {high}]: {1e6 * seconds:.0f} us")


if __name__ == "__main__":
    main()
