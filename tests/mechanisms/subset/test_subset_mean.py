"""The subset-optimal mean, with a public and with a noisy size: its law, and the odd inputs."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.claims import PureDP, Relation
from mechanisms.noise.laplace import Laplace
from mechanisms.subset.clipped_mean import centered_sums, noisy_counts, released
from mechanisms.subset.subset_mean import PublicSizeMean
from mechanisms.subset.subset_mean_noisy import NoisySizeMean
from mechanisms.subset.subset_parameters import subset_parameters
from mechanisms.subset.threshold import Threshold
from mechanisms.subset.two_thresholds import cell_ends, two_thresholds, varying_thresholds
from mechanisms.subset.window import distance, draw, ranks, windows
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance
from tests.mechanisms.subset import chi_square

F = Fraction

records = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.5, 1.0]), max_size=6)


@pytest.mark.parametrize(
    ("size", "radius", "epsilon", "gamma", "alpha", "zeta", "beta", "t"),
    [
        (1000, 1, 1, "0.01", "1e-5", "1e-8", 61.2535067789651, 62.2535067789651),
        (1000, 1000, 1, 1, "1e-3", "1e-9", 70.4638471509413, 71.4638471509413),
        (10**5, 1000, "0.1", 1, "1e-5", "1e-12", 934.896980808817, 944.896980808817),
        (10**4, 50, "0.5", "0.1", "1e-5", "4e-11", 160.240949251092, 162.240949251092),
    ],
)
def test_parameters_are_those_of_the_reference(
    size: int, radius: int, epsilon: Any, gamma: Any, alpha: str, zeta: str, beta: float, t: float
) -> None:
    """Alpha and zeta must be exact, beta and 1 / epsilon + beta in all digits, the rank above."""
    found = subset_parameters(size, F(radius), F(epsilon), F(gamma) / size)
    assert found.alpha == F(alpha)
    assert found.zeta == F(zeta)
    assert float(found.beta) == pytest.approx(beta, rel=1e-14)
    assert float(found.log_rank.value) == pytest.approx(t, rel=1e-14)
    mechanism = PublicSizeMean(epsilon, -radius, radius, size, gamma)
    assert mechanism.rank == math.ceil(t)
    assert mechanism.alpha == F(alpha)


@pytest.mark.parametrize(
    ("radius", "epsilon", "gamma", "least"),
    [(1, 1, "0.01", 97), (1000, 1, 1, 118), (1000, "0.1", 1, 1376), (50, "0.5", "0.1", 235)],
)
def test_least_sizes_are_those_of_the_reference(
    radius: int, epsilon: Any, gamma: Any, least: int
) -> None:
    """The rank must be at most half of N from the printed N on, and not one before."""
    fits = [
        subset_parameters(n, F(radius), F(epsilon), F(gamma) / n).log_rank.value <= F(n, 2)
        for n in (least - 1, least)
    ]
    assert fits == [False, True]


def test_logarithm_below_zero_counts_as_zero() -> None:
    """A resolution beyond the range must leave the rank at ceil(1 / epsilon), exactly."""
    assert PublicSizeMean("1/4", gamma=500, expected_size=1).rank == 4
    assert PublicSizeMean("2/9", gamma=500, expected_size=1).rank == 5
    assert NoisySizeMean("1/4", gamma=5000).parameters(np.array([-3.0]))[1] == [4]


def test_public_alpha_and_rank_replace_the_computed_ones() -> None:
    """Given both, N and gamma must be nothing; given alpha alone, the rank follows it."""
    both = PublicSizeMean(1, -9, 9, 50, alpha="1/100", rank="7/2")
    assert (both.alpha, both.rank) == (F(1, 100), F(7, 2))
    alone = PublicSizeMean(1, -9, 9, 50, alpha="1/100")
    assert alone.rank == PublicSizeMean(1, -9, 9, 50, gamma="1/2").rank
    data = np.linspace(-8, 8, 60)
    draws = [
        m.sample(data, 50, rng=np.random.default_rng(3))
        for m in (both, PublicSizeMean(1, -9, 9, 7, 2, alpha="1/100", rank="7/2"))
    ]
    np.testing.assert_array_equal(*draws)


@given(records, st.integers(-3, 9), st.sampled_from([F(1, 8), F(1, 2), F(3)]))
def test_cells_are_the_windows_of_an_integer_rank(
    data: list[float], rank: int, alpha: Fraction
) -> None:
    """Between e_i and e_(i+1) the loss must be |i - k|, for ranks beyond the data too."""
    law = Threshold(1, -1, 1, rank, "below", alpha).exact_law(data)
    values, one = np.sort(data), np.array([float(alpha)])
    (ends,) = cell_ends(values, (-1.0, 1.0), one, np.array([rank]))
    assert np.all(np.diff(ends) >= 0)
    for piece in law.pieces:
        middle = float(piece.lower + piece.upper) / 2
        cell = int(np.searchsorted(ends, middle)) - 1
        assert abs(cell - rank) == piece.loss
    for piece, after in pairwise(law.pieces):
        assert piece.loss == after.loss or float(piece.upper) in ends


@pytest.mark.parametrize("side", ["below", "above"])
@pytest.mark.parametrize("kind", ["common", "varying"])
def test_thresholds_have_the_exact_law(side: str, kind: str, dp_rng: np.random.Generator) -> None:
    """Draws of both samplers must pass a chi-square test that rejects a 5 % larger epsilon."""
    data, alpha, rank = np.array([-0.75, -0.5, -0.5, 0.0, 0.25, 1.0]), F(1, 8), 2
    ends = np.unique(np.clip([-1, 1, *(data - 0.125), *(data + 0.125)], -1, 1))
    p, q = (
        np.diff(Threshold(epsilon, -1, 1, rank, side, alpha).exact_law(data).cdf(ends))
        for epsilon in (2, "2.1")
    )
    size = chi_square.draws_for(p, q)
    for epsilon, right in ((F(2), True), (F(21, 10), False)):
        if kind == "common":
            pair = two_thresholds(data, (F(-1), F(1)), alpha, F(rank), epsilon, size, rng=dp_rng)
        else:
            arrays = np.full(size, float(alpha)), np.full(size, rank)
            pair = varying_thresholds(data, (F(-1), F(1)), *arrays, epsilon, rng=dp_rng)
        counts = np.histogram(pair[side == "above"], ends)[0]
        value, limit = chi_square.statistic(counts, p)
        assert (value < limit) == right


def test_each_draw_has_its_own_alpha_and_rank(dp_rng: np.random.Generator) -> None:
    """Draws with other parameters beside them must be those of these parameters alone."""
    data = np.sort(dp_rng.normal(size=40)).clip(-3, 3)
    alphas, rank = np.array([0.01, 0.5, 9.0] * 4), np.array([3, 20, 60] * 4)
    coins = dp_rng.random((4, 12))

    class Coins:
        """Coins that are known, a row for each call."""

        def __init__(self, chosen: np.ndarray) -> None:
            self.rows = iter(chosen)

        def random(self, size: int) -> np.ndarray:
            """Return the next row."""
            row = next(self.rows)
            assert row.size == size
            return row

    bounds = F(-3), F(3)
    together = varying_thresholds(data, bounds, alphas, rank, F(1), rng=Coins(coins))  # type: ignore[arg-type]
    for i in range(12):
        alone = varying_thresholds(
            data,
            bounds,
            alphas[i : i + 1],
            rank[i : i + 1],
            F(1),
            rng=Coins(coins[:, i : i + 1]),  # type: ignore[arg-type]
        )
        assert [side[i] for side in together] == [side[0] for side in alone]


@given(records, st.floats(-1, 1), st.floats(-1, 1))
def test_centered_sums_are_those_of_clipped_records(data: list[float], x: float, y: float) -> None:
    """Prefix sums must give the plain sum, for ties with the ends and equal ends too."""
    for lower, upper in ((min(x, y), max(x, y)), (0.25, 0.25), (-0.5, 0.5)):
        exact = sum(
            (min(max(F(v), F(lower)), F(upper)) - (F(lower) + F(upper)) / 2 for v in data), F(0)
        )
        ends = np.array([lower]), np.array([upper])
        (found,) = centered_sums(np.sort(data), *ends, math.ulp(1.0))
        assert found == pytest.approx(float(exact), abs=1e-14)


def test_centered_sums_of_many_records_are_exact() -> None:
    """A million records must add up in 64 bits, whatever the interval is."""
    values, ends = np.full(10**6, 0.875), (np.array([-1.0, 0.5, 0.9]), np.array([1.0, 1.0, 1.0]))
    found = centered_sums(values, *ends, math.ulp(1.0))
    np.testing.assert_allclose(found, [875_000, 125_000, -50_000], rtol=1e-15)


@pytest.mark.parametrize("count", [10**4, 10**6])
@pytest.mark.parametrize("alpha", [1e-3, 1e-7, 2.0**-42])
def test_one_record_moves_the_centered_sum_by_half_of_the_width(count: int, alpha: float) -> None:
    """However narrow the interval is beside the sums, no record may move it by more than w / 2."""
    stack, spacing = np.full(count, 999.3), math.ulp(1000.0)
    ends = np.array([999.3 - alpha]), np.array([999.3 + alpha])
    half = (np.diff(np.rint(np.array(ends).T / spacing)) * spacing / 2).item()
    (total,) = centered_sums(stack, *ends, spacing)
    for record in (-1000.0, 0.1, 999.3 - alpha / 2, 999.3, 1000.0):
        (more,) = centered_sums(np.sort(np.append(stack, record)), *ends, spacing)
        right = min(max(record - 999.3, -half), half)
        assert more - total == pytest.approx(right, abs=2 * spacing + 1e-9 * half)
        assert abs(more - total) <= half * (1 + 1e-9)


@given(records, st.floats(-1, 1), st.floats(-1, 1), st.sampled_from([-2.0, 0.0, 0.5, 7.0]))
def test_clipped_mean_is_algorithm_1_between_the_thresholds(
    data: list[float], x: float, y: float, count: float
) -> None:
    """The release must be that of the formula, with crossed thresholds exchanged."""
    values, thresholds = np.sort(data), (np.array([x]), np.array([y]))
    epsilon = F(3, 2)
    counts = np.array([count])

    def release(what: str, least: float = 0.0) -> NDArray[np.float64]:
        rng = np.random.default_rng(8)
        return released(
            values,
            thresholds,
            counts,
            epsilon,
            what,
            spacing=math.ulp(1.0),
            least=least,
            rng=rng,
        )

    (found,) = release("mean")
    lower, upper = min(x, y), max(x, y)
    middle, width = lower + (upper - lower) / 2, upper - lower
    noise = width * float(np.random.default_rng(8).laplace(scale=1 / 1.5))
    total = sum(min(max(v, lower), upper) - middle for v in data) + noise
    ratio = total / count if count else 0.0
    right = min(max(ratio, -width / 2), width / 2) + middle
    assert found == pytest.approx(right, abs=1e-12)
    assert lower <= found <= upper
    np.testing.assert_allclose(release("all"), [[x, y, total, count]], atol=1e-12)
    if count < 1:
        right = min(max(total, -width / 2), width / 2) + middle
        assert release("mean", least=1.0)[0] == pytest.approx(right, abs=1e-12)


def test_release_is_that_of_rounded_thresholds() -> None:
    """Sum and noise must be those of thresholds rounded to the spacing; told are the drawn ones."""
    values, spacing = np.array([0.0, 1.0, 1.0, 2.0]), 0.25
    drawn, rounded = (np.array([[0.6], [1.45]]), np.array([[0.5], [1.5]]))
    told, same = (
        released(
            values,
            (pair[0], pair[1]),
            np.array([3.0]),
            F(1),
            "all",
            spacing=spacing,
            rng=np.random.default_rng(1),
        )[0]
        for pair in (drawn, rounded)
    )
    np.testing.assert_array_equal(told[:2], drawn[:, 0])
    np.testing.assert_array_equal(told[2:], same[2:])


def test_noisy_count_has_the_stated_noise(dp_rng: np.random.Generator) -> None:
    """The count must be moved by Laplace noise of scale 2 / epsilon, not of one 5 % larger."""
    noise, wrong = Laplace(1, 4), Laplace(1, "4.2")
    distance = law_distance(noise.cdf, wrong.cdf, np.linspace(-20, 20, 2001))
    z = noisy_counts(7, F(1, 2), draws_for(distance), rng=dp_rng) - 7
    assert_law(z, noise.cdf, distance)
    assert_not_law(z, wrong.cdf, distance)


def slow_noisy_size(
    data: np.ndarray, size: int, rng: np.random.Generator, scale: float = 1.0
) -> np.ndarray:
    """SUB-A3-B on [-50, 50] with epsilon = 1 and gamma = 1/2, draw by draw."""
    out = []
    for _ in range(size):
        n_hat = data.size + rng.laplace(scale=2.0)
        N = max(n_hat, 1.0)
        alpha = 0.5 / N
        zeta = alpha / (50 * N)
        k = math.ceil(1 + scale * 2 * max(0.0, math.log(100 / (alpha * zeta))))
        found, ends = windows(data, F(-50), F(50), alpha), []
        for side in ("below", "above"):
            loss = distance(*ranks(found.lo, found.hi, data.size, side), F(k))
            ends.append(float(draw(found, loss, F(1), 1, rng=rng)[0]))
        low, high = min(ends), max(ends)
        middle, width = (low + high) / 2, high - low
        total = float(np.sum(np.clip(data, low, high) - middle)) + rng.laplace(scale=width)
        out.append(np.clip(total / max(n_hat, 1.0), -width / 2, width / 2) + middle)
    return np.array(out)


def test_noisy_size_has_the_law_of_its_steps(dp_rng: np.random.Generator) -> None:
    """Draws must be like those of a plain loop (two-sample DKW, rate 1e-6), not of a wrong one."""
    data, size = np.concatenate([np.linspace(-1, 1, 100), np.full(30, 40.0)]), 1_500
    draws = np.sort(NoisySizeMean(1, -50, 50, "1/2").sample(data, size, rng=dp_rng))
    limit = 2 * math.sqrt(math.log(4 / 1e-6) / (2 * size))
    for scale, right in ((1.0, True), (0.5, False)):
        twin = np.sort(slow_noisy_size(data, size, dp_rng, scale))
        both = np.concatenate([draws, twin])
        apart = np.abs(
            np.searchsorted(draws, both, "right") - np.searchsorted(twin, both, "right")
        ).max()
        assert (apart / size < limit) == right


def test_noisy_parameters_are_those_of_the_public_size() -> None:
    """At a whole noisy size alpha and rank must be those of A3-A, and 1 / epsilon the least."""
    noisy = NoisySizeMean("1/20", -3, 5, "1/10")
    sizes = [100, 1000, 12_345]
    alphas, rank = noisy.parameters(np.array([*sizes, 20, 3.0, -40.0]))
    for size, alpha, k in zip(sizes, alphas, rank, strict=False):
        public = PublicSizeMean("1/20", -3, 5, size, "1/10")
        assert float(public.alpha) == pytest.approx(alpha, rel=1e-14)
        assert public.rank == k
    assert np.all(alphas[3:] == alphas[3])
    assert np.all(rank[3:] == rank[3])


def test_noisy_alpha_stays_above_the_spacing_of_doubles() -> None:
    """However large the noisy size is, windows must keep 2^10 spacings at the bounds."""
    alphas, _ = NoisySizeMean(1, -1000, 1000, "1e-6").parameters(np.array([10.0, 1e12]))
    assert alphas[0] == pytest.approx(1e-7)
    assert alphas[1] == 2**10 * math.ulp(1000.0)


@pytest.mark.parametrize("kind", [PublicSizeMean, NoisySizeMean])
def test_claims_three_epsilon(kind: Any) -> None:
    """The claim must be the sum of the budgets: 3 epsilon, for add-remove."""
    claim = kind("1/3").claim
    assert claim.level == PureDP(1)
    assert claim.relation is Relation.ADD_REMOVE


@pytest.mark.parametrize("kind", [PublicSizeMean, NoisySizeMean])
@pytest.mark.parametrize("bound", ["1e308", "-1e308", 0])
def test_equal_bounds_are_the_release(kind: Any, bound: Any) -> None:
    """However large they are, no sum may overflow: they must come out, for a huge gamma too."""
    mechanism = kind(1, bound, bound, gamma="1e400")
    out = mechanism.sample([1.0, 2.0, math.inf], 20, rng=np.random.default_rng(0))
    assert np.all(out == float(bound))


@pytest.mark.parametrize("kind", [PublicSizeMean, NoisySizeMean])
def test_a_gamma_beyond_doubles_is_a_large_one(kind: Any) -> None:
    """Windows must be all of the range, as with any gamma above N (high - low)."""
    data = np.linspace(-1, 1, 50)
    draws = [
        kind(1, gamma=gamma).sample(data, 50, rng=np.random.default_rng(1))
        for gamma in ("1e400", 10**9)
    ]
    np.testing.assert_array_equal(*draws)


@pytest.mark.parametrize("kind", [PublicSizeMean, NoisySizeMean])
@pytest.mark.parametrize("epsilon", ["1e-9", 500])
def test_extreme_epsilons_are_drawn(kind: Any, epsilon: Any) -> None:
    """At either end of the range of epsilon draws must stay in the bounds and warn of nothing."""
    out = kind(epsilon).sample(np.linspace(-1, 1, 50), 100, rng=np.random.default_rng(0))
    assert np.all(np.abs(out) <= 1)
