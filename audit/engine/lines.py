"""From a claim to the lines that support it: P(S) <= s Q(S) + t for every event S.

A pure or approximate claim is one line, s = e^epsilon and t = delta, in both directions. The
confidence limits (ENGINE T4) need the same test for a grid of nested claims that is fixed before
the first bet: `grid_of` makes both grids, the claim itself among their points.

T4. For nested claims, each with an e-process of its own, the smallest true point of the grid is a
true claim fixed in advance, so it is ever rejected with probability at most alpha; a limit at or
above it needs that. A point inserted later, with wealth 1, would be one more test: ten of them
err with probability about 1/4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Level, PureDP
from mechanisms.errors import InvalidArgument

__all__ = ["Grid", "grid_of", "supporting_line"]

LARGEST_EPSILON = 200
FACTORS = (0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0)
STEPS = (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
DELTAS = (1e-5, 1e-4, 1e-3, 0.003, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 0.97)


@final
@dataclass(frozen=True, slots=True)
class Grid:
    """Nested claims, fixed before the first bet.

    Parameters
    ----------
    slopes, offsets : ndarray of float, shape (G,)
        s and t of each point's line. The first `epsilons.size` points vary epsilon at the claimed
        delta, the others vary delta at the claimed epsilon; both ascend.
    epsilons, deltas : ndarray of float
        The two grids' parameters.
    claimed : int
        Index of the claim itself.
    """

    slopes: NDArray[np.float64]
    offsets: NDArray[np.float64]
    epsilons: NDArray[np.float64]
    deltas: NDArray[np.float64]
    claimed: int

    def lower_limits(self, rejected: NDArray[np.bool_]) -> tuple[float, float]:
        """Largest point of each grid's rejected prefix, 0 where there is none (ENGINE T4).

        With i the smallest point that is true, reporting more than it needs to reject it, so each
        limit errs with the level of a single test and needs no correction. The largest rejected
        point anywhere would not do (measured error .568 instead of .029).
        """
        cut = self.epsilons.size
        return (
            _rejected_prefix(self.epsilons, rejected[:cut]),
            _rejected_prefix(self.deltas, rejected[cut:]),
        )


def _rejected_prefix(points: NDArray[np.float64], rejected: NDArray[np.bool_]) -> float:
    length = int(np.argmin(np.append(rejected, False)))
    return float(points[length - 1]) if length else 0.0


def supporting_line(level: Level) -> tuple[Fraction, Fraction]:
    """Return (epsilon, delta) of the one line of a pure or approximate claim, exactly.

    Raises
    ------
    InvalidArgument
        For levels that this version does not bet against.
    """
    match level:
        case PureDP(epsilon=epsilon):
            return epsilon, Fraction(0)
        case ApproxDP(epsilon=epsilon, delta=delta):
            return epsilon, delta
        case _:
            msg = (
                f"a claim of the kind {type(level).__name__} cannot be audited yet, "
                f"got {level}; use PureDP or ApproxDP"
            )
            raise InvalidArgument(msg)


def grid_of(level: Level) -> Grid:
    """Make the grid of nested claims around a claim."""
    exact_epsilon, exact_delta = supporting_line(level)
    if exact_epsilon > LARGEST_EPSILON:
        msg = (
            f"epsilon must be at most {LARGEST_EPSILON} to be audited (no number of samples "
            f"refutes a larger claim), got epsilon={exact_epsilon}"
        )
        raise InvalidArgument(msg)
    epsilon, delta = float(exact_epsilon), float(exact_delta)
    points = {0.0, epsilon} | {f * epsilon for f in FACTORS} | {epsilon + a for a in STEPS}
    # no sample rejects a point beyond, and the square of its slope may overflow
    epsilons = sorted(e for e in points if e <= LARGEST_EPSILON)
    below = {f * delta for f in (0.0, 0.5, 0.8, 0.9)}
    deltas = sorted({delta} | below | {d for d in DELTAS if d > 1.01 * delta})
    return Grid(
        slopes=np.array([math.exp(e) for e in epsilons] + [math.exp(epsilon)] * len(deltas)),
        offsets=np.array([delta] * len(epsilons) + deltas),
        epsilons=np.array(epsilons),
        deltas=np.array(deltas),
        claimed=epsilons.index(epsilon),
    )
