"""The vocabulary of utility, and what the mechanisms promise with it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from audit.utility.law_words import read_law
from audit.utility.record_densities import Normal, Tilted, Uniform
from audit.utility.record_laws import PointLaw
from mechanisms.claims import Source
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS, NOISES, build_mechanism
from mechanisms.subset.bounded_error import bounded_error
from mechanisms.subset.utility import rank_interval
from mechanisms.trilemma.utility import laplace_noise, named_noise, symmetric_about
from mechanisms.utility_claims import Quantity, StatesUtility, UtilityClaim

F = Fraction
SOURCE = Source("test", "here")

SOUND = [name for name, entry in MECHANISMS.items() if entry.form == "sound"]

WITHOUT = {
    "sub.histogram-mean": "a comparator without a theorem at hand; measured in the docs",
    "sub.moment-mean": "a comparator without a theorem at hand; measured in the docs",
    "sub.radius-mean": "a comparator without a theorem at hand; measured in the docs",
    "pdp.above-threshold": "an index; the paper bounds its error in the radius (PDP-L6) alone",
    "pdp.diffusion": "bits that show how sharp Theorem 10 is, and no estimate; its law is stated",
}
"""Sound mechanisms that state no utility, each with the reason."""

ON_LAWS = {
    "pdp.range": "500*500",
    "pdp.mean": "1000*500",
    "pdp.unbounded-mean": "2000*500",
}
"""Budgets of those that state something of Gaussian records alone, and of no data set."""

HALVES = {"tri.symmetric-mean": 200, "tri.shuffled-mean": 256}
"""Records that these ask for."""

PARAMETERS: dict[str, dict[str, Any]] = {
    "sub.subset-mean-public-size": {"expected_size": 1000},
    "sub.monotone": {"epsilon": 20},
    "pdp.diffused-quantile": {"budgets": (39,) * 4 + (40,) * 12, "tau": 40},
}
"""Of mechanisms that promise nothing with their own."""

OWN_DATA = {
    "sub.subset-mean-public-size": np.linspace(-1, 1, 1000),
    "sub.subset-mean-noisy-size": np.linspace(-1, 1, 1000),
    "sub.monotone": np.linspace(0, 1, 300),
    "pdp.weighted-mean": np.array([0, 0.5, 1]),
    **{
        name: np.array([0, 0.5, 1])
        for name in (
            "pdp.adpm",
            "pdp.stretched-mean",
            "pdp.partitioned-mean",
            "pdp.sampled-mean",
            "pdp.least-budget",
        )
    },
    "pdp.discretization": np.linspace(0, 1, 2000),
    "pdp.diffused-quantile": np.linspace(0, 1000, 16),
}
"""Records about which these promise something."""

ALL_NUMBERS = ("tri.", "pdp.radius")
"""What promises something of any numbers, however large."""


def wide(name: str) -> Any:
    """Records on which a mechanism promises something."""
    mechanism = build_mechanism(name, **PARAMETERS.get(name, {}))
    if name.startswith("tri."):
        return mechanism, np.tile([0.25, 0.75], HALVES.get(name, 20) // 2)
    return mechanism, OWN_DATA.get(name, np.linspace(0, 1, 41))


def test_each_sound_mechanism_states_its_utility(subtests: pytest.Subtests) -> None:
    """It must hold that a sound mechanism states claims on some data, or is listed with why not."""
    for name in SOUND:
        with subtests.test(name=name):
            mechanism, data = wide(name)
            if name in ON_LAWS:
                mechanism = build_mechanism(name, budgets=ON_LAWS[name])
                claims = mechanism.utility_claims_under(Normal(3.0, 1.0), len(mechanism.budgets))
                assert not isinstance(mechanism, StatesUtility)
            else:
                claims = (
                    mechanism.utility_claims(data) if isinstance(mechanism, StatesUtility) else ()
                )
            assert bool(claims) != (name in WITHOUT)
            assert {claim.source.paper for claim in claims} <= {mechanism.claim.source.paper}


def test_data_of_which_nothing_is_promised_raise_nothing(subtests: pytest.Subtests) -> None:
    """It must hold that odd records give claims or none, and never an error."""
    for name in [name for name in SOUND if name not in {*WITHOUT, *ON_LAWS}]:
        with subtests.test(name=name):
            for data in [[], [math.nan, 0.5], [math.inf], [1e9, -1e9]]:
                mechanism, _ = wide(name)
                claims = mechanism.utility_claims(data)
                odd = not data or not np.isfinite(data).all()
                if not name.startswith(ALL_NUMBERS) or (odd and name != "tri.tilted-sign"):
                    assert claims == ()


CLAIM_PARTS = [
    ({"bound": -1}, "bound must be finite"),
    ({"bound": math.inf}, "bound must be finite"),
    ({"quantity": Quantity.MISS, "bound": 2, "interval": (0, 1)}, "from 0 to 1"),
    ({"quantity": Quantity.BIAS, "exactly": True}, "exactly goes with"),
    ({"square": 1.0}, "square goes with exactly"),
    ({"symmetric": True}, "symmetric goes with"),
    ({"quantity": Quantity.BIAS, "bound": 1, "symmetric": True}, "symmetric goes with"),
    ({"interval": (0.0, 1.0)}, "a miss with an interval"),
    ({"quantity": Quantity.MISS, "bound": F(1, 2)}, "a miss with an interval"),
]


def test_parts_of_a_claim_fit_each_other(subtests: pytest.Subtests) -> None:
    """It must hold that a claim that means nothing is refused."""
    for changes, message in CLAIM_PARTS:
        with subtests.test(changes=changes, message=message):
            right: dict[str, Any] = {"quantity": Quantity.MSE, "bound": F(1, 2), "source": SOURCE}
            UtilityClaim(**right)
            with pytest.raises(InvalidArgument, match=message):
                UtilityClaim(**{**right, **changes})


@pytest.mark.parametrize("draws", [1, 2, 7])
def test_moments_of_averages_of_laplace_noise(draws: int) -> None:
    """E L^2 and E L^4 of an average must be those of the cumulants, of which the sum's add up."""
    noise = laplace_noise(3.0, draws)
    second, fourth = 2 * 9 / draws, 12 * 81 / draws**3  # cumulants of Lap(3): 2 s^2 and 12 s^4
    assert noise.variance == pytest.approx(second, rel=1e-14)
    assert noise.fourth == pytest.approx(fourth + 3 * second**2, rel=1e-14)


@pytest.mark.parametrize("delta", ["1/10", "2/3", "1"])
def test_moments_of_named_records(delta: str) -> None:
    """Variance and fourth moment must be those of all outcomes of the coins."""
    rate, values = F(delta), [F(0), F(1), F(1), F(-5, 2)]
    moments = [F(0), F(0)]
    for coins in itertools.product((0, 1), repeat=len(values)):
        chance = F(1)
        for coin in coins:
            chance *= rate if coin else 1 - rate
        terms = [x / rate - x if c else -x for x, c in zip(values, coins, strict=True)]
        named = sum(terms, start=F(0))
        error = named / len(values)
        moments[0] += chance * error**2
        moments[1] += chance * error**4
    noise = named_noise(np.array(list(map(float, values))), float(rate))
    assert noise.variance == pytest.approx(float(moments[0]), rel=1e-12, abs=1e-300)
    assert noise.fourth == pytest.approx(float(moments[1]), rel=1e-12, abs=1e-300)
    assert noise.symmetric == (rate == 1)


def test_moments_of_a_sum_of_noises() -> None:
    """The fourth moment of a sum must count each pair of squares six times."""
    first, second = laplace_noise(1.0), laplace_noise(2.0)
    both = first.plus(second)
    assert both.variance == 2 + 8
    assert both.fourth == 24 + 6 * 2 * 8 + 24 * 16


@pytest.mark.parametrize("mean", [0.0, 0.2, 0.5])
def test_bias_of_the_clipped_swap_mean(mean: float) -> None:
    """KSW eq. (3) with its clip: w (e^(-N p) - e^(-N (1 - p))) / (2 N), here by an integral."""
    n, epsilon, low, high = 5, 2, -1.0, 3.0
    mechanism = build_mechanism("ksw.swap-laplace", epsilon=epsilon, low=low, high=high)
    data = np.full(n, low + (high - low) * mean)
    (bias,) = (c for c in mechanism.utility_claims(data) if c.quantity is Quantity.BIAS)
    law = stats.laplace(scale=(high - low) / (n * epsilon), loc=data[0])
    inside = integrate.quad(lambda x: x * law.pdf(x), low, high, points=[data[0]])[0]
    exact = inside + low * law.cdf(low) + high * law.sf(high) - data[0]
    assert bias.bound == pytest.approx(abs(exact), rel=1e-9, abs=1e-12)


def losses(data: list[float], tau: float, rank: int, alpha: float) -> float:
    """SUB-I1 in words: how far the rank is from those of the records within alpha."""
    below = sum(x < tau - alpha for x in data)
    up_to = sum(x <= tau + alpha for x in data)
    return max(0, below - rank, rank - up_to)


def grids() -> Iterator[tuple[list[float], int, float]]:
    """Small data sets, ranks and windows."""
    for data in itertools.combinations_with_replacement([0.0, 1.0, 2.0, 4.0], 4):
        for rank in range(5):
            yield list(data), rank, 0.0
            yield list(data), rank, 0.25


def test_thresholds_within_reach_are_an_interval(subtests: pytest.Subtests) -> None:
    """It must hold that the ends are those of all thresholds whose loss is in reach."""
    for reach in [0.5, 1.0, 1.5, 2.0]:
        for strict in [True, False]:
            with subtests.test(reach=reach, strict=strict):
                points = [k / 8 for k in range(-8, 41)]
                for data, rank, alpha in grids():
                    lower, upper = rank_interval(np.array(data), rank, reach, alpha, strict=strict)
                    for tau in points:
                        loss = losses(data, tau, rank, alpha)
                        near = loss < reach if strict else loss <= reach
                        assert near == (lower <= tau <= upper), (data, rank, alpha, tau)


@pytest.mark.parametrize(
    ("values", "center"),
    [
        ([0.0], F(0)),
        ([1.0, 3.0, 2.0], F(2)),
        ([0.1, 0.3], F(0.1) / 2 + F(0.3) / 2),
        ([0, 1, 3], None),
    ],
)
def test_centers_of_symmetric_records(values: list[float], center: Fraction | None) -> None:
    """It must hold that a center is found exactly, and none where one record has no mirror."""
    assert symmetric_about(np.array(values, dtype=float)) == center


LAWS = ["uniform -1 2", "normal 1/2 2", "bernoulli 1/4", "tilted -1/3", "points 0:1/4 3:1/2 6:1/4"]


@pytest.mark.parametrize("text", LAWS)
def test_moments_of_laws(text: str, dp_rng: np.random.Generator) -> None:
    """Mean, variance, moments and symmetry must be those of draws, and of integrals."""
    law = read_law(text)
    draws = law.sample(400_000, rng=dp_rng)
    off = 6 / math.sqrt(draws.size)
    assert abs(draws.mean() - law.mean) < off * math.sqrt(law.variance)
    assert law.expectation(lambda x: x) == pytest.approx(law.mean, abs=1e-9)
    for order in (1.0, 2.0, 3.5):
        values = np.abs(draws - law.mean) ** order
        assert abs(values.mean() - law.central_moment(order)) <= off * values.std()

        def power(x: float, order: float = order) -> float:
            return float(abs(x - law.mean) ** order)

        exact = law.expectation(power, (law.mean,))
        assert law.central_moment(order) == pytest.approx(exact, rel=1e-8)
    assert law.central_moment(2) == pytest.approx(law.variance, rel=1e-9)
    assert (draws <= law.median).mean() >= 0.5 - off
    assert (draws >= law.median).mean() >= 0.5 - off
    third = law.expectation(lambda x: (x - law.mean) ** 3)
    assert (abs(third) < 1e-9) == law.symmetric


def test_other_words_are_no_law(subtests: pytest.Subtests) -> None:
    """It must hold that words that are no law are answered with those that are."""
    for text in [
        "",
        "cauchy 0 1",
        "uniform 1 0",
        "normal 0 0",
        "points 0:1/2",
        "point",
        "tilted 1",
        "point x",
    ]:
        with (
            subtests.test(text=text),
            pytest.raises(InvalidArgument, match="law must be one of point X, uniform A B"),
        ):
            read_law(text)


def test_laws_read_numbers_as_typed() -> None:
    """It must hold that numbers are exact decimals or quotients, and equal points are joined."""
    assert read_law("point 1/3") == PointLaw(((F(1, 3), F(1)),))
    assert read_law("points 1:1/4 0:1/2 1:1/4") == PointLaw(((F(0), F(1, 2)), (F(1), F(1, 2))))
    assert read_law("bernoulli 1") == PointLaw(((F(1), F(1)),))
    assert read_law("normal 0.5 2") == Normal(0.5, 2.0)
    assert read_law("uniform 0 1/4") == Uniform(0.0, 0.25)
    assert read_law("tilted 1/2") == Tilted(0.5)
    assert read_law("tilted 1/2").expectation(lambda x: (x > 0) - (x < 0), (0.0,)) == (
        pytest.approx(0.5, abs=1e-12)
    )


def test_error_of_the_bounded_mean_near_the_middle() -> None:
    """It must hold that a mean next to the middle has nearly the error of the middle."""
    middle = bounded_error(41, 0.0)
    for rho in (1e-18, -1e-17, 3e-16, 1e-15, 1e-12):
        assert bounded_error(41, rho) == pytest.approx(middle, rel=1e-10)


def test_names_of_noises_are_no_names_of_mechanisms() -> None:
    """It must hold that the target of a utility audit is one or the other."""
    assert not set(NOISES) & set(MECHANISMS)
