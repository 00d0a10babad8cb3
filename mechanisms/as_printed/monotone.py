"""Monotone statistics as Algorithm 4 of SUB prints them: not private (SUB-E4).

With r = (32 / epsilon) log(6 R B / (L beta^2)), a real number, the print takes thresholds of rank
r / 4 from below and from above (rounded up here), moves k = floor(3 r / 2) records to each side,
and draws a grid point t of [l, u] with weight

    e^(-(epsilon / 4) score(t)),

as if neighbors' data still differed by one record there. They differ by up to three, of which the
window may cut off one, and scores change by 2: the last step costs up to epsilon, twice its budget.

On the grid 0 .. 20 at epsilon = 1 the data sets {0: 285, 4: 26, 19: 1, 20: 29} (value: records),
and one 4 more, release 19 with probabilities 0.00124818646587 and 0.00045623723068, whose log-ratio
is 1.00643403. Black boxes do not see it: the excess P - e P' is 8.0e-6, and it takes 1.8 10^9 draws
of either data set until that is 5 standard deviations.

The larger ranks 7 r / 4 alone do not repair it. That is our own finding, by a search. Where n
is below 7 r / 2 the thresholds cross, and their window may lie well inside the data:
{0: 70, 5: 6, 6: 182, 7: 26, 8: 15, 9: 1, 17: 98, 18: 1, 20: 75} and one 8 more release 7 with
probabilities 0.003216 and 0.010288, whose log-ratio is 1.1627. Black boxes see this one: 4 10^5
draws are enough for 5 standard deviations.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.slips import ALL
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.subset.monotone import check_ranks, exponent, rank_error, ranks
from mechanisms.subset.pruned_selection import PrunedLaw, PrunedSelection
from mechanisms.subset.scores.statistic import Statistic, statistic_on_grid
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["PrintedMonotoneStatistic", "printed_ranks"]

SLIPS = ("E4", "E7")


def printed_ranks(epsilon: Fraction, steps: int) -> tuple[int, int]:
    """Return ceil(r / 4) and floor(3 r / 2)."""
    return rank_error(epsilon, steps).ceiling(), rank_error(epsilon, steps, times=6).floor()


def lossy_pair(steps: int, place: int) -> tuple[dict[int, int], int]:
    """Records by place such that one more at `place` loses more than epsilon = 1 (SUB-E4).

    It drives a record of the last place out of the k lowest, which then leaves the grid upward.
    """
    rank, k = printed_ranks(Fraction(1), steps)
    odd = (rank - 4) % 2
    g = (rank - 4 - odd) // 2
    return {0: k - 2 * g - 3, place: g, steps - 1: 1, steps: g + 2 + odd}, place


PLACES = {20: 4, 40: 8, 80: 16, 200: 44}
"""Numbers of steps at which the pair loses more than epsilon = 1, and the place of the record."""

RANKS_REPAIRED = {0: 70, 5: 6, 6: 182, 7: 26, 8: 15, 9: 1, 17: 98, 18: 1, 20: 75}, 8
"""Such a pair for slip "E4" on 20 steps."""


@final
@dataclass(frozen=True, slots=True)
class PrintedMonotoneStatistic:
    """Algorithm 4 with the printed ranks and the printed exponent.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the print promises; not so small that the ranks exceed 2^31.
    low, high, step, statistic, level, power
        As of `MonotoneStatistic`; the defaults are the grid of the counterexample.
    score : {"length", "crossing"}
        See `scores`; the print has the length.
    slip : {"all", "E4", "E7"}
        Which errata are kept: both, the exponent alone (E4) or the ranks alone (E7). What is not
        kept is as in `MonotoneStatistic`.

    Claims
    ------
    Pure, add-remove: epsilon, as printed. False with the exponent of the print, whatever the ranks.
    True for slip "E7": private, but nothing is known about its accuracy. Open: whether the release
    alone loses more than epsilon where all data have n >= 2 k records (together with l and u it
    does).

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 4 and Theorem 4.3 (SUB-E4, SUB-E7, SUB-E8, SUB-E14).
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
        high: Number = 20,
        step: Number | None = 1,
        statistic: str = "median",
        level: Number = "1/2",
        power: Number = 2,
        score: str = "length",
        slip: str = ALL,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        parameters, steps = statistic_on_grid((low, high), step, statistic, level, power, score)
        for name, value in parameters.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "slip", check_choice(slip, "slip", (ALL, *SLIPS)))
        check_ranks(self.epsilon, steps)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        source = Source("SUB", "Theorem 4.3 (errata SUB-E4 and SUB-E7)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """A pair of neighbors that loses more than epsilon, where one is known.

        For the median at epsilon = 1: as printed on grids of 20, 40, 80 and 200 steps (SUB-E4), and
        with slip "E4" on 20 steps.
        """
        steps = self._steps
        if self.epsilon != 1 or self.statistic != "median":
            return None
        if self.slip == ALL and steps in PLACES:
            counts, place = lossy_pair(steps, PLACES[steps])
        elif self.slip == "E4" and steps == 20:
            counts, place = RANKS_REPAIRED
        else:
            return None
        value = [float(self.low + i * self.step) for i in range(steps + 1)]
        data = [value[i] for i, count in counts.items() for _ in range(count)]
        return data, [*data, value[place]]

    @property
    def _steps(self) -> int:
        """Number of steps of the grid."""
        return 0 if self.low == self.high else int((self.high - self.low) / self.step)

    def exact_law(self, data: Any) -> PrunedLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        return self._selection().exact_law(data)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,):
        grid points, each the nearest double.
        """
        return self._selection().sample(data, check_size(size), rng=rng)

    def _selection(self) -> PrunedSelection:
        """Return the steps of the algorithm, with their parameters."""
        steps = self._steps
        sound = self.slip == "E4"
        rank, k = (ranks if sound else printed_ranks)(self.epsilon, steps)
        c = exponent(self.epsilon, self.score) if self.slip == "E7" else self.epsilon / 4
        chosen = Statistic(self.statistic, self.level, self.power, self.score)
        return PrunedSelection(self.epsilon / 4, self.low, self.high, steps, rank, k, chosen, c)
