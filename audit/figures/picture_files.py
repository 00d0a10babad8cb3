"""Write a figure: the picture, and its data beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audit.figures.figure_kind import Asked, Data, Figure, collect, data_file, picture_format
from audit.figures.style import picture
from mechanisms.errors import InvalidArgument

__all__ = ["check_drawable", "write_figure"]


def check_drawable(file: str) -> None:
    """Find out before the numbers are computed that nothing could be drawn.

    Raises InvalidArgument if the file's ending is of no picture. Raises MissingExtra if matplotlib
    is not installed.
    """
    picture_format(file)
    picture(lambda _: None, (1, 1), "svg")


def write_figure(
    figure: Figure, file: str, asked: Asked, lost: Callable[[str], None] = lambda _: None
) -> Data:
    """Draw a figure into a file, and write its data beside it.

    `lost` gets the data where a file cannot be written.

    Raises InvalidArgument if the file's ending is of no picture, or a file cannot be written.
    Raises MissingExtra if matplotlib is not installed.
    """
    form = picture_format(file)
    check_drawable(file)
    data = collect(figure, asked)
    drawn = picture(lambda canvas: figure.draw(data, canvas), figure.size, form)
    try:
        Path(file).write_bytes(drawn)
        Path(data_file(file)).write_text(data.csv(), encoding="utf-8")
    except OSError as exc:
        lost(data.csv())
        msg = f"--output {file} cannot be written: {exc.strerror}"
        raise InvalidArgument(msg) from exc
    return data
