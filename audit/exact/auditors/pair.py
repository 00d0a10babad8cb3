"""One pair of stated laws, compared by what encloses them and held against a level."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from audit.exact.cells.cell import OpenCell
from audit.exact.comparison.cells import Comparison
from audit.exact.density.tail import NotCovered
from audit.exact.laws import compared, part_told
from audit.exact.levels import Decision, Kept, Open, decide
from audit.exact.question import Question
from audit.exact.sameness import key_of
from audit.faults import reading
from audit.rounding import plural
from mechanisms.claims import Level
from mechanisms.laws import Moved
from proofs_check.enclosure import Undecided as OpenBall

__all__ = ["LISTED", "decided_pair", "key_of_pair", "pairs_words"]

LISTED = "the listed pairs"
"""What is gone through, where the user or the claim says which pairs."""


def pairs_words(words: str, count: int) -> str:
    """Say which pairs were gone through: all of `words`, and how many these are."""
    if words == LISTED:
        return f"{plural(count, 'listed pair')}, either way round"
    return f"{words}: {plural(count, 'pair')}, either way round"


def decided_pair(
    asked: Question, level: Level, law: Any, other: Any
) -> tuple[Decision, int, tuple[str, ...]]:
    """Decide a level on one pair of laws; how many cells it took, and what it rests on."""
    try:
        with reading(asked.mechanism, "exact_law"):
            pair: tuple[Comparison, Comparison] = compared(law, other), compared(other, law)
            found = decide(level, pair)
            part = part_told(law, other)
            if isinstance(found, Kept) and part:
                found = Open(f"the stated law tells only {part}; the release may lose more")
            elif isinstance(found, Kept):
                return found, pair[0].cells, pair[0].lemmas
    except (NotCovered, OpenCell, OpenBall) as exc:
        found = Open(str(exc))
    return found, 0, ()


def key_of_pair(law: Any, other: Any) -> Hashable:
    """The same for pairs that differ by a common move, of laws of one class and state."""
    if type(law) is Moved and type(other) is Moved and not isinstance(law.by, tuple):
        return key_of(law.law), key_of(other.law), other.by - law.by
    return key_of(law), key_of(other)
