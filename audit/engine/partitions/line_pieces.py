"""Many pieces of an event in words: their number, and the first few of them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["MOST_PIECES_IN_WORDS", "such_as"]

MOST_PIECES_IN_WORDS = 8
"""As many as a sentence lists."""

SHOWN = 3
"""Of more, which a report has no lines for."""


def such_as(pieces: Sequence[str], kind: str) -> str:
    """How many there are, and the first few; the expression of an event, and JSON, have all."""
    first = f"{', '.join(pieces[: SHOWN - 1])} and {pieces[SHOWN - 1]}"
    return f"one of {len(pieces)} {kind}, such as {first} (all are in the JSON)"
