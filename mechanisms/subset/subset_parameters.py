"""Resolution and rank of the subset-optimal mean from a size (SUB, Algorithm 3).

On [-R, R], with a size N and a resolution gamma,

    alpha = gamma / N,  zeta = alpha / (R N epsilon),  beta = (2 / epsilon) log(2 R / (alpha zeta)),

and both thresholds have the rank k = ceil(1 / epsilon + beta) from their end. The print takes for N
the private number of records (erratum SUB-E1); here N is public, or a noisy size that is released.
Where the logarithm is negative, beta is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.subset.log_rank import LogRank

__all__ = ["SubsetParameters", "log_argument", "noisy_ranks", "subset_parameters"]


@final
@dataclass(frozen=True, slots=True)
class SubsetParameters:
    """Parameters of both thresholds."""

    alpha: Fraction
    """Half the width of a window, in the unit of the data."""
    zeta: Fraction
    """Probability with which a threshold may be far from its rank."""
    log_rank: LogRank
    """1 / epsilon + beta, which is no rational number."""

    @property
    def beta(self) -> Fraction:
        """Error of the ranks, to 40 digits behind the point."""
        return self.log_rank.value - self.log_rank.offset

    @property
    def rank(self) -> int:
        """The rank k = ceil(1 / epsilon + beta), exactly."""
        return self.log_rank.ceiling()


def log_argument(size: Any, radius: Any, epsilon: Any, alpha: Any) -> Any:
    """Return 2 R / (alpha zeta) = 2 (R / alpha)^2 epsilon N, of exact numbers or of arrays."""
    ratio = radius / alpha
    return 2 * ratio * ratio * epsilon * size


def subset_parameters(
    size: int, radius: Fraction, epsilon: Fraction, alpha: Fraction
) -> SubsetParameters:
    """Compute the parameters for a public size, exactly.

    `size`: N, at least 1. `radius`: R, greater than 0. `epsilon`, `alpha`: greater than 0.
    """
    argument = log_argument(Fraction(size), radius, epsilon, alpha)
    log_rank = LogRank(epsilon, 1 / epsilon, max(argument, Fraction(1)))
    return SubsetParameters(alpha, alpha / (radius * size * epsilon), log_rank)


def noisy_ranks(
    sizes: NDArray[np.float64], radius: float, epsilon: float, alphas: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Compute k for each of some sizes that are released, shape (draws,), in doubles.

    Whatever their rounding, they are functions of what is released.
    """
    beta = 2 / epsilon * np.log(np.maximum(log_argument(sizes, radius, epsilon, alphas), 1.0))
    return np.asarray(np.ceil(1 / epsilon + beta), dtype=np.int64)
