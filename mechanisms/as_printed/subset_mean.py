"""Algorithm 3 of SUB with all parameters from the private number of records.

Erratum SUB-E1. The windows of both thresholds have the half width alpha = gamma / |D|, and their
rank 1 / epsilon + beta follows |D| too (`mechanisms.as_printed.threshold`). On n equal records the
release lies beyond gamma / (n + 1) with a probability that falls without bound once a record is
added. The sound forms take a public size (`mechanisms.subset.subset_mean`) or one noisy size
(`mechanisms.subset.subset_mean_noisy`).

The print does not say what happens to thresholds that cross. They are exchanged here. Any rule
keeps the release between them, which is all that the counterexample needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.threshold import PrintedThreshold
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.subset.clipped_mean import RELEASES, noisy_counts, released
from mechanisms.subset.levels import LevelLaw
from mechanisms.subset.log_rank import RULES
from mechanisms.subset.parameters import check_alpha, spacing_at
from mechanisms.subset.window import clipped_records
from mechanisms.validation import Number, check_bounds, check_choice, check_size

__all__ = ["PrintedSubsetMean"]

_STACKS = {
    (Fraction(1), Fraction(1, 10**2)): 97,
    (Fraction(1), Fraction(1, 10**6)): 178,
    (Fraction(1), Fraction(1, 10**9)): 237,
    (Fraction(1, 10), Fraction(1, 10**2)): 1180,
}
"""By epsilon and gamma / R: how many equal records lose more than 3 epsilon with one more."""


@final
@dataclass(frozen=True, slots=True)
class PrintedSubsetMean:
    """Algorithm 3, with alpha, beta and ranks from the number of records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        A third of what the print promises.
    low, high : int, float, str or Fraction
        Public bounds, in print -R and R; records outside are clipped, NaN is the midpoint.
    gamma : int, float, str or Fraction, optional
        Resolution in the unit of the data, greater than 0; default (high - low) / 200.
    rule : {"nearest integer", "ceiling", "interval"}
        What the distance of a rank that is no integer is (`mechanisms.subset.log_rank.RULES`).
    slip : {"E1"}
        The erratum: its only one.
    release : {"mean", "all"}
        Whether `sample` returns the mean, or all that is private and what it is made of.

    Claims
    ------
    Pure, add-remove: 3 epsilon, as printed. False: no epsilon holds for all data sets.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 3 and Theorem 3.1 (SUB-A3, SUB-E1).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    gamma: Fraction
    rule: str
    slip: str
    release: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = -1,
        high: Number = 1,
        gamma: Number | None = None,
        rule: str = "nearest integer",
        slip: str = "E1",
        release: str = "mean",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        resolution = check_alpha(gamma, exact_low, exact_high, "gamma", parts=200)
        object.__setattr__(self, "gamma", resolution)
        object.__setattr__(self, "rule", check_choice(rule, "rule", RULES))
        object.__setattr__(self, "slip", check_choice(slip, "slip", ("E1",)))
        object.__setattr__(self, "release", check_choice(release, "release", RELEASES))
        if exact_low < exact_high:
            check_scale((exact_high - exact_low) / self.epsilon, "(high - low) / epsilon")

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        source = Source("SUB", "Theorem 3.1 (erratum SUB-E1)")
        return PrivacyClaim(PureDP(3 * self.epsilon), Relation.ADD_REMOVE, source)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """Equal records and one more of them, where SUB-E1 has such a pair for the parameters."""
        radius = (self.high - self.low) / 2
        count = _STACKS.get((self.epsilon, self.gamma / radius)) if radius else None
        if count is None:
            return None
        middle = float((self.low + self.high) / 2)
        return [middle] * count, [middle] * (count + 1)

    @property
    def _thresholds(self) -> tuple[PrintedThreshold, PrintedThreshold]:
        """The two calls of Algorithm 2; needs low < high."""
        lower, upper = (
            PrintedThreshold(
                self.epsilon, self.low, self.high, self.gamma, side=side, rule=self.rule
            )
            for side in ("below", "above")
        )
        return lower, upper

    def threshold_laws(self, data: Any) -> tuple[LevelLaw, LevelLaw]:
        """State the laws of the two thresholds on `data`, array_like of shape (n,).

        The thresholds are independent, and the release lies between them.
        """
        if self.low == self.high:
            constant = LevelLaw(self.epsilon, (), self.low)
            return constant, constant
        lower, upper = self._thresholds
        return lower.exact_law(data), upper.exact_law(data)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0, where the thresholds are
        uniform. Returns shape (size,) or, with release="all", (size, 4): means in [low, high], in
        the unit of the data; or lower and upper threshold as drawn, noisy sum of the clipped
        records less their middle, noisy count.
        """
        size = check_size(size)
        values = clipped_records(data, self.low, self.high)
        lower = upper = np.full(size, float(self.low))
        if self.low < self.high:
            lower, upper = (side.sample(values, size, rng=rng) for side in self._thresholds)
        counts = noisy_counts(values.size, self.epsilon, size, rng=rng)
        spacing = float(spacing_at(self.low, self.high))
        return released(
            values, (lower, upper), counts, self.epsilon, self.release, spacing=spacing, rng=rng
        )
