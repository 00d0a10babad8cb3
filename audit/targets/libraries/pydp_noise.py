"""Noise mechanisms of PyDP: a value that moves by at most the sensitivity, plus noise.

Neighbors are listed pairs of values |a - b| <= sensitivity. The noise is a multiple of a power of
two, and the value is rounded to one. For Laplace noise this grid is coarse enough for doubles
(2^-40 at epsilon = 1 and sensitivity 1). That of the Gaussian is not (2^-54 at a deviation of 3.7):
near 0 the bits below 2^-53 show, and on a value of 1 they are rounded away, so that an audit of the
machine numbers refutes it. The library draws from its own source: there is no seed.
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
from mechanisms.validation import Number

__all__ = ["DISTRIBUTION", "Gaussian", "Laplace", "built"]

DISTRIBUTION = "python-dp"
"""Under which PyDP is installed."""

EXTRA = "pydp"


def built(module: str, kind: str, arguments: dict[str, Any]) -> Any:
    """Make an object of the library.

    Parameters
    ----------
    module : str
        Of `pydp.algorithms`.
    kind : str
        A class in it.
    arguments : dict
        Public parameters.

    Raises
    ------
    InvalidArgument
        If the library refuses them.
    MissingExtra
        If it cannot be imported.
    """
    library = load_library(f"pydp.algorithms.{module}", EXTRA)
    try:
        return getattr(library, kind)(**arguments)
    except RuntimeError as exc:
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        msg = f"{version_of(DISTRIBUTION)} refuses {kind}({given}): {exc}"
        raise InvalidArgument(msg) from exc


def _claim(level: Level, call: str) -> PrivacyClaim:
    item = f"{call}.add_noise, a value that moves by at most the sensitivity"
    return PrivacyClaim(level, Relation.LISTED, Source(version_of(DISTRIBUTION), item))


def _draws(mechanism: Any, data: Any, size: int) -> NDArray[np.float64] | list[Any]:
    value = scalar(data)
    return draw_each(lambda: mechanism.add_noise(value), size)


@final
@dataclass(frozen=True, slots=True)
class Laplace:
    """pydp LaplaceMechanism(epsilon, sensitivity).add_noise(value), on a grid of doubles.

    Parameters
    ----------
    epsilon, sensitivity : int, float, str or Fraction
        Both greater than 0.
    """

    epsilon: Fraction
    sensitivity: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = False
    low: ClassVar[Fraction | None] = None
    high: ClassVar[Fraction | None] = None

    def __init__(self, epsilon: Number = 1, sensitivity: Number = 1) -> None:
        set_noise(self, epsilon, sensitivity)
        self._mechanism()

    @property
    def claim(self) -> PrivacyClaim:
        """epsilon, for values at most `sensitivity` apart."""
        arguments = f"epsilon={self.epsilon}, sensitivity={self.sensitivity}"
        return _claim(PureDP(self.epsilon), f"LaplaceMechanism({arguments})")

    def _mechanism(self) -> Any:
        arguments = {"epsilon": float(self.epsilon), "sensitivity": float(self.sensitivity)}
        return built("numerical_mechanisms", "LaplaceMechanism", arguments)

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases of the one number `data`; `rng` is not used (no seed)."""
        del rng
        return _draws(self._mechanism(), data, size)


@final
@dataclass(frozen=True, slots=True)
class Gaussian:
    """pydp GaussianMechanism(epsilon, delta, sensitivity).add_noise(value), exactly calibrated.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    delta : int, float, str or Fraction
        In (0, 1].
    sensitivity : int, float, str or Fraction
        Greater than 0.
    """

    epsilon: Fraction
    delta: Fraction
    sensitivity: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = False
    low: ClassVar[Fraction | None] = None
    high: ClassVar[Fraction | None] = None

    def __init__(
        self, epsilon: Number = 1, delta: Number = "1e-5", sensitivity: Number = 1
    ) -> None:
        set_noise(self, epsilon, sensitivity, delta=delta)
        self._mechanism()

    @property
    def claim(self) -> PrivacyClaim:
        """(epsilon, delta), for values at most `sensitivity` apart."""
        arguments = f"epsilon={self.epsilon}, delta={self.delta}, sensitivity={self.sensitivity}"
        return _claim(ApproxDP(self.epsilon, self.delta), f"GaussianMechanism({arguments})")

    def _mechanism(self) -> Any:
        names = ("epsilon", "delta", "sensitivity")
        arguments = {name: float(getattr(self, name)) for name in names}
        return built("numerical_mechanisms", "GaussianMechanism", arguments)

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases of the one number `data`; `rng` is not used (no seed)."""
        del rng
        return _draws(self._mechanism(), data, size)
