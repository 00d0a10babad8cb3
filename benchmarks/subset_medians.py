"""Error of the median by inverse sensitivity on N(0, 1), beside the figures measured before.

Run: python -m benchmarks.subset_medians. The error is |t - lower median| of records rounded to the
grid of step beta on [-R, R]. The figures to compare with (SUB, practical guidance) are means over
200 runs, each with data of its own and rounded to four decimals. Here the expected error is taken
from the law, over many data sets; `apart` is the difference in units of the standard deviation of
such a mean. The last column is the time of 100 draws from one data set, after the first.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import grid_indices
from mechanisms.subset.inverse_sensitivity import InverseSensitivity, grid_scores
from mechanisms.subset.scores.statistic import Statistic

DATA_SETS = 4_000
RUNS = 200
ROUNDING = 5e-5
SETTINGS = (
    (300, "1", 50, "1/100", 0.0089),
    (2000, "1", 50, "1/100", 0.0018),
    (2000, "1/10", 50, "1/100", 0.0125),
    (2000, "1", 1000, "1/10", 0.0010),
)
"""n, epsilon, R, beta, mean error over 200 runs."""

MEDIAN = Statistic.checked("median", "1/2", 2, "crossing")


def moments(mechanism: InverseSensitivity, data: NDArray[np.float64]) -> tuple[float, float]:
    """E |t - median| and E |t - median|^2 on one data set, by the law."""
    low, high, step = mechanism.low, mechanism.high, mechanism.step
    scores = grid_scores(data, low, high, step, MEDIAN)
    weights = np.exp(-float(mechanism.epsilon) / 2 * scores)
    places = np.sort(grid_indices(data, low, high, int((high - low) / step)))
    error = float(step) * np.abs(np.arange(scores.size) - places[(data.size - 1) // 2])
    total = weights.sum()
    return float(error @ weights / total), float(error**2 @ weights / total)


def main() -> None:
    """Print one line a setting."""
    rng = np.random.default_rng(1)
    print(f"{DATA_SETS:,} data sets a line; figures are means over {RUNS} runs")
    print("    n  epsilon     R   beta   expected error   figure   apart   100 draws")
    for n, epsilon, radius, beta, figure in SETTINGS:
        mechanism = InverseSensitivity(epsilon, -radius, radius, beta)
        found = np.array([moments(mechanism, rng.normal(size=n)) for _ in range(DATA_SETS)])
        mean, square = found.mean(axis=0)
        noise = ((square - mean**2) / RUNS) ** 0.5
        apart = max(0.0, abs(figure - mean) - ROUNDING) / noise
        data = rng.normal(size=n)
        started = time.perf_counter()
        mechanism.sample(data, 100, rng=rng)
        seconds = time.perf_counter() - started
        spread = found[:, 0].std() / DATA_SETS**0.5
        print(
            f"{n:5} {epsilon:>8} {radius:5} {float(mechanism.step):6.2f}   "
            f"{mean:.5f} +- {spread:.5f}   {figure:.4f} {apart:7.1f} {1e3 * seconds:8.2f} ms"
        )


if __name__ == "__main__":
    main()
