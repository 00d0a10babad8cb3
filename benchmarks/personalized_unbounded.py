"""Errors of the mean of users with private budgets, beside the figures it was checked with.

Records are from N(50, 1). "kept" is the mean sum of the counts; "median" and "MAE" are the median
and the mean of |release - 50| over runs, each on fresh data; with them "left / 4": the median and
the mean of the form that gives the mean stage a quarter of the left end, as printed (PDP-E-29). LB
is max over k of sqrt(1/2) / (S_k + 2 sqrt(n - k)), below which no mechanism with public budgets has
its errors (PDP-T9).

The reference has 60 runs a row. So a cell is reproduced ("=") if the reference lies between the 5 %
and 95 % quantiles of the same statistic over batches of 60 runs, or no farther outside than half of
their distance; otherwise it is marked "!".

Run: python -m benchmarks.personalized_unbounded [--batches 16] [--seed 1]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.unbounded_mean import PrintedUnboundedMean
from mechanisms.personalized.groups.unbounded_mean import UnboundedMean

Array = NDArray[np.float64]
BATCH = 60
CENTER = 50.0
BEYOND = 0.5
COLUMNS = ("kept", "median", "MAE", "left / 4, median", "left / 4, MAE")


def uniform(lowest: float) -> Callable[[np.random.Generator, int], Array]:
    """Budgets uniform between the lowest and 1."""
    return lambda rng, n: rng.uniform(lowest, 1, n)


def loguniform(lowest: float) -> Callable[[np.random.Generator, int], Array]:
    """Budgets whose logarithms are uniform."""
    return lambda rng, n: np.exp(rng.uniform(math.log(lowest), 0, n))


@dataclass(frozen=True)
class Row:
    """A setting and the reference, "" where there is none, in the order of the columns."""

    words: str
    budgets: Callable[[np.random.Generator, int], Array]
    lowest: str
    n: int
    reference: tuple[str, ...]


ROWS = (
    Row("uniform, .05 to 1", uniform(0.05), ".05", 20_000, ("19651", "", ".0121", "", ".0138")),
    Row("uniform, .05 to 1", uniform(0.05), ".05", 5000, ("", ".075", ".0957", "", ".489")),
    Row("uniform, .25 to 1", uniform(0.25), ".25", 5000, ("", ".0199", "", ".0491", "")),
    Row("loguniform, .05 to 1", loguniform(0.05), ".05", 20_000, ("", "", ".0165", "", ".0705")),
)


def lower_bound(budgets: Array) -> float:
    """LB for given budgets and sigma = 1."""
    sums = np.cumsum(np.sort(budgets))
    k = np.arange(1, budgets.size + 1)
    return float(np.max(math.sqrt(0.5) / (sums + 2 * np.sqrt(budgets.size - k))))


def run(mechanism: Any, row: Row, rng: np.random.Generator) -> tuple[float, float]:
    """Sum of the counts and error of one release on fresh data."""
    rows = np.column_stack((rng.normal(CENTER, 1, row.n), row.budgets(rng, row.n)))
    release = mechanism.sample(rows, 1, rng=rng)[0]
    return float(release[:-1].sum()), abs(float(release[-1]) - CENTER)


def cell(value: float, batches: Array, text: str) -> tuple[str, bool]:
    """A statistic beside the reference, and whether they agree."""
    shown = f"{value:.0f}" if value > 1000 else f"{value:.3g}"
    if not text:
        return shown, True
    least, most = np.quantile(batches, [0.05, 0.95])
    slack = BEYOND * (most - least)
    good = bool(least - slack <= float(text) <= most + slack)
    return f"{shown} ({text}) {'=' if good else '!'}", good


def measured(row: Row, batches: int, rng: np.random.Generator) -> tuple[list[str], bool, float]:
    """Cells of a row, whether all agree, and seconds of a run."""
    arguments: dict[str, Any] = {"budgets": (row.lowest, 1), "release": "all"}
    forms = UnboundedMean(**arguments), PrintedUnboundedMean(**arguments, slip="E-29")
    statistics: list[tuple[float, Array]] = []
    started = time.process_time()
    for form in forms:
        runs = np.array([run(form, row, rng) for _ in range(batches * BATCH)])
        kept, errors = runs.reshape(batches, BATCH, 2).transpose(2, 0, 1)
        found = [(float(kept.mean()), kept.mean(axis=1))] if form is forms[0] else []
        found.append((float(np.median(errors)), np.median(errors, axis=1)))
        found.append((float(errors.mean()), errors.mean(axis=1)))
        statistics += found
    seconds = (time.process_time() - started) / (2 * batches * BATCH)
    cells = [cell(*pair, text) for pair, text in zip(statistics, row.reference, strict=True)]
    return [words for words, _ in cells], all(good for _, good in cells), seconds


def main() -> None:
    """Print one line a row: measured (reference), and whether they agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"{arguments.batches} batches of {BATCH} runs, seed {arguments.seed}\n")
    print(f"| budgets | n | {' | '.join(COLUMNS)} | LB | ms a run |")
    print("|" + "---|" * (4 + len(COLUMNS)))
    reproduced = 0
    for place, row in enumerate(ROWS):
        rng = np.random.default_rng([arguments.seed, place])
        cells, good, seconds = measured(row, arguments.batches, rng)
        reproduced += good
        bound = lower_bound(row.budgets(rng, row.n))
        words = " | ".join(cells)
        print(
            f"| {row.words} | {row.n} | {words} | {bound:.3g} | {1000 * seconds:.0f} |", flush=True
        )
    print(f"\n{reproduced} of {len(ROWS)} rows reproduced")


if __name__ == "__main__":
    main()
