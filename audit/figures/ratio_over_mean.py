"""Error of Algorithm 2 over that of Algorithm 3, both with Laplace noise (KSW v1, Figure 2c).

About 2, but for a dip at means of about 1 / (n epsilon) and a rise beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, grid, text
from audit.figures.style import LOOKS, curve, frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

N = Fraction(1000)
EPSILONS = ("0.1", "0.5", "1")
MEANS = "0,0.0001:0.5:log:52,0.01,0.1"


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    del asked
    for epsilon in EPSILONS:
        size = N * Fraction(epsilon)
        for mean in sorted(set(grid(MEANS))):
            at = {"N": size, "mean": mean}
            yield epsilon, text(mean), exact("error-ratio", "ratio_2_to_3", at)


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    axes.set_xscale("symlog", linthresh=1e-4, linscale=0.3)
    for epsilon, look in zip(data.texts("epsilon"), LOOKS, strict=False):
        one = data.where(epsilon=epsilon)
        x, y = one.numbers("mean"), one.numbers("ratio")
        curve(axes, x, y, look)
        lowest = int(y.argmin())
        axes.annotate(
            f"ε = {epsilon}",
            (x[lowest], y[lowest]),
            (0, -11),
            textcoords="offset points",
            ha="center",
            color=look.color,
        )
    axes.axhline(2, color="black", linewidth=0.8)
    axes.set_xlim(0, 0.5)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.05 * (high - low), high)
    frame(
        axes,
        "mean of the records  [u − l]",
        "MSE of Algorithm 2 / MSE of Algorithm 3",
        "Laplace noise, n = 1000, exact; the dip is where the mean is about 1 / (nε)",
    )


FIGURE = Figure(("epsilon", "mean", "ratio"), _rows, _draw)
"""The figure."""
