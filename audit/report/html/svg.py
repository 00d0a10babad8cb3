"""Pictures as SVG inside a page: axes, lines, bars; colors come from the page's style sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from audit.report.html.elements import Child, Safe, el, joined
from audit.results.number_words import number
from audit.results.plot_parts import Bars

__all__ = ["Axes", "bars", "picture", "ticks"]

WIDTH = 430
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 26, 46
ROW = 46
SMALLEST = 1e-290
"""Of less no round step is a number of the machine."""


def picture(title: str, words: str, height: float, *children: Child, key: str) -> Safe:
    """A drawing with a name and a description for those who do not see it."""
    names = joined(el("title", title, id=f"{key}-name"), el("desc", words, id=f"{key}-words"))
    return el(
        "svg",
        names,
        *children,
        viewBox=f"0 0 {WIDTH} {round(height)}",
        role="img",
        aria_labelledby=f"{key}-name {key}-words",
    )


def ticks(top: float, most: int = 5) -> list[float]:
    """Round numbers from 0 to the first that is at least `top`, at most about `most` steps."""
    step = top / most
    power = 10.0 ** math.floor(math.log10(step))
    size = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= step * (1 - 1e-9))
    return [i * size for i in range(math.ceil(top / size * (1 - 1e-9)) + 1)]


@final
@dataclass(frozen=True, slots=True)
class Axes:
    """Two axes; `x_of` and `y_of` turn values into places."""

    left: float
    right: float
    """Ends of the horizontal axis; of the logarithms where it is logarithmic."""
    top: float
    """Upper end of the vertical axis, whose lower end is 0."""
    height: float = 270
    """Of the picture."""

    def x_of(self, value: float) -> float:
        """Place of a value on the horizontal axis."""
        return LEFT + (value - self.left) / (self.right - self.left) * (WIDTH - LEFT - RIGHT)

    def y_of(self, value: float) -> float:
        """Place of a value on the vertical axis; what is beyond stands at its end."""
        share = min(max(value, 0.0), self.top) / self.top
        return self.height - BOTTOM - share * (self.height - TOP - BOTTOM)

    def line(self, points: Iterable[tuple[float, float]], class_: str) -> Safe:
        """A line through points."""
        return el("polyline", points=self._places(points), class_=class_)

    def area(self, points: Iterable[tuple[float, float]], class_: str) -> Safe:
        """A polygon."""
        return el("polygon", points=self._places(points), class_=class_)

    def dot(self, x: float, y: float, class_: str, words: str) -> Safe:
        """A point that says what it is when it is pointed at."""
        place = {"cx": self.x_of(x), "cy": self.y_of(y)}
        return el("circle", el("title", words), **place, r=4.5, class_=f"{class_} dot")

    def _places(self, points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{self.x_of(x):.1f},{self.y_of(y):.1f}" for x, y in points)

    def frame(
        self,
        x_name: str,
        y_name: str,
        x_ticks: Sequence[tuple[float, str]],
        y_ticks: Sequence[float],
    ) -> Safe:
        """Axes, grid, ticks and names."""
        floor = self.height - BOTTOM
        parts: list[Child] = []
        for value in y_ticks:
            y = self.y_of(value)
            parts.append(el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"))
            parts.append(_text(number(value), LEFT - 8, y + 4, "end"))
        for place, words in x_ticks:
            x = self.x_of(place)
            parts.append(el("line", x1=x, x2=x, y1=floor, y2=floor + 5, class_="axis"))
            parts.append(_text(words, x, floor + 20, "middle"))
        parts.append(el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=floor, y2=floor, class_="axis"))
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(el("text", x_name, x=middle, y=self.height - 6, text_anchor="middle"))
        parts.append(el("text", y_name, x=4, y=15))
        return joined(*parts)

    def label(self, x: float, y: float, words: str, *, aside: float, rise: float) -> Safe:
        """Words beside a place, and above it."""
        return el("text", words, x=self.x_of(x) + aside, y=self.y_of(y) - rise)


def _text(words: str, x: float, y: float, anchor: str) -> Safe:
    return el("text", words, x=x, y=y, text_anchor=anchor, class_="tick")


def bars(plot: Bars, key: str) -> Safe:
    """Bars from 0 along one axis, and a line where the claim is; `key` tells it on the page."""
    rows, claimed = plot.bars, plot.claimed
    values = [row.value for row in rows if math.isfinite(row.value)]
    values += [claimed[0]] if claimed else []
    longest = max(values, default=0.0)
    marks = ticks(1.1 * longest if longest > SMALLEST else 1.0)
    left, right, head = 8.0, WIDTH - 14.0, 30.0
    floor = head + ROW * len(rows)

    def place(value: float) -> float:
        return left + min(value / marks[-1], 1.0) * (right - left)

    parts: list[Child] = []
    for mark in marks:
        x = place(mark)
        parts.append(el("line", x1=x, x2=x, y1=head, y2=floor, class_="grid"))
        anchor = "start" if mark == 0 else "end" if mark == marks[-1] else "middle"
        parts.append(_text(number(mark), x, floor + 18, anchor))
    for i, row in enumerate(rows):
        y = head + ROW * i
        end = place(row.value) if math.isfinite(row.value) else right
        if row.point and math.isfinite(row.value):
            parts.append(el("circle", cx=end, cy=y + 31, r=6, class_=f"{row.style} dot"))
        elif not row.point:
            size = {"x": left, "y": y + 25, "width": max(end - left, 2), "height": 12}
            parts.append(el("rect", **size, class_=f"{row.style} bar"))
    if claimed:
        x = place(claimed[0])
        parts.append(el("line", x1=x, x2=x, y1=head - 6, y2=floor, class_="claimed"))
        anchor = "start" if x < WIDTH / 3 else "end" if x > 2 * WIDTH / 3 else "middle"
        parts.append(el("text", claimed[1], x=x, y=head - 12, text_anchor=anchor))
    parts += [el("text", row.words, x=left, y=head + ROW * i + 18) for i, row in enumerate(rows)]
    parts.append(el("line", x1=left, x2=right, y1=floor, y2=floor, class_="axis"))
    parts.append(el("text", plot.axis, x=(left + right) / 2, y=floor + 38, text_anchor="middle"))
    return picture(plot.title, plot.words, floor + 46, *parts, key=key)
