"""Errors of Algorithms 1 to 3 with Laplace noise over epsilon (KSW v2, Figure 2, left).

(n epsilon)^2 times the exact errors (KSW-X2 to X4) for n = 1000 and a mean of 0.1, simulated
points, and the least worst-case error of all mechanisms, epsilon^2 sigma^2(epsilon) (KSW-E2).
Algorithm 3 comes close to it for epsilon up to about 1 only.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.figure import Asked, Data, Figure
from audit.figures.numbers import exact, grid, measured, scaled
from audit.figures.style import BLACK, FIRST, SECOND, THIRD, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

N, MEAN = Fraction(1000), Fraction(1, 10)
EPSILONS = "0.1:10:log:25"
LOOKS = {"1": FIRST, "2": SECOND, "3": THIRD}
EVERY = 3
"""Every third point is also simulated."""


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    for algorithm in LOOKS:
        for k, epsilon in enumerate(grid(EPSILONS)):
            at = {"n": N, "epsilon": epsilon, "mean": MEAN, "N": N * epsilon}
            number = exact("error-ratio", f"scaled_{algorithm}", at)
            column = f"algorithm_{algorithm}_laplace"
            leading = scaled(exact("leading", column, at), epsilon**2)
            points: tuple[str, ...] = ("", "", "")
            if k % EVERY == 0:
                place = (asked.seed, int(algorithm), k)
                points = measured(column, at, (N * epsilon) ** 2, place)
            bound = scaled(exact("leading", "staircase_swap", at), epsilon**2)
            yield algorithm, f"{float(epsilon):g}", number, leading, bound, *points


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = []
    for algorithm, look in LOOKS.items():
        one = data.where(algorithm=algorithm)
        x, y = one.numbers("epsilon"), one.numbers("exact")
        curve(axes, x, y, look)
        simulated(axes, one, "epsilon", look)
        labels.append((f"Algorithm {algorithm}", float(y[-1]), look.color))
    one = data.where(algorithm="3")
    bound = one.numbers("bound")
    curve(axes, one.numbers("epsilon"), bound, BLACK)
    labels.append(("bound ε²σ²(ε)", float(bound[-1]), BLACK.color))
    frame(
        axes,
        "epsilon",
        "(nε)² MSE   [(u − l)²]",
        "Laplace noise, n = 1000, mean 0.1: exact (lines), 10 000 runs (points, 99 %)",
    )
    label_ends(axes, labels)


FIGURE = Figure(
    ("algorithm", "epsilon", "exact", "leading", "bound", "simulated", "low", "high"),
    _rows,
    _draw,
    (7.2, 4.2),
)
"""The figure."""
