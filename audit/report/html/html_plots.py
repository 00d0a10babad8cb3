"""Plots of documents as figures: bars, and curves over two axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from audit.report.html.elements import Safe, el
from audit.report.html.svg import Axes, bars, picture, ticks
from audit.results.number_words import number
from audit.results.plot_parts import Bars, Curves, Mark, Plot

__all__ = ["figure"]


def figure(plot: Plot, key: str) -> Safe:
    """A plot, and what stands below it."""
    drawn = bars(plot, key) if isinstance(plot, Bars) else _curves(plot, key)
    return el("figure", drawn, el("figcaption", plot.caption) if plot.caption else None)


def _curves(plot: Curves, key: str) -> Safe:
    upward = ticks(plot.top)
    across = plot.ticks
    if not across:
        inside = (mark for mark in ticks(plot.right) if mark <= plot.right * (1 + 1e-9))
        across = tuple((mark, number(mark)) for mark in inside)
    axes = Axes(plot.left, plot.right, upward[-1])
    parts = [axes.frame(*plot.axes, across, upward)]
    for mark in plot.marks:
        parts += _mark(axes, mark)
    return picture(plot.title, plot.words, axes.height, *parts, key=key)


def _mark(axes: Axes, mark: Mark) -> Iterator[Safe]:
    match mark.kind:
        case "line":
            yield axes.line(mark.points, mark.style)
        case "area":
            yield axes.area(mark.points, mark.style)
        case "dots":
            for (x, y), words in zip(mark.points, mark.words, strict=True):
                yield axes.dot(x, y, mark.style, words)
        case "label":
            ((x, y),), (words,), (aside, rise) = mark.points, mark.words, mark.offset
            yield axes.label(x, y, words, aside=aside, rise=rise)
        case "beyond":
            yield from _beyond(axes, mark)
        case _:
            assert_never(mark.kind)


def _beyond(axes: Axes, mark: Mark) -> Iterator[Safe]:
    """Arrows to what is above the plot, and words beside the first."""
    top = axes.y_of(axes.top)
    for x in (axes.x_of(place) for place, _ in mark.points):
        points = f"{x:.1f},{top - 2:.1f} {x - 6:.1f},{top + 10:.1f} {x + 6:.1f},{top + 10:.1f}"
        yield el("polygon", points=points, class_=f"{mark.style} bar")
    if mark.points:
        left = axes.x_of(min(mark.points)[0]) + 8
        yield el("text", *mark.words, x=left, y=top + 24, class_="tick")
