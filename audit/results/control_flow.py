"""What a target asks its generator for on both data sets of a pair, from one state of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = ["ControlFlow", "FlowDifference"]


@final
@dataclass(frozen=True, slots=True)
class FlowDifference:
    """The first run whose two sides asked for other numbers."""

    pair: str
    """The pair in words."""
    data: tuple[str, ...]
    neighbor: tuple[str, ...]
    """What was asked for on either side, in its order: "laplace of 3"."""
    words: tuple[int, int]
    """Random words of 64 bits that either side took."""
    text: str
    """The difference in words."""


@final
@dataclass(frozen=True, slots=True)
class ControlFlow:
    """A comparison of control flow; a difference is no verdict."""

    pairs: int
    runs: int
    """Pairs that were compared, and runs of each, both sides of a run from one state."""
    differing: int
    """Runs whose sides asked for other numbers, of all pairs."""
    difference: FlowDifference | None = None
    """The first of them."""
