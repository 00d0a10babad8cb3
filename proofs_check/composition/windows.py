"""Which nodes matter to a sum of losses, by Chernoff's bound in floats.

A window that is too small makes the ends wide, and never wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from proofs_check.composition.nodes import NodeLaw
from proofs_check.enclosure import endpoints

__all__ = ["Windows", "window_of"]


@final
@dataclass(frozen=True, slots=True)
class Windows:
    """Which nodes matter to the sum of n losses, by Chernoff's bound in floats.

    A window that is too small makes the ends wide, and never wrong.
    """

    law: NodeLaw
    exponent: float
    """Outside is a mass of exp(-exponent) on either side."""
    logs: tuple[NDArray[np.float64], NDArray[np.float64]]

    @classmethod
    def of(cls, law: NodeLaw, exponent: float) -> Windows:
        """Logarithms of the moments of one loss."""
        tilts = np.geomspace(1e-4, 1e3, 141)
        return cls(law, exponent, (_logs(law, tilts), _logs(law, -tilts)))

    def __call__(self, count: int) -> tuple[int, int]:
        """First and last node that matter to so many losses."""
        return window_of([(self, count)])


def window_of(parts: Sequence[tuple[Windows, int]]) -> tuple[int, int]:
    """The window of a sum of several kinds of losses."""
    tilts = np.geomspace(1e-4, 1e3, 141)
    exponent = max(part.exponent for part, _ in parts)
    step = float(endpoints(parts[0][0].law.nodes.ball())[1])
    up = sum(count * part.logs[0] for part, count in parts)
    down = sum(count * part.logs[1] for part, count in parts)
    high = float(np.min((up + exponent) / tilts)) / step
    low = -float(np.min((down + exponent) / tilts)) / step
    return int(low) - 1, int(high) + 1


def _logs(law: NodeLaw, tilts: NDArray[np.float64]) -> NDArray[np.float64]:
    masses = law.floats()
    kept = np.flatnonzero(masses > 0)
    if not len(kept):
        return np.zeros_like(tilts)
    losses = (law.first + kept) * float(endpoints(law.nodes.ball())[1])
    logs = np.log(masses[kept])
    exponents = logs[None, :] + tilts[:, None] * losses[None, :]
    top = exponents.max(axis=1)
    return np.asarray(top + np.log(np.exp(exponents - top[:, None]).sum(axis=1)))
