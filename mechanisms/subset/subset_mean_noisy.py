"""The subset-optimal mean with one noisy size (SUB, Algorithm 3, sound form A3-B).

The bounded mean releases a noisy count anyway. Here it is drawn first and used three times, so that
the parameters of the thresholds follow the data at no cost:

    n_hat = n + Lap(2 / epsilon)                                        epsilon / 2,
    N = max(n_hat, 1 / epsilon, 1), alpha and rank k from N             nothing,
    l, u = Threshold(k from below, alpha), Threshold(k from above)      epsilon each,
    clip((sum (clip(x) - m) + Lap(w / epsilon)) / max(n_hat, 1)) + m    epsilon / 2,

together 3 epsilon, with w = u - l and m = (l + u) / 2 after crossed thresholds were exchanged.
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
from mechanisms.subset.noisy_size_error import noisy_size_claims
from mechanisms.subset.parameters import SPACINGS, check_alpha, spacing_at
from mechanisms.subset.subset_parameters import noisy_ranks
from mechanisms.subset.two_thresholds import varying_thresholds
from mechanisms.subset.window import clipped_records
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_choice, check_size

__all__ = ["NoisySizeMean"]

GAMMA_MOST = Fraction(10**300)
"""Windows and rank are the same for every larger gamma: all of the range, ceil(1 / epsilon)."""


@final
@dataclass(frozen=True, slots=True)
class NoisySizeMean:
    """Mean of the records without a few extreme ones; nothing about their number is public.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        A third of the privacy parameter.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clipped, NaN is the midpoint.
    gamma : int, float, str or Fraction, optional
        Resolution in the unit of the data, greater than 0; default (high - low) / 200. A window's
        half width gamma / N is kept above 2^10 spacings of doubles at the bounds.
    release : {"mean", "all"}
        Whether `sample` returns the mean, or all that is private and what it is made of.

    Claims
    ------
    Pure, add-remove: 3 epsilon.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 3 (SUB-A3; corrected by SUB-E1, SUB-T3.1p).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    gamma: Fraction
    release: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = -1,
        high: Number = 1,
        gamma: Number | None = None,
        release: str = "mean",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        resolution = check_alpha(gamma, exact_low, exact_high, "gamma", parts=200)
        object.__setattr__(self, "gamma", resolution)
        object.__setattr__(self, "release", check_choice(release, "release", RELEASES))
        if exact_low < exact_high:
            check_scale((exact_high - exact_low) / self.epsilon, "(high - low) / epsilon")

    @property
    def claim(self) -> PrivacyClaim:
        """Half of epsilon for the size and for the sum, epsilon for each threshold."""
        source = Source("SUB", "Algorithm 3 with one noisy size (SUB-A3-B)")
        return PrivacyClaim(PureDP(3 * self.epsilon), Relation.ADD_REMOVE, source)

    def private_steps(self) -> Composition:
        """State both thresholds, the sum and the count; all else follows from these."""
        return Composition(Relation.ADD_REMOVE, mean_steps(self.epsilon), 0, "SUB-T3.1p")

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the bound of Theorem 3.1 for a noisy size; nothing for fewer records."""
        if self.release == "all":
            return ()
        return noisy_size_claims(data, self.epsilon, self.low, self.high, self.gamma)

    def parameters(
        self, n_hat: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return alpha and the rank k for noisy sizes, each of shape (draws,); low < high."""
        eps, radius = float(self.epsilon), float((self.high - self.low) / 2)
        gamma = float(min(self.gamma, GAMMA_MOST))
        sizes = np.maximum(n_hat, max(1 / eps, 1.0))
        least = float(SPACINGS * spacing_at(self.low, self.high))
        alphas = np.maximum(gamma / sizes, least)
        return alphas, noisy_ranks(sizes, radius, eps, alphas)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,)
        or, with release="all", (size, 4): means in [low, high], in the unit of the data; or lower
        and upper threshold as drawn, noisy sum of the clipped records less their middle, noisy
        count.
        """
        size = check_size(size)
        values = clipped_records(data, self.low, self.high)
        n_hat = noisy_counts(values.size, self.epsilon, size, rng=rng)
        thresholds = np.full(size, float(self.low)), np.full(size, float(self.low))
        if self.low < self.high:
            alphas, rank = self.parameters(n_hat)
            bounds = self.low, self.high
            thresholds = varying_thresholds(values, bounds, alphas, rank, self.epsilon, rng=rng)
        return released(
            values,
            thresholds,
            n_hat,
            self.epsilon,
            self.release,
            spacing=float(spacing_at(self.low, self.high)),
            least=1.0,
            rng=rng,
        )
