"""Errors of Algorithms 2 and 3 with Laplace noise over the number of records (KSW v2, Appendix H).

(n epsilon)^2 times the exact errors (KSW-X2, X3) at epsilon = 0.1 and a mean of 0.1. For many
records both tend to their leading constants, Algorithm 2 to twice that of Algorithm 3; for few, n
epsilon below 0.41, the order is reversed (KSW-ER10).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, measured, scaled
from audit.figures.style import BLACK, SECOND, THIRD, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

EPSILON, MEAN = Fraction(1, 10), Fraction(1, 10)
SIZES = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000)
SIMULATED = (1, 3, 10, 30, 100, 300, 1000, 5000)
LOOKS = {"2": SECOND, "3": THIRD}


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    for algorithm in LOOKS:
        column = f"algorithm_{algorithm}_laplace"
        for n in SIZES:
            size = n * EPSILON
            at = {"n": Fraction(n), "epsilon": EPSILON, "mean": MEAN, "N": size}
            number = exact("error-ratio", f"scaled_{algorithm}", at)
            leading = scaled(exact("leading", column, at), EPSILON**2)
            points: tuple[str, ...] = ("", "", "")
            if n in SIMULATED:
                points = measured(column, at, size**2, (asked.seed, int(algorithm), n))
            yield algorithm, str(n), number, leading, *points


def _draw(data: Data, canvas: Canvas) -> None:
    axes, below = canvas.subplots(2, 1, sharex=True, height_ratios=(3, 1.3))
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = []
    for algorithm, look in LOOKS.items():
        one = data.where(algorithm=algorithm)
        x, y, leading = (one.numbers(c) for c in ("n", "exact", "leading"))
        axes.axhline(leading[0], color=look.color, linewidth=0.8)
        axes.text(1, leading[0], f" limit {leading[0]:.3g}", va="bottom", color=look.color)
        curve(axes, x, y, look)
        simulated(axes, one, "n", look)
        labels.append((f"Algorithm {algorithm}", float(y[-1]), look.color))
    errors = [data.where(algorithm=algorithm).numbers("exact") for algorithm in LOOKS]
    sizes = data.where(algorithm="3").numbers("n")
    curve(below, sizes, errors[0] / errors[1], BLACK)
    below.axhline(1, color="black", linewidth=0.8)
    below.set_ylim(0.6, 2.7)
    below.text(sizes[0], 0.9, "below 1: Algorithm 2 is better", va="top", fontsize=8)
    frame(below, "number of records n", "MSE 2 / MSE 3")
    frame(
        axes,
        "",
        "(nε)² MSE   [(u − l)²]",
        "Laplace noise, ε = 0.1, mean 0.1: exact (lines), 10 000 runs (points, 99 %)",
    )
    label_ends(axes, labels)


FIGURE = Figure(
    ("algorithm", "n", "exact", "leading", "simulated", "low", "high"), _rows, _draw, (7.2, 5.4)
)
"""The figure."""
