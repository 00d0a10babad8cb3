"""Claims on Renyi divergences, and the bet against them (ENG-T5b).

T5b. For any positive table r over the cells of a partition and any order a > 1,

    E_P[a r^(a-1)] - (a - 1) E_Q[r^a] <= e^((a-1) D_a(P || Q)),

the gradient inequality of the convex, 1-homogeneous sum of P^a Q^(1-a); for a -> 1,

    E_P[log r] + 1 - E_Q[r] <= KL(P || Q),

the variational form of Kullback-Leibler. With u and v the payoffs on the two arms and M the claimed
right side, a = 1 + m (u - M/2 - c) and b = 1 + m (v - M/2 + c), both at least 0, have
E a + E b <= 2 under the claim, so (E a)(E b) <= 1 by the means of two numbers: the product over as
many draws of each arm is an e-value, whatever r, m and c are. They only decide the power; r is the
smoothed ratio of the past's counts, m and c maximize the growth on them.

A divergence of order a bounds those of every smaller order, so a claim of one order may be bet
against at all orders up to it, and a zero-concentrated one (D_a <= rho a for all a) at every order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.levels.nesting import Axis
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

Array = NDArray[np.float64]

LARGEST_RHO = 50
FACTORS = (0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
STEPS = (0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
LARGEST_EXPONENT = 150.0
"""Of e, for a ratio to the power of the order: larger ratios are cut, squares may not overflow."""


@final
@dataclass(frozen=True, slots=True)
class MomentGrid:
    """Nested claims on divergences, fixed before the first bet."""

    orders: Array
    """Orders that are bet on, ascending, of shape (O,); 1 stands for Kullback-Leibler."""
    divergences: Array
    """Largest divergence of each order that a point allows, of shape (O, G)."""
    axes: tuple[Axis, ...]
    """What the points are."""
    claimed: int
    """Index of the claim itself."""

    @property
    def points(self) -> int:
        """Number of points G."""
        return int(self.divergences.shape[1])

    @property
    def said(self) -> Array:
        """What each point says, shape (O, G)."""
        return self.divergences

    @property
    def bounds(self) -> Array:
        """M: the claimed right sides, shape (O, G)."""
        excess = (self.orders - 1)[:, None]
        with np.errstate(over="ignore"):  # an infinite bound is not bet against
            return np.where(excess == 0, self.divergences, np.exp(excess * self.divergences))


def check_divergence(value: Fraction, name: str) -> None:
    """Refuse what no sample could refute."""
    if value > LARGEST_RHO:
        msg = f"--{name} must be at most {LARGEST_RHO} to be audited by draws, got {shown(value)}"
        raise InvalidArgument(msg)


def around(value: float) -> tuple[Array, int]:
    """Points of a grid around a claimed value, and the place of that value."""
    points = {0.0, value} | {f * value for f in FACTORS} | {value + x for x in STEPS}
    values = np.array(sorted(points))
    return values, int(np.flatnonzero(values == value)[0])


def payoffs(ratio: Array, order: float) -> tuple[Array, Array]:
    """Payoffs (u, v) of a table of ratios on the likelier and the other arm, shape (K,) each.

    E_P[u] + E_Q[v] is at most e^((order - 1) D), or D at order 1, whatever the ratios are.
    """
    if order == 1:
        return np.log(ratio), 1 - ratio
    ratio = np.minimum(ratio, math.exp(LARGEST_EXPONENT / order))
    return order * ratio ** (order - 1), -(order - 1) * ratio**order


def binary_divergence(p: float, q: float, order: float) -> float:
    """Renyi divergence of an event's probabilities, p on the first arm and q on the second."""
    cells = ((p, q), (1 - p, 1 - q))
    if any(x > 0 and y <= 0 for x, y in cells):
        return math.inf
    if order == 1:
        return sum(x * math.log(x / y) for x, y in cells if x > 0)
    logs = [order * math.log(x) + (1 - order) * math.log(y) for x, y in cells if x > 0]
    top = max(logs)
    return (top + math.log(sum(math.exp(x - top) for x in logs))) / (order - 1)
