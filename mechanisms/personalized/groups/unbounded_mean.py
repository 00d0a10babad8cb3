"""A mean of users whose number and budgets are private (PDP, Algorithm 8, repaired).

Users are grouped by powers of 2 of their budgets. Each group gets a noisy count C_i with noise of
scale 2 / left_i; C_i of its users (or placeholders) form a data set in which each has the budget
left_i; Algorithm 7 with half of these budgets and of beta gives the mean. If all counts are 0 the
release is 0. A user of group i pays left_i / 2 for the count and left_i / 2 for the mean, which is
at most the own budget, and whatever the counts are.

The print pays left_i for the count alone: `mechanisms.as_printed.unbounded_mean` (PDP-E-06).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.composition import Composition, InTurn, LaplaceStep
from mechanisms.personalized.budgets import (
    BudgetsArgument,
    as_floats,
    check_budgets,
    halves,
    personal_claim,
)
from mechanisms.personalized.groups.counts import CountsLaw, GroupCounts
from mechanisms.personalized.groups.exponential import as_typed, check_ends, left_ends, members
from mechanisms.personalized.groups.gaussian_groups import group_error
from mechanisms.personalized.groups.mean import GroupMean
from mechanisms.personalized.groups.rows import user_rows
from mechanisms.personalized.range.gaussian_mean import error_claims
from mechanisms.personalized.range.interval import RECORD_RANGE
from mechanisms.personalized.range.stages import CONSTANT, stages_step
from mechanisms.personalized.sparse.radius import check_beta
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_choice, check_integer, check_size

__all__ = ["MOST", "RELEASES", "UnboundedMean", "draw_releases"]

RELEASES = ("mean", "all", "counts")
"""What may be released: the mean, the counts, or the counts and the mean."""

MOST = 10**6
"""Users that a group counts as, at most; the default."""


@final
@dataclass(frozen=True, slots=True)
class UnboundedMean:
    """Mean of rows (record, budget), one for each user who takes part.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Users whose promise is stated: one epsilon each, from 0 to 1e9. Who of them takes part is
        private; nothing but the defaults of the next two depends on them.
    lowest, highest : int, float, str or Fraction, optional
        Public ends of the budgets, from 1e-9 to 1e9; default the smallest and the largest positive
        budget. A user below `lowest` is left out, one above `highest` counts as `highest`.
    beta : int, float, str or Fraction
        Probability of failure, greater than 0 and less than 1; at least 1e-100.
    release : {"mean", "all", "counts"}
        The mean alone, the counts of the groups and the mean, or the counts alone.
    most : int
        Public limit of each count, for the memory; at least 1.

    Claims
    ------
    Personalized, add-remove: budgets. A budget of a row is read as the decimal of its double; a
    user is never charged more than that.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 8 and Theorem 13 (PDP-A8, PDP-T13, PDP-E-06, PDP-E-07, PDP-E-28,
       PDP-E-29, PDP-E-32).
    """

    budgets: tuple[Fraction, ...]
    lowest: Fraction
    highest: Fraction
    beta: Fraction
    release: str
    most: int
    order: ClassVar[Order] = Order.FREE
    record_range: ClassVar[tuple[Fraction, Fraction]] = RECORD_RANGE
    """Between which numbers records are tried."""
    placeholder: ClassVar[bool] = True
    """NaN stands for a missing record."""

    def __init__(
        self,
        budgets: BudgetsArgument = ("1/2", 1, 2),
        lowest: Number | None = None,
        highest: Number | None = None,
        beta: Number = "1/10",
        release: str = "mean",
        most: int = MOST,
    ) -> None:
        exact = check_budgets(budgets)
        ends = check_ends(exact, lowest, highest)
        object.__setattr__(self, "budgets", exact)
        object.__setattr__(self, "lowest", ends[0])
        object.__setattr__(self, "highest", ends[1])
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "release", check_choice(release, "release", RELEASES))
        object.__setattr__(self, "most", check_integer(most, "most", at_least=1))

    @property
    def claim(self) -> PrivacyClaim:
        """Each user's budget, for its row added or removed."""
        item = "Algorithm 8, repaired, and Theorem 13"
        return personal_claim(self.budgets, item, Relation.ADD_REMOVE)

    @property
    def left_ends(self) -> tuple[Fraction, ...]:
        """Least budgets of the groups, left_1, ..., left_J."""
        return left_ends(self.lowest, self.highest)

    @property
    def counts(self) -> GroupCounts:
        """Noise of the counts: rates left_i / 2, offsets (2 / left_i) ln(2 J / beta)."""
        rates = halves(self.left_ends)
        return GroupCounts(rates, 2 * len(rates) / self.beta, self.most)

    def private_steps(self) -> Composition:
        """State the count of a user's group and the mean on samples, whatever the counts are.

        The level of the range stage follows from the counts; with the largest one it costs most.
        """
        ends = tuple(map(self._left, self.budgets))
        if not any(ends):
            return Composition(Relation.ADD_REMOVE, CONSTANT, len(ends), "PDP-A8p")
        half = halves(halves(ends))
        one = Fraction(1)  # moves in units of the noise
        count = LaplaceStep("the count of the own group", halves(ends), one)
        mean = LaplaceStep("the weighted sum of the clipped records", half, one)
        steps = InTurn((count, stages_step(half, max(half)), mean))
        return Composition(Relation.ADD_REMOVE, steps, len(ends), "PDP-A8p")

    def _left(self, budget: Fraction) -> Fraction:
        """Left end of a user's group, 0 without one; a row shows the decimal of the double."""
        shown = max(budget, as_typed(float(budget)))
        return max((left for left in self.left_ends if left <= shown), default=Fraction(0))

    @property
    def row_budgets(self) -> tuple[Fraction, ...]:
        """Budgets beside the records where all users whose promise is stated take part."""
        return self.budgets

    @property
    def estimate_column(self) -> int | None:
        """Of the counts and the mean the mean, which comes last."""
        return len(self.left_ends) if self.release == "all" else None

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State how rarely the mean is far off where all users take part, with Gaussian records."""
        if not law.normal or count != len(self.budgets) or self.release == "counts":
            return ()
        _, ends = members(
            user_rows(np.column_stack((np.zeros(count), as_floats(self.budgets)))), self.left_ends
        )
        sizes = np.diff(ends).tolist()
        if max(sizes) > self.most:
            return ()
        bound = group_error(sizes, self.left_ends, self.beta, law.mean, math.sqrt(law.variance))
        return error_claims(law, bound, self.beta, "Theorem 13, with constants (ours)")

    def exact_law(self, data: Any) -> CountsLaw | None:
        """State the law of the counts on `data`, shape (n, 2).

        None where the mean is released, or for more than 10 groups.
        """
        if self.release != "counts" or not self.counts.has_law:
            return None
        _, ends = members(user_rows(data), self.left_ends)
        return self.counts.law(np.diff(ends).tolist())

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n, 2): rows (record, budget), in any order; n may be 0. A record that is no
        finite number is the placeholder. A budget is read as the decimal that was typed; one that
        is no finite positive number is left out. Returns shape (size,), (size, J + 1) or (size, J):
        means, in the unit of the data; with release="all" the counts of the J groups and the mean,
        with release="counts" the counts.
        """
        size = check_size(size)
        rows, ends = members(user_rows(data), self.left_ends)
        stage = GroupMean(rows.records, ends, halves(self.left_ends), self.beta / 2)
        return draw_releases(self.counts, stage, self.release, size, rng=rng)


def draw_releases(
    noise: GroupCounts, stage: GroupMean, release: str, size: int, *, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw counts, and a mean for each.

    `noise`: noise of the counts. `stage`: the mean stage on the same groups. `release`: one of
    `RELEASES`.
    """
    counts = noise.draw(np.diff(stage.ends), size, rng=rng)
    if release == "counts":
        return counts.astype(np.float64)
    means = stage.draw(counts, rng=rng)
    return np.column_stack((counts, means)) if release == "all" else means
