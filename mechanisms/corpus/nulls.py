"""Mechanisms that meet a claim of another level exactly, to calibrate auditors on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import (
    GaussianDP,
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    RenyiDP,
    TotalVariationDP,
    ZeroConcentratedDP,
)
from mechanisms.corpus.laws import BellLaw, TwoSidedLaw
from mechanisms.corpus.vectors import Pairs, Vector, claim_listed, one_entry_pairs, scalar, vector
from mechanisms.errors import InvalidArgument
from mechanisms.laws import Moved
from mechanisms.validation import Number, check_choice, check_fraction, check_size

__all__ = ["GaussianLevel", "PersonalizedSum", "UniformWindow"]

LEVELS = ("zcdp", "gdp", "renyi")


@final
@dataclass(frozen=True, slots=True)
class GaussianLevel:
    """x + N(0, sigma^2), which is zCDP, Gaussian DP and Renyi DP with equality at distance 1.

    rho = 1 / (2 sigma^2), mu = 1 / sigma; of order alpha, alpha / (2 sigma^2).
    """

    sigma: Fraction
    level: str
    alpha: Fraction
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, sigma: Number = 1, level: str = "zcdp", alpha: Number = 2) -> None:
        object.__setattr__(self, "sigma", check_fraction(sigma, "sigma", above=0))
        object.__setattr__(self, "level", check_choice(level, "level", LEVELS))
        object.__setattr__(self, "alpha", check_fraction(alpha, "alpha", above=1))

    @property
    def claim(self) -> PrivacyClaim:
        """Tight at distance 1."""
        rho = 1 / (2 * self.sigma**2)
        levels: dict[str, tuple[Level, str, str]] = {
            "zcdp": (ZeroConcentratedDP(rho), "Bun and Steinke 2016", "Proposition 1.6"),
            "gdp": (GaussianDP(1 / self.sigma), "Dong, Roth, Su 2022", "Gaussian mechanism"),
            "renyi": (RenyiDP(self.alpha, self.alpha * rho), "Mironov 2017", "Corollary 3"),
        }
        return claim_listed(*levels[self.level])

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size,)."""
        return scalar(data) + rng.normal(scale=float(self.sigma), size=check_size(size))

    def exact_law(self, data: Any) -> Moved:
        """Law of the release."""
        return Moved(BellLaw(self.sigma), scalar(data))

    def level_exact(self, data: Any, neighbor: Any) -> float:
        """Return the least rho, mu or Renyi epsilon that holds for a pair."""
        mu = abs(scalar(data) - scalar(neighbor)) / float(self.sigma)
        return {"zcdp": mu**2 / 2, "gdp": mu, "renyi": float(self.alpha) * mu**2 / 2}[self.level]


@final
@dataclass(frozen=True, slots=True)
class UniformWindow:
    """x plus one of 0, 1, ..., width - 1, all alike: total variation 1 / width at distance 1.

    No epsilon is large enough: the ends of the window come from one of the two only.
    """

    width: int
    order: ClassVar[Order] = Order.FIXED
    pairs: ClassVar[Pairs] = one_entry_pairs(1)

    def __init__(self, width: int = 10) -> None:
        object.__setattr__(self, "width", check_size(width))

    @property
    def claim(self) -> PrivacyClaim:
        """Tight at distance 1."""
        level = TotalVariationDP(Fraction(1, self.width))
        return claim_listed(level, "Levin and Peres 2017", "Proposition 4.2: half of the L1 norm")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw, shape (size,)."""
        return int(scalar(data)) + rng.integers(self.width, size=check_size(size))

    def exact_law(self, data: Any) -> dict[int, Fraction]:
        """Probabilities of the outputs."""
        first = int(scalar(data))
        return dict.fromkeys(range(first, first + self.width), Fraction(1, self.width))

    def level_exact(self, data: Any, neighbor: Any) -> float:
        """Return the total variation of a pair."""
        return min(1.0, abs(scalar(data) - scalar(neighbor)) / self.width)


@final
@dataclass(frozen=True, slots=True)
class PersonalizedSum:
    """Sum of budget_i x_i plus Lap(1), of one record x_i in [0, 1] of each user."""

    budgets: tuple[Fraction, ...]
    order: ClassVar[Order] = Order.FIXED

    def __init__(self, budgets: tuple[Number, ...] = ("1/2", 1, 2)) -> None:
        object.__setattr__(self, "budgets", PersonalizedDP(tuple(budgets)).budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """One budget a user, each with equality."""
        return claim_listed(PersonalizedDP(self.budgets), "Jorgensen et al. 2015", "Laplace sum")

    @property
    def pairs(self) -> Pairs:
        """The record of each user changes from 0 to 1."""
        n = len(self.budgets)
        return tuple((np.zeros(n), np.eye(n)[user]) for user in range(n))

    def _records(self, data: Any) -> Vector:
        x = vector(data)
        if x.size != len(self.budgets):
            msg = f"data must have {len(self.budgets)} records, got data={data!r}"
            raise InvalidArgument(msg)
        return x

    def _weighted(self, data: Any) -> float:
        x = np.clip(self._records(data), 0, 1)
        return float(x @ np.array([float(b) for b in self.budgets]))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw, shape (size,)."""
        return self._weighted(data) + rng.laplace(size=check_size(size))

    def exact_law(self, data: Any) -> Moved:
        """Law of the release: the noise, moved by the sum, which is exact here."""
        records = [Fraction(x) for x in np.clip(self._records(data), 0, 1).tolist()]
        by = sum((b * x for b, x in zip(self.budgets, records, strict=True)), Fraction(0))
        return Moved(TwoSidedLaw(Fraction(1)), by)

    def level_exact(self, data: Any, neighbor: Any) -> float:
        """Return the least epsilon that holds for a pair."""
        return abs(self._weighted(data) - self._weighted(neighbor))
