"""Physical limits of the acceptance rows: K by the convex program, beside stated ones.

Each row's true pair of laws is put on a fine partition with exact cell probabilities (closed forms;
quadrature for sparse vector and noisy max; the sufficient statistic of a vector), and projected on
the claim (`benchmarks.projection`). `power` reads what `--record` wrote to limits.json.

Run: python -m benchmarks.limits [--rows 1,2,8] [--record]
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import binom

from benchmarks.hidden_laws import HIDDEN_LAWS
from benchmarks.passage import STEP, increment_law, least_draws, oracle_draws
from benchmarks.power_rows import (
    HALVED_MAX,
    KEPT,
    ROWS,
    SVT_WITHOUT_CUT_OFF,
    TINY,
    gauss_delta,
    gauss_shift,
)
from benchmarks.projection import Projection, project_on_lines, project_on_order_one
from mechanisms.add_remove.exact_law import TransformedLaplaceLaw
from mechanisms.claims import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from mechanisms.corpus.noisy_max import NoisyMax
from mechanisms.corpus.sparse_vector import SparseVector

__all__ = ["LAWS", "Limit", "limit_of", "project", "project_laws", "read_limits"]

Array = NDArray[np.float64]
Laws = tuple[Array, Array]

RECORD = Path(__file__).with_name("limits.json")
CELLS = 2000
GAUSS_REACH = 8.0
GDP_EPSILONS = np.linspace(0, 4, 33)
RARE_ROWS, RARE_STEP, RARE_BLOCK = ("8", "9"), 5e-4, 50
LARGEST_GAP = 1e-6


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """What any test, and the growth-optimal bet, need of each arm.

    Parameters
    ----------
    rate : float
        K, nats a draw of each arm.
    q90 : int
        Least n at which a fixed-n test of level .05 has power .9 (Neyman-Pearson, exact).
    oracle : int
        0.9 quantile of the draws of the growth-optimal product bet (exact, looking at each draw).
    """

    rate: float
    q90: int
    oracle: int

    @property
    def mean(self) -> float:
        """Least mean number of draws of a level-.05 test, log(20) / K."""
        return math.log(20) / self.rate


def read_limits() -> dict[str, Limit]:
    """Read what `python -m benchmarks.limits --record` wrote."""
    return {row: Limit(**values) for row, values in json.loads(RECORD.read_text()).items()}


def laplace_laws(gap: float, scale: float = 1.0, cells: int = CELLS) -> Laws:
    """Lap(scale) at 0 and at `gap`: the two tails, where the ratio is constant, and cells between.

    The mass of a cell [x, y] with 0 <= x, y <= gap is (e^-x - e^-y) / 2 in units of the scale.
    """
    edges = np.linspace(0, gap / scale, cells + 1)
    inner = -np.exp(-edges[:-1]) * np.expm1(-np.diff(edges)) / 2
    p = np.concatenate([[0.5], inner, [math.exp(-gap / scale) / 2]])
    return p, p[::-1].copy()


def gauss_laws(m: float) -> Laws:
    """N(0, 1) and N(m, 1) on equal cells and two tails, each from the nearer end."""
    edges = np.linspace(-GAUSS_REACH, GAUSS_REACH + m, CELLS + 1)
    edges = np.concatenate([[-np.inf], edges, [np.inf]])
    return _gauss_cells(edges), _gauss_cells(edges - m)


def _gauss_cells(edges: Array) -> Array:
    x, y = edges[:-1], edges[1:]
    return np.asarray(np.where(x < 0, ndtr(y) - ndtr(x), ndtr(-x) - ndtr(-y)))


def one_bit_laws() -> Laws:
    """Randomized response and the geometric mechanism: both are one bit with loss 1."""
    p = np.array([math.e, 1]) / (1 + math.e)
    return p, p[::-1].copy()


def tiny_laws() -> Laws:
    """An event of probability 1e-4 under one data set only."""
    return np.array([TINY, 1 - TINY]), np.array([0.0, 1.0])


def rappor_laws(hashes: int) -> Laws:
    """Bits of 2 h that agree with the first value: their number is sufficient."""
    agreeing = np.arange(2 * hashes + 1)
    p = binom.pmf(agreeing, 2 * hashes, KEPT)
    return p, p[::-1].copy()


def algorithm_3_laws() -> Laws:
    """Algorithm 3 with Laplace noise of scale 1/2 on three and on four ones."""
    edges = np.linspace(0, 1, 2 * CELLS + 1)
    p, q = (
        np.diff(TransformedLaplaceLaw.from_data(np.ones(n), 2).cdf(edges[:-1]), prepend=0.0)
        for n in (3, 4)
    )
    return np.append(p, 1 - p.sum()), np.append(q, 1 - q.sum())


def dense_laws() -> Laws:
    """Two coordinates, each Lap(2), both moved by 1: a product of two scalars' laws."""
    p, q = laplace_laws(1.0, scale=2.0, cells=200)
    return np.outer(p, p).ravel(), np.outer(q, q).ravel()


def laws_of(mechanism: NoisyMax | SparseVector, index: int) -> Laws:
    """Probabilities of all outputs, by quadrature, on a pair of BENCHMARK."""
    x, y = mechanism.pairs[index]
    return mechanism.law(x), mechanism.law(y)


LAWS: dict[str, Callable[[], Laws]] = {
    **dict.fromkeys(("1", "2", "3", "16", "25"), lambda: laplace_laws(1.0)),
    **dict.fromkeys(("4", "5"), one_bit_laws),
    **dict.fromkeys(("6", "7", "16b"), lambda: gauss_laws(1.0)),
    **dict.fromkeys(RARE_ROWS, tiny_laws),
    "10": lambda: laws_of(SVT_WITHOUT_CUT_OFF, 7),
    # the corpus's Algorithm 3, without its values, has row 11's scales
    "11": lambda: laws_of(SparseVector(1, "svt3"), 7),
    "12": lambda: laws_of(HALVED_MAX, 3),
    "13a": lambda: rappor_laws(1),
    "13b": lambda: rappor_laws(2),
    "14": algorithm_3_laws,
    "15": dense_laws,
    "17": lambda: gauss_laws(gauss_shift()),
    "19": lambda: laplace_laws(1.2),
    **HIDDEN_LAWS,
}
"""True laws by row. In rows 16 and 17 the direction of the shift is sufficient; in row 19 it is the
guilty pair alone."""


def project_laws(row: str, p: Array, q: Array) -> Projection:
    """Project two laws on a row's claim."""
    match ROWS[row].level:
        case PureDP(epsilon=epsilon):
            return project_on_lines(p, q, [(float(epsilon), 0.0)])
        case ApproxDP(epsilon=epsilon, delta=delta):
            return project_on_lines(p, q, [(float(epsilon), float(delta))])
        case GaussianDP(mu=mu):
            lines = [(float(e), gauss_delta(float(e), float(mu))) for e in GDP_EPSILONS]
            return project_on_lines(p, q, lines)
        case ZeroConcentratedDP(rho=rho):
            return project_on_order_one(p, q, float(rho))
    raise AssertionError(row)


def project(row: str) -> tuple[Laws, Projection]:
    """Project a row's laws on its claim."""
    p, q = LAWS[row]()
    return (p, q), project_laws(row, p, q)


def limit_of(row: str) -> Limit:
    """Compute a row's limits, the program's two values within 1e-6 of each other."""
    (p, q), projection = project(row)
    assert abs(projection.gap) < LARGEST_GAP, (row, projection.rate, projection.upper)
    rare = row in RARE_ROWS
    step = RARE_STEP if rare else STEP
    first, law = increment_law(p, q, projection.bets, step)
    oracle = oracle_draws(first, law, step=step, block=RARE_BLOCK if rare else 1)
    return Limit(projection.rate, least_draws(first, law, step=step), oracle)


STATED = {
    "1": (1.388e-3, 2158, 3071, 4301),
    "2": (5.726e-3, 523, 741, 1043),
    "3": (3.905e-2, 77, 107, 153),
    "4": (1.996e-3, 1501, 2135, 2991),
    "5": (1.996e-3, 1501, 2135, 2991),
    "6": (9.55e-4, 3136, 4453, 6250),
    "7": (2.19e-3, 1366, 1940, 2723),
    "8": (3.133e-5, 95628, 119_232, 142_060),
    "9": (3.133e-5, 95628, 119_232, 142_060),
    "10": (2.82e-2, 106, 143, 211),
    "12": (1.60e-2, 187, 267, 372),
    "13a": (2.31e-3, 1299, 1827, 2589),
    "13b": (6.85e-4, 4372, 6011, 8714),
    "15": (2.96e-3, 1013, 1435, 2019),
    "16b": (2.375e-3, 1261, 1785, 2514),
    "17": (1.117e-3, 2682, 3820, 5346),
    "19": (4.95e-3, 605, 855, 1205),
    "24": (0.3396, 9, 13, 18),
    "25": (0.1402, 21, 31, 43),
    "26": (6.72e-3, 446, 637, 888),
    "27": (0.016, 187, 267, 373),
    "28": (0.016, 187, 267, 373),
    "29": (4.35e-3, 689, 985, 1374),
    "30": (3.59e-3, 834, 1193, 1663),
    "31": (9.84e-4, 3044, 4350, 6067),
}
"""K, least mean, least q90 and oracle q90 as they were stated when the goals were set; in rows
24 to 31 only K was computed then, and the others are 3, 4.28 and 5.97 over it."""

TOLERANCE = 0.01

HEADER = (
    "| row | mechanism / claim | K | E[n] >= | q90 >= | 4.28 / K | oracle q90 "
    "| off what was stated by more than 1 % |\n|" + "---|" * 8
)


def line_of(row: str, limit: Limit) -> str:
    """Format one line of the table."""
    figures = {
        "K": limit.rate,
        "E[n]": limit.mean,
        "q90": limit.q90,
        "oracle": limit.oracle,
    }
    stated = dict(zip(figures, STATED.get(row, ()), strict=False))
    off = [
        f"{name} {figures[name] / value - 1:+.1%} of {value:g}"
        for name, value in stated.items()
        if abs(figures[name] / value - 1) > TOLERANCE
    ]
    verdict = ("; ".join(off) or "-") if stated else "not stated"
    cells = [row, ROWS[row].name, f"{limit.rate:.4g}", f"{limit.mean:.0f}", f"{limit.q90}"]
    cells += [f"{4.28 / limit.rate:.0f}", f"{limit.oracle}", verdict]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table, and write it down if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default=",".join(row for row in ROWS if row in LAWS))
    parser.add_argument("--record", action="store_true", help="write limits.json")
    options = parser.parse_args()
    limits = read_limits() if RECORD.exists() else {}
    print(HEADER, flush=True)
    for row in options.rows.split(","):
        limits[row] = limit_of(row)
        print(line_of(row, limits[row]), flush=True)
    if options.record:
        RECORD.write_text(
            json.dumps({row: asdict(limit) for row, limit in limits.items()}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
