"""A coarse private estimate of the center (TRI, Algorithm 1, DPUCOARSE).

Records are rounded to bins T + k of width 1, T uniform on [-1/2, 1/2]; each occupied bin has the
score C_k + Lap(2 / epsilon) of its count C_k. The release is T + argmax of the scores if the
largest exceeds theta, and the failure symbol otherwise. The random start T makes the estimate
symmetric about the center of a symmetric law, so without bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.records import records
from mechanisms.trilemma.coarse.draw import draw_coarse
from mechanisms.trilemma.coarse.law import CoarseLaw
from mechanisms.trilemma.coarse.rule import THRESHOLDS, CoarseRule, check_lower, coarse_rule
from mechanisms.trilemma.parameters import check_delta
from mechanisms.trilemma.records import finite_records
from mechanisms.trilemma.utility import symmetric_about
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["RANGE", "CoarseMean", "coarse_records"]

RANGE = (Fraction(0), Fraction(10))
"""Two records that never share a bin."""


_SYMMETRIC = (
    UtilityClaim(
        Quantity.BIAS,
        Fraction(0),
        Source("TRI", "Proposition 4.1.2"),
        symmetric=True,
        given_success=True,
    ),
)


@final
@dataclass(frozen=True, slots=True)
class CoarseMean:
    """Center of the data to within about one half, or failure.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    delta : int, float, str or Fraction
        In (0, 1], at least 1e-75.
    threshold : {"printed", "lower"}
        2 + (2 / epsilon) log(1 / delta), or 1 + (2 / epsilon) log(1 / (2 delta)), which needs
        delta <= 1 - exp(-epsilon / 2).

    Claims
    ------
    Approximate, swap: (epsilon, delta). At this epsilon the exact delta is
    delta exp(-epsilon / 2) / 2 with the printed threshold (for delta <= 2 (exp(epsilon / 2) - 1)),
    and delta with the lower one (for delta <= 1/2): a lone record that moves to another bin.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Algorithm 1 and Proposition 4.1.1 (TRI-A.DPUC, TRI-P4.1.1).
    """

    epsilon: Fraction
    delta: Fraction
    threshold: str
    order: ClassVar[Order] = Order.FREE
    record_range: ClassVar[tuple[Fraction, Fraction]] = RANGE
    """Two records of different bins, whatever T is."""

    def __init__(
        self, epsilon: Number = 1, delta: Number = "1/100", threshold: str = "printed"
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "delta", check_delta(delta))
        object.__setattr__(self, "threshold", check_choice(threshold, "threshold", THRESHOLDS))
        if self.threshold == "lower":
            check_lower(self.epsilon, self.delta)

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon and delta for one record replaced."""
        source = Source("TRI", "Algorithm 1 and Proposition 4.1.1")
        return PrivacyClaim(ApproxDP(self.epsilon, self.delta), Relation.SWAP, source)

    @property
    def rule(self) -> CoarseRule:
        """Noise scale and threshold, exactly."""
        return coarse_rule(self.epsilon, self.delta, self.threshold)

    def exact_law(self, data: Any) -> CoarseLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        return CoarseLaw(self.rule, tuple(map(Fraction, coarse_records(data).tolist())))

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State that on symmetric records an estimate that does not fail is symmetric too."""
        values = records(data)
        known = values.size > 0 and bool(np.isfinite(values).all())
        return _SYMMETRIC if known and symmetric_about(values) is not None else ()

    def utility_claims_under(
        self,
        law: RecordLaw,
        count: int,
    ) -> tuple[UtilityClaim, ...]:
        """State the same of records of a symmetric law."""
        return _SYMMETRIC if law.symmetric and count > 0 else ()

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in units of the width of a bin; n may be 0, which always fails.
        A record that is not finite counts as 0. Returns shape (size,): in the unit of the data; NaN
        is the failure symbol.
        """
        size = check_size(size)
        return draw_coarse(coarse_records(data), self.rule, size, rng=rng)


def coarse_records(data: Any) -> NDArray[np.float64]:
    """Read records as finite doubles, ascending; what is not finite counts as 0."""
    return finite_records(data, missing=0.0, lowest=0.0, highest=0.0)
