"""Releases are an exact number plus noise of a scale that is worked out here, not read.

Draws lie near the law of center and noise, and far from those of 5 % more or less noise and of a
wrong center, with error rates as `tests.calibrated` states them. That a sampler draws from the
query that its mechanism states, bit by bit, is in `test_noisy_queries`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.noise.laplace import Laplace
from mechanisms.noise.staircase import Staircase
from mechanisms.registry import build_mechanism
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance

F = Fraction
Law = Laplace | Staircase


@final
@dataclass(frozen=True, slots=True)
class Row:
    """What a mechanism adds to what."""

    name: str
    arguments: dict[str, Any]
    data: list[float]
    center: float
    noise: Law
    beside: tuple[float, ...] = ()
    """Wrong centers, of records or weights that are mixed up."""
    coordinate: int | None = None
    unit: float = 1.0
    """Of the noise, in that of the release."""

    def cdf(self, z: NDArray[np.float64], scale: float = 1, center: float | None = None) -> Any:
        """P(Z <= z) with a scale that is times as large, about a center."""
        middle = self.center if center is None else center
        return self.noise.cdf((z - middle) / (self.unit * scale))


BY_RANK = {"budgets": (8, 2, 8), "low": -1, "high": 2}
ODD = [-7.0, 1.0, math.inf]
OWN = {"epsilon": 2, "low": -3, "high": 5, "release": "pair", "sum_scale": 3, "count_scale": "0.7"}
PAIR = {"epsilon": "1/2", "low": -3, "high": 5, "release": "pair"}
SWAP = {"epsilon": 2, "low": 10, "high": 14}
HALVES = [10.0, 14.0] * 100

ROWS = (
    Row("ksw.independent-laplace", PAIR, ODD, 3.0, Laplace(1, 20), coordinate=0),
    Row("ksw.independent-laplace", PAIR, ODD, 3.0, Laplace(1, 4), coordinate=1),
    Row("ksw.independent-laplace", OWN, ODD, 3.0, Laplace(1, 3), coordinate=0),
    Row("ksw.independent-laplace", OWN, ODD, 3.0, Laplace(1, "0.7"), coordinate=1),
    Row("ksw.shifted-laplace", PAIR, ODD, 0.0, Laplace(1, 16), coordinate=0),
    Row("ksw.shifted-laplace", PAIR, ODD, 3.0, Laplace(1, 4), coordinate=1),
    Row("ksw.shifted-laplace", OWN, ODD, 0.0, Laplace(1, 3), coordinate=0),
    Row("ksw.shifted-laplace", OWN, ODD, 3.0, Laplace(1, "0.7"), coordinate=1),
    Row("ksw.swap-laplace", SWAP, HALVES, 12.0, Laplace(2), unit=4 / 200),
    Row("ksw.swap-staircase", SWAP, HALVES, 12.0, Staircase(2), unit=4 / 200),
    Row(
        "sub.bounded-mean",
        {"epsilon": 2, "low": -1, "high": 3, "release": "pair"},
        [-1.0, 0.0, 3.0, 3.0],
        *(1.0, Laplace(1, 2)),
        coordinate=0,
    ),
    Row(
        "sub.bounded-mean",
        {"epsilon": 2, "low": -1, "high": 3, "release": "pair"},
        [-1.0, 0.0, 3.0, 3.0],
        *(4.0, Laplace(1, 1)),
        coordinate=1,
    ),
    # the margin is (1/4)^(-1/2) = 2
    Row(
        "tri.clipped-mean",
        {"epsilon": "1/2", "low": -1, "high": 2, "beta": "1/4", "moment": 3},
        [-50.0, 0.5, 1.25, 9.0],
        *((-3 + 0.5 + 1.25 + 4) / 4, Laplace(1, F(7, 2))),
    ),
    # signs -1, 0, 1, 1, 1
    Row("tri.tilted-sign", {"epsilon": 2}, [-7.0, 0.0, 1e-300, 3.0, 0.5], 0.4, Laplace(1, F(1, 5))),
    Row(
        "pdp.weighted-mean",
        {"epsilon": 2, "weights": ("1/2", "1/4", "0"), "low": -1, "high": 3},
        [2.0, 7.0, -1.0],
        *(0.5 * 2 + 0.25 * 3, Laplace(1, 1), (1.8,)),
    ),
    # records in the order of their budgets, not of sorted ones
    Row(
        *("pdp.adpm", BY_RANK, [0.5, 9.0, -1.0], (3 * 0.5 + 2 - 3) / 7, Laplace(1, F(3, 14))),
        ((0.5 + 3 * 2 - 3) / 7, (3 * 0.5 + 2 - 3) / 7 + 0.02),
    ),
    Row(
        *("pdp.adpm-as-printed", BY_RANK, [2.0, 0.5, -1.0], (4 + 3 - 7.6) / 15.6),
        *(Laplace(1, F(3) / F(78, 5)), ((4 + 3 - 7.6) / 15.6 + 0.02, 0.5)),
    ),
)


@pytest.mark.parametrize("row", ROWS, ids=[f"{i}-{row.name}" for i, row in enumerate(ROWS)])
def test_a_release_has_its_noise(row: Row, dp_rng: np.random.Generator) -> None:
    """It must hold at the scale of the row, and at no other one and no other center."""
    wrong = [(1.05, row.center), (0.95, row.center), *((1.0, center) for center in row.beside)]
    reach = 8 * math.sqrt(row.noise.variance()) * row.unit
    grid = row.center + np.linspace(-reach, reach, 4001)
    laws = [lambda z, one=one: row.cdf(z, *one) for one in wrong]
    distance = min(law_distance(row.cdf, law, grid) for law in laws)
    mechanism = build_mechanism(row.name, **row.arguments)
    draws = mechanism.sample(row.data, draws_for(distance), rng=dp_rng)
    draws = draws if row.coordinate is None else draws[:, row.coordinate]
    assert_law(draws, row.cdf, distance)
    for law in laws:
        assert_not_law(draws, law, distance)
