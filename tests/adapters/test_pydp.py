"""PyDP: laws of its noise, relation and bounds of its algorithms, what its source leaves open."""

import math

import numpy as np
import pytest

from audit.engine import sequential
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from audit.targets.load import load_target
from mechanisms.claims import ApproxDP, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from tests.adapters import maker
from tests.calibrated import cdf_distance, draws_for, law_distance

Bounded, Count, Gaussian, Laplace = (
    maker(f"pydp.{name}") for name in ("mean", "count", "gaussian", "laplace")
)
GRID = 2.0**-40
"""Of the noise of LaplaceMechanism at epsilon = 1 and sensitivity 1."""


def gaussian_cdf(sigma):
    """Distribution function of N(0, sigma^2)."""
    from scipy.special import ndtr

    return lambda z: ndtr(np.asarray(z) / sigma)


def test_the_gaussian_is_calibrated_exactly(dp_rng):
    """At (1, 1e-5) and sensitivity 1 the deviation must be 3.73, and not the classical 4.84."""
    sigma, wrong = 3.7324, (3.7324 * 1.25, 3.7324 / 1.25, 4.8448)
    grid = np.linspace(-40, 40, 4001)
    right = gaussian_cdf(sigma)
    distance = min(law_distance(right, gaussian_cdf(w), grid) for w in wrong)
    draws = Gaussian().sample(0.0, draws_for(distance), rng=dp_rng)
    assert cdf_distance(draws, right) < distance / 2
    assert all(cdf_distance(draws, gaussian_cdf(w)) > distance / 2 for w in wrong)


def test_claims_are_what_was_asked_for():
    """The level must be the exact parameters, the relation that of the adapter."""
    assert Laplace("1/3").claim.level == PureDP("1/3")
    assert Gaussian("1/2", "1e-6").claim.level == ApproxDP("1/2", "1e-6")
    assert Laplace().claim.relation is Gaussian().claim.relation is Relation.LISTED
    assert Bounded("1/3", low="1/7").claim.level == Count("1/3").claim.level == PureDP("1/3")
    assert Bounded().claim.relation is Count().claim.relation is Relation.ADD_REMOVE
    told = Bounded(2, kind="Median").claim.source
    assert str(told).startswith("python-dp 1.")
    assert str(told).endswith(", Median(epsilon=2, [0, 1]).quick_result")


def test_the_noise_lies_on_a_grid_of_powers_of_two(dp_rng):
    """C03: no draw may have bits below 2^-40, whatever bits the value has."""
    for value in (0.0, 1.0, 1 / 3):
        draws = Laplace().sample(value, 2_000, rng=dp_rng)
        assert (draws / GRID == np.floor(draws / GRID)).all()


def test_the_grid_of_the_gaussian_is_too_fine_for_doubles(dp_rng):
    """Bits below 2^-53 must be possible at 0 (probability 0.05) and impossible at 1: a leak.

    A wrong verdict has probability below 1e-9.
    """
    draws = (np.ldexp(Gaussian().sample(x, 3_000, rng=dp_rng), 53) for x in (0.0, 1.0))
    at_zero, at_one = (int((z != np.floor(z)).sum()) for z in draws)
    assert at_zero > 50
    assert at_one == 0


@pytest.mark.parametrize(
    ("kind", "low", "high", "expected"),
    [
        ("BoundedMean", 0, 4, 2.0),
        ("BoundedSum", 0, 4, 2000.0),
        ("BoundedVariance", 0, 4, 4.0),
        ("Median", 0, 4, 4.0),
    ],
)
def test_each_kind_computes_what_its_name_says(kind, low, high, expected, dp_rng):
    """At a high epsilon the release on 499 zeros and 501 fours (clamped nines) must be near it."""
    data = [0.0] * 499 + [9.0] * 501
    draws = Bounded(100, low, high, kind=kind).sample(data, 20, rng=dp_rng)
    assert np.abs(np.median(draws) - expected) < 0.02 * expected


def test_the_count_is_an_integer_and_counts_all(dp_rng):
    """The released count must be an int, exact at a high epsilon, NaN records included."""
    outputs = Count(40).sample([0.3, math.nan, 5.0], 20, rng=dp_rng)
    assert outputs == [3] * 20
    assert all(type(z) is int for z in outputs)


@pytest.mark.parametrize("kind", ["BoundedMean", "BoundedSum", "BoundedVariance", "Median"])
def test_nan_records_are_passed_over(kind, dp_rng):
    """A NaN record must neither raise nor show, with others and alone."""
    for data in ([], [math.nan], [math.nan, 0.5]):
        assert np.isfinite(Bounded(kind=kind).sample(data, 20, rng=dp_rng)).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bounded(kind="Max"), "kind must be one of BoundedMean, .*, got kind='Max'"),
        (lambda: Laplace("1e-60"), "python-dp .* refuses LaplaceMechanism.*at least 2"),
        (lambda: Bounded("1e-60"), "python-dp .* refuses BoundedMean"),
        (lambda: Gaussian(1, 0), "delta must be"),
    ],
)
def test_wrong_parameters_are_refused_at_once(make, message):
    """Public nonsense, and what the library itself refuses, must be an error before any data."""
    with pytest.raises(InvalidArgument, match=message):
        make()


AUDITS = {
    "pydp.laplace": (0.0, 1.0, Relation.LISTED),
    "pydp.mean": (np.zeros(20), np.append(np.zeros(20), 1.0), Relation.ADD_REMOVE),
}
"""C03 and C05: one unit of the value, and 20 zeros with and without a one."""


def audited(name, epsilon, draws):
    """Audit a claim about an adapter on its pair."""
    data, neighbor, relation = AUDITS[name]
    claim = PrivacyClaim(PureDP(epsilon), relation, Source("test", "pydp"))
    settings = sequential.Settings(
        seed=1, false_alarm=1e-6, budget_samples=draws, budget_seconds=600.0
    )
    pair = Pair("the pair", data, neighbor)
    return sequential.audit(load_target(name), claim, [pair], settings)


@pytest.mark.long
@pytest.mark.parametrize("name", AUDITS)
def test_the_claim_stands_and_a_tenth_of_it_does_not(name):
    """C03 and C05: epsilon = 1 must not be refuted, floating point included; 1/10 must be.

    Either mistake has probability at most 1e-6.
    """
    assert audited(name, 1, 20_000).verdict is not Verdict.REFUTED
    assert audited(name, "1/10", 100_000).verdict is Verdict.REFUTED
