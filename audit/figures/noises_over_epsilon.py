"""Algorithm 3 with three noises over epsilon (KSW v2, Figure 2, right).

Exact errors with Laplace, l1-staircase and hourglass noise (KSW-X2, X6, X5) for n = 1000 and a mean
of 1/2, times n^2, over the best constant (1 - 2 q) sigma^2(epsilon) (KSW-H4). The hourglass stays
at 1; the two-dimensional staircase is above it by the ratio of the variances, Laplace noise by
more. Where the error of the staircase is not known exactly there are simulated points only, and its
limit for large n.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, grid, measured, scaled, text
from audit.figures.style import FIRST, SECOND, THIRD, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE", "NOISES", "NOISE_LOOKS"]

N, MEAN = Fraction(1000), Fraction(1, 2)
EPSILONS = "0.1:10:log:25,0.5,1,5"
EVERY = 3
"""Every third point is also simulated."""

NOISES = {
    "Laplace": "laplace",
    "l1 staircase": "l1_staircase",
    "hourglass": "hourglass",
}
"""Noises of Algorithm 3, and how the columns of the tables end."""

NOISE_LOOKS = dict(zip(NOISES, (FIRST, SECOND, THIRD), strict=True))
"""How they look."""


def _header(noise: str) -> str:
    return f"algorithm_3_{NOISES[noise]}"


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    for m, noise in enumerate(NOISES):
        for k, epsilon in enumerate(sorted(set(grid(EPSILONS)))):
            at = {"n": N, "epsilon": epsilon, "mean": MEAN}
            best = Fraction(exact("leading", "algorithm_3_hourglass", at))
            number = scaled(exact("mse", _header(noise), at), N**2 / best)
            limit = scaled(exact("leading", _header(noise), at), 1 / best)
            points: tuple[str, ...] = ("", "", "")
            if k % EVERY == 0:
                points = measured(_header(noise), at, N**2 / best, (asked.seed, m, k))
            yield noise, f"{float(epsilon):g}", text(best), number, limit, *points


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = []
    for noise, look in NOISE_LOOKS.items():
        one = data.where(noise=noise)
        x, limit = one.numbers("epsilon"), one.numbers("limit")
        curve(axes, x, limit, look, alpha=0.35, linewidth=3.5)
        curve(axes, x, one.numbers("exact"), look)
        simulated(axes, one, "epsilon", look)
        labels.append((noise, float(limit[-1]), look.color))
    axes.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axes.minorticks_off()
    frame(
        axes,
        "epsilon",
        "n² MSE / ((1 − 2q) σ²(ε))",
        "Algorithm 3, n = 1000, mean 0.5: exact (lines), limit (wide), 10 000 runs (points)",
    )
    label_ends(axes, labels)


FIGURE = Figure(
    ("noise", "epsilon", "best", "exact", "limit", "simulated", "low", "high"),
    _rows,
    _draw,
    (7.2, 4.2),
)
"""The figure."""
