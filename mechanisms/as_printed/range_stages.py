"""The stages of Algorithm 6 of PDP with some of its errata; those not named are repaired.

    E-01  record i survives with probability min(1, eps_i / tau), as Algorithm 6 says
    E-02  record i survives with half of that, as equation (7) says
    E-08  the width b is found from the differences of all pairs
    E-10  the placeholder is 0; records that are at most 0 are in no pair, and records that are at
          most 0 after rounding have no part in the center and in the second radius
    E-11  radii are half of those that fired
    E-12  b is half of what it should be where the second scan finds it
    E-13  the center has the public rank A / (2 tau), A = sum min(eps_i, tau)

Read into the print: every radius covers the placeholder; ranks as in
`mechanisms.personalized.quantile.draw`. In print tau is the saturation threshold. With private
rates it may be any public number, but at the threshold they can be 1e-36.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.discretization import draw_grid_as_printed
from mechanisms.as_printed.radius import draw_radius_as_printed
from mechanisms.as_printed.rates import RATE_SLIPS, printed_rates
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import Rates
from mechanisms.personalized.public_tau import STAGES, check_tau
from mechanisms.personalized.quantile.draw import ClampedRank, draw_quantile
from mechanisms.personalized.range.stages import Stages
from mechanisms.personalized.saturation import slow_saturate
from mechanisms.personalized.sparse.discretization import to_grid
from mechanisms.personalized.sparse.pairs import chunks
from mechanisms.validation import Number

__all__ = [
    "SATURATION",
    "SLIPS",
    "PrintedStages",
    "check_printed_tau",
    "far_and_near",
    "printed_stages",
]

SLIPS = ("E-08", "E-10", "E-11", "E-12", "E-13")
"""Errata of the range besides the rates."""

SATURATION = "saturation"
"""The word for tau as printed."""

LARGEST_THRESHOLD = Fraction(10**100)
"""Of the budgets; noise of a larger one is too small for doubles."""

FAR, NEAR = 1001.3, 1.0
"""Records of one user that the printed range tells apart (PDP-CX1)."""

BROKEN_FROM, BROKEN_UP_TO = Fraction(1, 1000), {"E-01": Fraction(1, 2), "E-02": Fraction(2, 5)}
"""Budgets of one user for which the exact loss is known to be larger, by the rates."""

LESS = Fraction(1, 10)
"""How much earlier that ends with half radii (E-11), unless the rank is public (E-13)."""

BETA_MOST = Fraction(99, 100)
"""Of the failure probabilities for which it is known."""


def check_printed_tau(
    tau: Number | None, budgets: Sequence[Fraction], slips: frozenset[str]
) -> Fraction:
    """Read tau: "saturation" is the printed one, and what None stands for with E-01 or E-02.

    Returns: 0 if no budget is positive and tau is not given as a number. Raises InvalidArgument if
    tau is out of its range (`check_tau`), or the threshold is larger than 1e100.
    """
    printed = tau is None and not slips.isdisjoint(RATE_SLIPS)
    if not printed and tau != SATURATION:
        return check_tau(tau, budgets)
    found = slow_saturate(budgets).threshold
    if found > LARGEST_THRESHOLD:
        msg = "budgets must be 0 or have a saturation threshold of at most 1e100, got a larger one"
        raise InvalidArgument(msg)
    return found


@final
@dataclass(frozen=True, slots=True)
class PrintedStages:
    """What the stages of a printed range need to know."""

    rates: Rates
    """Survival probabilities of the users."""
    tau: Fraction
    beta: Fraction
    """`tau`, `beta`: what the stages spend on the survivors, and their probability of failure."""
    rank: float
    """The public rank of E-13."""
    slips: frozenset[str]
    """Others than those of the stages are not looked at."""

    def draw(self, values: NDArray[np.float64], size: int, *, rng: np.random.Generator) -> Stages:
        """Draw who survives, and all four stages.

        `values`, shape (n,): records in the order of the users: finite, or NaN for the placeholder.
        """
        return Stages.joined(
            [
                self._draw(values, self.rates.draw(draws, rng=rng), rng)
                for draws in chunks(size, values.size)
            ]
        )

    def _draw(
        self, values: NDArray[np.float64], survives: NDArray[np.bool_], rng: np.random.Generator
    ) -> Stages:
        """Run the stages on the survivors of each row."""
        slips = self.slips
        epsilon, beta = float(self.tau / STAGES), float(self.beta / STAGES)
        if "E-10" in slips:
            values = np.where(np.isnan(values), 0.0, values)
        kept = survives & ~np.isnan(values)
        b = draw_grid_as_printed(values, kept, epsilon, slips, "all", rng=rng)
        rounded = to_grid(values, b)
        first = draw_radius_as_printed(rounded, kept, b, epsilon, beta, slips, rng=rng)
        if "E-10" in slips:
            kept = kept & (rounded > 0)
        rank = ClampedRank(self.rank, beta) if "E-13" in slips else None
        center = draw_quantile(rounded, kept, b, first, epsilon, rng=rng, rank=rank)
        moved = rounded - center[:, np.newaxis]
        second = draw_radius_as_printed(moved, kept, b, epsilon, beta, slips, rng=rng)
        return Stages(b, first, center, second)


def printed_stages(
    budgets: tuple[Fraction, ...], tau: Fraction, beta: Fraction, slips: frozenset[str]
) -> PrintedStages | None:
    """Return the stages for users with these budgets; None if no budget is positive."""
    if not any(budgets):
        return None
    rank = float(sum(min(budget, tau) for budget in budgets) / (2 * tau))
    return PrintedStages(printed_rates(budgets, tau, slips), tau, beta, rank, slips)


def far_and_near(
    budgets: Sequence[Fraction],
    tau: Fraction,
    beta: Fraction,
    slips: frozenset[str],
    parts: int = 1,
) -> tuple[list[float], list[float]] | None:
    """Return the pair of PDP-CX1 where its loss is known to be larger than the budget.

    `budgets`: what each user spends on the range. `tau`, `beta`: of the range. `slips`: the errata
    that are in. `parts`: 1 or 2: which part of a user's budget is spent on the range.
    """
    limits = [limit for erratum, limit in BROKEN_UP_TO.items() if erratum in slips]
    if len(budgets) > 1 or not limits or beta > BETA_MOST:
        return None
    most = limits[0] - (LESS if "E-11" in slips and "E-13" not in slips else 0)
    if not BROKEN_FROM <= parts * budgets[0] <= most or tau != slow_saturate(budgets).threshold:
        return None
    return [FAR], [NEAR]
