"""Strategies for the numbers of a claim; they shrink to 1, which reads best.

Each takes `hypothesis.strategies`, which this package does not import.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

LARGEST = 8
"""Of a parameter, unless told otherwise: what people call private is far below."""

FINEST = 20
"""Denominator of drawn numbers, so that they can be read."""

DELTAS = (Fraction(1, 10**5), Fraction(0), Fraction(1, 100), Fraction(1))
"""Drawn more often than others."""


def positives(st: Any, largest: Fraction = Fraction(LARGEST)) -> Any:
    """Numbers greater than 0; they shrink to 1, or to `largest` if that is less."""
    simple = min(Fraction(1), largest)
    least = min(Fraction(1, FINEST), largest / FINEST)
    steps = int((largest - least) * FINEST)
    finer = st.integers(0, steps).map(lambda step: least + Fraction(step, FINEST))
    return st.just(simple) | finer


def sizes(st: Any) -> Any:
    """Numbers that are 0 or greater."""
    steps = st.integers(0, LARGEST * FINEST).map(lambda steps: Fraction(steps, FINEST))
    return st.just(Fraction(1)) | steps


def deltas(st: Any) -> Any:
    """Probabilities, the common ones first."""
    return st.sampled_from(DELTAS) | st.fractions(0, 1, max_denominator=1000)
