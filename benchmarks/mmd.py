"""Head to head with kernel betting tests: draws of each arm until a violation is refuted.

The rows are those of `benchmarks.power` on Laplace and Gaussian noise, noisy max and sparse vector,
and one claim far below the truth, where the published test is at home. All see the same pair, at
level .05. The first 20 draws of each arm set the bandwidth, as published, and count. A run that
does not refute counts as infinite: the signed test's ends at 20 goals ("must"), the published one's
at 3,000 draws, for its cost is quadratic; where its MMD stays below tau it never refutes.

Goals, by the interval of our 0.9 quantile: at most the published test's quantile in every row, and
at most 1.25 times the signed test's in all rows but "home", where row 25's goals hold: the signed
test has every draw of its wealth in such bets there, and looks after each.

Run: python -m benchmarks.mmd [--rows 1,2] [--reps 100] [--seed N] [--jobs 2]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.kernel_bets import PublishedTest, SignedTest, distances, median_distance
from benchmarks.power import audit_row
from benchmarks.power_rows import ROWS, Row, laplace
from benchmarks.quantiles import Quantile
from mechanisms.claims import ApproxDP, PureDP
from mechanisms.corpus.sparse_vector import SparseVector

Array = NDArray[np.float64]

HOME = Row("home", "Laplace 1 / .1", laplace, PureDP("0.1"), 650)
CASES: dict[str, Row] = {row: ROWS[row] for row in ("1", "2", "3", "6", "10", "11", "12")}
CASES |= {"home": HOME}

VARIANTS = {"10": "svt6", "11": "svt3"}
FIRST = 20
LONGEST = 20
PUBLISHED_DRAWS = 3000
TIMES_SIGNED = 1.25
GRID, GRID_REACH = 401, 8.0
POPULATION = 4000

HEADER = (
    "| row | mechanism / claim | reps | ours q90 [l, u] | median | signed test q90 | median "
    "| published test q90 | median | its MMD, tau | no more than published, 1.25 times signed |\n|"
    + "---|"
    * 11
)


@final
@dataclass(frozen=True, slots=True)
class Cells:
    """Outputs as numbered cells with places.

    Parameters
    ----------
    points : ndarray of float, shape (m, d)
        Possible outputs, or a fine grid.
    keys : ndarray of float, shape (m,) or None
        Sorted codes of possible outputs; None for a grid.
    """

    points: Array
    keys: Array | None = None

    def of(self, outputs: Array) -> NDArray[np.intp]:
        """Cells of outputs, shape (n, d): the same, or the nearest of the grid."""
        if self.keys is not None:
            return np.asarray(np.searchsorted(self.keys, code(outputs)), dtype=np.intp)
        first, last = self.points[[0, -1], 0]
        place = (outputs[:, 0] - first) / (last - first) * (len(self.points) - 1)
        return np.asarray(np.clip(np.rint(place), 0, len(self.points) - 1), dtype=np.intp)


def code(rows: Array) -> Array:
    """Number rows over {-1, 0, 1}."""
    return np.asarray((rows + 1) @ 3.0 ** np.arange(rows.shape[1]))


def draw(row: Row, arm: int, size: int, rng: np.random.Generator) -> Array:
    """Outputs as rows of numbers, an index as a unit vector."""
    pair = row.pairs[0]
    z = np.asarray(row.draw((pair.data, pair.neighbor)[arm], size, rng))
    if row.number == "12":
        z = np.eye(5)[z]
    return z.reshape(size, -1).astype(np.float64)


def cells_of(row: Row, x: Array, y: Array, median: float) -> Cells:
    """Cells from the first draws: a grid around their median, or all possible outputs."""
    if row.number in VARIANTS:
        points = SparseVector(1, VARIANTS[row.number]).patterns(10).astype(np.float64)
    elif row.number == "12":
        points = np.eye(5)
    else:
        reach = GRID_REACH * median
        return Cells(np.median(np.concatenate([x, y])) + np.linspace(-reach, reach, GRID)[:, None])
    order = np.argsort(code(points))
    return Cells(points[order], code(points)[order])


def level_of(row: Row) -> tuple[float, float]:
    """The claim's epsilon and delta."""
    match row.level:
        case PureDP(epsilon=epsilon):
            return float(epsilon), 0.0
        case ApproxDP(epsilon=epsilon, delta=delta):
            return float(epsilon), float(delta)
    raise AssertionError(row)


def run_once(number: str, seed: int) -> tuple[float, float, float]:
    """Draws of each arm that ours, the signed and the published test need."""
    row = CASES[number]
    epsilon, delta = level_of(row)
    rng = np.random.default_rng([seed, 1])
    x, y = (draw(row, arm, LONGEST * row.must, rng) for arm in (0, 1))
    median = median_distance(x[:FIRST], y[:FIRST])
    cells = cells_of(row, x[:FIRST], y[:FIRST], median)
    signed = SignedTest(epsilon, delta, cells.points, median)
    codes = cells.of(x), cells.of(y)
    signed.learn(codes[0][:FIRST], codes[1][:FIRST])
    published = PublishedTest(epsilon, delta, median)
    last = FIRST + PUBLISHED_DRAWS
    return (
        audit_row(row, seed).draws,
        FIRST + signed.draws_to_reject(codes[0][FIRST:], codes[1][FIRST:]),
        FIRST + published.draws_to_reject(x[FIRST:last], y[FIRST:last]),
    )


def population_mmd(row: Row) -> float:
    """MMD of the row's laws at the median bandwidth, from 4,000 draws of each arm (unbiased)."""
    rng = np.random.default_rng(0)
    x, y = (draw(row, arm, POPULATION, rng) for arm in (0, 1))
    h = median_distance(x[:FIRST], y[:FIRST])

    def mean(a: Array, b: Array, *, same: bool) -> float:
        k = np.exp(-distances(a, b) / (2 * h**2))
        n = len(a)
        return float((k.sum() - n) / (n * (n - 1)) if same else k.mean())

    square = mean(x, x, same=True) + mean(y, y, same=True) - 2 * mean(x, y, same=False)
    return math.sqrt(max(square, 0.0))


def line_of(row: Row, draws: Sequence[tuple[float, float, float]]) -> str:
    """Format one line of the table."""
    quantiles = [
        np.quantile(one, level, method="inverted_cdf")
        for one in zip(*draws, strict=True)
        for level in (0.9, 0.5)
    ]
    _, signed, published = quantiles[::2]
    ours = Quantile.of([one[0] for one in draws])
    shown = [str(ours), *(f"{value:.0f}" for value in quantiles[1:])]
    tau = PublishedTest(*level_of(row), bandwidth=1.0).tau
    mmd = f"{population_mmd(row):.3f}, {tau:.3f}"
    met = f"{ours.verdict(published)}, {ours.verdict(TIMES_SIGNED * signed)}"
    if row is HOME:
        must, aim = ROWS["25"].must, ROWS["25"].aim
        met = f"{ours.verdict(published)}, row 25: {ours.verdict(must)}"
        met += f" (aim {ours.verdict(aim)})" if aim is not None else ""
    return "| " + " | ".join([row.number, row.name, str(len(draws)), *shown, mmd, met]) + " |"


def main() -> None:
    """Print the table, each row as it finishes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default=",".join(CASES))
    parser.add_argument("--reps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print(HEADER, flush=True)
    seeds = range(options.seed, options.seed + options.reps)
    with Parallel(n_jobs=options.jobs) as parallel:
        for number in options.rows.split(","):
            draws: list[Any] = parallel(delayed(run_once)(number, seed) for seed in seeds)
            print(line_of(CASES[number], draws), flush=True)


if __name__ == "__main__":
    main()
