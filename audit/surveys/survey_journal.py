"""The file of a survey that goes on: a line for what was asked, and one for each row that is done.

A row is written when it is done, so that an interrupted survey loses the row that it was at and no
other. A last line that is not whole is what an interruption left, and is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

from audit.surveys.row import SurveyRow, row_from
from mechanisms.errors import InvalidArgument, InvalidData

__all__ = ["SurveyJournal", "open_journal", "seed_in"]

KIND = "touchstone survey"


@final
@dataclass(slots=True)
class SurveyJournal:
    """Rows that are done, and where others are kept."""

    path: Path | None = None
    """The file; None where nothing is kept."""
    rows: dict[str, SurveyRow] = field(default_factory=dict)
    """Those of earlier sessions, by name."""

    def add(self, row: SurveyRow) -> None:
        """Keep a row: once this returns, it is on the disk."""
        self.rows[row.name] = row
        if self.path is not None:
            _append(self.path, row.record())


def open_journal(path: Path | None, asked: Mapping[str, Any], *, seconds: float) -> SurveyJournal:
    """Begin a file, or read what an earlier session has left.

    `path`: the file; None keeps nothing. `asked`: what the survey is of: a file of another one is
    refused. `seconds`: cap of the wall time of this session, kept of the first one; a later one may
    have another. Raises InvalidArgument if the file is of another survey. Raises InvalidData if it
    is none, or cannot be written.
    """
    if path is None:
        return SurveyJournal()
    head = {"kind": KIND, **asked}
    if not path.exists() or not path.stat().st_size:
        _append(path, {**head, "budget_seconds": seconds})
        return SurveyJournal(path)
    first, *lines = _lines(path)
    if first.get("kind") != KIND:
        msg = f"{path} is no file of a survey"
        raise InvalidData(msg)
    if differing := [key for key in head if first.get(key) != head[key]]:
        told = ", ".join(f"{key} {first.get(key)!r} there, {head[key]!r} here" for key in differing)
        msg = f"{path} is of another survey: {told}"
        raise InvalidArgument(msg)
    rows = [row_from(line) for line in lines]
    return SurveyJournal(path, {row.name: row for row in rows})


def seed_in(path: Path | None) -> int | None:
    """The seed of a survey that is kept; None where there is no file yet."""
    if path is None or not path.exists() or not path.stat().st_size:
        return None
    seed = _lines(path)[0].get("seed")
    return seed if isinstance(seed, int) else None


def _lines(path: Path) -> list[dict[str, object]]:
    """The whole lines of a file; what follows the last of them is cut off."""
    try:
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            with path.open("r+b") as file:
                file.truncate(len(whole))
        lines = [json.loads(line) for line in whole.decode("utf-8").splitlines()]
    except (OSError, ValueError) as exc:
        msg = f"{path} cannot be read as a file of a survey: {exc}"
        raise InvalidData(msg) from exc
    if not lines or not all(isinstance(line, dict) for line in lines):
        msg = f"{path} is no file of a survey"
        raise InvalidData(msg)
    return lines


def _append(path: Path, record: Mapping[str, Any]) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as exc:
        msg = f"{path} cannot be written: {exc.strerror}"
        raise InvalidData(msg) from exc
