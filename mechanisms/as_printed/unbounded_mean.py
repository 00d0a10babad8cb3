"""Algorithm 8 of PDP with its errata: a mean of users whose number and budgets are private.

PDP-E-06: counts with noise of scale 1 / left and offset (1 / left) ln(q), which cost the whole
budget of a user at the left end of a group; the mean costs more on top (PDP-CX7).
PDP-E-28: q = 2 floor(log2 T) / beta, and groups up to 2^floor(log2 T). With T < 2 the print has
ln 0; here that is one group and q = 2 / beta. Groups above the J that hold budgets are empty; those
from left = 1024 on are left out, as their counts are 0 but with a probability below e^-512.
PDP-E-29: the mean stage gets left / 4, where left / 2 is enough.
PDP-E-32: samples are padded with zeros, which are records like others.

With one user at left, D = {u} against no user, c >= 1 and x far to the right,

    P(count = c | D) = e^left P(count = c | no user),    P(mean > 0 | D, c) > 1/2 = P(mean > 0 | c)

so that {mean > 0} has a ratio above e^left. The loss left + ln(2 P(mean > 0 | D, count >= 1)) of
this event is 1.058 at left = 1, 2.108 at left = 2 and 4.188 at left = 4, and with slip "E-06" alone
1.103, 2.180 and 4.292: measured with 200,000 means for each count, with errors of about 0.003. An
audit needs about 4e5 samples to refute left = 2 at beta = 9/10. With several groups, or a small
beta, counts are seldom positive, and 2e6 samples do not show the loss.

The mean stage is the repaired one: the slips of Algorithms 1 to 7 have printed forms of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.slips import ALL, check_slips
from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.personalized.groups.counts import CountsLaw, GroupCounts
from mechanisms.personalized.groups.exponential import (
    as_typed,
    check_ends,
    left_ends,
    members,
    whole_octaves,
)
from mechanisms.personalized.groups.mean import GroupMean
from mechanisms.personalized.groups.rows import user_rows
from mechanisms.personalized.groups.unbounded_mean import MOST, RELEASES, draw_releases
from mechanisms.personalized.range.interval import RECORD_RANGE
from mechanisms.personalized.sparse.radius import check_beta
from mechanisms.validation import Number, check_choice, check_integer, check_size

__all__ = ["SLIPS", "PrintedUnboundedMean"]

SLIPS = ("E-06", "E-28", "E-29", "E-32")
"""Errata of this form."""

EMPTY_FROM = 1024
"""Groups without users are left out from this left end on."""

CLEAREST = 2
"""The left end at which the loss shows soonest: larger ones lose more, but seldom."""

FAR = 1e60
"""A record to the right of all ranges."""


@final
@dataclass(frozen=True, slots=True)
class PrintedUnboundedMean:
    """Algorithm 8 with the printed noise, groups, budgets and padding.

    Parameters
    ----------
    budgets, lowest, highest, beta, release, most
        As of `mechanisms.personalized.groups.unbounded_mean.UnboundedMean`. With slip E-28 the
        counts may have more columns than there are groups of users.
    slip : str
        "all", or some of "E-06", "E-28", "E-29", "E-32"; the others are repaired.

    Claims
    ------
    Personalized, add-remove: budgets, as printed. False with E-06: a user whose budget is the left
    end of a group loses it for the count, and more for the mean. The counts alone cost exactly the
    left end. True for the other slips, which cost accuracy only.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 8 and Theorem 13 (PDP-CX7, PDP-E-06, PDP-E-28, PDP-E-29, PDP-E-32).
    """

    budgets: tuple[Fraction, ...]
    lowest: Fraction
    highest: Fraction
    beta: Fraction
    release: str
    most: int
    slip: str
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
        slip: str = ALL,
    ) -> None:
        exact = check_budgets(budgets)
        ends = check_ends(exact, lowest, highest)
        check_slips(slip, SLIPS)
        object.__setattr__(self, "budgets", exact)
        object.__setattr__(self, "lowest", ends[0])
        object.__setattr__(self, "highest", ends[1])
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "release", check_choice(release, "release", RELEASES))
        object.__setattr__(self, "most", check_integer(most, "most", at_least=1))
        object.__setattr__(self, "slip", slip)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises each user, for its row added or removed."""
        item = "Theorem 13 (erratum PDP-E-06)"
        return personal_claim(self.budgets, item, Relation.ADD_REMOVE)

    @property
    def slips(self) -> frozenset[str]:
        """The errata that are kept."""
        return check_slips(self.slip, SLIPS)

    @property
    def left_ends(self) -> tuple[Fraction, ...]:
        """Least budgets of the groups that hold users, and of the empty ones above."""
        lefts = list(left_ends(self.lowest, self.highest))
        last = 2 ** whole_octaves(self.lowest, self.highest) if "E-28" in self.slips else 1
        while len(lefts) < last and 2 * lefts[-1] < EMPTY_FROM:
            lefts.append(2 * lefts[-1])
        return tuple(lefts)

    @property
    def counts(self) -> GroupCounts:
        """Noise of the counts."""
        octaves = whole_octaves(self.lowest, self.highest)
        groups = octaves if "E-28" in self.slips and octaves else octaves + 1
        share = 1 if "E-06" in self.slips else Fraction(1, 2)
        rates = tuple(share * left for left in self.left_ends)
        return GroupCounts(rates, 2 * groups / self.beta, self.most)

    @property
    def counterexample(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """One user at the left end of a group against no user, if the claim has such a user.

        Of several left ends the one nearest to 2, where the fewest draws show the loss. None for
        the counts alone, whose loss is the budget.
        """
        lefts = set(left_ends(self.lowest, self.highest)) & set(self.budgets)
        stated = [left for left in lefts if as_typed(float(left)) == left]
        if "E-06" not in self.slips or self.release == "counts" or not stated:
            return None
        left = min(stated, key=lambda left: (abs(left - CLEAREST), left))
        return np.array([[FAR, float(left)]]), np.empty((0, 2))

    def exact_law(self, data: Any) -> CountsLaw | None:
        """State the law of the counts on `data`, shape (n, 2).

        None where the mean is released, or for more than 10 groups.
        """
        if self.release != "counts" or not self.counts.has_law:
            return None
        _, ends = self._members(data)
        return self.counts.law(np.diff(ends).tolist())

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n, 2): rows (record, budget), read as `UnboundedMean` reads them. Returns
        shape (size,), (size, groups + 1) or (size, groups): means, in the unit of the data; with
        release="all" the counts and the mean, with release="counts" the counts.
        """
        size = check_size(size)
        return draw_releases(self.counts, self._stage(data), self.release, size, rng=rng)

    def _members(self, data: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Records of the users who have a group, and where the groups end."""
        rows, ends = members(user_rows(data), left_ends(self.lowest, self.highest))
        empty = len(self.left_ends) + 1 - ends.size
        return rows.records, np.append(ends, np.repeat(ends[-1], empty))

    def _stage(self, data: Any) -> GroupMean:
        """The mean stage on the data."""
        records, ends = self._members(data)
        share = Fraction(1, 4 if "E-29" in self.slips else 2)
        budgets = tuple(share * left for left in self.left_ends)
        return GroupMean(records, ends, budgets, self.beta / 2, "E-32" in self.slips)
