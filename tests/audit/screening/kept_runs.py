"""Runs of a script that is stopped and goes on: a file with a line of JSON for each that ended."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["keep", "kept"]

R = TypeVar("R")


def kept(path: Path, kind: type[R]) -> list[R]:
    """Runs that a file holds; a last line that was cut is taken off, and its run is made again."""
    text = path.read_text() if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if len(whole) < len(text):
        path.write_text(whole)
    return [kind(**json.loads(line)) for line in whole.splitlines()]


def keep(path: Path, run: DataclassInstance) -> None:
    """Add a run to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(run)) + "\n")
