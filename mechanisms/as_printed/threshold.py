"""The thresholds of Algorithm 3 of SUB, with parameters computed from the private data size.

Erratum SUB-E1. On [-R, R], with n = |D| and a resolution gamma, the print sets

    alpha = gamma / n,  zeta = alpha / (R n epsilon),  beta = (2 / epsilon) log(2 R / (alpha zeta))

and the rank 1 / epsilon + beta = 1 / epsilon + (2 / epsilon) log(2 R^2 epsilon n^3 / gamma^2), and
runs Algorithm 2 (`mechanisms.subset.threshold.Threshold`) with them. A record more narrows all
windows at once: a threshold that is alpha away from a stack of records goes from loss 0 to a loss
as large as the stack, so the loss of privacy has no bound. The sound form takes alpha and rank as
public.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.subset.levels import LevelLaw, LevelPiece
from mechanisms.subset.log_rank import RULES, LogRank, from_above
from mechanisms.subset.parameters import check_alpha, check_rank, check_side
from mechanisms.subset.window import (
    clipped_records,
    distance,
    draw,
    exact_windows,
    ranks,
    windows,
)
from mechanisms.validation import Number, check_bounds, check_choice, check_size

__all__ = ["PrintedThreshold"]


@final
@dataclass(frozen=True, slots=True)
class PrintedThreshold:
    """Algorithm 2 with alpha and rank from the number of records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the print promises.
    low, high : int, float, str or Fraction
        Public bounds, in print -R and R; records outside are clipped, NaN is the midpoint.
    gamma : int, float, str or Fraction, optional
        Resolution in the unit of the data, greater than 0; default (high - low) / 4.
    rank : int, float, str or Fraction, optional
        A public rank in place of the printed one.
    alpha : int, float, str or Fraction, optional
        A public distance in place of gamma / n.
    side : {"below", "above"}
        Where the rank is counted from: the lower or the upper threshold of Algorithm 3.
    rule : {"nearest integer", "ceiling", "interval"}
        What the distance of a rank that is no integer is (`log_rank.RULES`).
    slip : {"E1"}
        The erratum: its only one.

    Claims
    ------
    Pure, add-remove: epsilon, as printed. False: no epsilon holds for all data sets. With both
    `rank` and `alpha` public, and a rule other than "nearest integer", it is the sound form.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 3, first two calls of Algorithm 2 (SUB-A3, SUB-E1).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    gamma: Fraction
    rank: Fraction | None
    alpha: Fraction | None
    side: str
    rule: str
    slip: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        gamma: Number | None = None,
        rank: Number | None = None,
        alpha: Number | None = None,
        side: str = "below",
        rule: str = "nearest integer",
        slip: str = "E1",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        exact_gamma = check_alpha(gamma, exact_low, exact_high, "gamma", parts=4)
        object.__setattr__(self, "gamma", exact_gamma)
        object.__setattr__(self, "rank", None if rank is None else check_rank(rank))
        public = None if alpha is None else check_alpha(alpha, exact_low, exact_high)
        object.__setattr__(self, "alpha", public)
        object.__setattr__(self, "side", check_side(side))
        object.__setattr__(self, "rule", check_choice(rule, "rule", RULES))
        object.__setattr__(self, "slip", check_choice(slip, "slip", ("E1",)))

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises for each of its two thresholds."""
        source = Source("SUB", "Theorem 3.1 (erratum SUB-E1)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    @property
    def _rule(self) -> str:
        """The rule for the rank as it is counted."""
        return self.rule if self.side == "below" else from_above(self.rule)

    def parameters(self, count: int) -> tuple[Fraction, LogRank]:
        """Return alpha and rank for `count` records, at least 1; needs low < high."""
        alpha = self.gamma / count if self.alpha is None else self.alpha
        if self.rank is not None:
            return alpha, LogRank(self.epsilon, self.rank)
        radius = (self.high - self.low) / 2
        inside = 2 * radius**2 * self.epsilon * count**3 / self.gamma**2
        return alpha, LogRank(self.epsilon, 1 / self.epsilon, inside)

    def exact_law(self, data: Any) -> LevelLaw:
        """State the output law on `data`, array_like of shape (n,); without records uniform."""
        values = clipped_records(data, self.low, self.high)
        if self.low == self.high:
            return LevelLaw(self.epsilon, (), self.low)
        if not values.size:
            return LevelLaw(self.epsilon, (LevelPiece(self.low, self.high, Fraction(0)),))
        alpha, rank = self.parameters(values.size)
        rule, pieces = self._rule, []
        for window in exact_windows(values, self.low, self.high, alpha):
            lo, hi = ranks(window.lo, window.hi, values.size, self.side)
            pieces.append(LevelPiece(window.lower, window.upper, *rank.level(lo, hi, rule)))
        return LevelLaw(self.epsilon, tuple(pieces))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0, where the release is
        uniform. Returns shape (size,): in [low, high], in the unit of the data.
        """
        size = check_size(size)
        values = clipped_records(data, self.low, self.high)
        if self.low == self.high:
            return np.full(size, float(self.low))
        alpha, rank = self.parameters(max(values.size, 1))
        found = windows(values, self.low, self.high, float(min(alpha, self.high - self.low)))
        lo, hi = ranks(found.lo, found.hi, values.size, self.side)
        loss = distance(lo, hi, rank.read(self._rule), rank.least(self._rule))
        return draw(found, loss, self.epsilon, size, rng=rng)
