"""What the papers compare with, beside the estimators of the papers: over n, epsilon and budgets.

Over n and over epsilon: mean absolute errors about the mean of N(0, 1), RUNS data sets in
[-1000, 1000] with DRAWS releases of each, at equal total privacy; "no privacy" is the error of the
mean itself. Over budgets: the exact columns of the verified table personalized, worst root mean
squared errors over laws of one mean in widths of the interval, and simulated ones on fair coins.
The comparators are reconstructions from their techniques, with constants of our own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.figures.axis_numbers import INTERVAL, exact, text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import BLACK, LOOKS, Label, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["BOUNDS", "ESTIMATORS", "FIGURES", "NO_PRIVACY", "Make", "bounded"]

BOUNDS = {"low": -1000, "high": 1000}
"""Of all records: wide, as where a scale of the records is not known."""
RUNS, DRAWS = 30, 10
SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000)
SIZE = 1000
LEVELS = tuple(map(Fraction, ("1/10", "1/5", "1/2", "1", "2", "5")))
LEVEL = Fraction(1)
NO_PRIVACY = "no privacy"
"""The mean itself, which errs by what its records are."""

Make = Callable[[Fraction, Fraction], Any]
"""A mechanism at a total epsilon, told the standard deviation of the records."""


def bounded(name: str, **scales: str) -> Make:
    """Make a mean in the bounds; `scales` are its parameters that are the standard deviation."""

    def make(epsilon: Fraction, spread: Fraction) -> Any:
        from mechanisms.registry import build_mechanism

        own = {key: spread * Fraction(times) for key, times in scales.items()}
        return build_mechanism(name, epsilon=epsilon, **BOUNDS, **own)

    return make


def _subset(epsilon: Fraction, spread: Fraction) -> Any:
    """Make the subset mean, a third of epsilon for each of its steps."""
    from mechanisms.registry import build_mechanism

    name = "sub.subset-mean-noisy-size"
    return build_mechanism(name, epsilon=epsilon / 3, **BOUNDS, gamma=spread / 10)


ESTIMATORS: Mapping[str, Make] = {
    "sub.subset-mean-noisy-size": _subset,
    "sub.histogram-mean": bounded("sub.histogram-mean", sigma="1"),
    "sub.moment-mean": bounded("sub.moment-mean", psi="1"),
    "sub.radius-mean": bounded("sub.radius-mean", alpha="1/10"),
    "ksw.count-then-swap": bounded("ksw.count-then-swap"),
    "ksw.transformed-hourglass": bounded("ksw.transformed-hourglass"),
}
"""Of a mean, by registered name."""

USERS, RUNS_OF_COINS = 100, 1000
CAREFUL = (0, 1, 2, 5, *range(10, 91, 10), 95, 98, 99, 100)
SMALL, LARGE = Fraction(1, 10), Fraction(1)
COLUMNS = {
    "pdp.adpm": "adpm_error",
    "pdp.stretched-mean": "stretched_error",
    "pdp.partitioned-mean": "partitioned_error",
    "pdp.sampled-mean": "sampled_error",
    "pdp.least-budget": "least_budget_error",
}
"""Columns of the table personalized, by mechanism."""


def _rows(over: str, asked: Asked) -> Iterator[tuple[str, ...]]:
    """Measure all estimators at all sizes, or at all levels."""
    points = [(n, LEVEL) for n in SIZES] if over == "n" else [(SIZE, e) for e in LEVELS]
    for m, name in enumerate((NO_PRIVACY, *ESTIMATORS)):
        for k, (n, epsilon) in enumerate(points):
            make = ESTIMATORS.get(name)
            found = _error(make and make(epsilon, Fraction(1)), n, (asked.seed, m, k))
            yield name, str(n) if over == "n" else text(epsilon), *map(text, found)


def _error(mechanism: Any, n: int, place: tuple[int, int, int]) -> tuple[float, float, float]:
    """Return the mean absolute error and the ends of its interval, on data that all n share."""
    from audit.draws.streams import Purpose, stream
    from audit.tables.empirical import interval

    seed, series, point = place
    records = stream(seed, Purpose.FIGURE, pair=0, arm=n)
    rng = stream(seed, Purpose.FIGURE, pair=1 + series, arm=point)
    averages = np.empty(RUNS)
    for run in range(RUNS):
        data = records.normal(size=n)
        out = data.mean() if mechanism is None else mechanism.sample(data, DRAWS, rng=rng)
        averages[run] = np.abs(np.asarray(out)).mean()
    low, high = interval(averages, INTERVAL)
    return float(averages.mean()), max(low, 0.0), high


def _personal_rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    """Evaluate and simulate all estimators at all numbers of careful users."""
    from audit.draws.streams import Purpose, stream
    from audit.tables.empirical import interval
    from audit.tables.measured_sources import SOURCES

    for m, (name, column) in enumerate(COLUMNS.items()):
        for k, careful in enumerate(CAREFUL):
            at: Any = {"budgets": (SMALL,) * careful + (LARGE,) * (USERS - careful)}
            points = ("", "", "")
            if careful % 20 == 0:
                rng = stream(asked.seed, Purpose.FIGURE, pair=m, arm=k)
                squares = SOURCES["personalized"][column].sample(at, RUNS_OF_COINS, rng)
                low, high = interval(squares, INTERVAL)
                ends = (float(squares.mean()), max(low, 0.0), high)
                points = tuple(text(math.sqrt(x)) for x in ends)  # type: ignore[assignment]
            yield name, str(careful), exact("personalized", column, at), *points


def _draw(over: str, words: tuple[str, str], data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels: list[Label] = []
    for name, look in zip(data.texts("estimator"), (BLACK, *LOOKS), strict=True):
        one = data.where(estimator=name)
        y = one.numbers("simulated")
        curve(axes, one.numbers(over), y, look)
        if name != NO_PRIVACY:
            simulated(axes, one, over, look)
        labels.append((name, float(y[-1]), look.color))
    frame(axes, words[0], "mean absolute error  [standard deviations]", words[1])
    label_ends(axes, labels)


def _draw_budgets(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    axes.set_yscale("log")
    labels: list[Label] = []
    for name, look in zip(data.texts("estimator"), LOOKS, strict=False):
        one = data.where(estimator=name)
        y = one.numbers("exact")
        curve(axes, one.numbers("careful"), y, look)
        simulated(axes, one, "careful", look)
        # at 100 all meet: the label stands where one careful user has left the others apart
        labels.append((name, float(y[CAREFUL.index(90)]), look.color))
    frame(
        axes,
        "users with ε = 0.1 among 100, the others with ε = 1",
        "root mean squared error  [widths of the interval]",
        "exact (lines), simulated on fair coins (points, 99 %)",
    )
    label_ends(axes, labels)


OVER = {
    "n": ("number of records n", "N(0, 1) in [−1000, 1000], ε = 1 in all"),
    "epsilon": ("epsilon in all", "N(0, 1) in [−1000, 1000], n = 1000"),
}

FIGURES = {
    "comparators-over-size": Figure(
        ("estimator", "n", "simulated", "low", "high"),
        partial(_rows, "n"),
        partial(_draw, "n", OVER["n"]),
        size=(8.0, 4.4),
    ),
    "comparators-over-epsilon": Figure(
        ("estimator", "epsilon", "simulated", "low", "high"),
        partial(_rows, "epsilon"),
        partial(_draw, "epsilon", OVER["epsilon"]),
        size=(8.0, 4.4),
    ),
    "comparators-over-budgets": Figure(
        ("estimator", "careful", "exact", "simulated", "low", "high"),
        _personal_rows,
        _draw_budgets,
        size=(8.0, 4.4),
    ),
}
"""The figures, by name."""
