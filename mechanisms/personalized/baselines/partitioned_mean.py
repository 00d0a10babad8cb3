"""The partitioned mean: users of like budgets share a group, and groups are averaged.

After Li, Xiong, Ji and Jiang 2017 (partitioning mechanisms for personalized privacy); a
reconstruction, constants ours. A group holds the users of one floor(log2 eps_i). A group of n_g
users with the least budget l_g releases

    y_g = (1 / n_g) sum clip(x_i, low, high) + Lap((high - low) / (n_g l_g)),

and the release is the average of these with weights inverse to

    v_g = (high - low)^2 (1 / (4 n_g) + 2 / (n_g l_g)^2),

the largest mean square of y_g for independent records of one mean. A user is in one group, so loses
l_g. Budgets of 0 are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.composition import Composition, LaplaceStep
from mechanisms.noise.parameters import check_scale
from mechanisms.personalized.baselines.weighted_release import WeightedRelease
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_size

__all__ = ["PartitionedMean", "octave"]

ITEM = "comparator: partitioning, after Li, Xiong, Ji and Jiang 2017"


@final
@dataclass(frozen=True, slots=True)
class PartitionedMean:
    """The average of the noisy means of groups of like budgets.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each record, in the order of the records; 0 leaves a record out.
    low, high : int, float, str or Fraction
        Public bounds; records outside are clipped, a missing record is the midpoint.

    Claims
    ------
    Personalized, swap: the budgets; a user loses the least budget of the own group.

    References
    ----------
    .. [1] Li, Xiong, Ji, Jiang, "Partitioning-based mechanisms under personalized differential
       privacy", PAKDD 2017: the technique.
    .. [2] PDP-L4: Laplace noise hides a move of its scale with loss 1.
    """

    budgets: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self, budgets: BudgetsArgument = ("1/10", "1/2", "1"), low: Number = 0, high: Number = 1
    ) -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        positive = [budget for budget in self.budgets if budget]
        if positive and exact_high > exact_low:
            check_scale((exact_high - exact_low) / min(positive), "(high - low) / least budget")

    @property
    def count(self) -> int:
        """Number of records."""
        return len(self.budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """The budget of each record, for that record replaced."""
        return personal_claim(self.budgets, ITEM)

    def private_steps(self) -> Composition:
        """State what a user's record moves: the mean of the own group."""
        release, width = self.release, self.high - self.low
        scales = dict(zip((octave(b) for b, _ in self._groups()), release.scales, strict=True))
        moves = tuple(
            weight * width / scales[octave(budget)] if weight * width else Fraction(0)
            for weight, budget in zip(release.weights, self.budgets, strict=True)
        )
        step = LaplaceStep("the mean of the own group, in units of its noise", moves, Fraction(1))
        return Composition(Relation.SWAP, step, self.count, "PDP-L4")

    @property
    def release(self) -> WeightedRelease:
        """Weights and noises."""
        groups = list(self._groups())
        if not groups:
            zeros = (Fraction(0),) * self.count
            return WeightedRelease(zeros, (), self.low, self.high, ITEM)
        precise = {octave(b): 1 / (Fraction(1, 4 * n) + 2 / (n * b) ** 2) for b, n in groups}
        total = sum(precise.values(), Fraction(0))
        size = {octave(b): n for b, n in groups}
        places = [octave(b) if b else None for b in self.budgets]
        weights = tuple(
            Fraction(0) if place is None else precise[place] / (total * size[place])
            for place in places
        )
        width = self.high - self.low
        scales = tuple(precise[octave(b)] / total * width / (n * b) for b, n in groups)
        return WeightedRelease(weights, scales, self.low, self.high, ITEM)

    def _groups(self) -> Iterator[tuple[Fraction, int]]:
        """Least budget and size of each group, ascending."""
        groups: dict[int, list[Fraction]] = {}
        for budget in sorted(b for b in self.budgets if b):
            groups.setdefault(octave(budget), []).append(budget)
        for members in groups.values():
            yield members[0], len(members)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error on `data` about their mean."""
        return self.release.claims(data)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State the error for records of a law in the bounds."""
        return self.release.claims_under(law, count)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds. Returns shape (size,): in the
        unit of the data; the midpoint if all budgets are 0.
        """
        return self.release.draw(data, check_size(size), rng=rng)


def octave(budget: Fraction) -> int:
    """Return floor(log2 budget) of a positive budget, exactly."""
    found = budget.numerator.bit_length() - budget.denominator.bit_length()
    return found if Fraction(2) ** found <= budget else found - 1
