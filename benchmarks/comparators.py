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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.registry import build_mechanism

Array = NDArray[np.float64]
SEED, RUNS, DRAWS = 1, 60, 20
LOW, HIGH = -1000, 1000

LAWS: dict[str, tuple[float, Fraction, Callable[[np.random.Generator, int], Array]]] = {
    "N(0, 1)": (0.0, Fraction(1), lambda rng, n: rng.normal(size=n)),
    "t_3": (0.0, Fraction(9, 5), lambda rng, n: rng.standard_t(3, size=n)),
    "exponential": (1.0, Fraction(1), lambda rng, n: rng.exponential(size=n)),
    "Pareto 3": (0.5, Fraction(9, 10), lambda rng, n: rng.pareto(3, size=n)),
}
"""Mean, standard deviation rounded up, and how records are drawn."""

Make = Callable[[int, Fraction, Fraction], Any]


def bounded(name: str, **scales: str) -> Make:
    """Make a mean in the bounds; `scales` are its parameters that are the standard deviation."""

    def make(n: int, epsilon: Fraction, spread: Fraction) -> Any:
        del n
        own = {key: spread * Fraction(times) for key, times in scales.items()}
        return build_mechanism(name, epsilon=epsilon, low=LOW, high=HIGH, **own)

    return make


def subset(n: int, epsilon: Fraction, spread: Fraction) -> Any:
    """Make the subset mean, a third of epsilon for each of its steps."""
    del n
    return build_mechanism(
        "sub.subset-mean-noisy-size", epsilon=epsilon / 3, low=LOW, high=HIGH, gamma=spread / 10
    )


ESTIMATORS: dict[str, Make] = {
    "`sub.subset-mean-noisy-size` (add-remove)": subset,
    "`sub.histogram-mean`": bounded("sub.histogram-mean", sigma="1"),
    "`sub.moment-mean` (k = 2)": bounded("sub.moment-mean", psi="1"),
    "`sub.radius-mean`": bounded("sub.radius-mean", alpha="1/10"),
    "`ksw.swap-laplace`": bounded("ksw.swap-laplace"),
    "`ksw.count-then-swap` (add-remove)": bounded("ksw.count-then-swap"),
    "`ksw.transformed-hourglass` (add-remove)": bounded("ksw.transformed-hourglass"),
}


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
        out = make(n, epsilon, spread).sample(data, DRAWS, rng=noise)
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
