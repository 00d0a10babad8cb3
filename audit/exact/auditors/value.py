"""Mechanisms that state no law, but the least level that holds for each of their pairs.

The values of the corpus are doubles, by closed forms and quadrature: they can be held against a
claim, and prove nothing.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Protocol, runtime_checkable

from audit.exact.question import Question, Undecided
from audit.faults import attribute, reading
from audit.results.number_words import number
from mechanisms.claims import ApproxDP, Level, PureDP
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown


@runtime_checkable
class StatesValues(Protocol):
    """A mechanism that knows the least epsilon of a pair, at its own delta."""

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """State it."""
        ...


def by_values(asked: Question) -> Undecided:
    """Say what the stated values are, and why they decide nothing."""
    values = [_value(asked.mechanism, pair) for pair in asked.pairs]
    claim = attribute(asked.mechanism, "claim")
    own: Level | None = None if claim is None else claim.level  # whose delta the values are for
    at = f" at delta = {own.delta}" if isinstance(own, ApproxDP) else ""
    size = "infinite" if math.isinf(max(values)) else number(max(values))
    least = f"the least epsilon{at} of these pairs is {size} in double precision"
    side = _side(asked.claim.level, own, max(values))
    return Undecided(f"{asked.name} states no law; {least}{side}, which proves nothing")


def _value(mechanism: StatesValues, pair: tuple[Any, Any]) -> float:
    """The value of one pair, which may be infinite."""
    with reading(mechanism, "epsilon_exact"):
        value: Any = mechanism.epsilon_exact(*pair)
        if not isinstance(value, Real) or math.isnan(value):
            msg = f"epsilon_exact must return a number, got {shown(value)}"
            raise InvalidArgument(msg)
    return float(value)


def _side(level: Level, own: Level | None, value: float) -> str:
    """On which side of a claim a value lies."""
    claimed: float | None = None
    if isinstance(level, PureDP) and isinstance(own, PureDP):
        claimed = float(level.epsilon)
    if isinstance(level, ApproxDP) and isinstance(own, ApproxDP) and own.delta == level.delta:
        claimed = float(level.epsilon)
    if claimed is None:
        return ""
    return ", above the claim" if value > claimed * (1 + 1e-9) else ", not above the claim"
