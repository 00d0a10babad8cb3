"""The trilemma: what bias, moment and privacy leave of the error (TRI, Section 2.1 and Chapter 3).

Root mean squared error of private estimators of a mean in [0, 1] from n = 1000 records, whose bias
is at most beta for all laws with E|X - mu|^lam <= 1: no estimator is below the lower bounds, and
the clipped mean of Proposition 3.0.1 is not above the upper ones. The numbers are those of the
verified table trilemma.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.axis_numbers import exact, grid, text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import ALONE, FIRST, THIRD, curve, frame, label_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

N = Fraction(1000)
EPSILONS = {"0.1": FIRST, "1": THIRD}
BETAS = "0.0001:0.1:log:10"
MOMENTS = "2,2.5,3,4,6,10"
BETA, MOMENT = Fraction(1, 1000), Fraction(2)
BOUNDS = ("floor", "lower_printed", "lower", "upper_sharp", "upper_printed")
"""Columns of the table."""


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    del asked
    points = [("bias", beta, MOMENT) for beta in grid(BETAS)]
    points += [("moment", BETA, moment) for moment in grid(MOMENTS)]
    for epsilon in EPSILONS:
        for panel, beta, moment in points:
            at = {"n": N, "epsilon": Fraction(epsilon), "beta": beta, "lam": moment}
            bounds = (exact("trilemma", name, at) for name in BOUNDS)
            yield panel, epsilon, text(beta), text(moment), *bounds


def _panel(axes: Axes, data: Data, key: str, floor_name: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = []
    for epsilon, look in EPSILONS.items():
        one = data.where(epsilon=epsilon)
        x = one.numbers(key)
        lower, upper = one.numbers("lower"), one.numbers("upper_sharp")
        axes.fill_between(x, lower, upper, color=look.color, alpha=0.13, linewidth=0)
        for name in ("lower", "upper_sharp"):
            curve(axes, x, one.numbers(name), look)
        for name in ("lower_printed", "upper_printed"):
            curve(axes, x, one.numbers(name), look, linewidth=0.9, alpha=0.55)
        labels.append((f"ε = {epsilon}: clipped mean", float(upper[-1]), look.color))
        labels.append((f"ε = {epsilon}: no one below", float(lower[-1]), look.color))
    floor = data.numbers("floor")[0]
    axes.axhline(floor, **ALONE)
    axes.text(
        x[0],
        floor,
        floor_name,
        va="center",
        color="#555555",
        fontsize=8,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
    )
    label_ends(axes, labels)


def _draw(data: Data, canvas: Canvas) -> None:
    left, right = canvas.subplots(1, 2, sharey=True)
    frame(
        left,
        "bound on the bias, β  [unit of the records]",
        "root mean squared error  [unit of the records]",
        "n = 1000, moment λ = 2",
    )
    _panel(left, data.where(panel="bias"), "beta", "without privacy")
    frame(right, "order λ of the bounded moment", "", "n = 1000, bias β = 0.001")
    _panel(right, data.where(panel="moment"), "lam", "")
    right.set_xticks([2, 3, 4, 6, 10], ["2", "3", "4", "6", "10"])
    right.minorticks_off()
    canvas.supxlabel(
        "Shaded: where the best error lies, by the sharp bounds. Thin: the bounds as printed.",
        fontsize=8.5,
    )


FIGURE = Figure(("panel", "epsilon", "beta", "lam", *BOUNDS), _rows, _draw, size=(10.6, 4.4))
"""The figure."""
