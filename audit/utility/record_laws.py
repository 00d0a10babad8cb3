"""Laws of one record: what the audit asks of them, finitely many values, and records with budgets.

Those with densities are in `densities`, the words of a user in `law_words`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument

Array = NDArray[np.float64]
Function = Callable[[float], float]
"""Of one record."""


class Law(Protocol):
    """What the audit asks of a law: moments for bounds, and draws."""

    @property
    def mean(self) -> float:
        """Its mean."""
        ...

    @property
    def variance(self) -> float:
        """Its variance."""
        ...

    @property
    def median(self) -> float:
        """The middle of its medians."""
        ...

    @property
    def symmetric(self) -> bool:
        """Whether it is symmetric about its mean."""
        ...

    @property
    def normal(self) -> bool:
        """Whether it is Gauss's law."""
        ...

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        ...

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function that is smooth except at the kinks."""
        ...

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw `size` independent records."""
        ...


@final
@dataclass(frozen=True, slots=True)
class PointLaw:
    """Finitely many values with exact probabilities; one value is a constant."""

    atoms: tuple[tuple[Fraction, Fraction], ...]
    """Values and probabilities: values different and ascending, probabilities greater than 0,
    adding up to 1."""

    def __post_init__(self) -> None:
        """Check the probabilities."""
        total = sum((chance for _, chance in self.atoms), Fraction(0))
        if total != 1 or any(chance <= 0 for _, chance in self.atoms):
            msg = f"probabilities must be positive and add up to 1, they add up to {total}"
            raise InvalidArgument(msg)

    @property
    def mean(self) -> float:
        """Its mean."""
        return float(self._exact_mean)

    @property
    def _exact_mean(self) -> Fraction:
        return sum((value * chance for value, chance in self.atoms), Fraction(0))

    @property
    def variance(self) -> float:
        """Its variance."""
        mean = self._exact_mean
        return float(sum((chance * (value - mean) ** 2 for value, chance in self.atoms)))

    @property
    def median(self) -> float:
        """The middle of its medians."""
        below, ends = Fraction(0), []
        for value, chance in self.atoms:
            if below <= Fraction(1, 2) <= below + chance:
                ends.append(value)
            below += chance
        return float((ends[0] + ends[-1]) / 2)

    @property
    def symmetric(self) -> bool:
        """Whether it is symmetric about its mean."""
        center = 2 * self._exact_mean
        return dict(self.atoms) == {center - value: chance for value, chance in self.atoms}

    @property
    def normal(self) -> bool:
        """It is not."""
        return False

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order."""
        return self.expectation(lambda x: abs(x - self.mean) ** order)

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:  # noqa: ARG002
        """Mean of any function."""
        return math.fsum(float(chance) * function(float(value)) for value, chance in self.atoms)

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent records."""
        reached = np.cumsum([float(chance) for _, chance in self.atoms])
        values = np.array([float(value) for value, _ in self.atoms])
        places = np.searchsorted(reached, rng.random(size), side="right")
        return np.asarray(values[np.minimum(places, values.size - 1)])


@final
@dataclass(frozen=True, slots=True)
class WithBudgets:
    """Records of a law, each beside a budget: rows (record, budget) for each user."""

    records: Law
    """Of each record."""
    budgets: tuple[float, ...]
    """One for each row, in their order."""

    @property
    def mean(self) -> float:
        """That of the records."""
        return self.records.mean

    @property
    def variance(self) -> float:
        """That of the records."""
        return self.records.variance

    @property
    def median(self) -> float:
        """That of the records."""
        return self.records.median

    @property
    def symmetric(self) -> bool:
        """Whether the records are."""
        return self.records.symmetric

    @property
    def normal(self) -> bool:
        """Whether the records are."""
        return self.records.normal

    def central_moment(self, order: float) -> float:
        """E|X - mean|^order of a record."""
        return self.records.central_moment(order)

    def expectation(self, function: Function, kinks: tuple[float, ...] = ()) -> float:
        """Mean of a function of a record that is smooth except at the kinks."""
        return self.records.expectation(function, kinks)

    def sample(self, size: int, *, rng: np.random.Generator) -> Array:
        """Draw `size` rows, as many as there are budgets."""
        return np.column_stack((self.records.sample(size, rng=rng), self.budgets))
