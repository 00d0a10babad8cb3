"""Recorded limits (early form)."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import final

__all__ = ["Limit", "read_limits"]

RECORD = Path(__file__).with_name("limits.json")


@final
@dataclass(frozen=True, slots=True)
class Limit:
    """What any test, and the growth-optimal bet, need of each arm.

    Parameters
    ----------
    rate : float
        K, nats a draw of each arm.
    oracle : float
        0.9 quantile of the draws of the growth-optimal product bet (simulated).
    """

    rate: float
    oracle: float

    @property
    def mean(self) -> float:
        """Least mean number of draws of a level-.05 test, log(20) / K."""
        return math.log(20) / self.rate

    @property
    def q90(self) -> float:
        """Least number at which nine runs in ten have rejected, about 4.28 / K."""
        return 4.28 / self.rate


def read_limits() -> dict[str, Limit]:
    """Read what `python -m benchmarks.limits --record` wrote."""
    return {row: Limit(**values) for row, values in json.loads(RECORD.read_text()).items()}
