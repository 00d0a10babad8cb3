"""When the subset-optimal mean is worth its thresholds: measured errors beside the paper's note.

Every column spends 3 epsilon: "plain" is the bounded mean on [-R, R] with all of it, "A" the
subset-optimal mean with a public size N = n, "B" that with a noisy size; gamma = 0.1. Errors are
means of |release - mean(D)| over 25 draws on a data set (125 of "plain"), and these are averaged
over fresh data sets. Beside them are the rank t_l, the mean width u - l of A, and the bounds
diff / (1 + e^2) and diff / 2 of the subset risk R(D, epsilon), which no mechanism can beat by much.

The reference has 25 to 60 draws a row, on one data set as its columns of R show (they are equal
for N(0,1) up to the data). So a cell is reproduced ("=") if the reference lies within four standard
deviations of the mean of one data set; otherwise it is marked "!". Its t_l is not rounded in one
way (52.26 is 52, and 61.47 is 62): it must be nearer than 1. Medians by inverse sensitivity, which
the note recommends for quantiles, are in `benchmarks.subset_medians`.

Run: python -m benchmarks.subset_guidance [--runs 40] [--seed 1] [--rows 0 1 ..]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.subset.bounded_mean import BoundedMean
from mechanisms.subset.subset_mean import PublicSizeMean
from mechanisms.subset.subset_mean_noisy import NoisySizeMean
from mechanisms.subset.subset_parameters import subset_parameters
from mechanisms.subset.two_thresholds import two_thresholds

Array = NDArray[np.float64]
GAMMA = Fraction(1, 10)
DRAWS = 25
PLAIN_DRAWS = 125
SIGMAS = 4.0
COLUMNS = ("plain", "A", "B", "width", "lower", "upper")

LAWS: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "N(0,1)": lambda rng, n: rng.normal(size=n),
    "t_3": lambda rng, n: rng.standard_t(3, size=n),
    "lognormal": lambda rng, n: rng.lognormal(size=n),
    "Pareto(1.5)": lambda rng, n: 1 + rng.pareto(1.5, size=n),
}


@dataclass(frozen=True)
class Row:
    """A setting and the reference: plain, A, B, t_l, width, bounds of R(D, epsilon)."""

    law: str
    n: int
    epsilon: str
    radius: int
    t: int
    reference: tuple[str, ...]


ROWS = (
    Row("N(0,1)", 300, "1", 5, 52, (".0105", ".0179", ".0164", "1.8", ".0022", ".0092")),
    Row("N(0,1)", 300, "1", 50, 62, (".109", ".0233", ".0285", "1.8", ".0022", ".0092")),
    Row("N(0,1)", 1000, "1", 5, 60, (".0034", ".0048", ".0045", "3.1", ".00084", ".0035")),
    Row("N(0,1)", 1000, "1", 50, 69, (".0321", ".0040", ".0040", "3.0", ".00083", ".0035")),
    Row("N(0,1)", 1000, "1", 1000, 81, (".612", ".0078", ".0085", "2.9", ".00070", ".0030")),
    Row("N(0,1)", 10_000, "1", 1000, 95, (".0607", ".00080", ".00080", "4.7", "8.9e-5", "3.7e-4")),
    Row("N(0,1)", 10_000, ".1", 50, 779, (".0312", ".0033", ".0041", "2.9", ".00082", ".0034")),
    Row(
        "N(0,1)", 10**5, ".1", 1000, 1037, (".0609", ".00050", ".00052", "4.7", "9.4e-5", "4.0e-4")
    ),
    Row("t_3", 1000, "1", 100, 72, (".0735", ".0062", ".0056", "3.9", ".0022", ".0091")),
    Row("t_3", 10_000, "1", 10_000, 104, (".700", ".0201", ".0199", "9.3", ".00097", ".0041")),
    Row("lognormal", 1000, "1", 100, 72, (".0704", ".159", ".158", "3.6", ".0018", ".0075")),
    Row("lognormal", 1000, "1", 10_000, 90, ("6.25", ".222", ".224", "3.9", ".0026", ".011")),
    Row("lognormal", 10_000, "1", 100, 85, (".0069", ".0479", ".0481", "11", ".0011", ".0047")),
    Row("lognormal", 10_000, ".1", 10_000, 991, ("6.60", ".256", ".255", "3.3", ".0029", ".012")),
    Row("Pareto(1.5)", 1000, "1", 100, 72, (".066", ".473", ".471", "4.6", ".012", ".050")),
    Row("Pareto(1.5)", 10_000, "1", 10_000, 104, (".583", ".323", ".324", "20", ".0038", ".016")),
)  # fmt: skip


def measured(row: Row, rng: np.random.Generator) -> tuple[float, ...]:
    """Means of one data set, in the order of the columns."""
    epsilon, radius, n = Fraction(row.epsilon), row.radius, row.n
    data = np.sort(np.clip(LAWS[row.law](rng, n), -radius, radius))
    public = PublicSizeMean(epsilon, -radius, radius, n, GAMMA)
    chosen = (
        (BoundedMean(3 * epsilon, -radius, radius), PLAIN_DRAWS),
        (public, DRAWS),
        (NoisySizeMean(epsilon, -radius, radius, GAMMA), DRAWS),
    )
    errors = [np.abs(m.sample(data, size, rng=rng) - data.mean()).mean() for m, size in chosen]
    bounds = public.low, public.high
    ends = two_thresholds(data, bounds, public.alpha, public.rank, epsilon, DRAWS, rng=rng)
    k = int(1 / epsilon)
    diff = float(data[k:].mean() - data[: n - k].mean())
    return (
        *(float(error) for error in errors),
        float(np.abs(ends[1] - ends[0]).mean()),
        diff / (1 + math.e**2),
        diff / 2,
    )


def digits_of(text: str) -> float:
    """Half of a unit of the last digit of a printed number."""
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 0.5 * 10.0 ** (int(exponent or 0) - decimals)


def compare(values: Array, text: str) -> tuple[str, bool]:
    """Mean over the data sets beside the reference, and whether they agree."""
    mean = float(values.mean())
    sigma = float(values.std(ddof=1)) * math.sqrt(1 + 1 / values.size)
    good = abs(mean - float(text)) <= SIGMAS * sigma + digits_of(text)
    return f"{mean:.3g} ({text}) {'=' if good else '!'}", good


def main() -> None:
    """Print one line a row: measured (reference), and whether they agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, nargs="*", default=list(range(len(ROWS))))
    arguments = parser.parse_args()
    print(f"{arguments.runs} data sets a row, seed {arguments.seed}; measured (reference)\n")
    print(f"| data | n | epsilon | R | t_l | {' | '.join(COLUMNS)} |")
    print("|" + "---|" * (5 + len(COLUMNS)))
    reproduced = 0
    for row in (ROWS[place] for place in arguments.rows):
        rng = np.random.default_rng([arguments.seed, ROWS.index(row)])
        columns = np.array([measured(row, rng) for _ in range(arguments.runs)]).T
        cells = [compare(*pair) for pair in zip(columns, row.reference, strict=True)]
        found = subset_parameters(row.n, Fraction(row.radius), Fraction(row.epsilon), GAMMA / row.n)
        t = float(found.log_rank.value)
        near = abs(t - row.t) < 1
        good = near and all(agrees for _, agrees in cells)
        reproduced += good
        rank = f"{t:.2f} ({row.t}) {'=' if near else '!'}"
        words = " | ".join(words for words, _ in cells)
        setting = f"{row.law} | {row.n} | {row.epsilon} | {row.radius}"
        print(f"| {setting} | {rank} | {words} |", flush=True)
    print(f"\n{reproduced} of {len(arguments.rows)} rows reproduced")


if __name__ == "__main__":
    main()
