"""Name-and-shame: its exact law, its loss at every epsilon, and no bias."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.claims import ApproxDP
from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.protocols import FiniteLaw, Mechanism
from mechanisms.trilemma.coins import heads
from mechanisms.trilemma.errors import mse_name_and_shame
from mechanisms.trilemma.name_and_shame import NameAndShame, named_excess
from tests.mechanisms.subset import chi_square
from tests.mechanisms.trilemma.rationals import RATIONALS

F = Fraction


def law(data: list[float], delta: Any) -> dict[Any, Fraction]:
    """The exact law as a table."""
    return dict(NameAndShame(delta).exact_law(data).masses(RATIONALS))


def excess(p: dict[Any, Fraction], q: dict[Any, Fraction], epsilon: float) -> float:
    """Hockey-stick divergence of two finite laws."""
    factor = math.exp(epsilon)
    return sum(max(0.0, float(p.get(y, F(0))) - factor * float(q.get(y, F(0)))) for y in {**p, **q})


def test_law_of_two_records() -> None:
    """Outcomes and masses must be those of the two coins, equal sums taken together."""
    mechanism = NameAndShame("1/4")
    stated = mechanism.exact_law([2.0, 2.0])
    assert isinstance(mechanism, Mechanism)
    assert isinstance(stated, FiniteLaw)
    assert (stated.rational, stated.cuts) == (True, ())
    assert law([2.0, 2.0], "1/4") == {F(0): F(9, 16), F(4): F(6, 16), F(8): F(1, 16)}
    assert stated.masses(FLOATS) == {F(0): 0.5625, F(4): 0.375, F(8): 0.0625}
    assert mechanism.claim.level == ApproxDP(0, "1/4")


RECORDS = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=6)
DELTA = st.fractions("1/20", 1, max_denominator=20)


@given(data=RECORDS, delta=DELTA)
def test_law_has_the_mean_and_the_variance(data: list[float], delta: Fraction) -> None:
    """On any data the mean must be that of the records, exactly, and the variance as stated."""
    table, n = law(data, delta), len(data)
    mean = sum((y * p for y, p in table.items()), F(0))
    square = sum(((y - mean) ** 2 * p for y, p in table.items()), F(0))
    assert sum(table.values()) == 1
    assert mean == sum(map(F, data), F(0)) / n
    assert square == (1 - delta) / delta * sum((F(x) ** 2 for x in data), F(0)) / n**2


def test_error_is_the_stated_one() -> None:
    """For two records of a law on three points the formula of 3.0.2 must be exact."""
    points = ((-1.0, F(1, 2)), (1.0, F(1, 3)), (4.0, F(1, 6)))
    delta = F(1, 7)
    mu = sum((F(x) * p for x, p in points), F(0))
    var = sum(((F(x) - mu) ** 2 * p for x, p in points), F(0))
    square = F(0)
    for (x, p), (y, q) in product(points, repeat=2):
        table = law([x, y], delta)
        square += p * q * sum(((z - mu) ** 2 * m for z, m in table.items()), F(0))
    assert float(square) == pytest.approx(mse_name_and_shame(2, delta, var, mu), rel=1e-14)


def test_loss_is_delta_at_every_epsilon(subtests: pytest.Subtests) -> None:
    """Two different records must lose delta, whatever epsilon is (TRI-A.NS)."""
    for epsilon in [0.0, 0.5, 3.0]:
        for first, second in [([1.0, 7.0], [1.0, 19.0]), ([4.0, 7.0], [2.0, 7.0]), ([3.0], [5.0])]:
            with subtests.test(epsilon=epsilon, first=first, second=second):
                p, q = (law(data, "1/10") for data in (first, second))
                assert excess(p, q, epsilon) == pytest.approx(0.1, rel=1e-12)
                assert excess(q, p, epsilon) == pytest.approx(0.1, rel=1e-12)


@given(
    record=st.integers(-2, 2).map(float),
    replaced=st.integers(-2, 2).map(float),
    delta=DELTA,
    epsilon=st.floats(0, 3),
)
def test_closed_form_of_the_loss(
    record: float, replaced: float, delta: Fraction, epsilon: float
) -> None:
    """It must equal the sum over outcomes for every two records, zeros and equal ones too."""
    p, q = law([record], delta), law([replaced], delta)
    expected = named_excess(record, replaced, float(delta), epsilon)
    assert excess(p, q, epsilon) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_sampler_has_the_exact_law(dp_rng: np.random.Generator) -> None:
    """Draws must pass a chi-square test at 1e-6 that rejects coins of a rate 3 % larger."""
    data, delta = [1.0, 2.0, 2.0, -0.5], F(1, 4)
    table, wrong = law(data, delta), law(data, delta * F(103, 100))
    floats = {float(y): float(p) for y, p in table.items()}
    points = np.array(sorted(floats))
    p = np.array([floats[y] for y in points])
    unit = F(103, 100)  # the wrong coins move the outcomes as well; the same coins are compared
    q = np.array([float(wrong[F(y) / unit]) for y in points])
    size = chi_square.draws_for(p, q)
    for mechanism, right in ((NameAndShame(delta), True), (NameAndShame(delta * unit), False)):
        draws = mechanism.sample(data, size, rng=dp_rng) * float(mechanism.delta / delta)
        places = np.searchsorted(points, draws - 1e-9)
        np.testing.assert_allclose(points[places], draws, atol=1e-9)
        value, limit = chi_square.statistic(np.bincount(places, minlength=points.size), p)
        assert (value < limit) == right


def test_no_bias(dp_rng: np.random.Generator) -> None:
    """The mean of draws must be within 6 sigma (2e-9) of the records' mean; 1 % off must show."""
    data, delta, size = np.linspace(1, 3, 50), F(1, 5), 200_000
    deviation = math.sqrt(float((1 - delta) / delta) * float(np.sum(data**2))) / data.size
    limit = 6 * deviation / math.sqrt(size)
    found = float(NameAndShame(delta).sample(data, size, rng=dp_rng).mean())
    assert abs(found - 2.0) < limit
    assert abs(found - 1.01 * 2.0) > limit


def test_delta_one_releases_the_mean(dp_rng: np.random.Generator) -> None:
    """With delta = 1 every coin shows 1."""
    np.testing.assert_array_equal(NameAndShame(1).sample([2.0, 5.0], 5, rng=dp_rng), 3.5)
    assert law([2.0, 5.0], 1) == {F(7, 2): F(1)}


def test_a_sum_beyond_doubles_is_infinite(dp_rng: np.random.Generator) -> None:
    """It must be infinite rather than raise, and 0 where no coin shows 1."""
    draws = NameAndShame("1/2").sample([1e308, 1e308], 200, rng=dp_rng)
    assert set(draws.tolist()) == {0.0, 1e308, math.inf}


def test_law_of_too_many_records_is_refused() -> None:
    """Twelve records must be the most, and none refused as well."""
    assert len(law([float(2**i) for i in range(12)], "1/2")) == 2**12
    with pytest.raises(InvalidArgument, match="at most 12 records"):
        law([0.0] * 13, "1/2")
    with pytest.raises(InvalidArgument, match="at least one record"):
        law([], "1/2")


def test_heads_are_independent_coins(dp_rng: np.random.Generator) -> None:
    """Patterns of three coins in a row must pass a chi-square test that rejects a rate 2 % off."""

    def pattern(rate: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.array(
            [rate ** k.bit_count() * (1 - rate) ** (3 - k.bit_count()) for k in range(8)]
        )

    p, q = pattern(0.3), pattern(0.306)
    size = chi_square.draws_for(p, q)
    for rate, right in ((0.3, True), (0.306, False)):
        coins = np.zeros(3 * size, np.int64)
        coins[heads(3 * size, rate, rng=dp_rng)] = 1
        codes = coins.reshape(size, 3) @ np.array([4, 2, 1])
        value, limit = chi_square.statistic(np.bincount(codes, minlength=8), p)
        assert (value < limit) == right


def test_heads_that_come_too_often_are_all_kept() -> None:
    """Gaps must be drawn until all coins are thrown, even if all of them show heads."""

    class Ones:
        def geometric(self, _: float, size: int) -> np.ndarray[Any, np.dtype[np.int64]]:
            return np.ones(size, np.int64)

    rng: Any = Ones()
    np.testing.assert_array_equal(heads(1000, 0.01, rng=rng), np.arange(1000))
