"""Inverse sensitivity: its law, its sampler, and the errors that the paper states."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mechanisms.laws import FLOATS
from mechanisms.protocols import ExactLaw
from mechanisms.subset.inverse_sensitivity import InverseSensitivity

F = Fraction
EXAMPLE = [1.0, 1.0, 2.0, 4.0]
CHOICES: dict[str, dict[str, Any]] = {
    "median": {},
    "quantile": {"statistic": "quantile", "level": "3/4"},
    "quantile, length": {"statistic": "quantile", "level": "1/3", "score": "length"},
    "mean": {"statistic": "mean"},
    "mean, length": {"statistic": "mean", "score": "length"},
    "power 3": {"statistic": "power", "power": 3},
    "power 3/2": {"statistic": "power", "power": 1.5},
}
ANY = pytest.mark.parametrize("arguments", CHOICES.values(), ids=CHOICES)


def scores(mechanism: InverseSensitivity, data: list[float]) -> list[int]:
    """Score of each grid point."""
    return [int(loss) for ((_, loss),) in mechanism.exact_law(data).weights]


def masses(mechanism: InverseSensitivity, data: list[float]) -> np.ndarray[Any, Any]:
    """Probability of each grid point."""
    return np.array(list(mechanism.exact_law(data).atoms(FLOATS).values()))


@pytest.mark.parametrize(
    ("arguments", "lengths"),
    [
        ({"score": "length"}, [4, 0, 1, 3, 3, 5]),
        ({"score": "crossing"}, [4, 0, 1, 3, 3, 5]),
        ({"statistic": "quantile", "level": "3/4", "score": "length"}, [5, 2, 0, 1, 1, 2]),
        ({"statistic": "mean", "score": "length"}, [5, 2, 0, 2, 3, 5]),
    ],
)
def test_reference_lengths(arguments: dict[str, Any], lengths: list[int]) -> None:
    """D = {1, 1, 2, 4} on the grid 0..5 must have the lengths of SUB-A5."""
    assert scores(InverseSensitivity(1, 0, 5, 1, **arguments), EXAMPLE) == lengths


PROBABILITIES = {
    "median": "0.0596135194594776 0.440487639540774 0.267169258605926 0.0982860775541367 "
    "0.0982860775541367 0.0361574272855489",
    "mean": "0.0386635496646319 0.173278007952454 0.471018460288736 0.173278007952454 "
    "0.105098424477093 0.0386635496646319",
}


@pytest.mark.parametrize("statistic", PROBABILITIES)
def test_reference_probabilities(statistic: str) -> None:
    """The two laws of SUB-A5 must come out, and have the shape of the protocol."""
    mechanism = InverseSensitivity(1, 0, 5, 1, statistic, score="length")
    assert isinstance(mechanism.exact_law(EXAMPLE), ExactLaw)
    printed = [float(text) for text in PROBABILITIES[statistic].split()]
    np.testing.assert_allclose(masses(mechanism, EXAMPLE), printed, rtol=2e-14)


@ANY
def test_loss_of_privacy_stays_below_epsilon(arguments: dict[str, Any]) -> None:
    """Over all multisets of up to 4 points the largest log-ratio must be at most epsilon."""
    mechanism = InverseSensitivity(2, 0, 4, 1, **arguments)
    law = {
        data: np.log(masses(mechanism, [float(i) for i in data]))
        for size in range(5)
        for data in combinations_with_replacement(range(5), size)
    }
    losses = [
        np.abs(law[data] - law[tuple(sorted((*data, x)))]).max()
        for data in law
        if len(data) < 4
        for x in range(5)
    ]
    assert 1.2 <= max(losses) <= 2 + 1e-12


@ANY
def test_draws_depend_on_the_multiset_alone(arguments: dict[str, Any]) -> None:
    """Permuted records must give the same draws bit for bit, and stay as they are."""
    data = np.random.default_rng(5).random(40)
    before, mechanism = data.copy(), InverseSensitivity(**arguments)
    draws = [
        mechanism.sample(x, 50, rng=np.random.default_rng(6)) for x in (data, data[::-1].copy())
    ]
    np.testing.assert_array_equal(*draws)
    np.testing.assert_array_equal(data, before)


@ANY
def test_strange_records_are_read(arguments: dict[str, Any]) -> None:
    """NaN, None and text must be the midpoint, huge records an end; none may raise."""
    mechanism = InverseSensitivity(1, -1, 1, "1/4", **arguments)
    strange = [np.nan, None, "word", np.inf, -np.inf, 10**400, -(10**400), -0.0]
    law = mechanism.exact_law(strange)
    assert law == mechanism.exact_law([0, 0, 0, 1, -1, 1, -1, 0])
    draws = mechanism.sample(strange, 200, rng=np.random.default_rng(2))
    assert np.all(np.isfinite(draws))
    assert not np.any(np.signbit(draws) & (draws == 0))
    for container in (strange, np.array(strange, dtype=object), tuple(strange)):
        assert mechanism.exact_law(container) == law


@ANY
def test_no_records_give_the_uniform_law(arguments: dict[str, Any]) -> None:
    """Without records every point must have score 1."""
    assert scores(InverseSensitivity(1, 0, 5, 1, **arguments), []) == [1] * 6


def test_equal_bounds_are_the_release(dp_rng: np.random.Generator) -> None:
    """With low = high the release must be low, whatever the data."""
    mechanism = InverseSensitivity(1, 2, 2)
    assert np.all(mechanism.sample([3.0, 4.0], 10, rng=dp_rng) == 2)
    assert mechanism.exact_law([3.0]).atoms(FLOATS) == {F(2): 1.0}


def test_records_are_rounded_one_by_one() -> None:
    """A record between two grid points must count at the nearer one, a tie at the even one."""
    mechanism = InverseSensitivity(1, 0, 1, "1/4", "mean")
    rounded = mechanism.exact_law([0.25, 0.5, 1.0, 0.5, 0.0])
    assert mechanism.exact_law([0.2, 0.61, 9.0, 0.375, 0.125]) == rounded


STACKS = [
    (3, 2, "1/1000", 0.00200164391609872),
    (3, 2, "1/10000", 6.27399641700114e-4),
    (11, 10, "1/100", 0.0885900755174011),
    (6, 5, "1/50", 0.0532854428580578),
]
"""n, 1 / epsilon, beta; E loss of the median of n zeros on [-1, 1] by the printed exponent."""


def stack_error(count: int, inverse: int, beta: Fraction, cells: Fraction) -> float:
    """E |t| with eps' = 2 eps log(cells)."""
    with mpmath.workdps(30):
        exponent = 2 * mpmath.log(mpmath.mpf(cells.numerator) / cells.denominator) / inverse
        epsilon = mpmath.nstr(exponent, 25)
    mechanism = InverseSensitivity(epsilon, -1, 1, beta)
    law = mechanism.exact_law([0.0] * count)
    points = np.array([float(x) for x in law.points])
    weights = np.exp([-float(law.epsilon * loss) / 2 for ((_, loss),) in law.weights])
    return float(np.abs(points) @ weights / weights.sum())


@pytest.mark.parametrize(("count", "inverse", "beta", "reference"), STACKS)
def test_printed_error_bound_fails(count: int, inverse: int, beta: str, reference: float) -> None:
    """With eps' = 2 eps log(2 B R / beta) the error must be that of SUB-E3, above L beta.

    omega(D, 1 / eps) = 0, since the median of n > 1 / eps zeros stays 0. With |T| B / (L beta) in
    the logarithm (SUB-TC.1) the error must be at most L beta.
    """
    step = F(beta)
    error = stack_error(count, inverse, step, 4 / step)
    assert error == pytest.approx(reference, rel=1e-12)
    assert error > step
    assert stack_error(count, inverse, step, (2 / step + 1) * 2 / step) <= step


@pytest.mark.parametrize("statistic", ["median", "mean"])
@given(
    data=st.lists(st.integers(0, 20), min_size=1, max_size=20),
    inverse=st.integers(1, 5),
)
@example(data=[6, 7, 8, 9, 9, 10, 10, 10, 11, 11, 12, 13, 14], inverse=2)
@example(data=[0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 7, 20], inverse=2)
@example(data=[0] * 10 + [20] * 10, inverse=1)
def test_error_is_at_most_the_modulus(statistic: str, data: list[int], inverse: int) -> None:
    """E |t - theta| must be at most omega(D, 1 / eps) + L beta with the right exponent (TC.1).

    omega(D, k) is the farthest that k edits move the statistic: for records at the ends, since it
    is monotone. The score of the mean has the tolerance beta / 2, which adds that much.
    """
    cells = 21 * 20  # |T| B / (L beta), beta = 1 and B = 20
    mechanism = InverseSensitivity(2 * math.log(cells) / inverse, 0, 20, 1, statistic)
    points = np.arange(21)
    n, x = len(data), sorted(data)

    def theta(records: list[int]) -> float:
        at = (len(records) + 1) // 2 - 1
        return records[at] if statistic == "median" else sum(records) / len(records)

    moved = [
        abs(theta(kept) - theta(x))
        for removed in range(min(inverse, n) + 1)
        for kept in (
            x[removed:] + [20] * (inverse - removed),
            [0] * (inverse - removed) + x[: n - removed],
        )
        if kept
    ]
    if inverse >= n:
        moved += [max(theta(x), 20 - theta(x))]
    tolerance = 0.5 if statistic == "mean" else 0
    error = np.abs(points - theta(x)) @ masses(mechanism, [float(i) for i in data])
    assert error <= max(moved) + 1 + tolerance + 1e-9
