"""Laws that mechanisms of the corpus state for `--mode exact`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from mechanisms.laws import LatticeAtoms, integers
from mechanisms.protocols import Arithmetic

__all__ = ["BellLaw", "OutcomeLaw", "TwoSidedLaw"]


@final
@dataclass(frozen=True, slots=True)
class TwoSidedLaw:
    """Density rate e^(-rate |z|) / 2; on the integers pmf (1 - b) / (1 + b) b^|z|, b = e^-rate."""

    rate: Fraction
    on_integers: bool = False

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """The peak; of a pmf, its atoms."""
        if self.on_integers:
            return integers(lower, upper)
        return (Fraction(0),) if lower <= 0 <= upper else ()

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Any, Any]:
        """Every integer, or none."""
        if not self.on_integers:
            return {}
        return LatticeAtoms(1, lambda point: numbers.exp(self.log_density(point, numbers)))

    def log_density(self, point: Any, numbers: Arithmetic[Any]) -> Any:
        """Return ln(normalizer) - rate |z|."""
        factor = numbers.rational(self.rate / 2)
        if self.on_integers:
            one, b = numbers.rational(Fraction(1)), numbers.exp(numbers.rational(-self.rate))
            factor = (one - b) / (one + b)
        return numbers.log(factor) - numbers.rational(self.rate * abs(point))


@final
@dataclass(frozen=True, slots=True)
class BellLaw:
    """Density of N(0, sigma^2)."""

    sigma: Fraction

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:  # noqa: ARG002
        """One formula holds everywhere."""
        return ()

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Any, Any]:  # noqa: ARG002
        """No point has positive probability."""
        return {}

    def log_density(self, point: Any, numbers: Arithmetic[Any]) -> Any:
        """Return -z^2 / (2 sigma^2) - ln(sigma sqrt(2 pi))."""
        root = numbers.sqrt(numbers.rational(Fraction(2)) * numbers.pi())
        square = numbers.rational(-(point * point) / (2 * self.sigma**2))
        return square - numbers.log(numbers.rational(self.sigma) * root)


@final
@dataclass(frozen=True, slots=True)
class OutcomeLaw:
    """Finitely many outcomes with probabilities by a formula over an `Arithmetic`."""

    formula: Callable[[Any], Mapping[Hashable, Any]]
    rational: bool = False
    cuts: tuple[Fraction, ...] = ()

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """Evaluate the formula."""
        return self.formula(numbers)

    def describe(self, outcome: Any) -> str:
        """Say which outcome it is."""
        return f"z = {outcome}"
