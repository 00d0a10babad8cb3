"""Estimators of known bias and error, as targets and cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.targets.target import Target
from audit.utility.error_audit import UtilitySettings, audit_utility
from audit.utility.error_cases import ErrorCase
from audit.utility.error_result import UtilityResult
from mechanisms.claims import Source
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

Array = NDArray[np.float64]
Draw = Callable[[int, np.random.Generator], Array]

SOURCE = Source("test", "here")
TRUTH = Truth(Fraction(5), "mean")


def rare(n: int, rng: np.random.Generator) -> Array:
    """Mean 0 and variance 1; one draw in 50 is large."""
    hits = rng.random(n) < 1 / 50
    return (hits * 50 - 1) / 7.0


NOISES: dict[str, Draw] = {
    "Laplace": lambda n, rng: rng.laplace(scale=0.5**0.5, size=n),
    "normal": lambda n, rng: rng.normal(size=n),
    "Student's of 5": lambda n, rng: rng.standard_t(5, n) * 0.6**0.5,
    "rare": rare,
    "exponential": lambda n, rng: rng.exponential(size=n) - 1,
}
"""Errors of mean 0 and variance 1."""

MEAN_SIZES = {"Laplace": 0.5**0.5, "normal": (2 / np.pi) ** 0.5, "exponential": 2 / np.e}
FOURTH = {"Laplace": 6.0, "normal": 3.0, "rare": 7**4 / 50 + 49 / 50 / 7**4}
SYMMETRIC = ("Laplace", "normal", "Student's of 5")


def unbiased(*, symmetric: bool = False) -> UtilityClaim:
    """The claim of no bias."""
    return UtilityClaim(Quantity.BIAS, Fraction(0), SOURCE, symmetric=symmetric)


def mean_square(bound: float = 1.0, **more: Any) -> UtilityClaim:
    """A claim of the mean squared error."""
    return UtilityClaim(Quantity.MSE, bound, SOURCE, **more)


def mean_size(bound: float, **more: Any) -> UtilityClaim:
    """A claim of the mean absolute error."""
    return UtilityClaim(Quantity.MAE, bound, SOURCE, **more)


def case_of(*claims: UtilityClaim, label: str = "case", **more: Any) -> ErrorCase:
    """Three records of mean 5."""
    data = np.array([4.0, 5.0, 6.0])
    return ErrorCase(label, TRUTH, claims, count=3, data=data, scale=6.0, **more)


def target_of(noise: Draw, *, shift: float = 0.0, factor: float = 1.0) -> Target:
    """The mean of the records, shifted, plus noise times a factor."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Array:
        return np.asarray(np.mean(data) + shift + factor * noise(size, rng))

    return Target(name="estimator", draw=draw, claim=None)


def run(
    target: Target,
    *cases: ErrorCase,
    seed: int = 1,
    false_alarm: float = 0.05,
    samples: int = 1_000_000,
    seconds: float = 60.0,
    resolution: float = 0.2,
    seedable: bool = True,
) -> UtilityResult:
    """Audit with usual settings."""
    settings = UtilitySettings(seed, false_alarm, samples, seconds, resolution)
    return audit_utility(replace(target, seedable=seedable), cases, settings, made="")
