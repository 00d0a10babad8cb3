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
    """Bars from 0 along one axis, and a line where the claim is."""

    key: str
    """Tells it from the other plots of a document."""
    title: str
    bars: tuple[Bar, ...]
    """From top to bottom."""
    axis: str
    claimed: tuple[float, str] | None
    """Where the line stands, and what is written at it."""
    words: str
    """Description, for those who do not see it."""
    caption: str = ""


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn in a plot of curves."""

    kind: Literal["line", "area", "dots", "beyond", "label"]
    """A "line" or "area" through the points, "dots" or arrows to what is "beyond" the plot at them,
    or a "label" beside the one point."""
    points: tuple[tuple[float, float], ...]
    style: Style
    """What it stands for."""
    words: tuple[str, ...] = ()
    """Of a label; of each dot, said when it is pointed at; of what is beyond."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Of a label: how far aside and above."""


@final
@dataclass(frozen=True, slots=True)
class Curves:
    """Curves over two axes."""

    key: str
    title: str
    axes: tuple[str, str]
    """Names of the horizontal and of the vertical one."""
    left: float
    right: float
    top: float
    """Ends of the horizontal axis, and the most that the vertical one must show from 0 on."""
    marks: tuple[Mark, ...]
    """From back to front."""
    words: str
    ticks: tuple[tuple[float, str], ...] = ()
    """Of the horizontal axis; none for round numbers."""
    caption: str = ""


Plot = Bars | Curves
"""A picture as data."""
