"""The layer at the ends: Algorithm 3 with Laplace noise at a mean of c / N (KSW-ER13).

N^2 times the exact error (KSW-X2). For large N the curves tend to one that grows from 1 at c = 0
towards 2; at a finite N the error is largest at a c that grows with N.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from audit.figures.axis_numbers import exact, grid, scaled, text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import LOOKS, curve, frame, label_ends

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

SIZES = ("100", "1000", "100000")
PLACES = "0:10:lin:21,12,14,16,18,20"


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    del asked
    for size in SIZES:
        N = Fraction(size)
        peak = Fraction(exact("layer", "c", {"N": N}))
        for c in sorted({*grid(PLACES), peak}):
            half = exact("error-ratio", "ratio_to_worst_case", {"N": N, "mean": c / N})
            yield size, text(c), scaled(half, Fraction(2)), "largest" if c == peak else ""


def _draw(data: Data, canvas: Canvas) -> None:
    axes = canvas.subplots()
    labels = []
    for size, look in zip(data.texts("N"), LOOKS, strict=False):
        one = data.where(N=size)
        x, y = one.numbers("c"), one.numbers("scaled")
        top = one.where(place="largest")
        curve(axes, x, y, look)
        axes.plot(top.numbers("c"), top.numbers("scaled"), look.marker, color=look.color)
        labels.append((f"nε = {int(size):,}".replace(",", " "), float(y[-1]), look.color))
    axes.axhline(2, color="black", linewidth=0.8)
    axes.text(0, 2.0, " worst-case bound", va="bottom")
    axes.set_xlim(0, 20)
    axes.set_ylim(0.9, 2.08)
    frame(
        axes,
        "c = nε · mean  (mean in units of u − l)",
        "(nε)² MSE   [(u − l)²]",
        "Algorithm 3, Laplace noise, exact; markers: where the error is largest",
    )
    label_ends(axes, labels)


FIGURE = Figure(("N", "c", "scaled", "place"), _rows, _draw, (7.2, 4.2))
"""The figure."""
