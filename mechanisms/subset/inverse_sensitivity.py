"""A statistic by inverse sensitivity (SUB, Algorithm 5).

The release is a point t of the public grid low, low + step, .., high, with

    P(t) ~ e^(-epsilon score(D, t) / 2)

where the score is the number of records that must be added or removed until the statistic is t
(`length`), or until it is on either side of t (`crossing`). One record changes it by at most 1.
The print leaves out epsilon / 2 (erratum SUB-E2, `as_printed.inverse_sensitivity`). Records are
rounded to the grid, each by itself, and added at its points alone, so that scores are integers.
No real number is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import grid_indices
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.records import records
from mechanisms.subset.points import PointLaw, draw_places, grid_points, score_law
from mechanisms.subset.scores.statistic import Statistic, statistic_on_grid
from mechanisms.subset.selection_error import score_claims
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_size

__all__ = ["InverseSensitivity", "draw_points", "grid_scores"]


@final
@dataclass(frozen=True, slots=True)
class InverseSensitivity:
    """A grid point near the median, a quantile, the mean, or another minimizer.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        First and last point of the grid; records are clipped to it, NaN is the midpoint.
    step : int, float, str or Fraction, optional
        Of the grid, greater than 0; (high - low) / step is an integer. Default (high - low) / 20.
        A grid has at most 2^24 points; 2^13 for "power"; 2^8 for the length of the mean.
    statistic : {"median", "quantile", "mean", "power"}
        The lower median, the lower quantile x_(ceil(level n)), the mean, or the minimizer y of
        sum |x - y|^power.
    level : int, float, str or Fraction
        Of the quantile, in (0, 1); with another statistic it stays 1/2.
    power : int, float, str or Fraction
        Of the minimizer, greater than 1 and at most 64; with another statistic it stays 2.
    score : {"crossing", "length"}
        What is counted. For the mean and the minimizer "crossing" lets the statistic differ from t
        by step / 2, so that the best t has score 0; "length" is exact, and its best t may have a
        large score. For the median they are the same. "length" is not offered for powers other
        than 2.

    Claims
    ------
    Pure, add-remove: epsilon.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 5 and Appendix C (SUB-A5, SUB-C.len).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    step: Fraction
    statistic: str
    level: Fraction
    power: Fraction
    score: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        step: Number | None = None,
        statistic: str = "median",
        level: Number = "1/2",
        power: Number = 2,
        score: str = "crossing",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        parameters, _ = statistic_on_grid((low, high), step, statistic, level, power, score)
        for name, value in parameters.items():
            object.__setattr__(self, name, value)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        source = Source("SUB", "Algorithm 5 with the exponent epsilon / 2")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def exact_law(self, data: Any) -> PointLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        statistic = Statistic(self.statistic, self.level, self.power, self.score)
        scores = grid_scores(data, self.low, self.high, self.step, statistic)
        return score_law(scores, self.epsilon, self.low, self.step)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State how rarely the score on `data` is far from the least one."""
        values = records(data)
        if not values.size or not np.isfinite(values).all() or self.low == self.high:
            return ()
        if self.statistic == "power" or self.score == "length":
            return ()
        statistic = Statistic(self.statistic, self.level, self.power, self.score)
        scores = grid_scores(data, self.low, self.high, self.step, statistic)
        return score_claims(scores, self.epsilon, self.low, self.step)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0, where the release is
        uniform. Returns shape (size,): grid points, each the nearest double.
        """
        size = check_size(size)
        statistic = Statistic(self.statistic, self.level, self.power, self.score)
        scores = grid_scores(data, self.low, self.high, self.step, statistic)
        return draw_points(scores, self.epsilon / 2, self.low, self.step, size, rng=rng)


def grid_scores(
    data: Any, low: Fraction, high: Fraction, step: Fraction, statistic: Statistic
) -> NDArray[np.int64]:
    """Score of every grid point, shape (m,), for data of shape (n,) rounded to the grid."""
    steps = int((high - low) / step) if low < high else 0
    places = grid_indices(records(data), low, high, steps)
    return statistic.scores(np.bincount(places, minlength=steps + 1).astype(np.int64))


def draw_points(
    scores: NDArray[np.int64],
    rate: Fraction,
    low: Fraction,
    step: Fraction,
    size: int,
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw `size` grid points low + i step with probabilities proportional to e^(-rate score)."""
    weights = np.exp(-float(rate) * (scores - scores.min()))
    return grid_points(draw_places(weights, size, rng=rng), low, step)
