"""Figures drawn by the command line, once a run."""

from __future__ import annotations

import csv
import tempfile
import time
from functools import cache
from pathlib import Path

from audit.cli import main
from audit.figures.figure_kind import Data

__all__ = ["read_data", "seconds_of", "whole"]


def read_data(file: Path) -> Data:
    """Read the data beside a picture."""
    with file.open(newline="") as lines:
        header, *rows = csv.reader(lines)
    return Data(tuple(header), tuple(tuple(row) for row in rows))


@cache
def _drawn(name: str) -> tuple[Data, float]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figure.png"
        start = time.process_time()
        assert main(["figure", name, "-o", str(file)]) == 0
        seconds = time.process_time() - start
        assert file.read_bytes().startswith(b"\x89PNG\r\n")
        return read_data(file.with_suffix(".csv")), seconds


def whole(name: str) -> Data:
    """Data of a figure as it is drawn by default."""
    return _drawn(name)[0]


def seconds_of(name: str) -> float:
    """Processor time of drawing it, whatever else the machine does."""
    return _drawn(name)[1]
