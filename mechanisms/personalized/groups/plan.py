"""What Algorithm 7 makes of the counts of groups: a level, weights and a scale (PDP, Algorithm 8).

A data set with c_i places of budget b_i has the saturated budgets e_i = min(b_i, tau') of
`mechanisms.personalized.saturation`; with A = sum c_i e_i a place has the weight e_i / A, and the
noise the scale 1 / A for each unit of width. The level tau of the range stage is the one that
`mechanisms.personalized.public_tau` chooses. All of it follows from counts that were released.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.personalized.budgets import as_floats
from mechanisms.personalized.diffusion.rates import RightRates
from mechanisms.personalized.public_tau import best_tau
from mechanisms.personalized.saturation import saturate

__all__ = ["Plan", "plan", "rate_of"]

REMEMBERED = 4096
"""Plans and rates that are kept; they depend on public numbers alone."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What follows from the counts alone."""

    level: int
    """The group whose budget is the level tau of the range stage; -1 if all counts are 0."""
    weights: NDArray[np.float64]
    """Shape (J,): those of one place of each group."""
    scale: float
    """Of the noise, for each unit of the width of the range."""


@lru_cache(maxsize=REMEMBERED)
def plan(budgets: tuple[Fraction, ...], counts: tuple[int, ...]) -> Plan:
    """Choose level and weights for c_i places of the i-th budget."""
    floats = as_floats(budgets)
    if not any(counts):
        return Plan(-1, np.zeros(floats.size), 0.0)
    found = saturate(np.repeat(floats, counts))
    pairs = zip(budgets, counts, strict=True)
    tau = best_tau(tuple(b for budget, count in pairs for b in (budget,) * count))
    weights = np.minimum(floats, found.threshold) / found.total
    return Plan(budgets.index(tau), weights, 1 / found.total)


@lru_cache(maxsize=REMEMBERED)
def rate_of(budget: Fraction, tau: Fraction) -> RightRates:
    """Survival of one user of the budget at the level tau."""
    return RightRates((budget,), tau)
