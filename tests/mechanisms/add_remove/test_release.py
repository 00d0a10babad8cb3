"""The hardened mean."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mechanisms.add_remove import release
from mechanisms.add_remove.grid import GRID, grid_index
from mechanisms.add_remove.release import ReleaseMean, exact_hourglass
from mechanisms.noise.discrete_hourglass import DiscreteHourglass
from tests.calibrated import assert_law, assert_not_law, draws_for


def seeded(seed: int = 3, **arguments: object) -> ReleaseMean:
    """Hardened mean whose bytes come from a seeded generator."""
    return ReleaseMean(bits=np.random.default_rng(seed).bytes, **arguments)  # type: ignore[arg-type]


def slow_exponent(j: int, t: int, grid: int, r: int) -> int:
    """Exponent |s| + |t - s|, s the signed level of j, by counting levels (KSW-D5)."""
    level = 0
    while abs(j) > level * grid + r - 1:
        level += 1
    s = level if j >= 0 else -level
    return abs(s) + abs(t - s)


def cells_by_exponent(epsilon: float, grid: int, r: int) -> list[tuple[tuple[int, int], float]]:
    """Cells (j, t) that hold all but 1e-6 of the law, by falling probability, with it."""
    b = math.exp(-epsilon)
    a = (1 - b) ** 2 / ((1 + b) * ((2 * r - 1) * (1 - b) + 2 * grid * b))
    most = math.ceil(20 / epsilon)
    cells = [
        ((j, t), a * b ** slow_exponent(j, t, grid, r))
        for j in range(-most * grid, most * grid + 1)
        for t in range(-most, most + 1)
    ]
    return sorted(cells, key=lambda cell: (-cell[1], cell[0]))


@pytest.mark.parametrize(
    ("epsilon", "grid", "r"),
    [("3/2", 3, 2), ("3/2", 4, 1), ("2", 2, 2), ("7/5", 1, 1), ("3", 12, 1), ("5/2", 7, 2)],
)
def test_noise_has_the_discrete_hourglass_law(
    epsilon: str, grid: int, r: int, dp_rng: np.random.Generator
) -> None:
    """(J, T) must have the pmf of KSW-D5, and not that of an epsilon wrong by 5 %."""
    distance, exact = 0.01, Fraction(epsilon)
    j, t = exact_hourglass(exact, grid, r, draws_for(distance), dp_rng.bytes)
    cells = cells_by_exponent(float(exact), grid, r)
    rank = {cell: i for i, (cell, _) in enumerate(cells)}
    seen = np.array(
        [rank.get(pair, len(cells)) for pair in zip(j.tolist(), t.tolist(), strict=True)]
    )

    def cdf_of(law_epsilon: float) -> np.ndarray:
        law = dict(cells_by_exponent(law_epsilon, grid, r))
        return np.cumsum([0.0, *(law.get(cell, 0.0) for cell, _ in cells), 1e-6])

    right, wrong = cdf_of(float(exact)), cdf_of(1.05 * float(exact))
    assert np.abs(right - wrong).max() >= distance
    draws = seen.astype(float)
    assert_law(
        draws, lambda i: right[i.astype(int) + 1], distance, left_cdf=lambda i: right[i.astype(int)]
    )
    assert_not_law(
        draws, lambda i: wrong[i.astype(int) + 1], distance, left_cdf=lambda i: wrong[i.astype(int)]
    )


@pytest.mark.parametrize(("grid", "r"), [(3, 2), (5, 1), (4, 4)])
def test_law_of_this_test_is_that_of_the_noise_class(grid: int, r: int) -> None:
    """The pmf written in this test must be that of `DiscreteHourglass`."""
    cells = cells_by_exponent(1.5, grid, r)[:500]
    j, t = np.array([cell for cell, _ in cells]).T
    pmf = DiscreteHourglass(epsilon="3/2", grid=grid, level0=r).pmf(j, t)
    np.testing.assert_allclose(pmf, [p for _, p in cells], rtol=1e-12)


def test_noise_on_the_default_grid(dp_rng: np.random.Generator) -> None:
    """On 2^32 steps J must have the marginal of `DiscreteHourglass`, and not one 5 % wider."""
    distance = 0.012
    law = DiscreteHourglass(epsilon=1, grid=GRID)
    j, t = exact_hourglass(Fraction(1), GRID, law.level0, draws_for(distance), dp_rng.bytes)
    draws = j.astype(float)
    assert_law(draws, law.marginal_cdf, distance)
    narrow = DiscreteHourglass(epsilon="1.07", grid=GRID)
    assert_not_law(draws, narrow.marginal_cdf, distance)
    assert abs(float(np.corrcoef(draws, t - draws / GRID)[0, 1])) < 0.02  # KSW-H2: uncorrelated


@given(
    data=st.lists(st.floats(0, 1), max_size=5),
    x=st.floats(-0.5, 1.5),
    grid=st.sampled_from([1, 3, 10, GRID]),
)
def test_one_record_moves_the_noisy_integers_by_itself(
    data: list[float], x: float, grid: int
) -> None:
    """Under the same bytes, adding x must move every noisy pair by exactly (Q x', 1)."""
    before = seeded(grid=grid).noisy_integers(data, 50)
    after = seeded(grid=grid).noisy_integers([*data, x], 50)
    position = grid_index(x, Fraction(0), Fraction(1), grid)
    assert set((after[0] - before[0]).tolist()) == {position}
    assert set((after[1] - before[1]).tolist()) == {1}


@given(
    numerator=st.integers(-(2**70), 2**70),
    denominator=st.integers(-(2**40), 2**40),
    grid=st.sampled_from([1, 3, 10**6 + 3, GRID]),
)
@example(numerator=5, denominator=0, grid=3)
@example(numerator=-7, denominator=-9, grid=1)
@example(numerator=2**53 - 1, denominator=2**21, grid=GRID)
@example(numerator=2**53 + 1, denominator=2**53 + 3, grid=1)
def test_quotient_is_rounded_once(numerator: int, denominator: int, grid: int) -> None:
    """The quotient must be the double nearest to the exact one, on int64 and Python integers."""
    expected = 0.5
    if denominator:
        expected = float(
            min(max(Fraction(numerator, grid * denominator), Fraction(0)), Fraction(1))
        )
    for dtype in (np.int64, object):
        if dtype is np.int64 and abs(numerator) >= 2**63:
            continue
        a, b = np.array([numerator], dtype=dtype), np.array([denominator], dtype=dtype)
        assert release._rounded_ratio(a, b, grid)[0] == expected


def test_zero_denominator_is_the_midpoint(dp_rng: np.random.Generator) -> None:
    """On empty data the midpoint must come up with P(T = 0) = 0.265252083448721 (KSW-ER18)."""
    distance, p = 0.02, 0.265252083448721
    mean = ReleaseMean(low=2, high=6, bits=dp_rng.bytes)
    out = mean.sample([], draws_for(distance), rng=dp_rng)
    assert np.all((out >= 2) & (out <= 6))
    assert abs(float(np.mean(out == 4.0)) - p) < distance / 2


def test_release_is_a_function_of_the_noisy_integers() -> None:
    """Two data sets whose noisy integers coincide must give the same release, bit for bit."""
    first, second = seeded(), seeded()
    sums = first.noisy_integers([0.25, 0.75, 0.5], 100)
    other = second.noisy_integers([0.5, 0.5, 0.5], 100)
    np.testing.assert_array_equal(sums[0], other[0])
    np.testing.assert_array_equal(
        seeded().sample([0.25, 0.75, 0.5], 100, rng=np.random.default_rng(0)),
        seeded().sample([0.5, 0.5, 0.5], 100, rng=np.random.default_rng(1)),
    )


def test_source_fixes_the_draws_and_rng_does_not() -> None:
    """The bytes alone must decide: `rng` is not used, and no bytes means the system's."""
    rng = np.random.default_rng(7)
    state = rng.bit_generator.state
    first = seeded(1).sample([0.5], 50, rng=rng)
    assert rng.bit_generator.state == state
    np.testing.assert_array_equal(first, seeded(1).sample([0.5], 50, rng=rng))
    assert not np.array_equal(first, seeded(2).sample([0.5], 50, rng=rng))
    assert not np.array_equal(
        ReleaseMean().sample([0.5], 50, rng=rng), ReleaseMean().sample([0.5], 50, rng=rng)
    )


@pytest.mark.parametrize("epsilon", ["1e-9", "1/1000", "22/7", "500", "0.123456789012345678901"])
def test_extreme_epsilons_stay_integral(epsilon: str) -> None:
    """Tiny, huge and very long epsilons must give exact integers and releases within bounds."""
    mean = seeded(epsilon=epsilon, grid=GRID)
    first, count = mean.noisy_integers([0.5, 0.75], 300)
    for values in (first, count):
        assert values.dtype == np.int64 or all(type(v) is int for v in values)
    out = mean.sample([0.5, 0.75], 300, rng=np.random.default_rng(0))
    assert np.all((out >= 0) & (out <= 1))


def test_tiny_epsilon_does_not_overflow() -> None:
    """At epsilon = 1e-9 on 2^32 steps J needs more than 64 bits, and must come back whole."""
    j, _ = exact_hourglass(Fraction(1, 10**9), GRID, 1, 200, np.random.default_rng(0).bytes)
    sizes = [abs(int(v)) for v in j]
    assert max(sizes) > 2**62
    assert 0.5 < sum(sizes) / len(sizes) / (10**9 * GRID) < 2


@pytest.mark.parametrize(
    "function",
    [exact_hourglass, release._accepted_candidates, release._add],
    ids=lambda function: function.__name__,
)
def test_no_floating_point_before_the_quotient(function: object) -> None:
    """What makes the noisy integers must hold no float constant, name or true division."""
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):  # type: ignore[arg-type]
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Name) and node.id == "float")
        assert not (isinstance(node, ast.Attribute) and node.attr == "float64")
        assert not isinstance(node, ast.Div)
