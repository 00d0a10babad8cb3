"""The grid width as printed: pairs that are too sensitive, lost negatives, a halved width."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.finite_laws import compare
from mechanisms.as_printed.all_pairs import pair_counts
from mechanisms.as_printed.discretization import (
    SLIPS,
    PrintedDiscretization,
    draw_grid_as_printed,
)
from mechanisms.personalized.sparse.discretization import Discretization
from proofs_check.enclosure import endpoints
from tests.mechanisms.personalized.finite_masses import fits, masses, stated

F = Fraction

EIGHTHS = st.integers(-40, 40).map(lambda k: k / 8)
each_pairing = pytest.mark.parametrize("pairs", ["all", "sorted"])


def slow_counts(values: list[float], pairs: str) -> tuple[list[int], int]:
    """Count the differences one by one."""
    ordered = sorted(values)
    if pairs == "all":
        gaps = [abs(x - y) for x, y in combinations(ordered, 2)]
    else:
        gaps = [y - x for x, y in zip(ordered[::2], ordered[1::2], strict=False)]
    return [sum(gap <= 2.0**k for gap in gaps) for k in range(-63, 64)], len(gaps)


@each_pairing
@given(rows=st.lists(st.lists(EIGHTHS, min_size=5, max_size=5), min_size=1, max_size=3))
def test_counts_are_those_of_the_pairs(pairs: str, rows: list[list[float]]) -> None:
    """Counts of all pairs, or of sorted neighbors, must be those of the kept records."""
    values = np.array(rows)
    kept = values != 0.5
    within, total = pair_counts(values, kept, pairs)
    for row in range(len(rows)):
        slow, number = slow_counts(values[row][kept[row]].tolist(), pairs)
        assert within[row].tolist() == slow
        assert total[row] == number


@each_pairing
@pytest.mark.parametrize("count", [31, 32, 33, 34, 90])
def test_counts_of_many_records_come_from_sorting(
    count: int, pairs: str, dp_rng: np.random.Generator
) -> None:
    """Where pairs are not listed the counts must be the same, ties and placeholders included."""
    values = np.round(dp_rng.standard_normal((3, count)) * 64) / 64
    values[:, 3] = math.nan
    kept = dp_rng.random(values.shape) < 0.9
    within, total = pair_counts(values, kept, pairs)
    for row in range(3):
        mine = values[row][kept[row] & np.isfinite(values[row])]
        slow, number = slow_counts(mine.tolist(), pairs)
        assert within[row].tolist() == slow
        assert total[row] == number


@each_pairing
@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_records_have_no_pair(count: int, pairs: str) -> None:
    """No records and one record must have no pair."""
    within, total = pair_counts(np.ones(count), np.ones((2, count), np.bool_), pairs)
    assert within.shape == (2, 127)
    assert not within.any()
    assert total.tolist() == [0, 0]


def test_all_pairs_of_thousands_of_records_are_counted(dp_rng: np.random.Generator) -> None:
    """The 12 497 500 pairs of 5000 Gaussian records must be counted, and as they are spread."""
    values = dp_rng.standard_normal(5000)
    within, total = pair_counts(values, np.ones((1, 5000), np.bool_), "all")
    assert total.tolist() == [12_497_500]
    for k in (-2, -1, 0, 1, 2):
        share = within[0, 63 + k] / total[0]
        assert share == pytest.approx(math.erf(2.0**k / 2), abs=0.02)


@pytest.mark.parametrize(
    ("pairs", "data", "neighbor", "moves"),
    [
        ("all", [1, 1, 1], [1, 1, 9], (3, 1)),
        ("sorted", [1, 1, 6, 6], [1, 6, 6, 10], (2, 0)),
        ("all", [1] * 20, [1] * 19 + [9], (190, 171)),
        ("sorted", [1, 1, 6, 6, 11, 11], [1, 6, 6, 11, 11, 16], (3, 0)),
    ],
)
def test_one_record_moves_a_count_by_many(
    pairs: str, data: list[float], neighbor: list[float], moves: tuple[int, int]
) -> None:
    """Count(G, 1) must fall by n - 1 for all pairs, and by n / 2 for sorted ones (PDP-CX8)."""
    seen = [
        pair_counts(np.array(side, dtype=float), np.ones((1, len(side)), np.bool_), pairs)
        for side in (data, neighbor)
    ]
    assert tuple(int(within[0, 63]) for within, _ in seen) == moves
    assert moves[0] - moves[1] == (len(data) - 1 if pairs == "all" else len(data) // 2)


@each_pairing
@pytest.mark.parametrize("epsilon", ["1/100", 1, 20])
@pytest.mark.parametrize("slip", ["all", "E-08"])
def test_the_counterexample_breaks_the_promise(slip: str, epsilon: Any, pairs: str) -> None:
    """The known pair must be of neighbors and have an event of more than e^epsilon, exactly."""
    mechanism = PrintedDiscretization(epsilon, slip, pairs)
    assert mechanism.counterexample is not None
    data, neighbor = mechanism.counterexample
    assert len(data) == len(neighbor) == (50 if pairs == "all" else 70)
    assert sum(sorted(data).count(x) != neighbor.count(x) for x in {*data, *neighbor}) == 2
    law, other = (stated(mechanism, side) for side in (data, neighbor))
    found = compare(law, other, mechanism.epsilon, F(0))
    assert any(side.exceeds(F(0)) for side in found)


@each_pairing
def test_the_loss_at_one_is_above_five(pairs: str) -> None:
    """At epsilon = 1 the pair must lose 11.2, and 5.1 on an event of probability 0.86."""
    mechanism = PrintedDiscretization(1, "all", pairs)
    assert mechanism.counterexample is not None
    p, q = (masses(mechanism.exact_law(side)) for side in mechanism.counterexample)
    small = [sum(mass for z, mass in law.items() if z <= 1 / 8) for law in (p, q)]
    assert max(small) == pytest.approx(0.85988547, abs=1e-7)
    assert abs(math.log(small[0] / small[1])) == pytest.approx(5.09, abs=0.005)
    law, neighbor = (stated(mechanism, side) for side in mechanism.counterexample)
    found = compare(law, neighbor, F(11), F(0))
    assert any(side.exceeds(F(0)) for side in found)
    ratios = [endpoints(side.ratio)[1] for side in found if side.ratio is not None]
    assert len(ratios) == 2
    assert math.log(max(ratios)) > 11.2


@each_pairing
def test_samples_show_the_loss(pairs: str, dp_rng: np.random.Generator) -> None:
    """Of 20 000 draws on each side far more than e times as many must lie below 1/8."""
    mechanism = PrintedDiscretization(1, "all", pairs)
    assert mechanism.counterexample is not None
    shares = [
        float(np.mean(mechanism.sample(side, 20_000, rng=dp_rng) <= 1 / 8))
        for side in mechanism.counterexample
    ]
    assert max(shares) - 0.025 > math.e * (min(shares) + 0.025)
    sound = Discretization(1)
    shares = [
        float(np.mean(sound.sample(side, 20_000, rng=dp_rng) <= 1 / 8))
        for side in mechanism.counterexample
    ]
    assert max(shares) < math.e * (min(shares) + 0.025)


@pytest.mark.parametrize(
    ("slip", "epsilon"),
    [("E-10, E-12", 1), ("E-12", 1), ("E-10", 1), ("all", "1/101"), ("all", 21)],
)
def test_no_other_counterexample_is_stated(slip: str, epsilon: Any) -> None:
    """Without E-08, or where it was not computed, no pair must be stated."""
    assert PrintedDiscretization(epsilon, slip).counterexample is None


@pytest.mark.parametrize("slip", ["E-10", "E-12", "E-10, E-12"])
@pytest.mark.parametrize(
    "pair",
    [([1.0, 1.0, 1.0, 9.0], [1.0] * 4), ([1.0, 2.0, 300.0], [-1.0, 2.0, 300.0])],
)
def test_without_all_pairs_it_is_private(slip: str, pair: tuple[list[float], list[float]]) -> None:
    """With a random matching the other two slips must keep epsilon on the same kind of pairs."""
    mechanism = PrintedDiscretization(2, slip)
    law, neighbor = (stated(mechanism, side) for side in pair)
    assert all(side.at_most == 0 for side in compare(law, neighbor, F(2), F(0)))


@pytest.mark.parametrize("slip", ["all", "E-08", "E-10", "E-12", "E-08, E-12"])
@each_pairing
def test_rows_have_the_law_of_the_mechanism(
    slip: str, pairs: str, dp_rng: np.random.Generator
) -> None:
    """Draws with survivors of their own must have the law that is stated of those survivors."""
    mechanism = PrintedDiscretization(3, slip, pairs)
    values = np.array([1.0, -0.5, 1e9, 0.25, 3.0, math.nan])
    kept = np.tile(values != 1e9, (40_000, 1))
    draws = draw_grid_as_printed(values, kept, 3.0, mechanism.slips, pairs, rng=dp_rng)
    assert fits(draws, mechanism.exact_law([1.0, -0.5, 0.25, 3.0]), 0.006)
    assert not fits(draws, mechanism.exact_law([1.0, 100.0, 50.0, 4.0]), 0.006)


def test_the_law_of_a_matching_is_for_few_records() -> None:
    """Without E-08 no law must be stated of ten records, with it one must."""
    assert PrintedDiscretization(1, "E-10").exact_law([1.0] * 10) is None
    assert PrintedDiscretization(1, "E-10").exact_law([1.0] * 9) is not None
    assert PrintedDiscretization(1, "E-08").exact_law([1.0] * 10) is not None


def test_negatives_and_zeros_are_lost() -> None:
    """E-10: on records that are not positive the law must be that of no record."""
    mechanism = PrintedDiscretization(1, "E-10")
    nothing = mechanism.exact_law([])
    assert mechanism.exact_law([-1.0, -7.5, 0.0, -0.0, math.nan, -3.0]) == nothing
    assert mechanism.exact_law([-1.0, 2.0]) == nothing
    assert mechanism.exact_law([1.0, 2.0]) != nothing
    everybody = stated(PrintedDiscretization(1, "E-12"), [-1.0, -7.5])
    assert everybody.differences != stated(mechanism, []).differences


def test_placeholders_may_be_zeros_with_the_filter(dp_rng: np.random.Generator) -> None:
    """E-10: a placeholder must be dropped whether it is 0 or NaN, under one seed alike."""
    data = dp_rng.standard_normal((50, 40))
    gone = dp_rng.random(data.shape) < 0.3
    kept = np.ones(data.shape, np.bool_)
    for slips in (frozenset(SLIPS), frozenset({"E-10"})):
        one, other = (
            draw_grid_as_printed(
                np.where(gone, bot, data), kept, 1.0, slips, "all", rng=np.random.default_rng(1)
            )
            for bot in (0.0, math.nan)
        )
        np.testing.assert_array_equal(one, other)


def test_the_late_index_halves_the_second_scan() -> None:
    """E-12: under one seed widths of the second scan must be half, those of the first the same."""
    rng = np.random.default_rng(11)
    data = (rng.standard_normal(50) * 1.3).tolist()
    sound = Discretization(1).sample(data, 500, rng=np.random.default_rng(3))
    late = PrintedDiscretization(1, "E-12").sample(data, 500, rng=np.random.default_rng(3))
    assert set((late / sound).tolist()) == {0.5, 1.0}
    assert np.all(late[sound < 0.5] == sound[sound < 0.5] / 2)
    assert np.all(late[sound > 0.5] == sound[sound > 0.5])


@pytest.mark.parametrize(
    ("sigma", "count", "share"), [(0.13, 5000, 0.3785), (0.128, 5000, 0.1811), (1.0, 1000, 1.0)]
)
def test_the_late_index_leaves_the_range(
    sigma: float, count: int, share: float, dp_rng: np.random.Generator
) -> None:
    """E-12 at epsilon = 1: sigma / 8 <= b <= sigma must fail as often as in Lemma 16's erratum.

    The scan must fire at 2^-3; the shares are sums over the binomial count of differences.
    """
    runs = 400
    data = sigma * dp_rng.standard_normal((runs, count))
    kept = np.ones(data.shape, np.bool_)
    widths = draw_grid_as_printed(data, kept, 1.0, frozenset({"E-12"}), "all", rng=dp_rng)
    seen = np.mean((widths >= sigma / 8) & (widths <= sigma))
    assert abs(seen - share) <= 4.5 * math.sqrt(max(share * (1 - share), 1e-6) / runs)
