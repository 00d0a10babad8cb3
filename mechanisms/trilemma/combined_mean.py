"""The unbiased combined estimator (TRI, Proposition 3.0.3).

With a_hat = a - c and b_hat = b + c, where [a, b] is the public range of the mean, the release is

    (1 / n) sum_i clip(x_i, [a_hat, b_hat]) + Lap((b_hat - a_hat) / (epsilon n))
    + (1 / n) sum_i A(x_i - clip(x_i, [a_hat, b_hat])),

A as in name-and-shame: z / delta with probability delta, else 0. On every data set and for every
c >= 0 its mean is the mean of the records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.composition import Composition, InTurn, LaplaceStep, NamedStep
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import SCALE_MOST, check_epsilon, check_scale
from mechanisms.records import records
from mechanisms.trilemma.coins import named_means
from mechanisms.trilemma.combined_law import CombinedLaw, combined_law
from mechanisms.trilemma.margins import clip_ends, combined_margin
from mechanisms.trilemma.parameters import (
    check_clip,
    check_delta,
    check_mean_range,
    check_moment,
)
from mechanisms.trilemma.records import at_least_one, finite_records
from mechanisms.trilemma.utility import additive_claims, laplace_noise, named_noise
from mechanisms.trilemma.utility_of_laws import combined_law_claims
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["CombinedMean", "combined_excess"]

_LARGE = 1_000
"""Records of data sets up to this size show the loss of `record_range`."""

_DECAY = 40
"""The loss misses delta by a factor of 1 - e^-20 or less."""


@final
@dataclass(frozen=True, slots=True)
class CombinedMean:
    """Mean of a public number of records, exactly unbiased.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter of the noise on the clipped mean.
    delta : int, float, str or Fraction
        Probability that the excess of a record is named; in (0, 1], at least 1e-75.
    low, high : int, float, str or Fraction
        Public range [a, b] of the mean, `low < high`. Records may lie anywhere.
    psi : int, float, str or Fraction
        Bound of (E|X - mu|^lam)^(1 / lam), greater than 0, in the unit of the data.
    moment : int, float, str or Fraction
        The order lam of that moment, greater than 2.
    distance : int, float, str or Fraction, optional
        A margin c >= 0 of one's own; the default is the paper's, which depends on n, psi and lam.

    Claims
    ------
    Approximate, swap: epsilon and delta, delta in the limit of large records (TRI-P3.0.3-delta).
    The number of records is public.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Proposition 3.0.3 (TRI-P3.0.3, TRI-P3.0.3-exact).
    """

    epsilon: Fraction
    delta: Fraction
    low: Fraction
    high: Fraction
    psi: Fraction
    moment: Fraction
    distance: Fraction | None
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        delta: Number = "1/100",
        low: Number = 0,
        high: Number = 1,
        psi: Number = 1,
        moment: Number = 4,
        distance: Number | None = None,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "delta", check_delta(delta))
        exact_low, exact_high = check_mean_range(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "psi", check_scale(psi, "psi"))
        object.__setattr__(self, "moment", check_moment(moment, above_two=True))
        own = None
        if distance is not None:
            own = check_fraction(distance, "distance", at_least=0, at_most=SCALE_MOST)
        object.__setattr__(self, "distance", own)
        self.ends(1)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon and delta for one record replaced."""
        source = Source("TRI", "Proposition 3.0.3")
        return PrivacyClaim(ApproxDP(self.epsilon, self.delta), Relation.SWAP, source)

    def ends(self, count: int) -> tuple[float, float]:
        """Return the two doubles that `count` records are clipped to.

        Raises InvalidArgument if they are the same double, or the noise that they need has no
        ordinary scale.
        """
        margin = self.distance
        if margin is None:
            rest = (float(self.delta), float(self.psi), float(self.moment))
            margin = Fraction(combined_margin(count, float(self.epsilon), *rest))
        return check_clip(clip_ends(self.low, self.high, margin), self.epsilon)

    def noise(self, count: int) -> Laplace:
        """Noise of the sum of `count` clipped records."""
        lower, upper = map(Fraction, self.ends(count))
        return Laplace(self.epsilon, upper - lower)

    def private_steps(self) -> Composition:
        """State the clipped sum and the coin of a record; the loss is the same for every count."""
        noise = self.noise(1)
        width = noise.sensitivity
        clipped = LaplaceStep("the sum of the clipped records", (width,), width / noise.epsilon)
        named = NamedStep("the excess of the record", self.delta)
        return Composition(Relation.SWAP, InTurn((clipped, named)), 0, "TRI-P3.0.3")

    def exact_law(self, data: Any) -> CombinedLaw | None:
        """State in which interval the release on `data`, shape (n,), lies.

        None if more than 8 records lie beyond the clip ends.
        """
        values, clipped = self._read(data)
        exact = [Fraction(x) for x in clipped.tolist()]
        return combined_law(
            sum(exact, Fraction(0)),
            [Fraction(x) - y for x, y in zip(values.tolist(), exact, strict=True)],
            count=values.size,
            delta=self.delta,
            width=self.noise(values.size).sensitivity / self.epsilon,
        )

    @property
    def record_range(self) -> tuple[Fraction, Fraction]:
        """Records so far beyond the clip ends that naming one shows: the loss is almost delta."""
        lower, upper = map(Fraction, self.ends(_LARGE))
        beyond = _DECAY * self.delta * (upper - lower) / self.epsilon
        return lower - beyond, upper + beyond

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State that the mean is that of `data`, and the error (TRI-P3.0.3-exact)."""
        values = records(data)
        if values.size == 0 or not np.isfinite(values).all():
            return ()
        lower, upper = self.ends(values.size)
        width = float(Fraction(upper) - Fraction(lower))
        noise = laplace_noise(width / (values.size * float(self.epsilon)))
        named = named_noise(values - np.clip(values, lower, upper), float(self.delta))
        return additive_claims("Proposition 3.0.3", noise.plus(named))

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State that the mean is that of the law, the error, and its bound where that applies."""
        return combined_law_claims(
            law,
            count,
            ends=self.ends(count),
            epsilon=self.epsilon,
            delta=self.delta,
            low=self.low,
            high=self.high,
            psi=self.psi,
            moment=self.moment,
            printed=self.distance is None,
        )

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, n at least 1; NaN is the midpoint of the clip, infinite records
        are its ends. Returns shape (size,): in the unit of the data, unbounded; infinite where it
        is beyond double precision.
        """
        size = check_size(size)
        values, clipped = self._read(data)
        lower = self.ends(values.size)[0]
        noise = self.noise(values.size).sample(size, rng=rng)
        named = named_means(values - clipped, float(self.delta), size, rng=rng)
        # From the lower end, so that the sum is not rounded by more than the noise is for.
        return lower + (math.fsum(clipped - lower) + noise) / values.size + named

    def _read(self, data: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Records as finite doubles, ascending, and clipped; NaN is the midpoint of the clip."""
        read = at_least_one(records(data))
        lower, upper = self.ends(read.size)
        middle = float((Fraction(lower) + Fraction(upper)) / 2)
        values = finite_records(read, missing=middle, lowest=lower, highest=upper)
        return values, np.clip(values, lower, upper)


def combined_excess(
    below: float, above: float, *, width: float, delta: float, epsilon: float
) -> float:
    """Hockey-stick divergence at epsilon of the combined estimator, for one record replaced.

    A record that lies `below` under the lower clip end is replaced by one `above` over the upper
    end, or the other way round; the others lie between the ends. It is

        delta (1 - e^(-u)),    u = epsilon (below + above) / (2 delta width):

    the event is to lie nearer to where the larger excess is named. Other records beyond the ends
    add coins of their own, which can only make it smaller.

    `below`, `above`: excesses, at least 0, in the unit of the data. `width`: distance of the clip
    ends. `delta`, `epsilon`: parameters of the estimator. Returns: the larger one of the two
    directions.

    References
    ----------
    .. [1] TRI-A.COMB gives the case below = above; the rest is our own.
    """
    return -delta * math.expm1(-epsilon * (below + above) / (2 * delta * width))
