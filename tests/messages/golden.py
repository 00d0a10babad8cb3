"""Texts that users read, kept in files: a change shows in the diff.

`TOUCHSTONE_UPDATE_MESSAGES=1 pytest tests/messages` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

TEXTS = Path(__file__).parent / "texts"


def assert_golden(name: str, text: str) -> None:
    """Compare a text with the file of that name."""
    path = TEXTS / f"{name}.txt"
    if os.environ.get("TOUCHSTONE_UPDATE_MESSAGES"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
