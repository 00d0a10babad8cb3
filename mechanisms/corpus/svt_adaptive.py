"""The adaptive sparse vector: a query far above the threshold costs half as much.

Ding, Wang, Zhang, Kifer, VLDB 2019 (Adaptive-Sparse-Vector-with-Gap); CheckDP's
adaptivesparsevector and badadaptivesparsevector. With rho of scale 2 / epsilon, top noise xi of
scale 8 c / epsilon, middle noise eta of scale 4 c / epsilon and s = 16 c / epsilon (CheckDP's 16):
a query is "top" (2) if x_i + xi_i - (T + rho) >= s, else "middle" (1) if x_i + eta_i - (T + rho)
>= 0, else below (0). Top costs 1 unit and middle 2 of a budget of 2 c; less than 2 left ends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.corpus.quadrature import log_cdf, log_density, log_survival, panels
from mechanisms.corpus.svt_law import UNASKED, grid_of_gaps
from mechanisms.corpus.vectors import Pairs, Vector, any_entry_pairs, claim_pure, vector
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, check_fraction, check_integer, check_size

__all__ = ["AdaptiveSparseVector"]

RELEASES = ("branch", "gap", "value")
COST = np.array([0, 2, 1])
"""Units that below, middle and top cost."""


@final
@dataclass(frozen=True, slots=True)
class AdaptiveSparseVector:
    """Branches 0, 1, 2 and -1 after the stop; or gaps to T + rho, 0 below and NaN after the stop.

    `release` "value" (broken) gives x_i + xi_i in the top branch instead of its gap.
    """

    epsilon: Fraction
    release: str
    c: int
    threshold: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = any_entry_pairs(10)

    def __init__(
        self, epsilon: Number = "1/10", release: str = "gap", c: int = 1, threshold: Number = 1
    ) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        object.__setattr__(self, "release", check_choice(release, "release", RELEASES))
        object.__setattr__(self, "c", check_integer(c, "c", at_least=1))
        object.__setattr__(self, "threshold", check_fraction(threshold, "threshold"))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon; each answer may differ by 1."""
        return claim_pure(self.epsilon, "Wang et al. 2020", "adaptivesparsevector")

    @property
    def scales(self) -> tuple[float, float, float, float]:
        """Scales of rho, xi and eta, and the top branch's distance s."""
        unit = float(self.c / self.epsilon)
        return float(2 / self.epsilon), 8 * unit, 4 * unit, 16 * unit

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Draw, shape (size, n): int8 branches, or floats."""
        x, (rho, xi, eta, far) = vector(data), self.scales
        shape = (check_size(size), x.size)
        bar = float(self.threshold) + rho * rng.laplace(size=(size, 1))
        high, middle = x + xi * rng.laplace(size=shape), x + eta * rng.laplace(size=shape)
        branch = np.where(high - bar >= far, 2, np.where(middle >= bar, 1, 0))
        over = np.cumsum(COST[branch], axis=1) - COST[branch] > 2 * self.c - 2
        if self.release == "branch":
            return np.where(over, UNASKED, branch).astype(np.int8)
        top = high if self.release == "value" else high - bar
        values = np.choose(branch, [np.zeros(shape), middle - bar, top])
        return np.where(over, np.nan, values)

    def epsilon_exact(self, data: Any, neighbor: Any) -> float:
        """Largest log ratio of branches; of values over a grid, for c = 1."""
        x, y = vector(data), vector(neighbor)
        laws = branch_law if self.release == "branch" else value_law
        return float(np.abs(np.log(laws(self, x) / laws(self, y))).max())


def branches(n: int, c: int) -> NDArray[np.int8]:
    """All rows of branches that can come, shape (rows, n)."""
    rows, spent = np.zeros((1, 0), dtype=np.int8), np.zeros(1, dtype=np.int64)
    for _ in range(n):
        asked = spent <= 2 * c - 2
        parts = [(rows[asked], branch, spent[asked] + COST[branch]) for branch in range(3)]
        parts.append((rows[~asked], UNASKED, spent[~asked]))
        rows = np.vstack([np.pad(r, ((0, 0), (0, 1)), constant_values=b) for r, b, _ in parts])
        spent = np.concatenate([s for _, _, s in parts])
    return rows


def branch_law(mechanism: AdaptiveSparseVector, x: Vector) -> Vector:
    """Probabilities of `branches`, by quadrature over rho."""
    scale, xi, eta, far = mechanism.scales
    bar, rows = float(mechanism.threshold), branches(x.size, mechanism.c)
    _, t, w = panels([0.0, *(x - bar), *(x - bar - far)], (scale,))  # the least of the scales
    rho = t.ravel()
    u = bar + rho - x[:, None]
    not_top = log_cdf(u + far, xi)
    logs = [not_top + log_cdf(u, eta), not_top + log_survival(u, eta), log_survival(u + far, xi)]
    total = log_density(rho, scale) + sum((rows == b) @ logs[b] for b in range(3))
    return np.asarray(np.exp(total) @ w.ravel())


def value_law(mechanism: AdaptiveSparseVector, x: Vector) -> Vector:
    """Density of the first answer's value at each place over a grid, and P(no answer); c = 1."""
    if mechanism.c != 1:
        msg = f"the exact epsilon of gaps is for c = 1, got c={mechanism.c}"
        raise InvalidArgument(msg)
    scale, xi, eta, far = mechanism.scales
    bar, gaps = float(mechanism.threshold), np.append(grid_of_gaps(scale), far * (1 + 1e-12))
    z = gaps if mechanism.release == "gap" else np.concatenate([-gaps[gaps > 0], gaps])
    own = np.subtract.outer(x - bar, z).ravel()
    kinks = np.concatenate([np.zeros(1), x - bar, x - bar - far, z - bar - far, own])
    _, t, w = panels(kinks, (scale, xi, eta))
    rho = t.ravel()
    u = bar + rho - x[:, None]
    not_top = log_cdf(u + far, xi)
    # row i: the density of rho, and i queries below
    before = np.cumsum(np.vstack([log_density(rho, scale), not_top + log_cdf(u, eta)]), axis=0)
    start = np.exp(before) * w.ravel()
    gap = np.exp(log_density(u[:, None] + z[:, None], eta) + not_top[:, None]) * (z[:, None] >= 0)
    if mechanism.release == "gap":
        gap += np.exp(log_density(u[:, None] + z[:, None], xi)) * (z[:, None] >= far)
    else:
        value = np.exp(log_density(z - x[:, None], xi))
        gap += value[:, :, None] * (rho <= (z - bar - far)[:, None])
    return np.append((gap @ start[:-1, :, None]).ravel(), start[-1].sum())
