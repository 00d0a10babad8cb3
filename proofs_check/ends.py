"""A number between two ends."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

__all__ = ["Enclosed"]


@final
@dataclass(frozen=True, slots=True)
class Enclosed:
    """A number between two ends; None for infinity."""

    lower: Fraction | None
    upper: Fraction | None

    @property
    def width(self) -> float:
        """Of the two ends, relative to the upper."""
        if self.lower is None:
            return 0.0
        if self.upper is None:
            return math.inf
        return float((self.upper - self.lower) / self.upper) if self.upper else 0.0
