"""Keys and arithmetic that the tables of the thesis share."""

from __future__ import annotations

from functools import lru_cache

from proofs_check.arithmetic import EnclosedFunctions
from proofs_check.tables.keys import NumberKey

__all__ = ["BETA", "DELTA", "LAM", "PSI", "enclosed"]

BETA = NumberKey("beta", "Bound on the bias.", above=0)
"""A bound on the bias."""

DELTA = NumberKey("delta", "Privacy parameter.", above=0, at_most=1)
"""A privacy parameter."""

LAM = NumberKey("lam", "Order of the central moment that is bounded.", above=1)
"""An order of a moment."""

PSI = NumberKey("psi", "Bound on the root of that moment.", above=0)
"""A bound on the size of a moment."""


@lru_cache(maxsize=8)
def enclosed(bits: int) -> EnclosedFunctions:
    """Functions over balls at a precision."""
    return EnclosedFunctions(bits)
