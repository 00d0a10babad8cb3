"""The four stages of a private range, on records that survived (PDP, Algorithm 6, repaired).

Each user's record survives with a probability of its own. On the survivors, each stage spends a
quarter of a public tau and of beta:

    b   width of a grid (Algorithm 4); from here on x stands for b floor(x / b)
    R1  radius around 0 (Algorithm 5)
    m   median of the survivors in [-R1, R1], on the multiples of b there (Algorithm 2)
    R2  radius of the survivors less m (Algorithm 5)

Rounding, leaving out what lies beyond R1 and subtracting m act on each record by itself, so a
changed record changes one record of every stage, and all four together are tau-private on the
survivors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.composition import InTurn, LaplaceStep, Survivors
from mechanisms.personalized.diffusion.rates import Rates
from mechanisms.personalized.public_tau import STAGES
from mechanisms.personalized.quantile.draw import draw_quantile, median_step
from mechanisms.personalized.sparse.discretization import draw_grid, to_grid, width_step
from mechanisms.personalized.sparse.pairs import chunks
from mechanisms.personalized.sparse.radius import draw_radius
from mechanisms.personalized.sparse.sparse_vector import scan_step

__all__ = ["CONSTANT", "Stages", "draw_stages", "stages_step"]

Floats = NDArray[np.float64]

CONSTANT = LaplaceStep("a constant", (Fraction(0),), Fraction(1))
"""The release where nobody has a budget."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """What the stages release, in the unit of the data."""

    b: Floats
    """Shape (draws,): width of the grid, a power of 2."""
    first_radius: Floats
    """Shape (draws,): R1, around 0."""
    center: Floats
    """Shape (draws,): m, a multiple of b."""
    second_radius: Floats
    """Shape (draws,): R2, around m."""

    @property
    def low(self) -> Floats:
        """Lower ends of the ranges, shape (draws,)."""
        return self.center - self.second_radius + 0.0

    @property
    def high(self) -> Floats:
        """Upper ends of the ranges, shape (draws,)."""
        return self.center + self.second_radius + 0.0

    @property
    def table(self) -> Floats:
        """All four as columns, shape (draws, 4)."""
        return np.column_stack((self.b, self.first_radius, self.center, self.second_radius))

    @staticmethod
    def joined(parts: Sequence[Stages]) -> Stages:
        """Put draws one after another."""
        b, first, center, second = np.concatenate([part.table for part in parts]).T
        return Stages(b, first, center, second)

    @staticmethod
    def constant(draws: int) -> Stages:
        """Zeros: the release where nobody has a budget."""
        zero = np.zeros(draws)
        return Stages(zero, zero, zero, zero)


def draw_stages(
    values: Floats,
    rates: Rates,
    tau: Fraction | float,
    beta: Fraction | float,
    size: int,
    *,
    rng: np.random.Generator,
) -> Stages:
    """Draw who survives, and all four stages.

    `values`, shape (n,): records in the order of the users: finite, or NaN for the placeholder.
    `rates`: survival probabilities of the users. `tau`, `beta`: public: what the stages spend on
    the survivors, and their probability of failure.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 6 (PDP-A6).
    """
    epsilon, share = float(tau / STAGES), float(beta / STAGES)
    parts = []
    for draws in chunks(size, values.size):
        kept = rates.draw(draws, rng=rng) & ~np.isnan(values)
        b = draw_grid(values, kept, epsilon, rng=rng)
        rounded = to_grid(values, b)
        first = draw_radius(rounded, kept, b, epsilon, share, rng=rng)
        center = draw_quantile(rounded, kept, b, first, epsilon, rng=rng)
        second = draw_radius(rounded - center[:, np.newaxis], kept, b, epsilon, share, rng=rng)
        parts.append(Stages(b, first, center, second))
    return Stages.joined(parts)


def stages_step(budgets: tuple[Fraction, ...], tau: Fraction) -> Survivors | LaplaceStep:
    """State the four stages on survivors of given budgets, as `draw_stages` draws them."""
    if not any(budgets):
        return CONSTANT
    epsilon = tau / STAGES
    stages = InTurn(
        (
            width_step(epsilon),
            scan_step("the first radius", epsilon),
            median_step("the center", epsilon),
            scan_step("the second radius", epsilon),
        )
    )
    return Survivors(budgets, tau, stages)
