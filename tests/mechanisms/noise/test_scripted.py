"""What a sampler makes of its draws is the stated law: without statistics, to twelve digits.

A level is drawn by cutting an exponential variate E: it is i or more where E >= -ln P(i or more),
with the probability of the law that the class states (`exact_law`), computed with balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.noise.discrete_hourglass import DiscreteHourglass
from mechanisms.noise.gaussian import Gaussian
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.levels import CENTER
from mechanisms.noise.staircase import Staircase
from mechanisms.registry import NOISES
from proofs_check.enclosure import Ball, Balls
from tests.scripted_generator import ScriptedGenerator

F = Fraction
NUMBERS = Balls(256)
NEAR = 1e-11
"""Relative distance from a cut: far above rounding, far below any slip."""
LEVELS = 6
EPSILON, GAMMA = F(7, 10), F(3, 8)


def mass(law: Any, *points: Any) -> Ball:
    """Sum of a stated density over points of an enumeration."""
    found = [NUMBERS.exp(law.log_density(point, NUMBERS)) for point in points]
    return sum(found[1:], found[0])


def cuts(tails: list[Ball]) -> NDArray[np.float64]:
    """Where an exponential variate reaches a level, for levels 1, 2, ..."""
    return np.array([float((-NUMBERS.log(tail)).value) for tail in tails])


def tails(masses: list[Ball]) -> list[Ball]:
    """P(i or more) for i = 1, 2, ..., of the masses of levels 0, 1, ..."""
    found, left = [], NUMBERS.rational(F(1))
    for part in masses:
        left = left - part
        found.append(left)
    return found


def around(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Just below each cut, and just above."""
    return np.concatenate((at * (1 - NEAR), at * (1 + NEAR)))


EXPECTED = np.array([*range(LEVELS), *range(1, LEVELS + 1)])
"""Levels on either side of the cuts of levels 1, ..., LEVELS."""
QUIET = np.zeros(2 * LEVELS)
RIGHT = np.full(2 * LEVELS, 0.75)


def of_staircase(slip: float = 1) -> tuple[Any, Any]:
    """Levels of the staircase, by the mass of its density on both sides."""
    noise = Staircase(EPSILON, 1, GAMMA)
    law = noise.exact_law()
    middle = mass(law, F(0)) * (2 * GAMMA)
    sides = [mass(law, i - 1 + GAMMA) * 2 for i in range(1, LEVELS)]
    script = [
        ("standard_exponential", around(cuts(tails([middle, *sides]))) * slip),
        ("random", RIGHT),
    ]
    return noise.sample_with_level(2 * LEVELS, rng=ScriptedGenerator(script))[1], EXPECTED


def of_geometric(slip: float = 1) -> tuple[Any, Any]:
    """Sizes of the two-sided geometric law."""
    noise = Geometric(EPSILON)
    law = noise.exact_law()
    masses = [mass(law, F(0)), *(mass(law, F(i), F(-i)) for i in range(1, LEVELS))]
    script = [("standard_exponential", around(cuts(tails(masses))) * slip), ("random", RIGHT)]
    return noise.sample(2 * LEVELS, rng=ScriptedGenerator(script)), EXPECTED


LINES = range(-200, 201)


def of_hourglass_level(slip: float = 1) -> tuple[Any, Any]:
    """Levels of the first coordinate, summed over all lines."""
    noise = Hourglass(EPSILON, GAMMA)
    law = noise.exact_law()
    middle = mass(law, *((F(0), F(t)) for t in LINES)) * (2 * GAMMA)
    sides = [mass(law, *((i - 1 + GAMMA, F(t)) for t in LINES)) * 2 for i in range(1, LEVELS)]
    script = [
        ("standard_exponential", around(cuts(tails([middle, *sides]))) * slip),
        ("standard_exponential", QUIET),
        ("random", RIGHT),
    ]
    return noise.sample_parts(2 * LEVELS, rng=ScriptedGenerator(script))[1], EXPECTED


def of_hourglass_sum(slip: float = 1) -> tuple[Any, Any]:
    """Distance of T from the level 0 of the first coordinate, on either side alike."""
    noise = Hourglass(EPSILON, GAMMA)
    law = noise.exact_law()
    line = mass(law, *((F(0), F(t)) for t in LINES))
    masses = [mass(law, *((F(0), F(t)) for t in {i, -i})) / line for i in range(LEVELS)]
    script = [
        ("standard_exponential", QUIET),
        ("standard_exponential", around(cuts(tails(masses))) * slip),
        ("random", np.full(2 * LEVELS, 0.99)),
    ]
    return noise.sample_parts(2 * LEVELS, rng=ScriptedGenerator(script))[1], EXPECTED


def of_discrete_level(slip: float = 1) -> tuple[Any, Any]:
    """Levels of the first coordinate on the grid; T follows them."""
    noise = DiscreteHourglass(EPSILON, 5, 2)
    law = noise.exact_law()
    columns = [[0, 1, -1], *([i * 5 - 3 + k for k in range(5)] for i in range(1, LEVELS))]
    masses = [mass(law, *((F(j), F(t)) for j in js for t in LINES)) for js in columns]
    script = [
        (
            "standard_exponential",
            around(cuts(tails([masses[0], *(2 * m for m in masses[1:])]))) * slip,
        ),
        ("standard_exponential", QUIET),
        ("random", np.stack((RIGHT, RIGHT))),
        ("integers", np.zeros(2 * LEVELS)),
        ("integers", np.zeros(2 * LEVELS)),
    ]
    return noise.sample_parts(2 * LEVELS, rng=ScriptedGenerator(script))[1], EXPECTED


def of_l1_radius(slip: float = 1) -> tuple[Any, Any]:
    """The number of diamonds of the first part is geometric of ratio b."""
    noise = L1Staircase(EPSILON, 1, GAMMA)
    b = NUMBERS.exp(NUMBERS.rational(-EPSILON))
    script = [
        ("random", QUIET),
        ("standard_exponential", around(cuts([b**i for i in range(1, LEVELS + 1)])) * slip),
        ("standard_exponential", QUIET),
        ("standard_exponential", QUIET),
        ("uniform", np.stack((np.ones(2 * LEVELS), np.full(2 * LEVELS, 0.5)))),
    ]
    drawn = noise.sample(2 * LEVELS, rng=ScriptedGenerator(script))
    return np.abs(drawn).sum(axis=1), EXPECTED + float(GAMMA)


LEVELED: dict[str, Callable[..., tuple[Any, Any]]] = {
    "staircase": of_staircase,
    "geometric": of_geometric,
    "hourglass, level": of_hourglass_level,
    "hourglass, sum": of_hourglass_sum,
    "discrete hourglass": of_discrete_level,
    "l1 staircase": of_l1_radius,
}


@pytest.mark.parametrize("name", LEVELED)
def test_levels_are_cut_where_the_stated_law_has_them(name: str) -> None:
    """It must hold on both sides of each cut; a part in a billion, either way, must show."""
    found, expected = LEVELED[name]()
    assert np.abs(found - expected).max() < 1e-12
    for slip in (1 - 1e-9, 1 + 1e-9):
        found, expected = LEVELED[name](slip)
        assert np.abs(found - expected).max() > 0.5


@pytest.mark.parametrize(
    ("method", "noise", "scale"),
    [
        ("laplace", Laplace(F(7, 10), 3), F(30, 7)),
        ("laplace", Laplace(F(1, 3)), F(3)),
        ("normal", Gaussian(F(7, 5)), F(7, 5)),
    ],
)
def test_scales_are_the_stated_ones(method: str, noise: Any, scale: Fraction) -> None:
    """It must hold to a unit of the last place, and the draws are these times the scale."""
    unit = np.array([0.0, 1.0, -2.5])
    rng = ScriptedGenerator([(method, unit)])
    drawn = noise.sample(3, rng=rng)
    ((_, (asked, size)),) = rng.asked
    assert size == 3
    law = noise.exact_law()
    stated = 1 / law.rate if method == "laplace" else law.sigma
    assert stated == scale
    assert abs(asked - float(scale)) <= math.ulp(float(scale))
    assert np.abs(drawn - unit * float(scale)).max() <= 3 * math.ulp(float(scale))


@pytest.mark.parametrize(("level", "low"), [(0, 0.0), (1, float(GAMMA)), (4, 3 + float(GAMMA))])
def test_a_place_on_a_level_is_uniform(level: int, low: float) -> None:
    """It must hold that places are a linear function of one uniform number, signs of its half."""
    noise = Staircase(EPSILON, 2, GAMMA)
    uniform = np.array([0.1, 0.4, 0.6, 0.999])
    tail = [NUMBERS.exp(NUMBERS.rational(-EPSILON * i)) for i in (level, level + 1)]
    y = GAMMA + NUMBERS.exp(NUMBERS.rational(-EPSILON)) * (1 - GAMMA)
    between = max(0.0, float((-NUMBERS.log(tail[0] / y)).value)) + 1e-3
    script = [("standard_exponential", np.full(4, between)), ("random", uniform)]
    drawn = noise.sample(4, rng=ScriptedGenerator(script))
    length = float(GAMMA) if level == 0 else 1.0
    signed = uniform - CENTER
    expected = np.copysign(low + length * 2 * np.abs(signed), signed) * 2
    assert np.abs(drawn - expected).max() < 1e-14


def test_the_mixture_of_diamonds_has_its_weights() -> None:
    """It must hold that k has the weight b^k (k + gamma)^2, in three parts."""
    noise = L1Staircase(EPSILON, 1, GAMMA)
    b = NUMBERS.exp(NUMBERS.rational(-EPSILON))
    odds = b / (1 - b)
    weights = [odds * 0 + GAMMA**2, odds * (1 + 2 * GAMMA), odds * odds * 2]
    total = weights[0] + weights[1] + weights[2]
    ends = [float((part / total).value) for part in (weights[0], weights[0] + weights[1])]
    at = np.array([end * (1 + side) for end in ends for side in (-NEAR, NEAR)])
    script = [("random", at), *[("standard_exponential", np.zeros(4))] * 3]
    script.append(("uniform", np.full((2, 4), 1.0)))
    drawn = noise.sample(4, rng=ScriptedGenerator(script))
    assert np.abs(drawn).sum(axis=1) == pytest.approx(np.array([0, 1, 1, 2]) + float(GAMMA))


REJECTED = {"discrete-gaussian": "drawn by rejection: its cdf is compared in tests/contracts"}
"""Laws whose draws are no cut of a variate."""


def test_every_noise_law_is_scripted() -> None:
    """It must hold that a new law is added here, or says why not."""
    names = {name.split(",")[0].replace(" ", "-") for name in LEVELED} | {"laplace", "gaussian"}
    assert names | set(REJECTED) == set(NOISES)
