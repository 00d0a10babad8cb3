"""Threshold estimation: the loss, its sensitivity, the law, the sampler and the odd inputs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.protocols import ExactLaw
from mechanisms.subset.levels import LevelLaw, LevelPiece
from mechanisms.subset.threshold import Threshold
from mechanisms.subset.window import clipped_records, distance, exact_windows, windows
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance
from tests.slow import by_default

F = Fraction
GRID = [F(0), F(1, 4), F(1, 2), F(3, 4), F(1)]
EXAMPLE = [0.1, 0.4, 0.4, 0.9]

grid_records = st.lists(st.sampled_from([float(x) for x in GRID]), max_size=6)
unit_records = st.lists(st.floats(-0.25, 1.25), max_size=8)
alphas = st.sampled_from([F(1, 10), F(1, 8), F(1, 5), F(1, 4), F(1, 3), F(1, 2), F(2)])
sides = st.sampled_from(["below", "above"])


def slow_loss(tau: Fraction, data: Sequence[Fraction], rank: int, alpha: Fraction) -> int:
    """Least distance of an integer rank to the ranks of a threshold within alpha (SUB-A2)."""
    start, end = tau - alpha, tau + alpha
    places = sorted({start, end, *(x for x in data if start <= x <= end)})
    between = [(x + y) / 2 for x, y in pairwise(places)]
    return min(
        abs(j - rank)
        for t in places + between
        for j in range(sum(x < t for x in data), sum(x <= t for x in data) + 1)
    )


def loss_at(law: LevelLaw, tau: Fraction) -> Fraction:
    """Loss of a threshold inside a piece."""
    return next(p.loss for p in law.pieces if p.lower <= tau <= p.upper)


def changes(law: LevelLaw, neighbor: LevelLaw) -> set[Fraction]:
    """Differences of the losses of two laws, at all thresholds inside pieces."""
    ends = sorted({end for one in (law, neighbor) for end in one.breakpoints(F(-9), F(9))})
    middles = [(a + b) / 2 for a, b in pairwise(ends)]
    return {loss_at(law, tau) - loss_at(neighbor, tau) for tau in middles}


def masses(law: LevelLaw, ends: np.ndarray) -> np.ndarray:
    """Probability of the intervals between ends."""
    return np.diff(law.cdf(ends))


@given(grid_records, st.integers(-2, 8), alphas, sides)
def test_loss_is_the_least_over_the_window(
    data: list[float], rank: int, alpha: Fraction, side: str
) -> None:
    """The closed form must be the minimum over all thresholds of the window and their ranks."""
    law = Threshold(1, 0, 1, rank, side, alpha).exact_law(data)
    exact = [F(x) for x in data]
    from_below = rank if side == "below" else len(data) - rank
    for piece in law.pieces:
        tau = (piece.lower + piece.upper) / 2
        assert piece.loss == slow_loss(tau, exact, from_below, alpha)


@pytest.mark.parametrize("side", ["below", "above"])
@pytest.mark.parametrize("alpha", by_default([F(3, 8)], [F(1, 10), F(1, 8), F(3, 8)]))
def test_one_record_changes_the_loss_by_at_most_one(side: str, alpha: Fraction) -> None:
    """The sensitivity must be 1, reached, over all multisets of up to 4 points of a grid."""
    ranks = [F(-1), F(0), F(1), F(3, 2), F(2), F(3), F(6)]
    points = [float(x) for x in GRID]
    for rank in ranks:
        mechanism = Threshold(1, 0, 1, rank, side, alpha)
        law = {
            data: mechanism.exact_law(data)
            for size in range(5)
            for data in combinations_with_replacement(points, size)
        }
        seen = {
            change
            for data in law
            if len(data) < 4
            for x in points
            for change in changes(law[data], law[tuple(sorted((*data, x)))])
        }
        assert max(map(abs, seen)) == 1


@pytest.mark.parametrize("change", [F(1, 10), F(-1, 10)])
def test_a_window_that_follows_the_size_has_a_larger_sensitivity(change: Fraction) -> None:
    """The check above must see a loss whose alpha changes with the data (SUB-E1)."""
    data = [0.5] * 4
    law = Threshold(1, 0, 1, 1, alpha=F(1, 5)).exact_law(data)
    other = Threshold(1, 0, 1, 1, alpha=F(1, 5) + change).exact_law([*data, 0.5])
    assert max(map(abs, changes(law, other))) > 1


@given(unit_records, alphas)
def test_windows_in_doubles_are_the_exact_ones(data: list[float], alpha: Fraction) -> None:
    """Ends and counts in doubles must be the exact ones, up to intervals of rounding."""
    values = clipped_records(data, F(0), F(1))
    found = windows(values, F(0), F(1), float(alpha))
    every = list(exact_windows(values, F(0), F(1), alpha))
    # which side of the limit an interval of about its width is on, rounding decides
    assume(not any(5e-13 < w.upper - w.lower < 2e-12 for w in every))
    wide = np.diff(found.ends) > 1e-12
    exact = [w for w in every if w.upper - w.lower > 1e-12]
    assert [(w.lo, w.hi) for w in exact] == list(
        zip(found.lo[wide].tolist(), found.hi[wide].tolist(), strict=True)
    )
    np.testing.assert_allclose(
        found.ends[:-1][wide], [float(w.lower) for w in exact], rtol=0, atol=1e-12
    )


@given(unit_records, alphas, st.fractions(-2, 9, max_denominator=4), sides)
def test_mirrored_data_have_the_mirrored_law(
    data: list[float], alpha: Fraction, rank: Fraction, side: str
) -> None:
    """Mirroring the data and counting from the other side must mirror the law, exactly."""
    data = [round(x * 64) / 64 for x in data]
    mirrored = [1 - x for x in data]
    other = "above" if side == "below" else "below"
    law = Threshold(1, 0, 1, rank, side, alpha).exact_law(data)
    image = Threshold(1, 0, 1, rank, other, alpha).exact_law(mirrored)
    assert [(1 - p.upper, 1 - p.lower, p.loss) for p in reversed(law.pieces)] == [
        (p.lower, p.upper, p.loss) for p in image.pieces
    ]


def test_reference_example() -> None:
    """Pieces, losses and probabilities must be those of the example of SUB-A2."""
    law = Threshold(1, 0, 1, 2, alpha="0.05").exact_law(EXAMPLE)
    ends = np.array([0, 0.05, 0.15, 0.35, 0.45, 0.85, 0.95, 1])
    np.testing.assert_allclose([float(p.lower) for p in law.pieces], ends[:-1], atol=1e-15)
    assert [p.loss for p in law.pieces] == [2, 1, 1, 0, 1, 1, 2]
    reference = [
        0.0295717093947697,
        0.0975110125802391,
        0.195022025160478,
        0.160768480568548,
        0.390044050320956,
        0.0975110125802391,
        0.0295717093947697,
    ]
    np.testing.assert_allclose(masses(law, ends), reference, rtol=1e-13)


def test_law_is_an_exact_law() -> None:
    """It must hold that the law has the shape of the protocol, and its density fits its cdf."""
    law = Threshold(1, 0, 1, 2, alpha="0.05").exact_law(EXAMPLE)
    assert isinstance(law, ExactLaw)
    assert law.atoms(FLOATS) == {}
    for piece in law.pieces:
        level = math.exp(law.log_density((piece.lower + piece.upper) / 2, FLOATS))
        mass = masses(law, np.array([float(piece.lower), float(piece.upper)]))[0]
        assert level * float(piece.upper - piece.lower) == pytest.approx(mass, rel=1e-12)
    assert law.log_density(law.pieces[1].lower, FLOATS) == law.log_density(F(1, 10), FLOATS)
    assert law.breakpoints(F(1, 100), F(1, 5)) == tuple(p.lower for p in law.pieces[1:3])
    for outside in (F(-1, 100), F(101, 100)):
        with pytest.raises(InvalidArgument, match="point must lie"):
            law.log_density(outside, FLOATS)


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [(0, 1, 0), (2, 3, 0)],
        [(0, 2, 0), (1, 3, 0)],
        [(0, 0, 0)],
    ],
)
def test_pieces_that_do_not_join_raise(pieces: list[tuple[int, int, int]]) -> None:
    """Pieces that leave a gap, overlap or are empty must be refused."""
    with pytest.raises(InvalidArgument, match="without a gap"):
        LevelLaw(F(1), tuple(LevelPiece(F(a), F(b), F(c)) for a, b, c in pieces))


def test_draws_are_uniform_within_a_piece(dp_rng: np.random.Generator) -> None:
    """Draws must have the cdf of the law, which those of a rank off by one must not."""
    mechanism = Threshold(2, 0, 1, 2, alpha="0.05")
    law = mechanism.exact_law(EXAMPLE)
    grid = np.linspace(0, 1, 1001)
    other = Threshold(2, 0, 1, 3, alpha="0.05")
    apart = law_distance(law.cdf, other.exact_law(EXAMPLE).cdf, grid)
    distance = min(apart, 0.01)
    size = draws_for(distance)
    assert_law(mechanism.sample(EXAMPLE, size, rng=dp_rng), law.cdf, distance)
    assert_not_law(other.sample(EXAMPLE, size, rng=dp_rng), law.cdf, distance)


@pytest.mark.parametrize(
    ("data", "arguments"),
    [
        ([], {"rank": 5}),
        ([0.2, 0.7], {"alpha": 1}),
        ([0.2, 0.7], {"alpha": "1e400", "rank": -3}),
        ([0.2, 0.7], {"rank": 1, "alpha": "0.6"}),
    ],
)
def test_constant_loss_gives_the_uniform_law(
    data: list[float], arguments: dict[str, Any], dp_rng: np.random.Generator
) -> None:
    """Where all thresholds have one loss the release must be uniform on [low, high]."""
    mechanism = Threshold(low=0, high=1, **arguments)
    law = mechanism.exact_law(data)
    assert len({piece.loss for piece in law.pieces}) == 1
    draws = mechanism.sample(data, draws_for(0.02), rng=dp_rng)
    assert_law(draws, lambda x: np.clip(x, 0, 1), 0.02)


def test_a_rank_beyond_the_records_is_uniform_right_of_them() -> None:
    """For r > n all thresholds above the last record - alpha must have the least loss, r - n."""
    law = Threshold(1, 0, 1, 9, alpha=F(1, 8)).exact_law([0.25, 0.5])
    assert {p.loss for p in law.pieces if p.lower >= F(3, 8)} == {F(7)}
    assert {p.loss for p in law.pieces if p.upper <= F(3, 8)} == {F(8), F(9)}


def test_rank_zero_is_left_of_the_records() -> None:
    """For r <= 0 the thresholds up to the first record + alpha must have the least loss."""
    for rank in (0, -4):
        law = Threshold(1, 0, 1, rank, alpha=F(1, 8)).exact_law([0.5, 0.75])
        assert {p.loss for p in law.pieces if p.upper <= F(5, 8)} == {F(-rank)}
        assert min(p.loss for p in law.pieces if p.lower >= F(5, 8)) == 1 - rank


@pytest.mark.parametrize("low", [0, "1/3", -5, "1e300"])
def test_equal_bounds_have_a_constant_law(low: Any) -> None:
    """With low = high the law must be an atom there."""
    law = Threshold(1, low, low).exact_law([0.1, 0.2])
    assert law.atoms(FLOATS) == {F(low): 1.0}
    assert law.breakpoints(F(low) - 1, F(low) + 1) == (F(low),)
    np.testing.assert_array_equal(law.cdf(float(F(low)) + np.array([-1e290, 1e290])), [0, 1])


def test_large_losses_do_not_underflow(dp_rng: np.random.Generator) -> None:
    """A stack of many records at a large epsilon must give its window, and no warning."""
    data = np.full(100_000, 0.5)
    mechanism = Threshold(500, 0, 1, 100_000, alpha=F(1, 1000))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draws = mechanism.sample(data, 1000, rng=dp_rng)
    assert np.all(draws >= 0.499)
    # Window right of the stack: 0 records too many; left of it all 100 000 are missing.
    assert draws.max() > 0.9


def test_no_window_of_width_zero_is_drawn(dp_rng: np.random.Generator) -> None:
    """Ends that coincide leave intervals of width 0, which must not be drawn."""
    mechanism = Threshold(5, 0, 1, 2, alpha=F(1, 4))
    data = [0.0, 0.0, 0.25, 0.5, 0.75, 1.0]
    found = windows(clipped_records(data, F(0), F(1)), F(0), F(1), 0.25)
    assert np.all(np.diff(found.ends) > 0)
    draws = mechanism.sample(data, 20_000, rng=dp_rng)
    law = mechanism.exact_law(data)
    assert [(w.lower, w.upper) for w in law.pieces] == list(pairwise(GRID))
    assert np.all((draws >= 0) & (draws <= 1))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9), st.fractions(-9, 60))
def test_distance_in_doubles_is_the_exact_one(counts: list[int], rank: Fraction) -> None:
    """The distance of a rank from lo..hi in doubles must be the exact one."""
    lo = np.array(sorted(counts), dtype=np.int64)
    hi = lo + 3
    exact = [max(F(0), int(a) - rank, rank - int(b)) for a, b in zip(lo, hi, strict=True)]
    np.testing.assert_allclose(distance(lo, hi, rank), np.array(exact, float), atol=1e-12)


def test_distances_from_a_large_rank_keep_their_differences() -> None:
    """Up to the largest rank the losses must differ as they should."""
    counts = np.arange(4)
    for rank in (F(2**31), F(2**31) - F(1, 3), F(-(2**31)) + F(1, 3)):
        found = distance(counts, counts, rank)
        np.testing.assert_allclose(np.abs(np.diff(found)), 1, rtol=0, atol=1e-6)


def test_least_alpha_has_a_window() -> None:
    """The least alpha must be taken, and its window be that wide in doubles."""
    mechanism = Threshold(1, 0, 1, 1, alpha=F(2**10, 2**52))
    found = windows(np.array([0.9]), F(0), F(1), float(mechanism.alpha))
    assert np.diff(found.ends)[1] == pytest.approx(2 * float(mechanism.alpha), rel=1e-3)
