"""The subset-optimal mean with a public size (SUB, Algorithm 3, sound form A3-A).

A lower and an upper threshold, each of rank k from its end, cut off about k records on either side,
whatever the public bounds are; the mean of the records clipped to them is then released:

    l = Threshold(k from below, alpha),  u = Threshold(k from above, alpha)    epsilon each,
    BoundedMean of the records clipped to [l, u]                               epsilon,

with alpha and k from a public size N (`mechanisms.subset.subset_parameters`). Privacy does not
depend on N being right; accuracy needs about 2 k records. Thresholds that cross are exchanged: on
records that are all equal this happens half of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.subset.clipped_mean import RELEASES, mean_steps, noisy_counts, released
from mechanisms.subset.parameters import check_alpha, check_rank, spacing_at
from mechanisms.subset.subset_parameters import subset_parameters
from mechanisms.subset.two_thresholds import two_thresholds
from mechanisms.subset.utility import subset_mean_claims
from mechanisms.subset.window import clipped_records
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_choice, check_integer, check_size

__all__ = ["PublicSizeMean"]


@final
@dataclass(frozen=True, slots=True)
class PublicSizeMean:
    """Mean of the records without a few extreme ones, for wide public bounds.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter of each of three steps.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clipped, NaN is the midpoint.
    expected_size : int
        Public N of at least 1: how many records are expected.
    gamma : int, float, str or Fraction, optional
        Resolution in the unit of the data, greater than 0; default (high - low) / 200.
    alpha : int, float, str or Fraction, optional
        Half the width of a window, in place of gamma / N.
    rank : int, float, str or Fraction, optional
        Public rank of both thresholds, in place of ceil(1 / epsilon + beta).
    release : {"mean", "all"}
        Whether `sample` returns the mean, or all that is private and what it is made of.

    Claims
    ------
    Pure, add-remove: 3 epsilon.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 3 (SUB-A3; corrected by SUB-E1, SUB-T3.1p, SUB-T3.1s).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    expected_size: int
    gamma: Fraction
    alpha: Fraction
    rank: Fraction
    release: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = -1,
        high: Number = 1,
        expected_size: int = 100,
        gamma: Number | None = None,
        alpha: Number | None = None,
        rank: Number | None = None,
        release: str = "mean",
    ) -> None:
        eps = check_epsilon(epsilon)
        exact_low, exact_high = check_bounds(low, high)
        count = check_integer(expected_size, "expected_size", at_least=1)
        resolution = check_alpha(gamma, exact_low, exact_high, "gamma", parts=200)
        radius = (exact_high - exact_low) / 2
        if radius:
            check_scale(2 * radius / eps, "(high - low) / epsilon")
        if alpha is not None:
            exact_alpha = check_alpha(alpha, exact_low, exact_high)
        elif radius:
            name = "gamma / expected_size"
            exact_alpha = check_alpha(resolution / count, exact_low, exact_high, name)
        else:
            exact_alpha = Fraction(0)
        if rank is not None:
            exact_rank = check_rank(rank)
        elif radius:
            exact_rank = Fraction(subset_parameters(count, radius, eps, exact_alpha).rank)
        else:
            exact_rank = Fraction(0)
        for name, value in (
            ("epsilon", eps),
            ("low", exact_low),
            ("high", exact_high),
            ("expected_size", count),
            ("gamma", resolution),
            ("alpha", exact_alpha),
            ("rank", exact_rank),
            ("release", check_choice(release, "release", RELEASES)),
        ):
            object.__setattr__(self, name, value)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon for each threshold and for the mean between them."""
        source = Source("SUB", "Algorithm 3 with a public size (SUB-A3-A)")
        return PrivacyClaim(PureDP(3 * self.epsilon), Relation.ADD_REMOVE, source)

    def private_steps(self) -> Composition:
        """State both thresholds, the sum and the count; all else follows from these."""
        return Composition(Relation.ADD_REMOVE, mean_steps(self.epsilon), 0, "SUB-T3.1p")

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the bound of Theorem 3.1, corrected; nothing for fewer records than that needs."""
        if self.release == "all":
            return ()
        return subset_mean_claims(
            data,
            self.epsilon,
            self.low,
            self.high,
            size=self.expected_size,
            alpha=self.alpha,
            rank=self.rank,
        )

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,)
        or, with release="all", (size, 4): means in [low, high], in the unit of the data; or lower
        and upper threshold as drawn, noisy sum of the clipped records less their middle, noisy
        count.
        """
        size = check_size(size)
        values = clipped_records(data, self.low, self.high)
        bounds = self.low, self.high
        thresholds = two_thresholds(
            values, bounds, self.alpha, self.rank, self.epsilon, size, rng=rng
        )
        counts = noisy_counts(values.size, self.epsilon, size, rng=rng)
        spacing = float(spacing_at(self.low, self.high))
        return released(
            values, thresholds, counts, self.epsilon, self.release, spacing=spacing, rng=rng
        )
