"""Registered noise laws as targets: each coordinate's mean, variance, mean size, and the law."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.targets.target import Target
from audit.utility.error_cases import ErrorCase, Read
from audit.utility.exact_laws import laws_of_noise
from mechanisms.claims import Source
from mechanisms.registry import NOISES, build_noise
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

Array = NDArray[np.float64]


def noise_target(name: str, parameters: Mapping[str, Any]) -> tuple[Target, Any]:
    """Make a noise law, and a target that draws it; the law is not private by itself.

    Raises InvalidArgument if a parameter is unknown or out of its domain.
    """
    noise = build_noise(name, **parameters)

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:  # noqa: ARG001
        return noise.sample(size, rng=rng)

    return Target(name=name, draw=draw, claim=None, parameters=dict(parameters)), noise


def coordinates(noise: Any, draws: NDArray[Any]) -> tuple[Array, ...]:
    """Coordinates of draws, each of shape (n,), in the unit of the law's variance.

    Hourglasses draw (z1, T) with z2 = T - z1; the discrete one has z1 in steps of 1 / grid.
    """
    if noise.dimension == 1:
        return (np.asarray(draws, dtype=np.float64),)
    first = np.asarray(draws[:, 0], dtype=np.float64) / getattr(noise, "grid", 1)
    second = np.asarray(draws[:, 1], dtype=np.float64)
    return first, second - first if hasattr(noise, "total_pmf") else second


def noise_cases(name: str, noise: Any) -> list[ErrorCase]:
    """Each coordinate with its closed moments; the laws are compared beside the first.

    `name`: of the law. `noise`: the law itself, with `mean_absolute`, `variance` and
    `fourth_moment`.
    """
    source = Source("law", NOISES[name].source)
    variance, fourth = noise.variance(), noise.fourth_moment()
    claims = (
        UtilityClaim(Quantity.BIAS, Fraction(0), source, symmetric=True),
        UtilityClaim(Quantity.MSE, variance, source, exactly=True, square=fourth),
        UtilityClaim(Quantity.MAE, noise.mean_absolute(), source, exactly=True, square=variance),
    )
    words = ("the noise",) if noise.dimension == 1 else ("first coordinate", "second coordinate")

    def reader(place: int) -> Read:
        return lambda draws: coordinates(noise, draws)[place]

    return [
        ErrorCase(
            label,
            Truth(Fraction(0), "mean"),
            claims,
            read=reader(place),
            column=place,
            fits=laws_of_noise(noise) if place == 0 else (),
        )
        for place, label in enumerate(words)
    ]
