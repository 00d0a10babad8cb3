"""Errors of Algorithms 1 to 3 with Laplace noise over the mean (KSW v2, Figure 2, middle).

(n epsilon)^2 times the exact errors (KSW-X2 to X4) for n = 1000 and epsilon = 1, and simulated
points. Algorithms 2 and 3 fall to half of their worst case at both ends; Algorithm 1, which is not
shifted, depends on where 0 lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, grid, measured, text
from audit.figures.style import FIRST, SECOND, THIRD, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

N, EPSILON = Fraction(1000), Fraction(1)
MEANS = "0,0.0005,0.001,0.002,0.004,0.007,0.01,0.02,0.05:0.5:lin:10"
LOOKS = {"1": FIRST, "2": SECOND, "3": THIRD}


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    half = set(grid(MEANS))
    means = sorted(half | {1 - mean for mean in half})
    for algorithm in LOOKS:
        for k, mean in enumerate(means):
            at = {"n": N, "epsilon": EPSILON, "mean": mean, "N": N * EPSILON}
            number = exact("error-ratio", f"scaled_{algorithm}", at)
            points: tuple[str, ...] = ("", "", "")
            if mean % Fraction(1, 10) == 0:
                column = f"algorithm_{algorithm}_laplace"
                place = (asked.seed, int(algorithm), k)
                points = measured(column, at, (N * EPSILON) ** 2, place)
            yield algorithm, text(mean), number, *points


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    labels = []
    for algorithm, look in LOOKS.items():
        one = data.where(algorithm=algorithm)
        x, y = one.numbers("mean"), one.numbers("exact")
        curve(axes, x, y, look)
        simulated(axes, one, "mean", look)
        labels.append((f"Algorithm {algorithm}", float(y[-1]), look.color))
    axes.set_ylim(0, None)
    frame(
        axes,
        "mean of the records in [0, 1]",
        "(nε)² MSE",
        "Laplace noise, n = 1000, ε = 1: exact (lines), 10 000 runs (points, 99 %)",
    )
    label_ends(axes, labels)


FIGURE = Figure(
    ("algorithm", "mean", "exact", "simulated", "low", "high"), _rows, _draw, (7.2, 4.2)
)
"""The figure."""
