"""What is promised of the errors of the estimators of TRI, on one data set and under laws.

An estimate is here Y + L + W: the mean Y of the records after a map (a clip, a sign), independent
noise L that is symmetric with variance v and fourth moment k, and a sum W of named records of mean
0. With b = E Y - truth, its bias is b, and

    mean squared error = Var Y + b^2 + v + Var W,

where Var Y is 0 on a data set. These identities hold for all data and all laws; the bounds in print
are for classes of laws (TRI-P3.0.1 to P3.0.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.utility_claims import Quantity, RecordLaw, Truth, UtilityClaim

__all__ = [
    "NoiseMoments",
    "additive_claims",
    "clipped_moments",
    "laplace_noise",
    "named_noise",
    "symmetric_about",
]

Array = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class NoiseMoments:
    """Independent noise of mean 0: variance, fourth moment, and whether it is symmetric."""

    variance: float
    fourth: float
    symmetric: bool = True

    def plus(self, other: NoiseMoments) -> NoiseMoments:
        """The sum of two independent ones."""
        fourth = self.fourth + 6 * self.variance * other.variance + other.fourth
        both = self.symmetric and other.symmetric
        return NoiseMoments(self.variance + other.variance, fourth, both)


def laplace_noise(scale: float, draws: int = 1) -> NoiseMoments:
    """Average of some independent Laplace variates of one scale."""
    square, m = 2 * scale**2 / draws, draws
    return NoiseMoments(square, (24 * m + 12 * m * (m - 1)) * scale**4 / m**4)


def named_noise(values: Array, delta: float) -> NoiseMoments:
    """The error of name-and-shame: (1 / n) sum of A(x_i) - x_i, A(x) = x / delta or 0.

    `values`, shape (n,): what is named. `delta`: probability of each coin. Returns: symmetric only
    where nothing is named.
    """
    rest = 1 - delta
    squares = (values / values.size) ** 2 * (rest / delta)
    fourths = (values / values.size) ** 4 * (rest * (1 - 3 * delta * rest) / delta**3)
    total = math.fsum(squares)
    fourth = math.fsum(fourths) + 3 * (total**2 - math.fsum(squares**2))
    return NoiseMoments(total, fourth, symmetric=total == 0)


def clipped_moments(law: RecordLaw, lower: float, upper: float) -> tuple[float, float]:
    """Mean and variance of a record clipped to two ends."""

    def clipped(x: float) -> float:
        return min(max(x, lower), upper)

    mean = law.expectation(clipped, (lower, upper))
    spread = law.expectation(lambda x: (clipped(x) - mean) ** 2, (lower, upper))
    return mean, spread


def additive_claims(
    item: str,
    noise: NoiseMoments,
    *,
    bias: float = 0.0,
    spread: float = 0.0,
    truth: Truth | None = None,
    on_data: bool = True,
) -> tuple[UtilityClaim, UtilityClaim]:
    """Bias, and exact mean squared error.

    `item`: number in the thesis. `noise`: of L and W together. `bias`: E Y less the truth; not 0
    only with symmetric noise. `spread`: var Y; 0 on a data set. `truth`: what is estimated.
    `on_data`: whether Y is constant, so that the fourth moment is known too.
    """
    source = Source("TRI", item)
    symmetric = on_data and noise.symmetric and bias == 0
    error = spread + bias**2 + noise.variance
    fourth = bias**4 + 6 * bias**2 * noise.variance + noise.fourth
    return (
        UtilityClaim(Quantity.BIAS, abs(bias), source, truth=truth, symmetric=symmetric),
        UtilityClaim(
            Quantity.MSE,
            error,
            source,
            exactly=True,
            truth=truth,
            square=fourth if on_data else None,
        ),
    )


def symmetric_about(values: Array) -> Fraction | None:
    """Center that records are symmetric about, exactly; None if there is none."""
    ordered = [Fraction(x) for x in np.sort(values).tolist()]
    sums = {a + b for a, b in zip(ordered, reversed(ordered), strict=True)}
    return sums.pop() / 2 if len(sums) == 1 else None
