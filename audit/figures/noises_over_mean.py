"""Algorithm 3 with l1-staircase and hourglass noise over the mean: the same M (KSW v2, Figure 3).

n^2 times the exact errors (KSW-X5, X6) for n = 1000 and epsilon = 5, over the worst-case constant
sigma^2(epsilon). Close to the ends the error of the staircase is not known exactly: its line has a
gap there, and simulated points.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, grid, measured, scaled, text
from audit.figures.style import SECOND, THIRD, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

N, EPSILON = Fraction(1000), Fraction(5)
MEANS = "0,0.0001,0.0003,0.0005,0.001,0.0015,0.002,0.003,0.005,0.01,0.02:0.5:lin:25"
NOISES = {"l1 staircase": "l1_staircase", "hourglass": "hourglass"}
LOOKS = {"l1 staircase": SECOND, "hourglass": THIRD}


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    half = set(grid(MEANS))
    means = sorted(half | {1 - mean for mean in half})
    for m, (noise, name) in enumerate(NOISES.items()):
        column = f"algorithm_3_{name}"
        by_mean: dict[Fraction, str] = {}
        for k, mean in enumerate(means):
            at = {"n": N, "epsilon": EPSILON, "mean": mean}
            worst = Fraction(exact("leading", "staircase_swap", at))
            mirrored = min(mean, 1 - mean)  # both have the same error
            if mirrored not in by_mean:
                found = exact("mse", column, {**at, "mean": mirrored})
                by_mean[mirrored] = scaled(found, N**2 / worst)
            points: tuple[str, ...] = ("", "", "")
            if mean % Fraction(1, 10) == 0 or mirrored == Fraction(1, 100):
                points = measured(column, at, N**2 / worst, (asked.seed, m, k))
            limit = scaled(exact("leading", column, at), 1 / worst)
            yield noise, text(mean), by_mean[mirrored], limit, *points


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    labels = []
    for noise, look in LOOKS.items():
        one = data.where(noise=noise)
        x, y = one.numbers("mean"), one.numbers("exact")
        curve(axes, x, y, look)
        simulated(axes, one, "mean", look)
        labels.append((noise, float(y[-1]), look.color))
    axes.axhline(1, color="black", linewidth=0.8)
    axes.text(0.5, 1.01, "worst-case bound σ²(ε)", ha="center", va="bottom")
    axes.set_ylim(0, None)
    frame(
        axes,
        "mean of the records  [u − l]",
        "n² MSE / σ²(ε)",
        "Algorithm 3, n = 1000, ε = 5: exact (lines), 10 000 runs (points, 99 %)",
    )
    label_ends(axes, labels)


FIGURE = Figure(
    ("noise", "mean", "exact", "limit", "simulated", "low", "high"), _rows, _draw, (7.2, 4.2)
)
"""The figure."""
