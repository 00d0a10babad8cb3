"""The coarse estimate with the threshold that Appendix C.2 of TRI prints.

Erratum TRI-ER-17. In the units of Algorithm 1 the appendix has

    theta = 2 + (2 / epsilon) log(2 / delta)

in place of 2 + (2 / epsilon) log(1 / delta): larger by (2 / epsilon) log 2. It is private, with
half the delta, and fails more often. The form of Algorithm 1 is
`mechanisms.trilemma.coarse.mean.CoarseMean`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.trilemma.coarse.draw import draw_coarse
from mechanisms.trilemma.coarse.law import CoarseLaw
from mechanisms.trilemma.coarse.mean import RANGE, coarse_records
from mechanisms.trilemma.coarse.rule import CoarseRule
from mechanisms.trilemma.parameters import check_delta
from mechanisms.validation import Number, check_size

__all__ = ["PrintedCoarseMean"]


@final
@dataclass(frozen=True, slots=True)
class PrintedCoarseMean:
    """Algorithm 1 with log(2 / delta) for log(1 / delta) in the threshold.

    Parameters
    ----------
    epsilon, delta
        As in `mechanisms.trilemma.coarse.mean.CoarseMean`.

    Claims
    ------
    Approximate, swap: (epsilon, delta). True: the exact delta is delta exp(-epsilon / 2) / 4, for
    delta <= 4 (exp(epsilon / 2) - 1).

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Appendix C.2 (TRI-ER-17).
    """

    epsilon: Fraction
    delta: Fraction
    order: ClassVar[Order] = Order.FREE
    record_range: ClassVar[tuple[Fraction, Fraction]] = RANGE
    """Two records of different bins, whatever T is."""

    def __init__(self, epsilon: Number = 1, delta: Number = "1/100") -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "delta", check_delta(delta))

    @property
    def claim(self) -> PrivacyClaim:
        """What Proposition 4.1.1 promises for a smaller threshold."""
        source = Source("TRI", "Appendix C.2 (erratum TRI-ER-17)")
        return PrivacyClaim(ApproxDP(self.epsilon, self.delta), Relation.SWAP, source)

    @property
    def rule(self) -> CoarseRule:
        """Noise scale and threshold, exactly."""
        scale = 2 / self.epsilon
        return CoarseRule(scale, offset=Fraction(2), slope=scale, argument=2 / self.delta)

    def exact_law(self, data: Any) -> CoarseLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        return CoarseLaw(self.rule, tuple(map(Fraction, coarse_records(data).tolist())))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in units of the width of a bin; n may be 0, which always fails.
        A record that is not finite counts as 0. Returns shape (size,): in the unit of the data; NaN
        is the failure symbol.
        """
        size = check_size(size)
        return draw_coarse(coarse_records(data), self.rule, size, rng=rng)
