"""Noise mechanisms of diffprivlib: a value that moves by at most the sensitivity, plus noise.

Neighbors are listed pairs of values |a - b| <= sensitivity; the library states no other relation.
The caller's generator drives the library through `random_state`, so draws repeat by their seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.targets.libraries.draws import draw_each, load_library, scalar, version_of
from audit.targets.libraries.parameters import set_noise
from mechanisms.claims import ApproxDP, Level, Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_fraction, check_integer

__all__ = ["Gaussian", "Geometric", "Laplace"]


def _mechanisms() -> Any:
    return load_library("diffprivlib.mechanisms", "diffprivlib")


def _claim(level: Level, call: str) -> PrivacyClaim:
    item = f"mechanisms.{call}, a value that moves by at most the sensitivity"
    return PrivacyClaim(level, Relation.LISTED, Source(version_of("diffprivlib"), item))


@final
@dataclass(frozen=True, slots=True)
class Laplace:
    """diffprivlib.mechanisms.Laplace(epsilon, sensitivity).randomise(value).

    Parameters
    ----------
    epsilon, sensitivity : int, float, str or Fraction
        Both greater than 0.
    """

    epsilon: Fraction
    sensitivity: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True
    low: ClassVar[Fraction | None] = None
    high: ClassVar[Fraction | None] = None

    def __init__(self, epsilon: Number = 1, sensitivity: Number = 1) -> None:
        set_noise(self, epsilon, sensitivity)
        _mechanisms()

    @property
    def claim(self) -> PrivacyClaim:
        """epsilon, for values at most `sensitivity` apart."""
        return _claim(
            PureDP(self.epsilon), f"Laplace(epsilon={self.epsilon}, sensitivity={self.sensitivity})"
        )

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases of the one number `data`; see `draw_each` for exceptions."""
        noise = _mechanisms().Laplace(
            epsilon=float(self.epsilon),
            sensitivity=float(self.sensitivity),
            random_state=np.random.RandomState(rng.bit_generator),
        )
        value = scalar(data)
        return draw_each(lambda: noise.randomise(value), size)


@final
@dataclass(frozen=True, slots=True)
class Gaussian:
    """diffprivlib.mechanisms.Gaussian, or GaussianAnalytic, (epsilon, delta, sensitivity).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0; at most 1 unless `analytic`, as the library wants it.
    delta : int, float, str or Fraction
        In (0, 1].
    sensitivity : int, float, str or Fraction
        Greater than 0.
    analytic : bool
        Whether the scale is calibrated exactly (GaussianAnalytic) or by the classical formula.
    """

    epsilon: Fraction
    delta: Fraction
    sensitivity: Fraction
    analytic: bool
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True
    low: ClassVar[Fraction | None] = None
    high: ClassVar[Fraction | None] = None

    def __init__(
        self,
        epsilon: Number = 1,
        delta: Number = "1e-5",
        sensitivity: Number = 1,
        analytic: bool = False,
    ) -> None:
        set_noise(self, epsilon, sensitivity, delta=delta, most=None if analytic else 1)
        object.__setattr__(self, "analytic", analytic)
        _mechanisms()

    @property
    def claim(self) -> PrivacyClaim:
        """(epsilon, delta), for values at most `sensitivity` apart."""
        arguments = f"epsilon={self.epsilon}, delta={self.delta}, sensitivity={self.sensitivity}"
        return _claim(ApproxDP(self.epsilon, self.delta), f"{self._kind}({arguments})")

    @property
    def _kind(self) -> str:
        return "GaussianAnalytic" if self.analytic else "Gaussian"

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases of the one number `data`; see `draw_each` for exceptions."""
        noise = getattr(_mechanisms(), self._kind)(
            epsilon=float(self.epsilon),
            delta=float(self.delta),
            sensitivity=float(self.sensitivity),
            random_state=np.random.RandomState(rng.bit_generator),
        )
        value = scalar(data)
        return draw_each(lambda: noise.randomise(value), size)


@final
@dataclass(frozen=True, slots=True)
class Geometric:
    """diffprivlib.mechanisms.Geometric(epsilon, sensitivity).randomise(integer).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    sensitivity : int
        At least 1.
    """

    epsilon: Fraction
    sensitivity: int
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = True
    low: ClassVar[Fraction | None] = None
    high: ClassVar[Fraction | None] = None

    def __init__(self, epsilon: Number = 1, sensitivity: int = 1) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", above=0))
        exact_sensitivity = check_integer(sensitivity, "sensitivity", at_least=1)
        object.__setattr__(self, "sensitivity", exact_sensitivity)
        _mechanisms()

    @property
    def claim(self) -> PrivacyClaim:
        """epsilon, for integers at most `sensitivity` apart."""
        arguments = f"epsilon={self.epsilon}, sensitivity={self.sensitivity}"
        return _claim(PureDP(self.epsilon), f"Geometric({arguments})")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any] | list[Any]:
        """Draw `size` releases of the one integer `data`; see `draw_each` for exceptions."""
        value = scalar(data)
        if not value.is_integer():
            msg = f"data must be one integer, got data={data!r}"
            raise InvalidArgument(msg)
        noise = _mechanisms().Geometric(
            epsilon=float(self.epsilon),
            sensitivity=self.sensitivity,
            random_state=np.random.RandomState(rng.bit_generator),
        )
        return draw_each(lambda: noise.randomise(int(value)), size)
