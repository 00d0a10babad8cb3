"""What the personalized mechanisms promise of errors, against exact laws and enumerations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, stats

from audit.utility.law_words import read_law
from mechanisms.laws import FLOATS
from mechanisms.personalized.adpm import ADPM
from mechanisms.personalized.quantile.diffused_quantile import DiffusedQuantile
from mechanisms.personalized.quantile.find_quantile import FindQuantile
from mechanisms.personalized.saturation import slow_saturate
from mechanisms.personalized.sparse.discretization import Discretization
from mechanisms.personalized.sparse.radius import Radius
from mechanisms.personalized.sparse.utility import matched_within
from mechanisms.personalized.weighted_mean import WeightedMean
from mechanisms.utility_claims import Quantity, UtilityClaim
from tests.slow import by_default

F = Fraction
Array = NDArray[np.float64]

UNION = 0.5130711874576985
"""Times beta: what the union bound of PDP-L6 really needs, rounded up."""


def bounds(claims: tuple[UtilityClaim, ...]) -> dict[tuple[str, bool], float]:
    """Bounds by quantity and whether they are equalities."""
    return {(claim.quantity.value, claim.exactly): float(claim.bound) for claim in claims}


def missed(law: Any, claim: UtilityClaim) -> float:
    """Probability that a release lies outside the interval, by its exact law."""
    assert claim.interval is not None
    low, high = claim.interval
    chances = law.masses(FLOATS).items()
    return math.fsum(float(mass) for z, mass in chances if not low <= float(z) <= high)


ONE_OF_EACH: list[ADPM | WeightedMean] = [
    ADPM(("1/10", 2, 8), -1, 3),
    WeightedMean(2, ("1/2", 0, 3), -1, 3),
]


@pytest.mark.parametrize("mechanism", ONE_OF_EACH)
def test_errors_of_weighted_means_on_data(mechanism: ADPM | WeightedMean) -> None:
    """Bias, mean square, mean size and fourth moment must be integrals over the Laplace noise."""
    data = np.array([-1.0, 0.25, 3.0])
    query = mechanism.weighted_query()
    center = sum(float(w) * x for w, x in zip(query.weights, data, strict=True))
    claims = mechanism.utility_claims(data)
    truth = float(claims[0].truth.value) if claims[0].truth else float(data.mean())
    law = stats.laplace(loc=center - truth, scale=float(query.scale))

    def moment(power: int) -> float:
        def weighted(x: float) -> float:
            return float(abs(x) ** power * law.pdf(x))

        cuts = sorted({-np.inf, 0.0, center - truth, np.inf})
        return math.fsum(
            integrate.quad(weighted, a, b, epsabs=1e-13)[0] for a, b in itertools.pairwise(cuts)
        )

    assert bounds(claims) == {
        ("bias", False): pytest.approx(abs(center - truth), abs=1e-14),
        ("mse", True): pytest.approx(moment(2), rel=1e-8),
        ("mae", True): pytest.approx(moment(1), rel=1e-8),
    }
    squares = {claim.quantity: claim.square for claim in claims}
    assert squares[Quantity.MSE] == pytest.approx(moment(4), rel=1e-8)
    assert squares[Quantity.MAE] == pytest.approx(moment(2), rel=1e-8)


@pytest.mark.parametrize("mechanism", ONE_OF_EACH)
def test_errors_of_weighted_means_under_a_law(mechanism: ADPM | WeightedMean) -> None:
    """Mean square and its square must be those of all data sets of the law."""
    law, query = read_law("points -1:1/2 0:1/8 3:3/8"), mechanism.weighted_query()
    claims = mechanism.utility_claims_under(law, 3)
    exact = next(claim for claim in claims if claim.exactly)
    second, fourth = 2 * query.scale**2, 24 * query.scale**4  # of the noise
    mean = sum((x * p for x, p in law.atoms), F(0))
    found = [F(0), F(0)]
    for atoms in itertools.product(law.atoms, repeat=3):
        chance = math.prod((p for _, p in atoms), start=F(1))
        pairs = zip(query.weights, atoms, strict=True)
        error = sum((w * (x - mean) for w, (x, _) in pairs), F(0))
        found[0] += chance * (error**2 + second)
        found[1] += chance * (error**4 + 6 * error**2 * second + fourth)
    assert float(exact.bound) == pytest.approx(float(found[0]), rel=1e-12)
    assert exact.square == pytest.approx(float(found[1]), rel=1e-12)
    assert bounds(claims)["bias", False] == 0


def test_the_printed_bound_is_that_of_fair_coins() -> None:
    """PDP-A3: no law in the bounds is worse than a coin on both ends, which attains the bound."""
    mechanism = ADPM(("1/10", 2, 8), -1, 3)
    found = slow_saturate(mechanism.budgets)
    worst = 16 * found.squares / (4 * found.total**2)
    for text, attained in (("points -1:1/2 3:1/2", True), ("uniform -1 3", False)):
        claims = bounds(mechanism.utility_claims_under(read_law(text), 3))
        assert claims["mse", False] == pytest.approx(float(worst), rel=1e-12)
        exact = claims["mse", True] / claims["mse", False]
        assert exact == pytest.approx(1, rel=1e-12) if attained else exact < 0.99


@pytest.mark.parametrize("mechanism", ONE_OF_EACH)
def test_nothing_is_promised_of_records_out_of_the_bounds(mechanism: Any) -> None:
    """It must hold that no claim is made beyond the bounds, of other counts, or without noise."""
    assert mechanism.utility_claims([0.0, 0.0, 3.1]) == ()
    assert mechanism.utility_claims([0.0, 0.0, math.nan]) == ()
    assert mechanism.utility_claims([0.0, 0.0]) == ()
    assert mechanism.utility_claims_under(read_law("normal 1 1"), 3) == ()
    assert mechanism.utility_claims_under(read_law("uniform -1 3.01"), 3) == ()
    assert mechanism.utility_claims_under(read_law("uniform -1 3"), 4) == ()
    for silent in (ADPM((0, 0, 0)), ADPM((1, 1, 1), 2, 2), WeightedMean(1, (0, 0, 0))):
        data = np.full(3, float(silent.low))
        assert silent.utility_claims(data) == ()
        assert silent.utility_claims_under(read_law(f"point {silent.low}"), 3) == ()


def grids() -> Iterator[tuple[int, list[int]]]:
    """Grids of 2 to 60 points, and places of records: all at an end, two heaps, spread ones."""
    rng = np.random.default_rng(8)
    for last in (1, 4, 59):
        for m in (1, 4, 9, 16, 25):
            yield last, [0] * m
            yield last, [0] * (m - m // 3) + [last] * (m // 3)
            yield last, rng.integers(0, last + 1, m).tolist()


def test_medians_miss_their_interval_as_rarely_as_stated() -> None:
    """PDP-L7 with 2 for 4: by exact laws, never more than zeta, and nearly so on heaps."""
    most = 0.0
    for last, places in grids():
        for epsilon in ("1/2", 1, "3/2", 2, "7/2", 10):
            mechanism = FindQuantile(epsilon, 0, last, 1)
            data = np.array(places, dtype=float)
            for claim in mechanism.utility_claims(data):
                miss = missed(mechanism.exact_law(data), claim)
                assert miss <= claim.bound
                most = max(most, miss)
    assert most > 0.02


def profiles() -> Iterator[tuple[tuple[Fraction, ...], int]]:
    """Budgets of up to 8 users and tau: all survive, most do, few do."""
    for tau, count in itertools.product((8, 40, 1000), (3, 8)):
        for gap in (F(-1), F(1, 100), F(1, 2), F(2)):
            yield (tau - gap,) * count, tau
            yield (F(tau),) * (count // 2) + (tau - gap,) * (count - count // 2), tau


def test_diffused_medians_miss_their_interval_as_rarely_as_stated() -> None:
    """PDP-L7 and PDP-T7: by exact laws of up to 8 users, survivors and all, at most zeta."""
    stated = 0
    for budgets, tau in profiles():
        count = len(budgets)
        for heap in (0, 1, count // 2):
            data = np.array([3.0] * (count - heap) + [40.0] * heap)
            mechanism = DiffusedQuantile(budgets, tau, 0, 50, 1)
            for claim in mechanism.utility_claims(data):
                stated += 1
                assert missed(mechanism.exact_law(data), claim) <= claim.bound
    assert stated > 20


def test_a_median_of_few_survivors_is_promised_nothing() -> None:
    """It must hold that an interval is left out where the survivors may all be gone."""
    often = DiffusedQuantile((F(1000) - F(1, 1000),) * 12, 1000, 0, 50, 1)
    rarely = DiffusedQuantile((F(1000) - F(23, 10),) * 12, 1000, 0, 50, 1)
    assert often.utility_claims(np.full(12, 3.0))
    assert rarely.utility_claims(np.full(12, 3.0)) == ()
    assert DiffusedQuantile((0, 0)).utility_claims([1.0, 1.0]) == ()


RADII: list[list[float]] = [
    [0.5],
    [0.5] * 7 + [3.0],
    [1.0] * 5 + [2.5] * 5 + [300.0] * 5,
    [2.0**k for k in range(-3, 9)] * 3,
    [1e6] * 60,
]


@pytest.mark.parametrize("data", RADII)
def test_radii_miss_their_interval_as_rarely_as_stated(data: list[float]) -> None:
    """PDP-L6: by exact laws, at most 0.5131 beta."""
    for epsilon, beta in itertools.product(("1/4", 1, 4, 20), ("1/100", "1/2", "99/100")):
        mechanism = Radius(epsilon, beta)
        (claim,) = mechanism.utility_claims(data)
        assert claim.bound == F(beta)
        assert missed(mechanism.exact_law(data), claim) <= UNION * float(F(beta))


def test_the_radius_that_is_promised() -> None:
    """It must hold that all records lie within the upper end, and but few beyond the lower one."""
    mechanism, data = Radius(2, "1/10", 3), np.array([1.0] * 50 + [20.0] * 40 + [90.0] * 10)
    (claim,) = mechanism.utility_claims(data)
    allowed = 3 * (math.log(20) + math.log(20 * 6))  # 23.3 records beyond; the sixth covers all
    assert 10 < allowed < 50
    assert claim.interval == (24.0, 96.0)
    assert Radius(2, "1/10", "1e-75").utility_claims(data) == ()


def test_moments_of_random_matchings(subtests: pytest.Subtests) -> None:
    """Mean and variance must be those over all orders of the records, paired in turn."""
    for count in [4, 5, 7, 8]:
        for distance in [0.0, 0.25, 1.0, 3.0]:
            with subtests.test(count=count, distance=distance):
                values = np.array([0.0, 0.25, 0.25, 1.0, 2.0, 2.125, 3.0, 7.5])[:count]
                counts: list[int] = []
                for order in itertools.permutations(values):
                    pairs = zip(order[::2], order[1::2], strict=False)
                    counts.append(sum(abs(x - y) <= distance for x, y in pairs))
                mean = F(sum(counts), len(counts))
                square = F(sum(c * c for c in counts), len(counts))
                assert matched_within(values, distance) == (mean, square - mean**2)


WIDTHS = [
    [0.0] * 8,
    [1e-3 * k for k in range(6)],
    [3.0 * k for k in range(6)],
    [1e5, 2e5, 4e5, 8e5],
    [0.0, 0.01, 0.02, 0.03, 0.04],
]


@pytest.mark.parametrize("data", by_default(WIDTHS[3:], WIDTHS))
def test_widths_miss_their_interval_as_rarely_as_stated(data: list[float]) -> None:
    """PDP-L6 twice: by exact laws over all matchings, at most zeta."""
    stated = 0
    for epsilon in (50, 95, 200, 500):
        mechanism = Discretization(epsilon)
        law = mechanism.exact_law(data)
        for claim in mechanism.utility_claims(data):
            stated += 1
            assert missed(law, claim) <= claim.bound
    assert stated >= 2


@pytest.mark.parametrize(
    ("scale", "expected"), [(1.0, (-4, -3)), (0.125, (-7, -6)), (16.0, (0, 1)), (2.0**40, (36, 37))]
)
def test_the_width_that_is_promised(scale: float, expected: tuple[int, int]) -> None:
    """It must hold that the interval is next to the median difference, 0.29 of the whole."""
    (claim,) = Discretization(10).utility_claims(scale * np.linspace(0, 1, 3000))
    assert claim.interval == (2.0 ** expected[0], 2.0 ** expected[1])
    assert claim.truth is not None
    assert claim.truth.value == scale / 8
    assert Discretization("1/10").utility_claims(np.linspace(0, 1, 300)) == ()
    assert Discretization(500).utility_claims([0.0, 1.0, 2.0]) == ()
