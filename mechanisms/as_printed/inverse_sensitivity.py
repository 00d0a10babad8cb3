"""Inverse sensitivity with the weights that Algorithm 5 of SUB prints, without epsilon.

Erratum SUB-E2. The print draws a grid point t with P(t) ~ e^(-score(D, t)), and epsilon stands
nowhere. One record changes the score by at most 1, so a weight and their sum change by at most a
factor e each: the loss of privacy is at most 2, and comes close to 2, whatever epsilon is. The
right exponent is epsilon score / 2, as in `mechanisms.subset.inverse_sensitivity`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.subset.inverse_sensitivity import draw_points, grid_scores
from mechanisms.subset.points import PointLaw, score_law
from mechanisms.subset.scores.statistic import Statistic, statistic_on_grid
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["PrintedInverseSensitivity"]

STACKS = (1, 1, 1, 1, 4, 4)
"""Places of the records which, with one more at place 0 or without it, show a loss of 1.995."""

LOSS_OF_STACKS = Fraction("1.99517414449132")
"""Rounded down: the pair breaks every smaller epsilon."""


@final
@dataclass(frozen=True, slots=True)
class PrintedInverseSensitivity:
    """Algorithm 5 with weights e^(-score).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the print promises; the release does not depend on it.
    low, high, step, statistic, level, power, score
        As in `mechanisms.subset.inverse_sensitivity.InverseSensitivity`. The print has the score
        "length". The default is the mean with a step of (high - low) / 4, where the loss is known.
    slip : {"E2"}
        The erratum: its only one.

    Claims
    ------
    Pure, add-remove: epsilon, as printed. The loss is below 2, so that it is true from 2 on. It
    is false below 1.995 for the mean on five points, and for other statistics and grids below
    what they reach.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 5 (SUB-A5, SUB-E2).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    step: Fraction
    statistic: str
    level: Fraction
    power: Fraction
    score: str
    slip: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        step: Number | None = None,
        statistic: str = "mean",
        level: Number = "1/2",
        power: Number = 2,
        score: str = "length",
        slip: str = "E2",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        parameters, _ = statistic_on_grid(
            (low, high), step, statistic, level, power, score, parts=4
        )
        for name, value in parameters.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "slip", check_choice(slip, "slip", ("E2",)))

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        source = Source("SUB", "Algorithm 5 (erratum SUB-E2)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """Data and neighbor that lose 1.995, for the length of the mean on five points."""
        five_points = 0 < self.high - self.low == 4 * self.step
        known = five_points and self.statistic == "mean" and self.score == "length"
        if not known or self.epsilon >= LOSS_OF_STACKS:
            return None
        data = [float(self.low + place * self.step) for place in STACKS]
        return data, [*data, float(self.low)]

    def exact_law(self, data: Any) -> PointLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        # In the unit 2 the level e^(-2 score / 2) is the printed one.
        return score_law(self._scores(data), Fraction(2), self.low, self.step)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0, where the release is
        uniform. Returns shape (size,): grid points, each the nearest double.
        """
        size = check_size(size)
        return draw_points(self._scores(data), Fraction(1), self.low, self.step, size, rng=rng)

    def _scores(self, data: Any) -> NDArray[np.int64]:
        statistic = Statistic(self.statistic, self.level, self.power, self.score)
        return grid_scores(data, self.low, self.high, self.step, statistic)
