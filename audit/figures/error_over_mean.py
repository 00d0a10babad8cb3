"""Error of Algorithm 3 with Laplace noise over the mean, relative to its worst case: an M.

KSW v1, Figure 2b: n = 1000, epsilon = 1/2, so N = n epsilon = 500. The error is close to its bound
2 / N^2 not at the ends but near them, at a distance that the table layer has.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, grid, measured, scaled, text
from audit.figures.style import BLACK, THIRD, curve, frame, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

N, EPSILON = Fraction(1000), Fraction(1, 2)
SIZE = N * EPSILON
MEANS = "0:1:lin:101"
NEAR = "0.0005,0.001,0.002,0.003,0.005,0.007,0.015,0.025"
"""Means close to an end, taken on both sides."""


def _peak() -> Fraction:
    """Mean where the error is largest, to five digits."""
    return Fraction(f"{float(exact('layer', 'c', {'N': SIZE})) / float(SIZE):.5g}")


def _means(peak: Fraction) -> list[Fraction]:
    near = [*grid(NEAR), peak]
    return sorted({*grid(MEANS), *near, *(1 - mean for mean in near)})


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    unit = SIZE**2 / 2
    peak = _peak()
    for k, mean in enumerate(_means(peak)):
        at = {"n": N, "epsilon": EPSILON, "mean": mean, "N": SIZE}
        number = exact("error-ratio", "ratio_to_worst_case", at)
        leading = exact("leading", "algorithm_3_laplace", at)
        points: tuple[str, ...] = ("", "", "")
        if mean % Fraction(1, 20) == 0 or min(mean, 1 - mean) == peak:
            points = measured("algorithm_3_laplace", at, unit, (asked.seed, 0, k))
        yield text(mean), number, scaled(leading, EPSILON**2 / 2), *points


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    x, y = data.numbers("mean"), data.numbers("exact")
    curve(axes, x, data.numbers("leading"), BLACK, linewidth=1.0)
    curve(axes, x, y, THIRD)
    simulated(axes, data, "mean", THIRD)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.text(0.5, 1.005, "worst-case bound 2 / (nε)²", ha="center", va="bottom")
    axes.text(0.5, 0.66, "exact (line), 10 000 runs (points, 99 %)", ha="center", color=THIRD.color)
    axes.annotate(
        "without the layers\nat the ends: 1 − 2q",
        (0.2, 0.68),
        (0.3, 0.8),
        ha="center",
        arrowprops={"arrowstyle": "-", "linewidth": 0.7},
    )
    axes.set_ylim(0.4, 1.08)
    axes.set_xlim(-0.02, 1.02)
    frame(
        axes,
        "mean of the records  [u − l]",
        "MSE / (2 / (nε)²)",
        "Algorithm 3, Laplace noise, n = 1000, ε = 0.5",
    )


FIGURE = Figure(("mean", "exact", "leading", "simulated", "low", "high"), _rows, _draw)
"""The figure."""
