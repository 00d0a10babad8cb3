"""The radius: its exact law, its guarantee, its privacy, placeholders and odd records."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.exact.cells.finite_laws import compare
from mechanisms.personalized.sparse.radius import (
    Radius,
    draw_radius,
    outside_counts,
    threshold,
)
from proofs_check.enclosure import endpoints
from tests.mechanisms.personalized.finite_masses import fits, masses

F = Fraction

LEAST = 0.004


def slow_failure(mechanism: Radius, data: list[float]) -> float:
    """Probability that the guarantee of the stage fails, from the exact law."""
    unit, largest = float(mechanism.b), max(abs(x) for x in data)
    epsilon, beta = float(mechanism.epsilon), float(mechanism.beta)
    first = 1 + max(0, math.ceil(math.log2(largest / unit)))
    allowed = 6 / epsilon * (math.log(2 / beta) + math.log(2 * first / beta))
    return sum(
        chance
        for radius, chance in masses(mechanism.exact_law(data)).items()
        if radius > max(unit, 2 * largest) or sum(abs(x) > radius for x in data) > allowed
    )


def test_guarantee_fails_with_at_most_beta(
    subtests: pytest.Subtests, dp_rng: np.random.Generator
) -> None:
    """The radius must be at most max(b, 2 max |x|) and leave few outside, but with 0.513 beta."""
    for beta in ["1/100", "1/10", "1/2", "9/10"]:
        for count in [1, 40, 200]:
            with subtests.test(beta=beta, count=count):
                mechanism = Radius(1, beta, "1/4")
                data = (dp_rng.standard_normal(count) * 3).tolist()
                failure = slow_failure(mechanism, data)
                assert 0 <= failure < 0.5131 * float(F(beta))


def test_guarantee_fails_as_often_as_it_should(dp_rng: np.random.Generator) -> None:
    """Where the guarantee can fail, draws must fail as often as the law says, and half as private.

    All records lie at one distance, so that a radius fails if it is too large.
    """
    data, size = [1.0] * 30, 400_000
    mechanism, other = Radius(1, "9/10"), Radius("1/4", "9/10")
    failure = slow_failure(mechanism, data)
    spread = 6.5 * math.sqrt(failure / size)
    assert 0.01 < failure < 0.4617
    seen = np.mean(mechanism.sample(data, size, rng=dp_rng) > 2)
    assert abs(seen - failure) < spread < failure / 5
    assert np.mean(Radius(1, "99/100").sample(data, size, rng=dp_rng) > 2) - failure > spread
    assert slow_failure(other, data) == pytest.approx(failure, rel=1e-9)  # ties: no epsilon


def test_the_printed_tolerance_is_cut_off(dp_rng: np.random.Generator) -> None:
    """About (6 / epsilon) ln(2 / beta) records may lie outside: fewer far ones are not covered."""
    assert threshold(0.5, 0.1) == pytest.approx(-12 * math.log(20))
    near, far = [1.0] * 500, [1000.0]
    cut = 6 * math.log(20)
    few, many = (int(cut * factor) for factor in (0.3, 4))
    small = Radius(1, "1/10", 1).sample(near + far * few, 2000, rng=dp_rng)
    large = Radius(1, "1/10", 1).sample(near + far * many, 2000, rng=dp_rng)
    assert np.mean(small <= 2) > 0.9
    assert np.mean(large >= 1000) > 0.9


@given(
    st.lists(
        st.one_of(
            st.floats(allow_nan=True), st.integers(-70, 70).map(lambda k: 2.0**k), st.just(3.0)
        ),
        max_size=7,
    ),
    st.sampled_from([1.0, 0.5, 3.0, 0.1, 1e-75, 1e75]),
)
@example([math.nan, 3.0, math.inf], 1.5)
def test_counts_are_the_exact_ones(data: list[float], unit: float) -> None:
    """The counts of records beyond 2^(i-1) b must be exact, and those of placeholders 0."""
    values = np.array(data)[np.newaxis]
    found = outside_counts(values, np.ones(values.shape, np.bool_), np.array([unit]))
    assert found.shape == (1, 64)
    for place in range(64):
        radius = F(unit) * 2**place
        exact = sum(math.isinf(x) or F(abs(x)) > radius for x in data if not math.isnan(x))
        assert found[0, place] == exact


def test_placeholders_change_nothing(dp_rng: np.random.Generator) -> None:
    """Placeholders must lie within every radius: with and without them the draws are the same."""
    data = [5.0, -3.0, 100.0]
    rows = []
    for more in ([], [math.nan, None, "word", math.inf, -math.inf, 10**400], [0.0]):
        rng = np.random.default_rng(6)
        rows.append(Radius(3).sample([*data, *more], 300, rng=rng))
    np.testing.assert_array_equal(rows[0], rows[1])
    np.testing.assert_array_equal(rows[0], rows[2])
    assert not np.array_equal(rows[0], Radius(3).sample(data, 300, rng=dp_rng))


def test_only_counted_records_count(dp_rng: np.random.Generator) -> None:
    """Records that do not survive must not count; an infinite survivor is outside every radius."""
    values = np.array([3.0, 1e6, math.nan, math.inf, -5.0])
    unit = np.array([1.0, 2.0])
    counted = np.array([[True, False, True, False, True], [True, True, False, True, True]])
    found = outside_counts(values, counted, unit)
    assert found[0].tolist() == [2, 2, 1, *[0] * 61]
    assert found[1].tolist() == [4, 3, *[2] * 17, *[1] * 45]
    size = 60_000
    first = np.tile(counted[:1], (size, 1))
    draws = draw_radius(values, first, np.ones(size), 1.0, 0.9, rng=dp_rng)
    assert fits(draws, Radius(1, "9/10").exact_law([3.0, -5.0]), LEAST)


@pytest.mark.parametrize("power", [-30, -1, 7])
def test_radius_follows_the_unit(power: int) -> None:
    """Records and b times 2^k must give the radii times 2^k, bit for bit."""
    data = np.array([[0.3, 5.0, -80.0, 2.0], [1.0, 2.0, 4.0, 9e9]])
    counted, b = np.ones((2, 4), np.bool_), np.array([0.1, 3.0])
    one, other = (np.random.default_rng(9) for _ in range(2))
    factor = 2.0**power
    np.testing.assert_array_equal(
        draw_radius(data, counted, b, 2.0, 0.1, rng=one) * factor,
        draw_radius(data * factor, counted, b * factor, 2.0, 0.1, rng=other),
    )


def test_signs_and_order_change_nothing() -> None:
    """Mirrored and permuted records must give the same draws, bit for bit."""
    data = [0.5, 7.0, -100.0, 3.0]
    rows = [
        Radius(2).sample(records, 200, rng=np.random.default_rng(1))
        for records in (data, [-x for x in data], data[::-1])
    ]
    np.testing.assert_array_equal(rows[0], rows[1])
    np.testing.assert_array_equal(rows[0], rows[2])


def test_without_noise_everything_is_covered(subtests: pytest.Subtests) -> None:
    """With little noise the radius must be the least 2^k b that covers 500 records or more."""
    for largest in [0.0, 0.25, 0.99, 1.0, 1.01, 2.0, 3.0, 900.0]:
        with subtests.test(largest=largest):
            rng = np.random.default_rng(3)
            data = [0.1, -largest] * 500
            radius = Radius(500, "1e-100").sample(data, 50, rng=rng)
            expected = 2.0 ** max(0, math.ceil(math.log2(largest))) if largest else 1.0
            assert set(radius.tolist()) == {expected}


NEIGHBORS: dict[str, tuple[list[float], list[float]]] = {
    "from near to far": ([0.5] * 9, [0.5] * 8 + [1e9]),
    "to beyond all radii": ([0.5, 0.5], [0.5, 1e300]),
    "among far records": ([50.0] * 12 + [1.0], [50.0] * 13),
    "to the placeholder": ([50.0] * 6, [50.0] * 5 + [math.nan]),
    "the only record": ([9.0], [math.nan]),
}


def test_no_neighbors_lose_more_than_three_quarters(subtests: pytest.Subtests) -> None:
    """Exact losses must be at most 3 epsilon / 4, since the queries move all alike."""
    for epsilon in [F(1), F(4)]:
        for pair in NEIGHBORS:
            with subtests.test(epsilon=epsilon, pair=pair):
                law, neighbor = (
                    Radius(epsilon, "9/10").exact_law(side) for side in NEIGHBORS[pair]
                )
                known: Any = {}
                found = compare(law, neighbor, epsilon * F(3, 4), F(0), known)
                assert all(side.at_most == 0 for side in found)
                ratios = [endpoints(side.ratio)[1] for side in found if side.ratio is not None]
                largest = math.log(max(ratios))
                assert 0.05 * float(epsilon) < largest < 0.75 * float(epsilon)
                broken = compare(law, neighbor, F(largest) * F(9, 10), F(0), known)
                assert any(side.exceeds(F(0)) for side in broken)


def test_huge_records_do_not_warn() -> None:
    """The largest and the smallest doubles, and no record at all, must be read silently."""
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        for unit in ("1e-75", 1, "1e75"):
            mechanism = Radius(300, "1/10", unit)
            for data in ([], [1.7e308, -5e-324, 0.0] * 5):
                draws = mechanism.sample(data, 20, rng=np.random.default_rng(1))
                assert np.isfinite(draws).all()
                assert draws.min() >= float(F(unit))
