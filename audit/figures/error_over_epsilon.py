"""Error of Algorithm 3 with Laplace noise over epsilon, for several means (KSW v1, Figure 2a).

n^2 times the exact mean squared error (KSW-X2) for n = 1000, and simulated points. Away from the
ends it is (2 - 4 q) / epsilon^2, q = p (1 - p); at a mean of 0 half of its worst case.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, grid, measured, scaled
from audit.figures.style import LOOKS, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

N = Fraction(1000)
MEANS = ("0", "0.01", "0.1", "0.5")
EPSILONS = "0.1:10:log:25"
EVERY = 3
"""Every third point is also simulated."""


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    for m, mean in enumerate(MEANS):
        for k, epsilon in enumerate(grid(EPSILONS)):
            at = {"n": N, "epsilon": epsilon, "mean": Fraction(mean)}
            number = scaled(exact("mse", "algorithm_3_laplace", at), N**2)
            leading = exact("leading", "algorithm_3_laplace", at)
            points: tuple[str, ...] = ("", "", "")
            if k % EVERY == 0:
                points = measured("algorithm_3_laplace", at, N**2, (asked.seed, m, k))
            yield mean, f"{float(epsilon):g}", number, leading, *points


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = []
    for mean, look in zip(data.texts("mean"), LOOKS, strict=False):
        one = data.where(mean=mean)
        x, y = one.numbers("epsilon"), one.numbers("exact")
        curve(axes, x, y, look)
        simulated(axes, one, "epsilon", look)
        labels.append((f"mean {mean}", float(y[-1]), look.color))
    frame(
        axes,
        "epsilon",
        "n² MSE   [(u − l)²]",
        "Algorithm 3, Laplace noise, n = 1000: exact (lines), 10 000 runs (points, 99 %)",
    )
    label_ends(axes, labels)


FIGURE = Figure(
    ("mean", "epsilon", "exact", "leading", "simulated", "low", "high"), _rows, _draw, (7.2, 4.2)
)
"""The figure."""
