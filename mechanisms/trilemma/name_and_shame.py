"""Name-and-shame: a record is released, divided by delta, with probability delta (TRI, 3.0.2).

The release is

    (1 / n) sum_i A(x_i),    A(x) = x / delta if xi = 1, else 0,    xi ~ Bernoulli(delta).

It has the mean of the law, whatever the law, and a large variance. A neighbor changes the output
only if the coin of the changed record shows 1.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Arithmetic
from mechanisms.records import records
from mechanisms.trilemma.coins import named_means
from mechanisms.trilemma.parameters import check_delta
from mechanisms.trilemma.records import at_least_one, finite_records
from mechanisms.trilemma.utility import additive_claims, named_noise
from mechanisms.trilemma.utility_of_laws import named_law_claims
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_size

__all__ = ["NameAndShame", "NamedLaw", "named_excess"]

_MOST_RECORDS = 12
"""The law of more would have more than 2^12 outcomes."""


@final
@dataclass(frozen=True, slots=True)
class NameAndShame:
    """Mean of a public number of records, unbiased and private but for a probability `delta`.

    Parameters
    ----------
    delta : int, float, str or Fraction
        Probability that a record is named; in (0, 1], at least 1e-75. With 1 the release is the
        mean itself.

    Claims
    ------
    Approximate, swap: epsilon = 0 and delta, attained at every epsilon.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Proposition 3.0.2 (TRI-P3.0.2).
    """

    delta: Fraction
    order: ClassVar[Order] = Order.FREE
    record_range: ClassVar[tuple[Fraction, Fraction]] = (Fraction(0), Fraction(1))
    """Two different records lose delta; no range of the records is needed."""

    def __init__(self, delta: Number = "1/10") -> None:
        object.__setattr__(self, "delta", check_delta(delta))

    @property
    def claim(self) -> PrivacyClaim:
        """Delta for one record replaced."""
        source = Source("TRI", "Proposition 3.0.2")
        return PrivacyClaim(ApproxDP(0, self.delta), Relation.SWAP, source)

    def exact_law(self, data: Any) -> NamedLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it.

        Raises InvalidArgument if `data` holds no record, or more than 12.
        """
        values = _records(data)
        if values.size > _MOST_RECORDS:
            msg = (
                f"data must hold at most {_MOST_RECORDS} records for an exact law, "
                f"got {values.size} records"
            )
            raise InvalidArgument(msg)
        return NamedLaw(tuple(Fraction(x) for x in values.tolist()), self.delta)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State that the mean is that of `data`, and the error of the coins."""
        values = records(data)
        if values.size == 0 or not np.isfinite(values).all():
            return ()
        return additive_claims("Proposition 3.0.2", named_noise(values, float(self.delta)))

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State that the mean is that of the law, and the error."""
        return named_law_claims(law, count, self.delta)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, n at least 1; what is not finite is 0. Returns shape (size,):
        in the unit of the data; infinite where it is beyond double precision.
        """
        size = check_size(size)
        return named_means(_records(data), float(self.delta), size, rng=rng)


@final
@dataclass(frozen=True, slots=True)
class NamedLaw:
    """Law of name-and-shame: every outcome of the coins, equal sums taken together."""

    records: tuple[Fraction, ...]
    """At least one."""
    delta: Fraction
    """Probability of each coin."""
    rational: ClassVar[bool] = True
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """Probability of each release; the keys are exact fractions."""
        sums = {Fraction(0): Fraction(1)}
        for record in self.records:
            added: dict[Fraction, Fraction] = {}
            for total, mass in sums.items():
                for step, chance in ((record, self.delta), (Fraction(0), 1 - self.delta)):
                    if chance:
                        added[total + step] = added.get(total + step, Fraction(0)) + mass * chance
            sums = added
        unit = self.delta * len(self.records)
        return {total / unit: numbers.rational(mass) for total, mass in sums.items()}

    def describe(self, outcome: Any) -> str:
        """Say what the release is."""
        return f"z = {outcome}"


def named_excess(record: float, replaced: float, delta: float, epsilon: float) -> float:
    """Hockey-stick divergence at epsilon >= 0 of a lone record from another one in its place.

    It is delta at every epsilon, except away from a record 0, whose outcome both sides share.

    `record`, `replaced`: finite records of either side. `delta`: probability of the coin.
    `epsilon`: at least 0. Returns: the largest P(S) - e^epsilon Q(S) over events S, P the law on
    `record`.

    References
    ----------
    .. [1] TRI-A.NS.
    """
    if record == replaced:
        return 0.0
    if record != 0:
        return delta
    return max(0.0, 1 - math.exp(epsilon) * (1 - delta))


def _records(data: Any) -> NDArray[np.float64]:
    return at_least_one(finite_records(data, missing=0.0, lowest=0.0, highest=0.0))
