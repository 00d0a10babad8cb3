"""The unbiased mean of symmetric laws: both halves, its bias, its error and hostile input."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.noise.laplace import Laplace
from mechanisms.registry import build_mechanism
from mechanisms.trilemma.coarse.law import FAILURE
from mechanisms.trilemma.coarse.mean import CoarseMean
from mechanisms.trilemma.symmetric import mean as symmetric_mean
from mechanisms.trilemma.symmetric.error import OWN, explicit_error, sharp_error
from mechanisms.trilemma.symmetric.mean import SymmetricMean, clipped_differences
from mechanisms.trilemma.symmetric.settings import theorem_mean
from mechanisms.trilemma.symmetric.sizes import smallest_first
from mechanisms.utility_claims import Quantity
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance
from tests.mechanisms.subset import chi_square
from tests.mechanisms.trilemma.finite import coarse_counts

F = Fraction
Array = NDArray[np.float64]
SIGMAS = 5.5
"""A normal mean is farther off with probability 4e-8."""


def test_the_coarse_estimate_is_that_of_the_first_half(dp_rng: np.random.Generator) -> None:
    """Divided by sigma it must have the law of DPUCOARSE, and not that of a 5 % larger epsilon."""
    half, numbers = [-3.0, 0.5, 1.0, 1.5, 9.0], ("2", "2.1")
    laws = [CoarseMean(eps, "3/10").exact_law([x / 4 for x in half]) for eps in numbers]
    masses = [law.masses(FLOATS) for law in laws]
    p, q = (np.array(list(law.values())) for law in masses)
    size = chi_square.draws_for(p, q)
    for eps, right in zip(numbers, (True, False), strict=True):
        mechanism = SymmetricMean(eps, "3/10", scale=4, first=5, second=1)
        coarse = mechanism.sample([*half, 1e6], size, rng=dp_rng)[:, 0]
        value, limit = chi_square.statistic(coarse_counts(coarse / 4, masses[0]), p)
        assert (value < limit) == right


def test_noise_on_the_clipped_mean_is_laplace(dp_rng: np.random.Generator) -> None:
    """Given mu~ the rest must be Lap(2 c / (n2 epsilon)), not 10 % wider."""
    second = [-7.0, 4.0, 5.0]
    mechanism = SymmetricMean("1/2", 1, distance=3, scale=2, first=200, second=3)
    true, wider = Laplace(1, 4), Laplace(1, F(44, 10))  # 2 c / (n2 epsilon) = 6 / (3 / 2)
    distance = law_distance(true.cdf, wider.cdf, np.linspace(-20, 20, 4001))
    pair = mechanism.sample([0.0] * 200 + second, draws_for(distance), rng=dp_rng)
    assert not np.isnan(pair).any()
    center = pair[:, 0]
    clipped = [np.clip(x, center - 3, center + 3) for x in second]
    noise = pair[:, 1] - np.sum(clipped, axis=0) / 3
    assert_law(noise, true.cdf, distance)
    assert_not_law(1.1 * noise, true.cdf, distance)


def test_failure_names_records_of_the_second_half(dp_rng: np.random.Generator) -> None:
    """Sums of named records must have the law of independent coins of probability delta."""
    records = [1.0, 10.0, 100.0]
    mechanism = SymmetricMean(1, "3/10", first=0, second=3)
    outcomes, p, q = [], [], []
    for kept in np.ndindex(2, 2, 2):
        outcomes.append(np.dot(kept, records) / 0.9)
        p.append(math.prod(0.3 if k else 0.7 for k in kept))
        q.append(math.prod(0.315 if k else 0.685 for k in kept))
    size = chi_square.draws_for(np.array(p), np.array(q))
    for rate, right in ((F(3, 10), True), (F(315, 1000), False)):
        drawn = SymmetricMean(1, rate, first=0, second=3)
        pair = drawn.sample(records, size, rng=dp_rng)
        assert np.isnan(pair[:, 0]).all()
        sums = pair[:, 1] * float(rate / mechanism.delta)
        counts = np.array([np.count_nonzero(np.isclose(sums, z)) for z in outcomes])
        assert counts.sum() == size
        value, limit = chi_square.statistic(counts, np.array(p))
        assert (value < limit) == right


def test_a_record_is_named_with_probability_of_failure_times_delta(
    dp_rng: np.random.Generator,
) -> None:
    """The delta of a swap in the second half must be delta P[failure]: above q, below delta."""
    first, size = [0.0, 30.0, 60.0, 90.0], 400_000
    mechanism = SymmetricMean(1, "1/10", first=4, second=1)
    coarse = CoarseMean(1, "1/10")
    fails = coarse.exact_law([x / 10 for x in first]).masses(FLOATS)[FAILURE]
    q = 0.1 * math.exp(-1 / 2) / 2
    assert fails == pytest.approx((1 - q) ** 4)
    assert q < 0.1 * fails < 0.1
    named = np.isclose(mechanism.sample([*first, 1e9], size, rng=dp_rng)[:, 1], 1e10)
    for chance, right in ((0.1 * fails, True), (0.1, False)):
        error = math.sqrt(chance * (1 - chance) / size)
        assert (abs(named.mean() - chance) < SIGMAS * error) == right


def mirrored_errors(mechanism: SymmetricMean, data: Array, center: float, rng: Any) -> Array:
    """Errors of both estimates on data sets and on their mirror images about a center.

    A law that is symmetric about the center gives both the same chance, so the mean error over the
    two is that of the law.
    """
    pairs = [mechanism.sample(x, 2000, rng=rng) for row in data for x in (row, 2 * center - row)]
    return np.concatenate(pairs) - center


SYMMETRIC: dict[str, Callable[[np.random.Generator, tuple[int, int]], Array]] = {
    "normal": lambda rng, shape: rng.normal(0, 1, shape),
    "coin": lambda rng, shape: rng.choice([-1.0, 1.0], shape),
    "t5": lambda rng, shape: rng.standard_t(5, shape) * math.sqrt(3 / 5),
}
"""Laws about 0 of variance 1."""


@pytest.mark.parametrize("law", SYMMETRIC)
def test_unbiased_when_half_of_the_draws_fail(law: str, dp_rng: np.random.Generator) -> None:
    """Mean errors must vanish, in all and where nothing fails; around a center 0.2 off they do not.

    Each of the three means is normal to within its 5.5 standard errors: 1e-7 in all.
    """
    mechanism = SymmetricMean("9/10", "1/5", distance=13, first=6, second=40)
    errors = mirrored_errors(mechanism, 2 + SYMMETRIC[law](dp_rng, (40, 46)), 2.0, dp_rng)
    released = errors[~np.isnan(errors[:, 0])]
    assert 0.4 < len(released) / len(errors) < 0.6
    for sample in (errors[:, 1], released[:, 1], released[:, 0]):
        limit = SIGMAS * sample.std() / math.sqrt(sample.size)
        assert abs(sample.mean()) < limit < 0.1
        assert abs(sample.mean() + 0.2) > limit


def test_error_is_below_the_bounds(dp_rng: np.random.Generator) -> None:
    """On a normal law no bound may be refuted, and 0.6 times the sharp one must be."""
    eps, delta, n2, psi, lam = 0.9, 1e-6, 1000, 3**0.25, 4.0
    mechanism = theorem_mean("9/10", "1e-6", n2, psi=psi, moment=4)
    parameters = (eps, delta, n2, psi, lam, 2.0, mechanism.first)
    squares = np.empty(500)
    for k in range(squares.size):
        data = dp_rng.normal(2, 1, mechanism.count)
        squares[k] = ((mechanism.sample(data, 30, rng=dp_rng)[:, 1] - 2) ** 2).mean()
    least = squares.mean() - SIGMAS * squares.std() / math.sqrt(squares.size)
    sharp = sharp_error(*parameters)
    assert (
        0.6 * sharp < least < sharp < explicit_error(*parameters, OWN) < explicit_error(*parameters)
    )


@given(
    st.lists(st.floats(-50, 50), min_size=1, max_size=9),
    st.lists(st.floats(-50, 50), max_size=5),
    st.floats(0.01, 40),
)
def test_clipped_differences_are_those_of_the_definition(
    values: list[float], centers: list[float], distance: float
) -> None:
    """The mean of clip_[m - c, m + c](x_i) - m must come out for every center m."""
    found = clipped_differences(np.array(values), np.array(centers), distance)
    for center, mean in zip(centers, found, strict=True):
        exact = sum(
            min(max(F(x), F(center) - F(distance)), F(center) + F(distance)) for x in values
        )
        assert mean == pytest.approx(float(exact / len(values) - F(center)), abs=1e-12)


def test_blocks_of_draws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many records are held at a time, the means must be the same."""
    rng = np.random.default_rng(0)
    values, centers = rng.normal(0, 9, 37), rng.normal(0, 9, 50)
    whole = clipped_differences(values, centers, 3.0)
    monkeypatch.setattr(symmetric_mean, "CELLS", 100)
    np.testing.assert_array_equal(clipped_differences(values, centers, 3.0), whole)


@pytest.mark.parametrize("far", [1e300, -1e308, math.inf, -math.inf, 10**400])
def test_a_far_record_counts_as_a_clip_end(far: Any) -> None:
    """It must move the mean of a release by its clipped value, to the last digits of the others."""
    mechanism = SymmetricMean(1, 1, distance=5, scale=1, first=50, second=4)
    end = 1e4 if far > 0 else -1e4
    draws = [
        mechanism.sample([0.0] * 50 + [0.1, x, 0.2, 0.3], 200, rng=np.random.default_rng(1))
        for x in (far, end)
    ]
    assert not np.isnan(draws[0]).any()
    np.testing.assert_array_equal(draws[0], draws[1])


def test_noise_comes_before_a_far_center() -> None:
    """A record at either end must move the mean by 2 c = 130, also where doubles are 128 apart.

    Were ends rounded to doubles before the noise, they would move it by 256: too much for it.
    """
    mechanism = SymmetricMean("1/10", 1, distance=65, scale=1, first=2000, second=1)
    center = float(2**60 - 2**40)
    ends = (center + 1e6, center - 1e6)
    up, down = (
        mechanism.sample([center] * 2000 + [x], 4000, rng=np.random.default_rng(1))[:, 1]
        for x in ends
    )
    assert np.spacing(center) == 128
    assert set((up - down).tolist()) == {128.0, 256.0}
    assert (up - down).mean() == pytest.approx(130, abs=3)


def test_records_that_are_no_numbers_count_as_zero(subtests: pytest.Subtests) -> None:
    """In either half, whether the coarse estimate fails or not."""
    for bad in [math.nan, None, "word", object()]:
        for first in [0, 3]:
            with subtests.test(bad=bad, first=first):
                mechanism = SymmetricMean(3, 1, first=first, second=3)
                for place in range(mechanism.count):
                    data: list[Any] = [0.25] * mechanism.count
                    draws = []
                    for record in (bad, 0.0):
                        data[place] = record
                        draws.append(mechanism.sample(data, 60, rng=np.random.default_rng(2)))
                    np.testing.assert_array_equal(draws[0], draws[1])


@pytest.mark.parametrize("bad", [math.inf, -math.inf, 10**400], ids=range(3))
def test_infinite_records_are_never_named(bad: Any) -> None:
    """In the first half, and after failure in the second, they must count as 0."""
    for first, place in ((2, 0), (0, 1)):
        mechanism = SymmetricMean(1, 1, first=first, second=3)
        data: list[Any] = [0.5] * mechanism.count
        draws = []
        for record in (bad, 0.0):
            data[place] = record
            draws.append(mechanism.sample(data, 60, rng=np.random.default_rng(2)))
        np.testing.assert_array_equal(draws[0], draws[1])


def test_huge_units_do_not_overflow() -> None:
    """Records near the end of the doubles must give finite coarse estimates, without a warning."""
    data = [1.7976931348623157e308] * 60
    for scale in (10, "1e-75", "1e75"):
        mechanism = SymmetricMean(5, 1, scale=scale, first=40, second=20)
        pair = mechanism.sample(data, 50, rng=np.random.default_rng(0))
        assert np.isfinite(pair).all()


@pytest.mark.parametrize(
    ("epsilon", "delta", "first"),
    [(0.5, 1e-6, 3626), (0.9, 1e-3, 1858), (0.1, 1e-6, 5808), (0.5, 0.1, 679), (0.9, 0.01, 1268)],
)
def test_reference_sizes(epsilon: float, delta: float, first: int) -> None:
    """The smallest n1 with gamma = delta^2 must be that of TRI-A.DPUM."""
    assert smallest_first(epsilon, delta) == first
    assert smallest_first(epsilon, delta, delta**2) == first
    assert theorem_mean(epsilon, delta, 10).first == first


@given(st.floats(0.01, 3), st.floats(1e-9, 1), st.floats(1e-9, 1))
def test_the_size_is_the_smallest(epsilon: float, delta: float, gamma: float) -> None:
    """It must meet the three conditions, and the size before it must not."""

    def enough(n: int) -> bool:
        return (
            n >= 7 - 7 / epsilon * math.log(delta)
            and n >= 128 * math.log(2 / gamma)
            and n >= 16 / epsilon * math.log(n / gamma)
        )

    first = smallest_first(epsilon, delta, gamma)
    assert enough(first)
    assert not enough(first - 1)


def test_the_first_condition_counts() -> None:
    """With a large gamma n1 must be the smallest n >= 7 + (7 / epsilon) log(1 / delta)."""
    first = smallest_first(3.0, 1e-60, 1.0)
    assert first == math.ceil(7 + 7 / 3 * math.log(1e60))
    assert first > 128 * math.log(2)


@pytest.mark.parametrize(
    ("row", "printed", "own", "sharp"),
    [
        (
            (0.5, 1e-6, 10**5, 1.0, 6.0, 0.0, 3626),
            2.52116068060158e-5,
            2.04689544819182e-5,
            1.25286952241987e-5,
        ),
        (
            (0.5, 1e-3, 10**4, 1.5, 4.0, 2.0, 1858),
            3.62899358533196,
            2.01271604802299,
            0.567852033134021,
        ),
        (
            (0.1, 1e-6, 10**6, 1.0, 8.0, 0.0, 5808),
            2.46462413164802e-6,
            2.11965417608965e-6,
            1.33090817479876e-6,
        ),
    ],
)
def test_reference_errors(row: Any, printed: float, own: float, sharp: float) -> None:
    """The three bounds must have the values of TRI-T4.2.1 and TRI-T4.2.1-sharp."""
    assert explicit_error(*row) == pytest.approx(printed, rel=1e-13)
    assert explicit_error(*row, OWN) == pytest.approx(own, rel=1e-13)
    assert sharp_error(*row) == pytest.approx(sharp, rel=1e-13)


def test_theorem_settings() -> None:
    """Sigma and c must be those of Theorem 4.2.1, and bad parameters be named."""
    mechanism = theorem_mean("9/10", "1/100", 1000, psi=2, moment=3)
    assert mechanism.scale == 10
    assert float(mechanism.distance) == pytest.approx(10 + 2 * 900 ** (1 / 3), rel=1e-15)
    assert (mechanism.first, mechanism.second) == (1268, 1000)
    for bad, named in (({"psi": "1/2"}, "psi=1/2"), ({"moment": 1}, "moment=1")):
        with pytest.raises(InvalidArgument) as caught:
            theorem_mean(1, "1/2", 5, **bad)
        assert named in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "first", "second"),
    [
        ({"delta": "1/10"}, [-1, -0.5, 0, 0, 0, 0, 0.5, 1], [-2, -1, 0, 0, 1, 2]),
        ({"delta": "1/10", "scale": 1, "epsilon": 2}, [-1, -1, 1, 1], [-2, 2]),
        ({"delta": "1/5"}, [], [1, 2, 3]),
    ],
)
def test_the_error_is_that_of_success_and_of_failure(
    changes: dict[str, Any], first: list[float], second: list[float]
) -> None:
    """It must hold within five standard errors; that of the noise alone is not the error."""
    made = build_mechanism("tri.symmetric-mean", first=len(first), second=len(second), **changes)
    data = np.array([*first, *second], dtype=np.float64)
    claims = {c.quantity: c for c in made.utility_claims(data) if not c.given_success}
    drawn = made.sample(data, 200_000, rng=np.random.default_rng(9))[:, 1]
    square = (drawn - data.mean()) ** 2
    spread = 5 * float(square.std()) / math.sqrt(square.size)
    claim = claims[Quantity.MSE]
    assert abs(float(square.mean()) - float(claim.bound)) < spread
    assert float(np.mean(square**2)) == pytest.approx(float(claim.square or 0), rel=0.2)
    alone = 2 * float(made.noise_scale) ** 2
    assert abs(float(square.mean()) - alone) > spread


def test_no_error_is_stated_where_a_record_may_be_clipped() -> None:
    """It must hold that farther than the distance less half a bin the bias alone is stated."""
    made = build_mechanism("tri.symmetric-mean", first=40, second=2)
    near, far = ([-1.0, 1.0] * 20 + [-x, x] for x in (6.0, 6.5))
    found = made.utility_claims(near)
    assert [c.quantity for c in found] == [Quantity.BIAS, Quantity.MSE, Quantity.MSE]
    assert [c.given_success for c in found] == [False, False, True]
    assert [c.quantity for c in made.utility_claims(far)] == [Quantity.BIAS]


def test_no_error_given_a_coarse_estimate_that_is_rare_is_stated() -> None:
    """It must hold of two records, whose bin is named less than half of the time."""
    made = build_mechanism("tri.symmetric-mean", first=2, second=2)
    found = made.utility_claims([-1.0, 1.0, -6.0, 6.0])
    assert [c.quantity for c in found] == [Quantity.BIAS, Quantity.MSE]
