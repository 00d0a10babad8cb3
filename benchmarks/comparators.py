"""Mean absolute errors of the comparators beside the means of the papers, at equal total privacy.

RUNS data sets of each law with DRAWS releases of each; an error is |release - mean of the law|, so
it has the sampling error in it ("no privacy"). Beside each average stands half of its 95 %
interval, from the spread of the averages of data sets. All records lie in [-1000, 1000]; what a
mechanism is told of their scale is the standard deviation of the law, rounded up.

Run: python -m benchmarks.comparators
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from audit.figures.comparators import ESTIMATORS as COMPARED
from audit.figures.comparators import Make, bounded

Array = NDArray[np.float64]
SEED, RUNS, DRAWS = 1, 60, 20

LAWS: dict[str, tuple[float, Fraction, Callable[[np.random.Generator, int], Array]]] = {
    "N(0, 1)": (0.0, Fraction(1), lambda rng, n: rng.normal(size=n)),
    "t_3": (0.0, Fraction(9, 5), lambda rng, n: rng.standard_t(3, size=n)),
    "exponential": (1.0, Fraction(1), lambda rng, n: rng.exponential(size=n)),
    "Pareto 3": (0.5, Fraction(9, 10), lambda rng, n: rng.pareto(3, size=n)),
}
"""Mean, standard deviation rounded up, and how records are drawn."""


def named(name: str, note: str = "") -> tuple[str, Make]:
    """Label and maker of an estimator of the figures."""
    return f"`{name}`{note}", COMPARED[name]


ADD_REMOVE = " (add-remove)"
ESTIMATORS: dict[str, Make] = dict(
    (
        named("sub.subset-mean-noisy-size", ADD_REMOVE),
        named("sub.histogram-mean"),
        named("sub.moment-mean", " (k = 2)"),
        named("sub.radius-mean"),
        ("`ksw.swap-laplace`", bounded("ksw.swap-laplace")),
        named("ksw.count-then-swap", ADD_REMOVE),
        named("ksw.transformed-hourglass", ADD_REMOVE),
    )
)


def errors(make: Make | None, law: str, n: int, epsilon: Fraction) -> str:
    """Average error and half of its interval; without an estimator those of the sample mean."""
    mean, spread, draw = LAWS[law]
    rng = np.random.default_rng([SEED, n, list(LAWS).index(law)])
    averages = []
    for run in range(RUNS):
        data = draw(rng, n)
        if make is None:
            averages.append(abs(data.mean() - mean))
            continue
        noise = np.random.default_rng([SEED, n, run])
        out = make(epsilon, spread).sample(data, DRAWS, rng=noise)
        averages.append(float(np.abs(np.asarray(out) - mean).mean()))
    half = 1.96 * float(np.std(averages, ddof=1)) / math.sqrt(RUNS)
    return f"{np.mean(averages):.2g} +- {half:.1g}"


def main() -> None:
    """Print a table for each number of records and epsilon."""
    for n in (100, 1_000):
        for epsilon in (Fraction(1, 10), Fraction(1)):
            print(f"\n| n = {n}, epsilon = {float(epsilon):g} | " + " | ".join(LAWS) + " |")
            print("|---" * (len(LAWS) + 1) + "|")
            for name, make in ESTIMATORS.items():
                cells = " | ".join(errors(make, law, n, epsilon) for law in LAWS)
                print(f"| {name} | {cells} |")
            cells = " | ".join(errors(None, law, n, epsilon) for law in LAWS)
            print(f"| no privacy | {cells} |")


if __name__ == "__main__":
    main()
