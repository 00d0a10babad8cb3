"""Monotone statistics (quantiles, means, l_p minimizers), sound (SUB, Algorithm 4 repaired: A4*).

Records are rounded to a public grid of step beta. With R half of the width, a loss |x - y| (so that
B = 2 R and L = 1 in print) and

    r = 4 ceil((8 / epsilon) log(6 R B / (L beta^2))),    6 R B / (L beta^2) = 3 (2 R / beta)^2,

thresholds l and u of rank 7 r / 4 from below and from above (Corollary 3.8) cost epsilon / 4 each;
they are put in order. The 3 r / 2 lowest records go down by beta and the 3 r / 2 highest up
(`moves`), and what lies in [l, u] goes to inverse sensitivity: a grid point t of [l, u] has weight

    e^(-(epsilon / 12) len(t)),    or    e^(-(epsilon / 8) cross(t)).

The move makes neighbors differ by up to three records, so len changes by up to 3, and the crossing
score by up to 2: the last step costs epsilon / 2. The print has epsilon / 4 there (SUB-E4).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition, InTurn, ScoreStep
from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_epsilon
from mechanisms.subset.log_rank import LogRank
from mechanisms.subset.parameters import RANK_MOST
from mechanisms.subset.pruned_selection import PrunedLaw, PrunedSelection
from mechanisms.subset.scores.statistic import Statistic, statistic_on_grid
from mechanisms.subset.selection_error import monotone_claims
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_size

__all__ = ["MonotoneStatistic", "check_ranks", "exponent", "rank_error", "ranks"]


SCORE_MOVES = {"length": 3, "crossing": 2}
"""The most that neighbors change a score on moved data by (SUB-T4.3s)."""


def rank_error(epsilon: Fraction, steps: int, times: int = 1) -> LogRank:
    """Return r / 4 = (8 / epsilon) log(3 steps^2) of the print, a real number, `times` over.

    `steps` is 2 R / beta, the number of steps of the grid; without any, as with one.
    """
    return LogRank(epsilon, Fraction(0), Fraction(3 * max(steps, 1) ** 2) ** (4 * times))


def ranks(epsilon: Fraction, steps: int) -> tuple[int, int]:
    """Return 7 r / 4 and 3 r / 2, with r rounded up to a multiple of 4."""
    quarter = rank_error(epsilon, steps).ceiling()
    return 7 * quarter, 6 * quarter


def exponent(epsilon: Fraction, score: str) -> Fraction:
    """Return c: epsilon / 2 over twice the most that neighbors change a score by, 3 or 2."""
    return epsilon / (2 * 2 * SCORE_MOVES[score])


def check_ranks(epsilon: Fraction, steps: int) -> None:
    """Check that losses up to the ranks fit into doubles."""
    rank = ranks(epsilon, steps)[0]
    if rank > RANK_MOST:
        msg = (
            f"epsilon must be so large that the rank 7 r / 4 is at most {RANK_MOST}, "
            f"got epsilon={epsilon} (rank {rank})"
        )
        raise InvalidArgument(msg)


@final
@dataclass(frozen=True, slots=True)
class MonotoneStatistic:
    """A statistic of the records, from the part of the data between two noisy thresholds.

    Private for all data, but accurate for n > 4.5 r records only, about 1,700 / epsilon on a grid
    of 200 steps. `inverse_sensitivity` on all of [low, high] is better for fewer.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter; not so small that the ranks exceed 2^31.
    low, high : int, float, str or Fraction
        First and last point of the grid, in the unit of the data; records are clipped, NaN is the
        midpoint.
    step : int, float, str or Fraction, optional
        beta, of which high - low is a multiple; default (high - low) / 20.
    statistic : {"median", "quantile", "mean", "power"}
        The lower median, the lower quantile of `level`, the mean, the minimizer of the sum of
        |x - y|^power.
    level : int, float, str or Fraction
        Of "quantile" alone, in (0, 1).
    power : int, float, str or Fraction
        Of "power" alone, greater than 1.
    score : {"crossing", "length"}
        See `scores`.

    Claims
    ------
    Pure, add-remove: epsilon.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 4 and Theorem 4.3 (SUB-A4, SUB-T4.3s; SUB-E4, SUB-E7, SUB-E8).
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
        parameters, steps = statistic_on_grid((low, high), step, statistic, level, power, score)
        for name, value in parameters.items():
            object.__setattr__(self, name, value)
        check_ranks(self.epsilon, steps)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        source = Source("SUB", "Theorem 4.3, repaired (SUB-T4.3s)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def private_steps(self) -> Composition:
        """State both thresholds, and the choice between them, whose data are moved by rank."""
        selection = self._selection()
        one, factor = Fraction(1), selection.epsilon / 2
        steps = (
            ScoreStep("the lower threshold", one, factor),
            ScoreStep("the upper threshold", one, factor),
            ScoreStep(
                "the point between them",
                Fraction(SCORE_MOVES[self.score]),
                selection.exponent,
            ),
        )
        return Composition(Relation.ADD_REMOVE, InTurn(steps), 0, "SUB-T4.3s")

    def exact_law(self, data: Any) -> PrunedLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        return self._selection().exact_law(data)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error of Theorem 4.3, repaired; nothing for fewer records than that needs."""
        if self.low == self.high:
            return ()
        quarter = rank_error(self.epsilon, int((self.high - self.low) / self.step)).ceiling()
        return monotone_claims(
            data,
            Statistic(self.statistic, self.level, self.power, self.score),
            quarter,
            low=self.low,
            high=self.high,
            step=self.step,
        )

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0, where a window is drawn
        and then one of its points, all alike. Returns shape (size,): grid points, each the nearest
        double.
        """
        return self._selection().sample(data, check_size(size), rng=rng)

    def _selection(self) -> PrunedSelection:
        """Return the steps of the algorithm, with their parameters."""
        steps = 0 if self.low == self.high else int((self.high - self.low) / self.step)
        rank, k = ranks(self.epsilon, steps)
        c = exponent(self.epsilon, self.score)
        chosen = Statistic(self.statistic, self.level, self.power, self.score)
        return PrunedSelection(self.epsilon / 4, self.low, self.high, steps, rank, k, chosen, c)
