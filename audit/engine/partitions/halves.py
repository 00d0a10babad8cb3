"""Which part of the past a partition may learn from, and which part is counted."""

from __future__ import annotations

from audit.draws.encode import Outcomes

__all__ = ["counted_part", "learned_part"]

LEARNED = 0.5
"""Share of the past that a supervised partition learns from."""


def learned_part(arm: Outcomes) -> Outcomes:
    """The first draws of an arm, which tell the arms apart."""
    return arm[slice(_cut(arm))]


def counted_part(arm: Outcomes) -> Outcomes:
    """The rest, whose counts chance has not made different."""
    return arm[slice(_cut(arm), None)]


def _cut(arm: Outcomes) -> int:
    return int(LEARNED * len(arm))
