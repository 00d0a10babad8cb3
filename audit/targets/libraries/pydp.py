"""Bounded algorithms of PyDP, the Python interface of Google's library, on records.

One record comes or goes, with one contribution (`l0_sensitivity` = `linf_sensitivity` = 1):
ADD_REMOVE. Records are clamped to the bounds, and NaN records are passed over (the count alone
counts them). Results are doubles: of the library's type int, sums wrap at 32 bits. The library
draws from its own source: there is no seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.targets.libraries.draws import draw_each, records, version_of
from audit.targets.libraries.parameters import set_query
from audit.targets.libraries.pydp_noise import DISTRIBUTION, built
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.validation import Number, check_choice, check_fraction

__all__ = ["Bounded", "Count"]

KINDS = ("BoundedMean", "BoundedSum", "BoundedVariance", "Median")


def _claim(level: PureDP, call: str) -> PrivacyClaim:
    return PrivacyClaim(level, Relation.ADD_REMOVE, Source(version_of(DISTRIBUTION), call))


def _draws(algorithm: Any, data: Any, size: int) -> NDArray[np.float64] | list[Any]:
    """Draw with one object: `quick_result` forgets the records of the call before."""
    values = records(data).tolist()
    return draw_each(lambda: algorithm.quick_result(values), size)


@final
@dataclass(frozen=True, slots=True)
class Bounded:
    """A bounded algorithm of pydp: BoundedMean, BoundedSum, BoundedVariance or Median.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public bounds, low < high.
    kind : {"BoundedMean", "BoundedSum", "BoundedVariance", "Median"}
        The library's class. The mean is a noisy sum around the middle of the bounds over a noisy
        count; the sum has sensitivity max(|low|, |high|).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    kind: str
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = False

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        kind: str = "BoundedMean",
    ) -> None:
        set_query(self, epsilon, low, high)
        object.__setattr__(self, "kind", check_choice(kind, "kind", KINDS))
        self._algorithm()

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under ADD_REMOVE."""
        call = f"{self.kind}(epsilon={self.epsilon}, [{self.low}, {self.high}]).quick_result"
        return _claim(PureDP(self.epsilon), call)

    def _algorithm(self) -> Any:
        bounds = {"lower_bound": float(self.low), "upper_bound": float(self.high)}
        arguments = {"epsilon": float(self.epsilon), **bounds, "dtype": "float"}
        return built("laplacian", self.kind, arguments)

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases on `data`, shape (n,); `rng` is not used (no seed)."""
        del rng
        return _draws(self._algorithm(), data, size)


@final
@dataclass(frozen=True, slots=True)
class Count:
    """pydp Count of a list of floats, values ignored (NaN counts too).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    """

    epsilon: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = False
    low: ClassVar[Fraction | None] = Fraction(0)
    high: ClassVar[Fraction | None] = Fraction(1)

    def __init__(self, epsilon: Number = 1) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        self._algorithm()

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under ADD_REMOVE."""
        call = f"Count(epsilon={self.epsilon}).quick_result"
        return _claim(PureDP(self.epsilon), call)

    def _algorithm(self) -> Any:
        return built("laplacian", "Count", {"epsilon": float(self.epsilon), "dtype": "float"})

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any] | list[Any]:
        """Draw `size` integers on `data`, shape (n,); `rng` is not used (no seed)."""
        del rng
        return _draws(self._algorithm(), data, size)
