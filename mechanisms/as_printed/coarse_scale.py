"""The coarse estimate of TRI with noise for one moved count: half the scale that it needs.

Nobody printed it. A swap moves two counts by one each, so the noise of Algorithm 1 is
Lap(2 / epsilon); with Lap(1 / epsilon) and the printed threshold

    theta = 2 + (2 / epsilon) log(1 / delta)

a lone record passes even less often, and few records show nothing. Two bins of N records each, N
well above theta, that become N - 1 and N + 1 show it: both bins pass, and the difference of their
scores tells too much. Without failures the excess at epsilon is (1 - (1 + epsilon) e^-epsilon) / 2.
The sound form is `mechanisms.trilemma.coarse.mean.CoarseMean`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.laws import FLOATS
from mechanisms.noise.parameters import check_epsilon
from mechanisms.trilemma.coarse.draw import draw_coarse
from mechanisms.trilemma.coarse.law import CoarseLaw
from mechanisms.trilemma.coarse.mean import RANGE, coarse_records
from mechanisms.trilemma.coarse.rule import CoarseRule
from mechanisms.trilemma.parameters import check_delta
from mechanisms.validation import Number, check_size

__all__ = ["MutantCoarseMean"]

RECORDS_MOST = 10**6
"""In a counterexample."""

MARGIN = 10
"""Records above the threshold in each bin of the counterexample, at epsilon = 1."""


@final
@dataclass(frozen=True, slots=True)
class MutantCoarseMean:
    """Algorithm 1 with noise Lap(1 / epsilon) on the counts.

    Parameters
    ----------
    epsilon, delta
        As in `mechanisms.trilemma.coarse.mean.CoarseMean`.

    Claims
    ------
    Approximate, swap: (epsilon, delta), that of the sound form. False wherever
    (1 - (1 + epsilon) exp(-epsilon)) / 2 exceeds delta: at epsilon = 1 that is 0.132.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Algorithm 1, with another scale (TRI-P4.1.1-exact).
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
        """What the sound form promises."""
        source = Source("TRI", "Algorithm 1 with noise of half the scale")
        return PrivacyClaim(ApproxDP(self.epsilon, self.delta), Relation.SWAP, source)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """N records in each of two bins, and one of them moved.

        N is ceil(theta) + 10, for epsilon < 1 ceil(theta) + 10 / epsilon. None where this pair
        keeps the claim, or needs more than a million records.
        """
        eps, theta = float(self.epsilon), self.rule.threshold(FLOATS)
        many = math.ceil(theta) + max(MARGIN, math.ceil(MARGIN / self.epsilon))
        both_fail = math.exp(-2 * (many - theta) * eps) / 4
        excess = (1 - (1 + eps) * math.exp(-eps) - both_fail) / 2
        if excess <= self.delta or 2 * many > RECORDS_MOST:
            return None
        low, high = map(float, RANGE)
        return [low] * many + [high] * many, [low] * (many - 1) + [high] * (many + 1)

    @property
    def rule(self) -> CoarseRule:
        """Noise scale and threshold, exactly."""
        scale = 1 / self.epsilon
        return CoarseRule(scale, offset=Fraction(2), slope=2 * scale, argument=1 / self.delta)

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
