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
from typing import ClassVar, final

from mechanisms.claims import Relation
from mechanisms.composition import Composition, LaplaceStep
from mechanisms.noise.parameters import check_scale
from mechanisms.personalized.baselines.weighted_baseline import WeightedBaseline
from mechanisms.personalized.baselines.weighted_release import WeightedRelease

__all__ = ["PartitionedMean", "octave"]


@final
@dataclass(frozen=True, slots=True, init=False)
class PartitionedMean(WeightedBaseline):
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

    item: ClassVar[str] = "comparator: partitioning, after Li, Xiong, Ji and Jiang 2017"

    def _check_noise(self, width: Fraction) -> None:
        positive = [budget for budget in self.budgets if budget]
        if positive and width:
            check_scale(width / min(positive), "(high - low) / least budget")

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
            return self._made(zeros, ())
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
        return self._made(weights, scales)

    def _groups(self) -> Iterator[tuple[Fraction, int]]:
        """Least budget and size of each group, ascending."""
        groups: dict[int, list[Fraction]] = {}
        for budget in sorted(b for b in self.budgets if b):
            groups.setdefault(octave(budget), []).append(budget)
        for members in groups.values():
            yield members[0], len(members)


def octave(budget: Fraction) -> int:
    """Return floor(log2 budget) of a positive budget, exactly."""
    found = budget.numerator.bit_length() - budget.denominator.bit_length()
    return found if Fraction(2) ** found <= budget else found - 1
