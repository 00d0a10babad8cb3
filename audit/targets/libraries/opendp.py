"""Measurements of OpenDP, calibrated so that the library itself affirms the claim.

The noise scale is the smallest double above (the library's own sensitivity) / epsilon for which
`measurement.check(d_in, epsilon)` holds. OpenDP draws from the operating system's source: there
is no seed. NaN records are outside the domains (`nan=False`) that OpenDP offers for sums, and
raise: these queries say so, and NaN is tried with --domain any only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.targets.libraries.draws import draw_each, load_library, records, scalar, version_of
from audit.targets.libraries.parameters import set_noise, set_query
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.validation import Number, check_fraction

__all__ = ["Count", "Laplace", "Mean", "Sum", "calibrated"]


NOT_NAN = "opendp: vector_domain(atom_domain(T=float, nan=False))"
"""The library's own declaration."""


def _opendp() -> Any:
    dp = load_library("opendp.prelude", "opendp")
    dp.enable_features("contrib")
    return dp


def calibrated(
    build: Callable[[float], Any], d_in: float, sensitivity: float, epsilon: Fraction
) -> Any:
    """Build a measurement with the least noise for which the library affirms epsilon at d_in.

    Parameters
    ----------
    build : callable
        Measurement of a given noise scale.
    d_in : int or float
        Distance of neighbors in the measurement's input metric.
    sensitivity : float
        What the library says of the query at d_in.
    epsilon : Fraction
        Greater than 0; rounded down to a double.
    """
    eps = -_cast_up(-epsilon)
    scale = sensitivity / eps
    while not (measurement := build(scale)).check(d_in, eps):
        scale = math.nextafter(scale, math.inf)
    return measurement


def _cast_up(x: Fraction) -> float:
    """Smallest double that is at least x."""
    nearest = float(x)
    return nearest if Fraction(nearest) >= x else math.nextafter(nearest, math.inf)


def _claim(epsilon: Fraction, relation: Relation, call: str, d_in: object) -> PrivacyClaim:
    source = Source(version_of("opendp"), f"{call}, check({d_in}, {epsilon}) holds")
    return PrivacyClaim(PureDP(epsilon), relation, source)


def _clamped(low: Fraction, high: Fraction, size: int | None) -> Any:
    """Transformation from a list of floats (of public length `size`) to clamped floats."""
    dp = _opendp()
    floats = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=size)
    return (floats, dp.symmetric_distance()) >> dp.t.then_clamp((float(low), float(high)))


@final
@dataclass(frozen=True, slots=True)
class Laplace:
    """opendp make_laplace on one float: neighbors are values at most `sensitivity` apart.

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
        _opendp()

    @property
    def claim(self) -> PrivacyClaim:
        """epsilon, for values at most `sensitivity` apart."""
        return _claim(self.epsilon, Relation.LISTED, "make_laplace (f64)", self.sensitivity)

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases of the one number `data`; `rng` is not used (no seed)."""
        del rng
        dp, d_in, value = _opendp(), _cast_up(self.sensitivity), scalar(data)
        space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
        noise = calibrated(
            lambda scale: dp.m.make_laplace(*space, scale=scale), d_in, d_in, self.epsilon
        )
        return draw_each(lambda: noise(value), size)


@final
@dataclass(frozen=True, slots=True)
class Sum:
    """opendp clamp >> sum >> laplace on floats: the number of records is private.

    The library's sensitivity is max(|low|, |high|, high - low). With bounds of two signs it is
    larger than the effect of a record, and the true loss is below the claim.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public bounds, low < high; records outside are clamped by the library.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = False
    domain: ClassVar[str] = "finite"
    domain_source: ClassVar[str] = NOT_NAN

    def __init__(self, epsilon: Number = 1, low: Number = 0, high: Number = 1) -> None:
        set_query(self, epsilon, low, high)
        _opendp()

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under ADD_REMOVE: symmetric distance 1."""
        return _claim(self.epsilon, Relation.ADD_REMOVE, "then_sum >> then_laplace (f64)", 1)

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases on `data`, shape (n,); `rng` is not used (no seed)."""
        del rng
        dp, values = _opendp(), records(data).tolist()
        query = _clamped(self.low, self.high, None) >> dp.t.then_sum()
        release = calibrated(
            lambda scale: query >> dp.m.then_laplace(scale), 1, query.map(1), self.epsilon
        )
        return draw_each(lambda: release(values), size)


@final
@dataclass(frozen=True, slots=True)
class Mean:
    """opendp clamp >> mean >> laplace on floats: the number of records is public.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    low, high : int, float, str or Fraction
        Public bounds, low < high; records outside are clamped by the library.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FREE
    seedable: ClassVar[bool] = False
    domain: ClassVar[str] = "finite"
    domain_source: ClassVar[str] = NOT_NAN

    def __init__(self, epsilon: Number = 1, low: Number = 0, high: Number = 1) -> None:
        set_query(self, epsilon, low, high)
        _opendp()

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under SWAP: symmetric distance 2 at a public size."""
        return _claim(self.epsilon, Relation.SWAP, "sized then_mean >> then_laplace (f64)", 2)

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64] | list[Any]:
        """Draw `size` releases on `data`, shape (n,), n at least 1; `rng` is not used (no seed)."""
        del rng
        dp, values = _opendp(), records(data).tolist()
        query = _clamped(self.low, self.high, len(values)) >> dp.t.then_mean()
        release = calibrated(
            lambda scale: query >> dp.m.then_laplace(scale), 2, query.map(2), self.epsilon
        )
        return draw_each(lambda: release(values), size)


@final
@dataclass(frozen=True, slots=True)
class Count:
    """opendp count >> laplace (two-sided geometric) on a list of floats, values ignored.

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
        _opendp()

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon under ADD_REMOVE: symmetric distance 1."""
        return _claim(self.epsilon, Relation.ADD_REMOVE, "then_count >> then_laplace (i32)", 1)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any] | list[Any]:
        """Draw `size` integers on `data`, shape (n,); `rng` is not used (no seed)."""
        del rng
        dp, values = _opendp(), records(data).tolist()
        floats = dp.vector_domain(dp.atom_domain(T=float))
        query = (floats, dp.symmetric_distance()) >> dp.t.then_count()
        release = calibrated(
            lambda scale: query >> dp.m.then_laplace(scale), 1, float(query.map(1)), self.epsilon
        )
        return draw_each(lambda: release(values), size)
