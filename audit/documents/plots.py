"""Pictures of results as data; a form draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

__all__ = ["Bar", "Bars", "Curves", "Mark", "Plot", "Style"]

Style = Literal["samples", "claimed", "proved", "broken", "band"]
"""What a mark of a plot stands for: a form gives each a color."""


@final
@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: words above it, its length (inf reaches the end), and what it stands for.

    A bar that is a `point` is a mark at its value.
    """

    words: str
    value: float
    style: Style
    point: bool = False


@final
@dataclass(frozen=True, slots=True)
class Bars:
    """Bars from 0 along one axis, and a line where the claim is.

    Parameters
    ----------
    key : str
        Tells it from the other plots of a document.
    title : str
        Name.
    bars : tuple of Bar
        From top to bottom.
    axis : str
        Name of the axis.
    claimed : (float, str) or None
        Where the line stands, and what is written at it.
    words : str
        Description, for those who do not see it.
    caption : str
        What stands below.
    """

    key: str
    title: str
    bars: tuple[Bar, ...]
    axis: str
    claimed: tuple[float, str] | None
    words: str
    caption: str = ""


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn in a plot of curves.

    Parameters
    ----------
    kind : str
        "line" or "area" through the points, "dots" or arrows to what is "beyond" the plot at
        them, or a "label" beside the one point.
    points : tuple of (float, float)
        Where.
    style : Style
        What it stands for.
    words : tuple of str
        Of a label; of each dot, said when it is pointed at; of what is beyond.
    offset : (float, float)
        Of a label: how far aside and above.
    """

    kind: Literal["line", "area", "dots", "beyond", "label"]
    points: tuple[tuple[float, float], ...]
    style: Style
    words: tuple[str, ...] = ()
    offset: tuple[float, float] = (0.0, 0.0)


@final
@dataclass(frozen=True, slots=True)
class Curves:
    """Curves over two axes.

    Parameters
    ----------
    key, title, words, caption : str
        As of `Bars`.
    axes : (str, str)
        Names of the horizontal and of the vertical one.
    left, right, top : float
        Ends of the horizontal axis, and the most that the vertical one must show from 0 on.
    marks : tuple of Mark
        From back to front.
    ticks : tuple of (float, str)
        Of the horizontal axis; none for round numbers.
    """

    key: str
    title: str
    axes: tuple[str, str]
    left: float
    right: float
    top: float
    marks: tuple[Mark, ...]
    words: str
    ticks: tuple[tuple[float, str], ...] = ()
    caption: str = ""


Plot = Bars | Curves
"""A picture as data."""
