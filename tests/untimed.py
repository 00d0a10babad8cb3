"""Reports in JSON without what was measured with a clock: all else of two equal runs is equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["TIMES", "untimed"]

TIMES = ("seconds", "seconds_per_draw")


def untimed(document: Mapping[str, Any]) -> dict[str, Any]:
    """A report without its times."""
    return {key: value for key, value in document.items() if key not in TIMES}
