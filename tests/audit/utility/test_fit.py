"""Comparisons of draws with stated laws: exact error rates, and laws that are slightly wrong."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from audit.utility.exact_laws import law_of_mechanism, law_of_points, laws_of_noise
from audit.utility.fit import (
    CdfLaw,
    CellLaw,
    band,
    cdf_distance,
    divergence,
    divergence_limit,
    draws_for_band,
    pooled,
)
from audit.utility.noise_moments import coordinates
from mechanisms.registry import NOISES, build_mechanism, build_noise

DRAWS = 60_000
ERROR = 1e-9


def misfit(law: CdfLaw | CellLaw, draws: Any, first: Any) -> float:
    """How many times its limit a distance is."""
    if isinstance(law, CdfLaw):
        values = first if law.column is None else law.column(draws)
        return cdf_distance(values, law) / band(values.size, ERROR)
    places = pooled(law.chances, len(draws))
    chances = np.bincount(places, weights=law.chances).astype(np.float64)
    counts = np.bincount(places[law.cell(draws)], minlength=chances.size)
    return divergence(counts, chances) / divergence_limit(chances.size, ERROR)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", ["1/4", 1, 5])
@pytest.mark.parametrize("name", NOISES)
def test_draws_of_a_noise_law_fit_it(
    name: str, epsilon: str | int, dp_rng: np.random.Generator
) -> None:
    """It must hold that draws fit each stated law, and that those of a law 15 % beside do not."""
    key = "sigma" if name.endswith("gaussian") else "epsilon"
    noise = build_noise(name, **{key: epsilon})
    other = build_noise(name, **{key: Fraction(epsilon) * Fraction(85, 100)})
    draws, wrong = (one.sample(DRAWS, rng=dp_rng) for one in (noise, other))
    laws = laws_of_noise(noise)
    found = [misfit(law, draws, coordinates(noise, draws)[0]) for law in laws]
    against = [misfit(law, wrong, coordinates(noise, wrong)[0]) for law in laws]
    assert max(found) < 1
    assert max(against) > 1


def test_independent_coordinates_are_no_hourglass(dp_rng: np.random.Generator) -> None:
    """KSW-ER20: with the right marginals, but the sum drawn apart, only the joint law can tell."""
    noise = build_noise("hourglass")
    draws = noise.sample(DRAWS, rng=dp_rng)
    apart = draws.copy()
    apart[:, 1] = dp_rng.permutation(apart[:, 1])
    found = {law.words: misfit(law, apart, apart[:, 0]) for law in laws_of_noise(noise)}
    assert found["first coordinate"] < 1
    assert found["sum of the coordinates"] < 1
    assert found["level and sum"] > 1


def test_turned_coordinates_are_no_l1_staircase(dp_rng: np.random.Generator) -> None:
    """It must hold that the right marginals, drawn apart, are told by the sum of their sizes."""
    noise = build_noise("l1-staircase", epsilon=5)
    draws = noise.sample(DRAWS, rng=dp_rng)
    draws[:, 1] = dp_rng.permutation(draws[:, 1])
    found = {law.words: misfit(law, draws, draws[:, 0]) for law in laws_of_noise(noise)}
    assert max(found["first coordinate"], found["second coordinate"]) < 1
    assert found["sum of absolute values"] > 1


MECHANISMS_WITH_LAWS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("ksw.transformed-laplace", {}, {"epsilon": "9/10"}),
    ("sub.threshold", {}, {"epsilon": "4/5"}),
    ("sub.threshold-grid", {}, {"epsilon": "4/5"}),
    ("sub.inverse-sensitivity", {}, {"epsilon": "9/10"}),
    ("tri.name-and-shame", {}, {"delta": "12/100"}),
    ("pdp.find-quantile", {}, {"epsilon": "9/10"}),
    ("pdp.radius", {"epsilon": 10, "b": "1/16"}, {"epsilon": 9, "b": "1/16"}),
    ("pdp.discretization", {}, {"epsilon": "1/2"}),
]


@pytest.mark.parametrize(("name", "arguments", "changed"), MECHANISMS_WITH_LAWS)
def test_draws_of_a_mechanism_fit_its_law(
    name: str, arguments: dict[str, Any], changed: dict[str, Any], dp_rng: np.random.Generator
) -> None:
    """It must hold that releases fit the stated law, and those of other parameters do not."""
    data = np.array([0.0, 0.25, 0.25, 0.5, 1.0])
    law = law_of_mechanism(build_mechanism(name, **arguments), data)
    assert law is not None
    for parameters, fits in ((arguments, True), (changed, False)):
        draws = build_mechanism(name, **parameters).sample(data, DRAWS, rng=dp_rng)
        assert (misfit(law, draws, draws) < 1) == fits


UNCOMPARED = ("tri.name-and-shame", "tri.coarse", "ksw.transformed-staircase", "pdp.diffusion")


@pytest.mark.parametrize("name", UNCOMPARED)
def test_a_law_that_cannot_be_compared_is_none(name: str) -> None:
    """It must hold that too many outcomes, a told coin, bits, or no law at all is no comparison."""
    mechanism = build_mechanism(name)
    count = getattr(mechanism, "count", None) or 13
    assert law_of_mechanism(mechanism, np.arange(float(count))) is None


def test_atoms_count_on_their_own_side() -> None:
    """It must hold that a constant, and draws on two points, have distance 0."""
    law = law_of_points("coin", {Fraction(0): 0.25, Fraction(1): 0.75})
    draws = np.repeat([0.0, 1.0], [25, 75])
    assert cdf_distance(draws, law) < 1e-12
    assert cdf_distance(1 - draws, law) == pytest.approx(0.5)
    mean = build_mechanism("ksw.transformed-laplace", low=2, high=2)
    constant = law_of_mechanism(mean, np.array([2.0]))
    assert constant is not None
    assert cdf_distance(np.full(10, 2.0), constant) == 0


def test_points_of_very_different_sizes_are_told_apart() -> None:
    """It must hold that a draw is one number, though others are within 1e-9 of the largest."""
    law = law_of_points("power", {Fraction(2) ** k: 0.25 for k in (0, 1, 40, 60)})
    draws = np.repeat(2.0 ** np.array([0, 1, 40, 60]), 25)
    assert cdf_distance(draws, law) < 1e-12
    assert cdf_distance(np.nextafter(draws, 0), law) < 1e-12
    assert cdf_distance(np.repeat([1.0, 2.0, 2.0**41], [25, 25, 50]), law) == pytest.approx(0.25)


def test_band_is_that_of_massart() -> None:
    """It must hold that the band has its error, and that twice the distance is seen."""
    assert 2 * math.exp(-2 * 1000 * band(1000, 0.01) ** 2) == pytest.approx(0.01)
    n = draws_for_band(0.05, 1e-3, 0.1)
    assert band(n, 1e-3) + band(n, 0.1) <= 0.05 < band(n - 2, 1e-3) + band(n - 2, 0.1)


@pytest.mark.parametrize("chances", [(0.5, 0.5), (0.9, 0.05, 0.05), (0.4, 0.3, 0.2, 0.1)])
@pytest.mark.parametrize("draws", [1, 4, 9])
def test_the_limit_of_a_divergence_has_its_error(chances: tuple[float, ...], draws: int) -> None:
    """It must hold, over all counts, that the true law reaches the limit at most so often."""
    cells = len(chances)
    for error in (0.5, 0.1, 0.01):
        limit, reached = divergence_limit(cells, error), 0.0
        for counts in itertools.product(range(draws + 1), repeat=cells):
            if sum(counts) == draws:
                chance = stats.multinomial.pmf(counts, draws, chances)
                found = divergence(np.array(counts), np.array(chances))
                reached += float(chance) * (found >= limit)
        assert reached <= error


def test_the_limit_solves_its_equation() -> None:
    """e^(-t) (e t / (k - 1))^(k - 1) must be the error at the limit, and nothing for one cell."""
    for cells, error in ((2, 0.05), (81, 1e-6), (625, 1e-9)):
        t, free = divergence_limit(cells, error), cells - 1
        assert t > free
        assert free - t + free * math.log(t / free) == pytest.approx(math.log(error), abs=1e-6)
    assert divergence_limit(1, 0.01) == 0


def test_a_draw_in_an_impossible_cell_is_infinitely_far() -> None:
    """It must hold that an event of probability 0 refutes a law."""
    assert divergence(np.array([5, 1]), np.array([1.0, 0.0])) == math.inf


def test_pooled_cells_expect_ten_draws() -> None:
    """It must hold that cells are joined in order, and that each then expects 10 draws."""
    chances = np.array([0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125])
    for draws in (5, 100, 10_000):
        places = pooled(chances, draws)
        assert np.all(np.diff(places) >= 0)
        assert places[0] == 0
        joined = np.bincount(places, weights=chances) * draws
        assert joined.size == 1 or joined.min() >= 10
    assert pooled(chances, 10_000).max() == 5
