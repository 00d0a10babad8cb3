"""The width of the grid: its exact law, its range, its privacy, rounding, and odd records."""

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
from mechanisms.personalized.sparse.discretization import Discretization, draw_grid, to_grid
from proofs_check.enclosure import endpoints
from tests.mechanisms.personalized.finite_masses import fits, masses, stated
from tests.speed import calls_of

F = Fraction

LEAST = 0.004


def test_mirrored_records_have_the_same_law() -> None:
    """Negative records must count as positive ones do: x -> -x and x -> x + 4 keep the law."""
    mechanism = Discretization(2)
    data = np.array([0.5, 0.25, 3.0, 1.0, 9.0, 2.5])
    law = mechanism.exact_law(data)
    assert mechanism.exact_law(-data) == law
    assert mechanism.exact_law(data - 4) == law
    assert mechanism.exact_law(np.abs(data - 4)) != law


def test_negative_records_take_part(dp_rng: np.random.Generator) -> None:
    """Mirrored data must have widths of the same law in samples as well."""
    mechanism = Discretization(4)
    data = [-0.3, -1.5, -0.1, -40.0, -0.2]
    law = mechanism.exact_law([-x for x in data])
    assert fits(mechanism.sample(data, 50_000, rng=dp_rng), law, LEAST)
    assert not fits(mechanism.sample(np.abs(data) * 4, 50_000, rng=dp_rng), law, LEAST)


def test_width_follows_the_scale(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """With little noise the width must be in [median / 4, median / 2), whatever the unit is."""
    for power in [-40, -11, -1, 0, 1, 5, 40]:
        with subtests.test(power=power):
            data = 1.4 * 2.0**power * dp_rng.standard_normal(4000)
            median = 1.4 * 2.0**power * 0.953872552408940
            widths = Discretization(100).sample(data, 20, rng=dp_rng)
            assert np.all(widths == 2.0 ** (power - 1))
            assert np.all((median / 4 <= widths) & (widths < median / 2))


@pytest.mark.parametrize("power", [1, 20])
def test_scaling_by_powers_of_two_scales_the_widths(power: int) -> None:
    """Data times 2^k must have the law of widths times 2^k, where one scan decides."""
    data = np.array([900.0, 5.0, 130.0, 2000.0])
    law = masses(Discretization(400).exact_law(data))
    scaled = masses(Discretization(400).exact_law(data * 2.0**power))
    likely = {width: chance for width, chance in law.items() if chance > 1e-3}
    assert len(likely) > 2
    for width, chance in likely.items():
        assert scaled[width * 2.0**power] == pytest.approx(chance, rel=1e-3)


@pytest.mark.parametrize("sigma", [1.0, 0.01, 43.84, 0.128])
def test_width_lies_between_an_eighth_of_sigma_and_sigma(
    sigma: float, dp_rng: np.random.Generator
) -> None:
    """Epsilon = 1, 1000 Gaussian records: sigma / 8 <= b <= sigma must hold in all of 300 runs.

    Of 20 000 runs at each of these sigma none was outside.
    """
    runs = 300
    data = sigma * dp_rng.standard_normal((runs, 1000))
    widths = draw_grid(data, np.ones(data.shape, np.bool_), 1.0, rng=dp_rng)
    outside = np.count_nonzero((widths < sigma / 8) | (widths > sigma))
    assert outside == 0


def test_too_few_records_leave_the_range(dp_rng: np.random.Generator) -> None:
    """At 200 records and epsilon = 1/4 the width must leave the range now and then."""
    data = dp_rng.standard_normal((1000, 200))
    widths = draw_grid(data, np.ones(data.shape, np.bool_), 0.25, rng=dp_rng)
    share = np.mean((widths >= 1 / 8) & (widths <= 1))
    assert 0.85 < share < 0.99


def test_survivors_alone_decide(dp_rng: np.random.Generator) -> None:
    """Records that do not survive must change nothing, and the law be that of the survivors."""
    data = np.array([0.0, 1e6, 0.3, -1e9, 1.1, -2.0, math.nan])
    kept = np.array([True, False, True, False, True, True, True])
    size = 50_000
    widths = draw_grid(data, np.tile(kept, (size, 1)), 3.0, rng=dp_rng)
    law = Discretization(3).exact_law([0.0, 0.3, 1.1, -2.0])
    assert fits(widths, law, LEAST)
    everybody = draw_grid(data, np.ones((size, 7), np.bool_), 3.0, rng=dp_rng)
    assert not fits(everybody, law, LEAST)


def test_equal_records_reach_the_cap() -> None:
    """With no difference at all the scan must end at its cap: b = 2^-65."""
    rng = np.random.default_rng(2)
    widths = Discretization(400).sample([3.25] * 1000, 50, rng=rng)
    assert set(widths.tolist()) == {2.0**-65}


def test_huge_differences_reach_the_other_cap() -> None:
    """A difference beyond the largest double must be larger than all thresholds: b = 2^62."""
    rng = np.random.default_rng(2)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        widths = Discretization(500).sample([1.7e308, -1.7e308], 50, rng=rng)
    assert set(widths.tolist()) == {2.0**62}


NEIGHBORS: dict[str, tuple[list[float], list[float]]] = {
    "a record joins a stack": ([0.0, 0.0, 0.0, 9.0], [0.0] * 4),
    "a record leaves a stack": ([0.0] * 6, [0.0] * 5 + [1e9]),
    "between scales": ([0.0, 0.01, 0.02, 5.0, 5.01], [0.0, 0.01, 0.02, 5.0, 1e300]),
    "to the placeholder": ([0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, math.nan]),
    "the only pair": ([1.0, 1.0], [1.0, math.nan]),
    "odd, to the placeholder": ([0.0, 0.0, 7.0, 0.5, 0.25], [0.0, 0.0, 7.0, 0.5, math.nan]),
}


@pytest.mark.parametrize("epsilon", [F(1), F(6)])
@pytest.mark.parametrize("pair", NEIGHBORS)
def test_no_neighbors_lose_more_than_epsilon(pair: str, epsilon: Fraction) -> None:
    """The exact loss of one record must be at most epsilon, and not always below 0.1 epsilon."""
    law, neighbor = (stated(Discretization(epsilon), side) for side in NEIGHBORS[pair])
    known: Any = {}
    found = compare(law, neighbor, epsilon, F(0), known)
    assert all(side.at_most == 0 for side in found)
    assert all(side.ratio is not None for side in found)
    largest = max(math.log(endpoints(side.ratio)[1]) for side in found if side.ratio is not None)
    assert 0.02 * float(epsilon) < largest < float(epsilon)
    broken = compare(law, neighbor, F(largest) * F(9, 10), F(0), known)
    assert any(side.exceeds(F(0)) for side in broken)


def test_the_exact_law_is_for_few_records() -> None:
    """Of more than nine records, placeholders among them, no law must be stated."""
    assert Discretization().exact_law([0.0] * 9) is not None
    assert Discretization().exact_law([math.nan] * 10) is None


def test_one_draw_on_many_records_is_quick(dp_rng: np.random.Generator) -> None:
    """A draw on 100,000 records must not look at one after the other."""
    data = dp_rng.standard_normal(100_000)
    kept = np.ones((1, data.size), dtype=np.bool_)
    calls, _ = calls_of(lambda: draw_grid(data, kept, 1.0, rng=dp_rng))
    assert calls < 1000


records = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(-100, 100),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.0**53, -(2.0**53), 0.75, -0.75]),
)


@given(st.lists(records, max_size=6), st.integers(-65, 62))
@example([-5e-324, 5e-324, -1e-310], 62)
@example([1.7e308, -1.7e308, -5e-324], -65)
def test_rounding_is_the_exact_floor(values: list[float], power: int) -> None:
    """A rounded record must be b floor(x / b) exactly, or x itself where b divides it."""
    b = 2.0**power
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        found = to_grid(np.array(values), np.array([b]))
    assert found.shape == (1, len(values))
    for x, y in zip(values, found[0].tolist(), strict=True):
        assert F(y) == math.floor(F(x) / F(b)) * F(b)
        assert not (y == 0 and math.copysign(1, y) < 0)


def test_rounding_keeps_placeholders_and_rows() -> None:
    """Placeholders must stay, and each draw be rounded by its own width."""
    values = np.array([[1.75, math.nan], [1.75, -1.75], [1.75, 0.2]])
    found = to_grid(values, np.array([0.5, 1.0, 4.0]))
    np.testing.assert_array_equal(found, [[1.5, math.nan], [1.0, -2.0], [0.0, 0.0]])
    common = to_grid(np.array([1.75, -0.1]), np.array([0.5, 1.0]))
    np.testing.assert_array_equal(common, [[1.5, -0.5], [1.0, -1.0]])
