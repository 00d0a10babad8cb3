"""The noisy mean of signs (TRI, chapter 5, in place of the printed example; erratum TRI-ER-10).

    (1 / n) sum_i sign(x_i) + Lap(2 / (n epsilon)).

In the exponential family of densities (1 - eta^2) / 2 e^(-|x| + eta x), |eta| < 1, the mean of
sign(X) is eta exactly: a pure private estimator of a natural parameter without bias, which only a
range of finite length allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_epsilon
from mechanisms.noisy_query import NoisyQuery, PublicFact
from mechanisms.query_draws import RecordSum, draw_query, stated_query
from mechanisms.records import records
from mechanisms.trilemma.records import at_least_one, finite_records
from mechanisms.trilemma.utility import NoiseMoments, additive_claims, laplace_noise
from mechanisms.utility_claims import RecordLaw, Truth, UtilityClaim
from mechanisms.validation import Number, check_size

__all__ = ["TiltedSign"]

ITEM = "chapter 5 (erratum TRI-ER-10)"


@final
@dataclass(frozen=True, slots=True)
class TiltedSign:
    """Tilt of a two-sided exponential law, from a public number of records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.

    Claims
    ------
    Pure, swap: epsilon, attained. The number of records is public.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, chapter 5; the mechanism is our own (TRI-A.TILT, TRI-R5-bern).
    """

    epsilon: Fraction
    order: ClassVar[Order] = Order.FREE
    record_range: ClassVar[tuple[Fraction, Fraction]] = (Fraction(-1), Fraction(1))
    """A negative record and a positive one."""

    def __init__(self, epsilon: Number = 1) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced."""
        source = Source("TRI", ITEM)
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    def noisy_query(self) -> NoisyQuery:
        """State the noisy sum of the signs, which are integers; the size is public."""
        return NoisyQuery(
            "sum of signs",
            ((Fraction(1), Fraction(0)),),
            (Fraction(-1), Fraction(1)),
            (self._noise,),
            whole=True,
            public=(PublicFact.COUNT,),
        )

    @property
    def _noise(self) -> Laplace:
        """A sign moves by at most 2."""
        return Laplace(self.epsilon, 2)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State that the mean is that of the signs of `data`, and the error of the noise."""
        values = records(data)
        if values.size == 0 or np.isnan(values).any():
            return ()
        mean = Fraction(int(np.sign(values).sum()), values.size)
        truth = Truth(mean, "mean of the signs")
        return additive_claims(ITEM, self._noise_of(values.size), truth=truth)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State that the mean is that of the sign, which is eta for the tilted law."""
        mean = law.expectation(lambda x: (x > 0) - (x < 0), (0.0,))
        square = law.expectation(lambda x: float(x != 0), (0.0,))
        return additive_claims(
            ITEM,
            self._noise_of(count),
            spread=(square - mean**2) / count,
            truth=Truth(mean, "mean of the sign"),
            on_data=False,
        )

    def _noise_of(self, count: int) -> NoiseMoments:
        return laplace_noise(self._noise.scale / count)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, n at least 1; NaN counts as 0, whose sign is 0. Returns shape
        (size,): an estimate of eta, unbounded.
        """
        size = check_size(size)
        values = at_least_one(finite_records(data, missing=0.0, lowest=-1.0, highest=1.0))
        found = RecordSum(Fraction(int(np.sign(values).sum())), values.size)
        (total_hat,) = draw_query(stated_query(self), found, size, rng=rng)
        return total_hat / values.size
