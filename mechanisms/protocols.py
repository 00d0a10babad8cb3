"""The shapes that mechanisms, noise laws and exact laws have (Protocols; nothing inherits)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim

__all__ = [
    "Arithmetic",
    "ContinuousNoise",
    "ExactLaw",
    "FiniteLaw",
    "Mechanism",
    "Noise",
    "PartialLaw",
]

N = TypeVar("N")


@runtime_checkable
class Mechanism(Protocol):
    """A randomized algorithm with a promise."""

    @property
    def claim(self) -> PrivacyClaim:
        """The promise at the present parameters."""
        ...

    @property
    def order(self) -> Order:
        """Whether the data are a multiset (`free`) or a sequence (`fixed`)."""
        ...

    def sample(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> NDArray[Any] | Sequence[Any]:
        """Draw independent releases on `data`; the first axis is the draw.

        Parameters
        ----------
        data : array_like
            Records; each mechanism says of which shape and unit.
        size : int
            Number of draws, at least 1.
        rng : numpy.random.Generator
            Source of randomness; advanced by the call.

        Raises
        ------
        InvalidArgument
            If `size` is less than 1, or `data` has another shape or number of records than the
            mechanism asks for. Never because of a record.
        """
        ...


@runtime_checkable
class Noise(Protocol):
    """A noise law: what every registered law offers."""

    @property
    def dimension(self) -> int:
        """Number of coordinates of one draw: 1 or 2."""
        ...

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` variates, shape (size,) or (size, 2)."""
        ...

    def variance(self) -> float:
        """Variance of each coordinate, in closed form."""
        ...

    def exact_law(self) -> ExactLaw:
        """State the law as data."""
        ...


@runtime_checkable
class ContinuousNoise(Noise, Protocol):
    """A univariate law with a density."""

    def density(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """Density at z, elementwise."""
        ...

    def cdf(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """P(Z <= z), elementwise."""
        ...

    def quantile(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Inverse of the cdf on (0, 1), elementwise."""
        ...


class Arithmetic(Protocol[N]):
    """Functions over one kind of number, so that one formula runs on floats and on balls.

    The four operations and comparison with `<` are the number's own.
    """

    def rational(self, value: Fraction) -> N:
        """Convert an exact rational."""
        ...

    def between(self, lower: Fraction, upper: Fraction) -> N:
        """Stand for an unknown number of [lower, upper], such as the rest of a series."""
        ...

    def pi(self) -> N:
        """Return the circle constant."""
        ...

    def exp(self, x: N) -> N:
        """Return e^x."""
        ...

    def log(self, x: N) -> N:
        """Return the natural logarithm."""
        ...

    def sqrt(self, x: N) -> N:
        """Return the square root."""
        ...

    def erfc(self, x: N) -> N:
        """Return the complementary error function."""
        ...


@runtime_checkable
class ExactLaw(Protocol):
    """An output law stated as data: exact breakpoints, exact atoms, and one formula.

    Between two neighboring breakpoints the law has one closed form. `log_density` is written over
    an `Arithmetic`, so that the same lines run on floats and on balls; points are exact.
    """

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Points of [lower, upper] where the formula changes, ascending; of a pmf, its atoms."""
        ...

    def atoms(self, numbers: Arithmetic[N]) -> Mapping[Any, N]:
        """Points (as in `log_density`) of positive probability, with it; empty for a density.

        A law with infinitely many atoms returns a mapping to look up: its iteration goes outward
        from zero without end.
        """
        ...

    def log_density(self, point: Any, numbers: Arithmetic[N]) -> N:
        """Logarithm of the density (or pmf) at an exact point (a Fraction, or a tuple of them)."""
        ...


@runtime_checkable
class FiniteLaw(Protocol):
    """An output law with finitely many outcomes, up to a real coin that some outcomes tell.

    A release may tell a coin that does not depend on the data, such as where a grid of bins starts.
    Between two neighboring cuts all else has one law, so that outcomes are pairs of an interval of
    the coin and of what comes with it; a law without such a coin has no cuts.
    """

    @property
    def rational(self) -> bool:
        """Whether all masses are rational: written with `numbers.rational` alone."""
        ...

    @property
    def cuts(self) -> tuple[Fraction, ...]:
        """Places of the coin where the law of the rest changes, ascending."""
        ...

    def masses(self, numbers: Arithmetic[N], cuts: Sequence[Fraction] = ()) -> Mapping[Hashable, N]:
        """Probability of each outcome, when the coin is cut at `cuts` (all of `self.cuts` too).

        Two laws cut at the same places name the same outcomes alike.
        """
        ...

    def describe(self, outcome: Any) -> str:
        """Say in words what the release `z` is."""
        ...


@runtime_checkable
class PartialLaw(FiniteLaw, Protocol):
    """The law of a function of the release: it can break a claim, and not prove one."""

    @property
    def part(self) -> str:
        """Say in words what of the release it tells."""
        ...
