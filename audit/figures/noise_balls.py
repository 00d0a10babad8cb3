"""Unit balls of the noise of Algorithms 1 to 3 (KSW v1 and v2, Figure 1).

Laplace noise of scales c on linear functions L of (sum, count) hides a move v at a loss of
sum |L_i v| / c_i, in multiples of epsilon at epsilon = 1: moves in the unit ball lose at most
epsilon. A record moves (sum, count) by +-(x, 1). The smaller the ball that holds all these moves,
the less noise. Functions and scales are those that the mechanisms state of themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from audit.figures.axis_numbers import text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import FIRST, SECOND, THIRD, frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = ["FIGURE"]

ALGORITHMS = {
    "Algorithm 1": "ksw.independent-laplace",
    "Algorithm 2": "ksw.shifted-laplace",
    "Algorithm 3": "ksw.transformed-laplace",
}
LOOKS = dict(zip(ALGORITHMS, (FIRST, SECOND, THIRD), strict=True))

SPACES = {
    "Algorithm 3": ("sum of x  [u − l]", "sum of 1 − x  [u − l]"),
    "sum and count": ("sum of x  [u − l]", "count  [records]"),
    "Algorithm 2": ("sum of x − 1/2  [u − l]", "count / 2  [records]"),
}
"""Panels, and what their axes are."""

CORNERS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))

Matrix = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]


def _functions(name: str) -> Matrix:
    """What the mechanism adds noise of scale 1 to, as functions of (sum, count)."""
    from mechanisms.registry import build_mechanism

    query = build_mechanism(name, epsilon=1, low=0, high=1).noisy_query()
    scales = [noise.sensitivity / noise.epsilon for noise in query.noises]
    (a, b), (c, d) = query.moves
    return (a / scales[0], b / scales[0]), (c / scales[1], d / scales[1])


def _solve(m: Matrix, v: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    (a, b), (c, d) = m
    det = a * d - b * c
    return (d * v[0] - b * v[1]) / det, (a * v[1] - c * v[0]) / det


def _apply(m: Matrix, v: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return m[0][0] * v[0] + m[0][1] * v[1], m[1][0] * v[0] + m[1][1] * v[1]


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    del asked
    one = Fraction(1)
    views: dict[str, Matrix] = {"sum and count": ((one, 0 * one), (0 * one, one))}
    functions = {name: _functions(mechanism) for name, mechanism in ALGORITHMS.items()}
    for space in SPACES:
        view = views.get(space) or functions[space]
        for name, m in functions.items():
            for x, y in CORNERS:
                point = _apply(view, _solve(m, (Fraction(x), Fraction(y))))
                yield space, name, *map(text, point)
        for sign in (1, -1):
            for x in (0, 1):
                move = _apply(view, (Fraction(sign * x), Fraction(sign)))
                yield space, f"a record {'added' if sign == 1 else 'removed'}", *map(text, move)


def _draw(data: Data, canvas: Canvas) -> None:
    panels: list[Axes] = list(canvas.subplots(1, 3))
    for axes, space in zip(panels, SPACES, strict=True):
        shown = data.where(space=space)
        for name, look in LOOKS.items():
            ball = shown.where(shape=name)
            x, y = ball.numbers("x"), ball.numbers("y")
            axes.fill(x, y, color=look.color, alpha=0.12, linewidth=0)
            axes.plot(x, y, color=look.color, linestyle=look.line, label=name)
        for name in ("a record added", "a record removed"):
            moves = shown.where(shape=name)
            axes.plot(
                moves.numbers("x"),
                moves.numbers("y"),
                color="black",
                linewidth=2.4,
                label="moves of one record" if name.endswith("added") else None,
            )
        title = "sum and count" if space == "sum and count" else f"as {space} sees it"
        frame(axes, *SPACES[space], title)
        axes.set_aspect("equal")
        reach = 1.08 * float(np.max(np.abs([shown.numbers("x"), shown.numbers("y")])))
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-reach, reach)
    handles, labels = panels[1].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside lower center", ncols=4)


FIGURE = Figure(("space", "shape", "x", "y"), _rows, _draw, size=(9.6, 3.8))
"""The figure."""
