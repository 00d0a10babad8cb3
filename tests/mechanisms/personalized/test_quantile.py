"""The quantile's sampler: its score, its law on grids of all sizes, and the odd rows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.laws import FLOATS
from mechanisms.personalized.quantile.draw import ClampedRank, draw_places, draw_quantile
from mechanisms.personalized.quantile.law import ranked_law
from mechanisms.personalized.quantile.point_grid import PointGrid
from mechanisms.personalized.quantile.rank_cells import log_weights
from mechanisms.personalized.quantile.uniform_integers import uniform_between
from tests.calibrated import assert_law, assert_not_law, draws_for
from tests.mechanisms.personalized.quantile_reference import (
    Limits,
    at_rank,
    centered,
    fewest_changes,
    slow_law,
    slow_loss,
)
from tests.mechanisms.subset import chi_square

F = Fraction
POINTS = (0, 1, 2)
BOT = None

Array = NDArray[np.float64]


def row_losses(data: Sequence[int], last: int, limits: Limits) -> list[float]:
    """Losses of the points 0, ..., last, read off the cells' weights at epsilon = 2."""
    ordered = np.array([sorted(float(x) for x in data)]).reshape(1, len(data))
    ends = np.zeros(1), np.full(1, float(last))
    count = np.array([len(data)])
    most, least = (np.array([float(limit)]) for limit in limits)
    cells = log_weights(ordered, count, *ends, 2.0, most, least)[0]
    gaps, values = cells[: len(data) + 1], cells[len(data) + 1 :]
    places = [-1, *sorted(data), last + 1]
    losses = dict.fromkeys(range(last + 1), np.nan)
    for gap, (lower, upper) in zip(gaps, pairwise(places), strict=True):
        inside = range(lower + 1, upper)
        assert np.isneginf(gap) == (not inside)
        losses.update({x: np.log(len(inside)) - gap for x in inside})
    for x, value in zip(sorted(data), values, strict=True):
        if not np.isneginf(value):
            assert np.isnan(losses[x]), "a point of two cells"
            losses[x] = -value
    return [losses[x] for x in range(last + 1)]


def multisets(most: int) -> Iterator[tuple[int, ...]]:
    """All data of up to `most` records among three points."""
    for n in range(most + 1):
        yield from combinations_with_replacement(POINTS, n)


def test_closed_form_counts_changes() -> None:
    """The loss must be the fewest changes that make a point the r-th record, n <= 4, |X| = 3."""
    cases = 0
    for data in multisets(4):
        for rank in range(1, len(data) + 1):
            losses = row_losses(data, 2, at_rank(rank))
            assert losses == pytest.approx(
                [fewest_changes(data, x, rank, POINTS) for x in POINTS], abs=1e-12
            )
            cases += 3
    assert cases == 315


def test_centered_loss_is_its_definition() -> None:
    """The loss must be that of the middle rank m / 2, with ties, gaps and no record."""
    for data in multisets(4):
        losses = row_losses(data, 2, centered(len(data)))
        slow = [float(slow_loss(data, x, centered(len(data)))) for x in POINTS]
        assert losses == pytest.approx(slow, abs=1e-12)


def records_of(data: Sequence[int | None]) -> list[int]:
    """Those that are there."""
    return [x for x in data if x is not None]


RANKS = [None, *(ClampedRank(r, beta) for r in (0.2, 1.0, 1.7, 3.0, 9.0) for beta in (0.4, 0.9))]


def limits_of(count: int, rank: ClampedRank | None, epsilon: float) -> Limits:
    """Limits of a row with so many records on three points."""
    if rank is None:
        return centered(count)
    return at_rank(int(rank.moved(np.array([count]), np.array([3.0]), epsilon)[0]))


@pytest.mark.parametrize("rank", RANKS, ids=str)
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_one_record_changes_the_loss_by_at_most_one(
    rank: ClampedRank | None, epsilon: float
) -> None:
    """Replaced, removed to the placeholder or added from it: at most 1 at each point, and 1."""
    seen = set()
    for size in range(1, 4):
        for data in product((*POINTS, BOT), repeat=size):
            held = records_of(data)
            losses = row_losses(held, 2, limits_of(len(held), rank, epsilon))
            for x in (*POINTS, BOT):
                other = records_of((x, *data[1:]))
                moved = row_losses(other, 2, limits_of(len(other), rank, epsilon))
                seen |= {abs(round(a - b, 9)) for a, b in zip(losses, moved, strict=True)}
    assert max(seen) == 1


@pytest.mark.parametrize(
    ("rank", "beta", "count", "moved"),
    [
        (5.0, 0.5, 40, 8),  # c = 2 ln(20 / 0.5) = 7.38 on 20 points
        (20.0, 0.5, 40, 20),
        (20.5, 0.5, 40, 21),
        (39.0, 0.5, 40, 33),  # 40 - 7.38 = 32.62
        (5.0, 0.5, 3, 8),  # both limits: r < c comes first
        (9.0, 0.5, 3, 1),  # 3 - 7.38 is below 1
    ],
)
def test_rank_is_moved_into_the_records(rank: float, beta: float, count: int, moved: int) -> None:
    """The clamp, its order, the rounding up and the least rank must be those of PDP-A2."""
    found = ClampedRank(rank, beta).moved(np.array([count]), np.array([20.0]), 1.0)
    assert found.tolist() == [moved]


CASES: dict[str, tuple[list[float], ClampedRank | None]] = {
    "one record": ([1.0], None),
    "ties": ([-1.0, -1.0, -1.0, 0.5, 2.0], None),
    "two middles": ([-2.0, 1.0], None),
    "at the ends": ([-2.5, 2.5, 2.5], None),
    "all equal": ([0.0] * 4, None),
    "public rank": ([-1.0, -1.0, 0.5, 2.0], ClampedRank(1.2, 0.9)),
    "clamped rank": ([-1.0, -1.0, 0.5, 2.0], ClampedRank(0.0, 0.9)),
}
FAR = 0.08
"""Distance of laws on far grids that are told apart."""

STEP, RADIUS = 0.5, 2.5
GRID = [k * STEP for k in range(-5, 6)]


def limits_on_grid(data: Sequence[float], rank: ClampedRank | None, epsilon: float) -> Limits:
    """Limits of a row on the grid of these cases."""
    if rank is None:
        return centered(len(data))
    points = np.array([float(len(GRID))])
    return at_rank(int(rank.moved(np.array([len(data)]), points, epsilon)[0]))


def draw_rows(
    data: Sequence[float], size: int, epsilon: float, rng: np.random.Generator, **more: Any
) -> Array:
    """Draw from equal rows, each with a record that does not survive and one out of reach."""
    values = np.tile([*data, 0.0, 3.0], (size, 1))
    counted = np.tile([True] * len(data) + [False, True], (size, 1))
    b, radius = np.full(size, STEP), np.full(size, RADIUS)
    return draw_quantile(values, counted, b, radius, epsilon, rng=rng, **more)


def test_rows_have_the_law(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """Draws must pass a chi-square test of the law that those at 40 % more epsilon fail."""
    for case in CASES:
        with subtests.test(case=case):
            data, rank = CASES[case]
            epsilon = 1.5
            p = slow_law(data, GRID, epsilon, limits_on_grid(data, rank, epsilon))
            q = slow_law(data, GRID, 1.4 * epsilon, limits_on_grid(data, rank, epsilon))
            size = chi_square.draws_for(p, q)
            assert size < 500_000
            for law, holds in ((1.0, True), (1.4, False)):
                margin = None if rank is None else ClampedRank(rank.rank, rank.beta)
                if margin is not None and not holds:  # the clamp follows epsilon: keep the rank
                    margin = ClampedRank(float(limits_on_grid(data, rank, epsilon)[1]), 1e9)
                draws = draw_rows(data, size, law * epsilon, dp_rng, rank=margin)
                counts = np.bincount(np.rint(draws / STEP).astype(int) + 5, minlength=len(GRID))
                value, limit = chi_square.statistic(counts, p)
                assert (value < limit) == holds


def test_one_row_drawn_often_has_the_law_of_rows(dp_rng: np.random.Generator) -> None:
    """Many draws from one row must have the same law as draws from many equal rows."""
    places = np.array([[2.0, np.inf, 2.0, 7.0]])
    p = slow_law([2, 2, 7], range(11), 2.0, centered(3))
    q = slow_law([2, 2, 7], range(11), 2.4, centered(3))
    size = chi_square.draws_for(p, q)
    ends = np.zeros(1), np.full(1, 10.0)
    for epsilon, holds in ((2.0, True), (2.4, False)):
        draws = draw_places(places, *ends, epsilon, rng=dp_rng, size=size)
        value, limit = chi_square.statistic(np.bincount(draws.astype(int), minlength=11), p)
        assert (value < limit) == holds


def test_rows_have_their_own_grids(dp_rng: np.random.Generator) -> None:
    """Each row must be drawn on its own b and radius, among its own records."""
    b = np.array([1.0, 4.0, 2.0**-20])
    radius = np.array([8.0, 16.0, 2.0**-18])
    values = b[:, np.newaxis] * np.array([[3.0], [-2.0], [1.0]])
    counted = np.ones((3, 1), bool)
    draws = np.array(
        [draw_quantile(values, counted, b, radius, 200.0, rng=dp_rng) for _ in range(50)]
    )
    np.testing.assert_array_equal(draws, np.tile(values[:, 0], (50, 1)))
    draws = np.array(
        [draw_quantile(values, ~counted, b, radius, 1.0, rng=dp_rng) for _ in range(400)]
    )
    assert np.all(np.abs(draws) <= radius)
    assert np.all(draws / b == np.floor(draws / b))
    reach = (radius / b).astype(int).tolist()
    for row, far in enumerate(reach):
        assert set((draws[:, row] / b[row]).tolist()) == set(range(-far, far + 1))


def test_a_radius_below_the_step_leaves_zero(dp_rng: np.random.Generator) -> None:
    """A grid of one point must give that point."""
    draws = draw_quantile(
        np.zeros((4, 1)), np.ones((4, 1), bool), np.ones(4), np.full(4, 0.5), 1.0, rng=dp_rng
    )
    np.testing.assert_array_equal(draws, np.zeros(4))


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
    st.integers(0, 2**32),
)
def test_the_order_of_records_is_nothing(data: list[int], order: Any, seed: int) -> None:
    """A row in another order, with the same survivors, must give the same draws."""
    counted = [x != 3 for x in data]
    places = list(range(len(data)))
    order.shuffle(places)
    sides = []
    for chosen in (range(len(data)), places):
        values = np.tile([float(data[i]) for i in chosen], (20, 1))
        kept = np.tile([counted[i] for i in chosen], (20, 1))
        rng = np.random.default_rng(seed)
        ends = np.ones(20), np.full(20, 5.0)
        sides.append(draw_quantile(values, kept, *ends, 1.0, rng=rng))
    np.testing.assert_array_equal(sides[0], sides[1])


def test_a_missing_record_is_not_zero(dp_rng: np.random.Generator) -> None:
    """NaN and what did not survive must not count at all, which a record 0 does."""
    size = 2_000
    b, radius = np.ones(size), np.full(size, 2.0)
    shares = []
    for value, kept in ((0.0, True), (np.nan, True), (0.0, False), (np.inf, True)):
        values, counted = np.full((size, 1), value), np.full((size, 1), kept)
        draws = draw_quantile(values, counted, b, radius, 20.0, rng=dp_rng)
        shares.append(np.mean(draws == 0.0))
    # 1 / (1 + 4 e^-5) = 0.974 against 0.2, each within 0.06 but with probability 1e-6.
    np.testing.assert_allclose(shares, [0.974, 0.2, 0.2, 0.2], atol=0.06)


def test_a_far_grid_is_uniform_without_records(dp_rng: np.random.Generator) -> None:
    """On 2^66 points a row without records must be uniform, which a narrower one is not."""
    size = draws_for(FAR)
    reach = 2.0**65
    rows = np.zeros((size, 0)), np.zeros((size, 0), bool), np.ones(size)
    draws = draw_quantile(*rows, np.full(size, reach), 1.0, rng=dp_rng)
    assert_law(draws, lambda x: np.clip((x / reach + 1) / 2, 0, 1), FAR)
    other = draw_quantile(*rows, np.full(size, 0.8 * reach), 1.0, rng=dp_rng)
    assert_not_law(other, lambda x: np.clip((x / reach + 1) / 2, 0, 1), FAR)


@pytest.mark.parametrize("reach", [2.0**31, 2.0**53, 2.0**62, 2.0**66])
def test_a_record_parts_a_far_grid_at_its_ratio(reach: float, dp_rng: np.random.Generator) -> None:
    """One record of no weight must leave the uniform law, one of all weight only its point."""
    size, place = draws_for(FAR), 0.75 * reach
    values, counted = np.full((size, 1), place), np.ones((size, 1), bool)
    for epsilon, weight in ((1.0, 0.0), (8 * np.log(2 * reach), 0.5)):
        # The other points lose 1/2: e^(-epsilon / 4) is 1 / (2 reach)^2 of the record's weight.
        grid = np.ones(size), np.full(size, reach)
        draws = draw_quantile(values, counted, *grid, epsilon, rng=dp_rng)
        if weight:
            assert np.all(draws == place)
            continue
        assert np.all(np.abs(draws) <= reach)
        assert_law(draws, lambda x: np.clip((x / reach + 1) / 2, 0, 1), FAR)


@pytest.mark.parametrize("start", [0.0, 2.0**62, -(2.0**64)])
def test_uniform_between_leaves_out_the_bounds(start: float, dp_rng: np.random.Generator) -> None:
    """All integers between the bounds must come, as doubles, and no bound that is left out."""
    spacing = 2.0**12 if start else 1.0
    lower, upper = np.full(4000, start), np.full(4000, start + 4 * spacing)
    for after, before in product((False, True), repeat=2):
        drawn = uniform_between(
            lower, upper, np.full(4000, after), np.full(4000, before), rng=dp_rng
        )
        steps = (drawn - start) / spacing
        assert steps.min() >= 0
        assert steps.max() <= 4
        if not start:
            assert set(steps.tolist()) == set(range(after, 5 - before))
    one = np.ones(50)
    inner = uniform_between(one, 3 * one, one > 0, one > 0, rng=dp_rng)
    np.testing.assert_array_equal(inner, np.full(50, 2.0))


def test_zero_has_one_sign(dp_rng: np.random.Generator) -> None:
    """A record -0 must not show in the release."""
    values, counted = np.full((50, 1), -0.0), np.ones((50, 1), bool)
    draws = draw_quantile(values, counted, np.ones(50), np.ones(50), 100.0, rng=dp_rng)
    assert not np.signbit(draws).any()


def test_large_losses_do_not_underflow(dp_rng: np.random.Generator) -> None:
    """Many records at a large epsilon, and values beyond all doubles' quotients, must not warn."""
    values = np.concatenate([np.zeros(50_000), [1e308, -1e308, np.inf, np.nan]])[np.newaxis]
    counted, one = np.ones(values.shape, bool), np.ones(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draws = draw_quantile(values, counted, one * 2.0**-60, one * 2.0**5, 1e6, rng=dp_rng)
    assert draws.tolist() == [0.0]


@pytest.mark.parametrize("rank", [3, 20, 41, 58])
def test_rank_error_is_within_the_lemma(rank: int) -> None:
    """The release must lie outside the ranks r -+ (4 / eps) ln(|X| / beta) by far less than beta.

    Half of that margin is left with a probability a hundred times larger, so that a law with half
    of the exponent would be seen.
    """
    epsilon, beta, n = F(4), 0.2, 60
    grid = PointGrid(F(0), F(29), F(1))
    margin = 4 / float(epsilon) * np.log(30 / beta)
    worst = {1.0: 0.0, 0.5: 0.0}
    rng = np.random.default_rng(rank)
    for spread in np.repeat((3, 10, 30), 10):
        data = np.sort(rng.integers(0, spread, n))
        law = ranked_law(epsilon, grid, data.tolist(), ClampedRank(rank, beta))
        found = law.masses(FLOATS)
        p = np.array([found[F(x)] for x in range(30)])
        for factor in worst:
            low = int(np.ceil(rank - factor * margin))
            high = int(np.floor(rank + factor * margin))
            least = data[low - 1] if low >= 1 else -1
            most = data[high - 1] if high <= n else 30
            x = np.arange(30)
            worst[factor] = max(worst[factor], float(p[(x < least) | (x > most)].sum()))
    assert worst[1.0] <= 1e-3 * beta
    assert worst[0.5] >= 1e-2 * beta
