"""Stored results: JSON lines under `results/`, each with date, commit and seed.

A line is never changed; a later one about the same thing stands in place of an earlier one.
"""

from __future__ import annotations

import datetime
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

__all__ = ["FOLDER", "every", "latest", "store"]

FOLDER: Final = Path(__file__).parent / "results"


def _commit() -> str:
    told = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=8", "HEAD"]
    return subprocess.run(told, capture_output=True, text=True, check=True).stdout.strip()


def store(name: str, line: Mapping[str, Any], *, seed: int) -> None:
    """Append a result to `results/NAME.jsonl`."""
    FOLDER.mkdir(exist_ok=True)
    date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    whole = {**line, "seed": seed, "date": date, "commit": _commit()}
    with (FOLDER / f"{name}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(whole) + "\n")


def every(name: str) -> list[dict[str, Any]]:
    """Read all lines, in the order of time."""
    path = FOLDER / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [json.loads(line) for line in lines if line.strip()]


def latest(name: str, *keys: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Read the latest line for each value of the keys."""
    return {tuple(line[key] for key in keys): line for line in every(name)}
