"""Density of the hourglass beside the square of the l1 staircase (KSW v2, Figure 1(b)).

On each line z1 + z2 = t the hourglass is a step function of z1, A b^k with k = |s| + |t - s| and s
the staircase level of z1: least k between 0 and t, and so a band around the line's own middle that
widens with |t|. The two-dimensional staircase falls with |z1| + |z2| alone. Both at epsilon = 1
and the gamma of least variance of their coordinates.

Reconstruction: the figure of the paper is not at hand, only its caption and equation (7). Budget,
lines and reach are ours; the densities are those that the noise laws state.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.figures.axis_numbers import text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import LOOKS, THIRD, frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE", "HOURGLASS", "L1"]

HOURGLASS, L1 = "hourglass", "l1-staircase"
"""Noises by their registered names."""

LINES = tuple(range(-3, 4))
"""Values of t = z1 + z2."""

REACH = Fraction(4)
"""The densities are drawn up to it; on the line t = 0 they are e^-8 of the largest there."""

STEPS = 7
"""Factors of e from the darkest to the lightest shade."""

PALETTE = ("#f4f8fb", "#9ecae1", THIRD.color, "#061524")
"""From small densities to large ones, also apart in gray."""


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    """Pieces on which a density is constant: of z1 on each line, and of |z1| + |z2|."""
    del asked
    from mechanisms.registry import build_noise

    hourglass = build_noise(HOURGLASS, epsilon=1)
    steps = hourglass.exact_law().breakpoints(-REACH, REACH)
    for t in LINES:
        for low, high in pairwise((-REACH, *steps, REACH)):
            density = hourglass.density(float((low + high) / 2), t)
            yield HOURGLASS, str(t), text(low), text(high), text(float(density))
    square = build_noise(L1, epsilon=1)
    radii = square.exact_law().breakpoints(Fraction(0), 2 * REACH)
    for low, high in pairwise((Fraction(0), *(r for r in radii if r > 0), 2 * REACH)):
        density = square.density(float((low + high) / 2), 0.0)
        yield L1, "", text(low), text(high), text(float(density))


def _on_lines(axes: Axes, data: Data) -> None:
    """Draw the step functions of the lines t = 0, ..., 3; those of -t are their mirror images."""
    for look, t in zip(LOOKS, LINES[3:], strict=False):
        one = data.where(noise=HOURGLASS, t=str(t))
        edges = np.append(one.numbers("low"), one.numbers("high")[-1])
        axes.stairs(
            one.numbers("density"), edges, baseline=None, color=look.color, linestyle=look.line,
            linewidth=1.6, label=f"t = {t}",
        )  # fmt: skip
    axes.set_ylim(0, None)
    frame(axes, "z1", "density on the line z1 + z2 = t", "hourglass, on four lines")
    axes.legend()


def _in_the_plane(axes: Axes, data: Data, shades: Any) -> None:
    """Draw the lines in the plane, dark and thick where the density is large."""
    from matplotlib.collections import LineCollection

    pieces = data.where(noise=HOURGLASS)
    columns = (pieces.numbers(name) for name in ("t", "low", "high", "density"))
    t, low, high, density = (np.asarray(column) for column in columns)
    ends = np.stack([np.stack([low, t - low], axis=1), np.stack([high, t - high], axis=1)], axis=1)
    lines = LineCollection(list(ends), cmap=shades.cmap, norm=shades.norm, linewidths=4.0)
    lines.set_array(density)
    axes.add_collection(lines)
    _square(axes, "hourglass, on the lines z1 + z2 = t")


def _square_staircase(axes: Axes, data: Data, shades: Any) -> None:
    """Fill the squares of the l1 staircase, the largest first."""
    rings = data.where(noise=L1)
    for high, density in reversed(
        list(zip(rings.numbers("high"), rings.numbers("density"), strict=True))
    ):
        corners = np.array([(high, 0), (0, high), (-high, 0), (0, -high)])
        axes.fill(*corners.T, color=shades.cmap(shades.norm(density)), linewidth=0)
    _square(axes, "l1 staircase, on the plane")


def _square(axes: Axes, title: str) -> None:
    frame(axes, "z1", "z2", title)
    axes.set_aspect("equal")
    axes.set_xlim(-float(REACH), float(REACH))
    axes.set_ylim(-float(REACH), float(REACH))


def _draw(data: Data, canvas: Canvas) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    density = data.numbers("density")
    colors = LinearSegmentedColormap.from_list("density", PALETTE)
    top = float(density.max())
    shades = ScalarMappable(LogNorm(top * np.exp(-STEPS), top, clip=True), colors)
    panels: list[Axes] = list(canvas.subplots(1, 3, gridspec_kw={"width_ratios": (1.1, 1, 1)}))
    _on_lines(panels[0], data)
    _in_the_plane(panels[1], data, shades)
    _square_staircase(panels[2], data, shades)
    canvas.colorbar(shades, ax=panels[1:], shrink=0.8, label="density")


FIGURE = Figure(("noise", "t", "low", "high", "density"), _rows, _draw, size=(10.2, 3.6))
"""The figure."""
