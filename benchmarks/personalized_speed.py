"""Time of the mechanisms of personalized privacy, beside the goals.

Run: python -m benchmarks.personalized_speed. Goals, in processor time: a mean of 1e5 records in
0.5 s a draw; the saturation of 1e6 budgets in 0.5 s. A draw is timed with the reading of its data;
making the mechanism (budgets as rationals, survival rates) is timed apart and should take 3 s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.subset_speed import REPEATS, best_seconds

Task = Callable[[], Any]
COUNT = 100_000


def saturation(rng: np.random.Generator) -> Task:
    """Saturate 1e6 budgets."""
    from mechanisms.personalized.saturation import saturate

    budgets = rng.uniform(0.01, 10, size=1_000_000)
    return lambda: saturate(budgets)


def making(rng: np.random.Generator) -> Task:
    """Make a mean with 1e5 different budgets."""
    from mechanisms.personalized.range.mean import PersonalizedMean

    budgets = rng.uniform(0.01, 1, size=COUNT).tolist()
    return lambda: PersonalizedMean(budgets)


def mean(rng: np.random.Generator) -> Task:
    """One mean of 1e5 records with different budgets."""
    from mechanisms.personalized.range.mean import PersonalizedMean

    mechanism = PersonalizedMean(rng.uniform(0.01, 1, size=COUNT).tolist())
    data = rng.normal(3, 1, size=COUNT)
    return lambda: mechanism.sample(data, 1, rng=rng)


def means(rng: np.random.Generator) -> Task:
    """1e3 means of 1e3 records."""
    from mechanisms.personalized.range.mean import PersonalizedMean

    mechanism, data = PersonalizedMean((1,) * 1000), rng.normal(3, 1, size=1000)
    return lambda: mechanism.sample(data, 1000, rng=rng)


def ranges(rng: np.random.Generator) -> Task:
    """1e6 ranges of one record."""
    from mechanisms.personalized.range.interval import PersonalizedRange

    mechanism = PersonalizedRange("1/10", "9/10")
    return lambda: mechanism.sample([1001.3], 1_000_000, rng=rng)


def printed(rng: np.random.Generator) -> Task:
    """1e6 printed ranges of one record."""
    from mechanisms.as_printed.range import PrintedRange

    mechanism = PrintedRange()
    return lambda: mechanism.sample([1001.3], 1_000_000, rng=rng)


GOALS = (
    ("saturation of 1e6 budgets", saturation, 0.5),
    ("pdp.mean, n = 1e5, made", making, 3.0),
    ("pdp.mean, n = 1e5, 1 draw", mean, 0.5),
    ("pdp.mean, n = 1e3, 1e3 draws", means, None),
    ("pdp.range, n = 1, 1e6 draws", ranges, None),
    ("pdp.range-as-printed, n = 1, 1e6 draws", printed, None),
)
"""What is timed, and the goal in seconds, where there is one."""


def main() -> None:
    """Print one line a task: seconds, goal, and whether it is met."""
    print(f"best of {REPEATS}\n\n| task | seconds | goal |\n|---|---|---|")
    for name, make, goal in GOALS:
        seconds = best_seconds(make(np.random.default_rng(1)))
        word = "-" if goal is None else f"{goal:g} s, {'met' if seconds < goal else 'MISSED'}"
        print(f"| {name} | {seconds:.4f} | {word} |", flush=True)


if __name__ == "__main__":
    main()
