"""The private range: its stages against plain loops, what it ignores and follows, odd inputs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.personalized.diffusion.rates import RationalRates
from mechanisms.personalized.public_tau import check_tau
from mechanisms.personalized.range import stages
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.personalized.range.stages import Stages, draw_stages
from mechanisms.personalized.users import BOT
from tests.mechanisms.personalized.slow_range import slow_stages
from tests.mechanisms.personalized.two_samples import (
    assert_alike,
    assert_not_alike,
    draws_of_each,
)

F = Fraction
SEED = 20240711
RECORDS = [4.0, -1.5, 3.25, 5.5, BOT, 2.75]
BUDGETS = ("2", "1/2", "5", "1", "3", "5")


def draws(data: Any, size: int = 200, seed: int = SEED, **arguments: Any) -> NDArray[np.float64]:
    """All that the stages release."""
    mechanism = PersonalizedRange(**{"budgets": BUDGETS, "release": "all", **arguments})
    return mechanism.sample(data, size, rng=np.random.default_rng(seed))


def test_releases_are_of_one_run() -> None:
    """Ends must be m - R2 and m + R2, the center m."""
    large = (100,) * 6
    table, ends, centers = (
        draws(RECORDS, release=r, budgets=large) for r in ("all", "range", "center")
    )
    assert np.any(table[:, 1] != table[:, 3])
    assert (table.shape, ends.shape, centers.shape) == ((200, 4), (200, 2), (200,))
    np.testing.assert_array_equal(centers, table[:, 2])
    np.testing.assert_array_equal(ends[:, 0], table[:, 2] - table[:, 3])
    np.testing.assert_array_equal(ends[:, 1], table[:, 2] + table[:, 3])


def test_nothing_is_random_but_the_center_at_huge_budgets() -> None:
    """Records 100 and 103: b = 1, R1 = 128, m each of 100, ..., 103, and R2 = 2 or 4 covers both.

    Their difference 3 lies in (2, 4], so i = 3, and b is half of 2. Every m from 100 to 103 has
    the score 0.
    """
    table = draws([100.0, 103.0], 30_000, budgets=(10**6, 10**6), beta="1e-30")
    assert set(table[:, 0]) == {1.0}
    assert set(table[:, 1]) == {128.0}
    assert set(map(tuple, table[:, 2:])) == {(100, 4), (101, 2), (102, 2), (103, 4)}
    counts = np.unique(table[:, 2], return_counts=True)[1]
    assert np.all(np.abs(counts - 7500) < 6.1 * math.sqrt(30_000 * 3 / 16))


@pytest.mark.slow
def test_law_is_that_of_plain_loops(dp_rng: np.random.Generator) -> None:
    """Each stage must have the law of a loop over one draw.

    5/4 tau, half of beta and rates of other users must not, as one of the stages shows.
    """
    distance, tau, beta = 0.15, 20.0, 0.5
    size = draws_of_each(distance)
    values = np.array([*RECORDS, 9.0, 3.5, -7.25, 4.5, 2.0, 6.0])
    shares = (F(1), F(1, 4), F(1), F(1, 2), F(1), F(7, 8)) * 2
    slow = np.array(
        [
            slow_stages(values.tolist(), list(map(float, shares)), tau, beta, dp_rng)
            for _ in range(size)
        ]
    )
    found = draw_stages(values, RationalRates(shares), tau, beta, size, rng=dp_rng)
    for column, other in zip(found.table.T, slow.T, strict=True):
        assert_alike(column, other, distance)
    for rates, other_tau, other_beta, place in (
        (shares, 1.25 * tau, beta, 1),
        (shares, tau, beta / 2, 1),
        (shares[::-1], tau, beta, 2),
    ):
        wrong = draw_stages(
            values, RationalRates(rates), other_tau, other_beta, size, rng=dp_rng
        ).table
        assert_not_alike(wrong[:, place], slow[:, place], distance)


def test_order_of_users_is_nothing(dp_rng: np.random.Generator) -> None:
    """Users in another order must give the same law; records alone in another order must not."""
    distance = 0.15
    size = draws_of_each(distance)
    data, budgets = [6.0, -6.0, BOT], [F(100), F(1), F(20)]
    permuted = [2, 0, 1]
    one, other, wrong = (
        PersonalizedRange(b, tau=100, release="all").sample(d, size, rng=dp_rng)
        for d, b in (
            (data, budgets),
            ([data[i] for i in permuted], [budgets[i] for i in permuted]),
            ([-6.0, 6.0, BOT], budgets),
        )
    )
    for place in range(4):
        assert_alike(one[:, place], other[:, place], distance)
    assert_not_alike(one[:, 2], wrong[:, 2], distance)


@pytest.mark.parametrize("power", [1, -3, 40])
def test_all_scales_with_the_grid(power: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data and b times a power of 2 must give the same draws times it, bit for bit."""

    def with_width(factor: float) -> NDArray[np.float64]:
        monkeypatch.setattr(
            stages, "draw_grid", lambda _, kept, *__, **___: np.full(len(kept), factor / 4)
        )
        return draws(np.array(RECORDS) * factor)

    np.testing.assert_array_equal(with_width(2.0**power), 2.0**power * with_width(1.0))


@pytest.mark.parametrize("shift", [1024.0, -4096.0])
def test_a_shift_moves_the_center(shift: float, dp_rng: np.random.Generator) -> None:
    """Data moved far must give the same law of b, m - shift and R2, not of m - shift - b.

    The budgets are large, so that R1 covers nearly all survivors either way.
    """
    distance = 0.15
    size = draws_of_each(distance)
    data = dp_rng.normal(0, 40, size=40) - 500
    mechanism = PersonalizedRange((40,) * 40, release="all")
    near, far = (mechanism.sample(data + move, size, rng=dp_rng) for move in (0.0, shift))
    far[:, 2] -= shift
    for place in (0, 2, 3):
        assert_alike(near[:, place], far[:, place], distance)
    assert_not_alike(near[:, 2], far[:, 2] - far[:, 0], distance)


def test_placeholder_is_not_zero() -> None:
    """Missing records must leave the center with the others, zeros must draw it to them."""
    budgets = (1000,) * 30
    data = [float(x) for x in range(94, 108)]
    missing, zeros = (draws(data + [x] * 16, budgets=budgets)[:, 2] for x in (BOT, 0.0))
    assert np.all(np.abs(missing - 100.5) < 4)
    assert np.all(np.abs(zeros) < 4)


@pytest.mark.parametrize("odd", [None, "word", math.inf, -math.inf, 10**400, BOT])
def test_what_is_no_finite_number_is_missing(odd: Any) -> None:
    """Each must give the draws of the placeholder."""
    data = [*RECORDS[:3], odd, *RECORDS[4:]]
    expected = [*RECORDS[:3], BOT, *RECORDS[4:]]
    np.testing.assert_array_equal(draws(data), draws(expected))


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_user_without_budget_leaves_no_trace(record: float) -> None:
    """A record with budget 0 must not change any draw."""
    budgets = (1, 0, 2)
    expected = draws([1.0, BOT, 3.0], 50, budgets=budgets)
    np.testing.assert_array_equal(draws([1.0, record, 3.0], 50, budgets=budgets), expected)


@pytest.mark.parametrize("tau", [None, 2])
@pytest.mark.parametrize(
    ("release", "shape"), [("range", (9, 2)), ("center", (9,)), ("all", (9, 4))]
)
def test_without_any_budget_it_is_constant(release: str, shape: Any, tau: Any) -> None:
    """If all budgets are 0 the release must be 0, whatever the data."""
    for data in ([1e6, -3.0], [BOT, BOT]):
        out = draws(data, 9, budgets=(0, 0), release=release, tau=tau)
        assert out.shape == shape
        assert not out.any()


@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=6, max_size=6),
    st.sampled_from(["1/10", "1", "1e9", "1e-9"]),
)
def test_any_records_give_finite_stages(data: list[float], tau: str) -> None:
    """Whatever the records are, b, R1 and R2 must be powers of 2, m a multiple of b in R1."""
    b, first, center, second = draws(data, 30, tau=tau).T
    for sizes in (b, first, second):
        assert np.all(np.frexp(sizes)[0] == 0.5)
    assert np.all((b <= first) & (b <= second))
    assert np.all(np.abs(center) <= first)
    assert np.all(center / b == np.rint(center / b))
    assert not np.any(np.signbit(center) & (center == 0))


@pytest.mark.parametrize("value", [0.25, -0.25, 0.0])
def test_equal_records_are_in_the_range(value: float) -> None:
    """Ties let the second scan run to its cap; records near 0 must still be found."""
    low, high = draws([value] * 50, 50, budgets=(100,) * 50, release="range").T
    assert np.all((low <= value) & (value <= high))
    assert np.all(high - low < 1e-6)


def test_one_draw_is_no_other_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws in several parts must have the shape and the law's support of draws in one."""
    monkeypatch.setattr(stages, "chunks", lambda size, _: [1] * size)
    table = draws([100.0, 103.0], 40, budgets=(10**6, 10**6), beta="1e-30")
    assert table.shape == (40, 4)
    assert set(map(tuple, table)) <= {
        (1, 128, m, r) for m, r in ((100, 4), (101, 2), (102, 2), (103, 4))
    }
    assert len(set(table[:, 2])) > 1


def test_best_tau_is_taken() -> None:
    """Without tau the stages must run with the best public one."""
    assert PersonalizedRange(("1/10",) * 50 + (1,) * 50).tau == 1
    assert PersonalizedRange(("1/10",) * 500 + (1,) * 5).tau == F(1, 10)
    assert PersonalizedRange((1, 2), tau="3/10").tau == F(3, 10)


def test_stages_keep_their_names() -> None:
    """It must hold that joined stages are those of the parts, column by column."""
    parts = [Stages(*(np.array([float(10 * part + k)]) for k in range(4))) for part in (1, 2)]
    joined = Stages.joined(parts)
    np.testing.assert_array_equal(joined.b, [10, 20])
    np.testing.assert_array_equal(joined.first_radius, [11, 21])
    np.testing.assert_array_equal(joined.center, [12, 22])
    np.testing.assert_array_equal(joined.second_radius, [13, 23])
    np.testing.assert_array_equal(joined.low, [-1, -1])
    np.testing.assert_array_equal(joined.high, [25, 45])


def test_tau_of_nobody_is_zero() -> None:
    """Without a positive budget there is no tau, unless one is given."""
    assert check_tau(None, (F(0), F(0))) == 0
    assert check_tau("1/2", (F(0),)) == F(1, 2)
