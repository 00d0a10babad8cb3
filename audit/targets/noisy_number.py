"""Registered noise as a mechanism: the data are a number (or two), the release is data plus noise.

Target `noise.NAME`; the neighbors are the listed pairs, 0 and the sensitivity of the noise unless
others are given.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.laws import Moved
from mechanisms.registry import NOISES, build_noise

PREFIX = "noise."
"""Of names of targets."""

Array = NDArray[Any]


def noisy_number(name: str, **parameters: Any) -> NoisyNumber:
    """Make the mechanism of a target `noise.NAME`."""
    return NoisyNumber(
        name.removeprefix(PREFIX), build_noise(name.removeprefix(PREFIX), **parameters)
    )


@final
@dataclass(frozen=True, slots=True)
class NoisyNumber:
    """Data plus noise."""

    name: str
    """Of the noise in the registry."""
    noise: Any
    """The law; hourglasses move the pair (sum, count) by (x, 1) for a record x."""
    order: ClassVar[Order] = Order.FIXED

    @property
    def claim(self) -> PrivacyClaim:
        """What the noise promises at its sensitivity."""
        level = getattr(self.noise, "mu", None) or getattr(self.noise, "rho", None)
        source = Source("noise", NOISES[self.name].source)
        return PrivacyClaim(level or PureDP(self.noise.epsilon), Relation.LISTED, source)

    @property
    def pairs(self) -> tuple[tuple[Array, Array], ...]:
        """0 and the sensitivity; of a pair of sums, 0 and what a record adds."""
        noise = self.noise
        if noise.dimension == 1:
            moves: list[tuple[float, ...]] = [(float(noise.sensitivity),)]
        elif hasattr(noise, "sensitivity"):
            far = float(noise.sensitivity)
            moves = [(far, 0.0), (0.0, far), (far / 2, far / 2)]
        else:
            unit = getattr(noise, "grid", 1)
            half = unit // 2 if hasattr(noise, "grid") else unit / 2
            moves = [(float(x), 1.0) for x in (0, half, unit)]
        return tuple((np.zeros(len(move)), np.array(move)) for move in moves)

    def answer(self, data: Any) -> float:
        """The number, of noise in one coordinate."""
        return float(self._value(data)[0])

    def _value(self, data: Any) -> Array:
        x = np.atleast_1d(np.asarray(data, dtype=np.float64))
        if x.shape != (self.noise.dimension,) or not np.isfinite(x).all():
            what = "a finite number" if self.noise.dimension == 1 else "two finite numbers"
            msg = f"data must be {what}, got data={data!r}"
            raise InvalidArgument(msg)
        return x

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Array:
        """Draw, shape (size,) or (size, 2)."""
        value = self._value(data)
        return np.asarray(
            self.noise.sample(size, rng=rng) + (value if value.size > 1 else value[0])
        )

    def exact_law(self, data: Any) -> Moved:
        """Law of the release."""
        by = tuple(Fraction(float(x)) for x in self._value(data))
        return Moved(self.noise.exact_law(), by if len(by) > 1 else by[0])

    def noise_values(self) -> Any:
        """What the sampler can give: multiples of 1, or a function of one uniform.

        Raises InvalidArgument if it is neither.
        """
        from audit.floats.generator import of_generator
        from audit.floats.inverse_transform import InverseTransform
        from audit.floats.multiples import Multiples

        noise = self.noise
        if noise.dimension > 1:
            msg = f"machine numbers are searched for noise in one coordinate, got {self.name}"
            raise InvalidArgument(msg)
        if hasattr(noise, "pmf"):
            return Multiples(Fraction(1))
        return InverseTransform(of_generator(lambda rng: float(noise.sample(1, rng=rng)[0])))
