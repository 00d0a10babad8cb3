"""The weighted mean: its noise, its exact query, missing records, parameters."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.personalized.users import BOT
from mechanisms.personalized.weighted_mean import WeightedMean
from mechanisms.weighted_query import WeightedQuery

F = Fraction
SEED = 7

weights = st.lists(st.fractions(0, 3, max_denominator=20), min_size=1, max_size=6)
epsilons = st.fractions(F(1, 10), 5, max_denominator=20)
records = st.floats(-2, 2)


def draws(mechanism: WeightedMean, data: Sequence[float], size: int = 5) -> np.ndarray:
    """Draws from one seed."""
    return mechanism.sample(data, size, rng=np.random.default_rng(SEED))


@given(epsilons, weights)
def test_query_is_exact(epsilon: Fraction, given_weights: list[Fraction]) -> None:
    """The stated query must have the given weights and the scale (high - low) max w / epsilon."""
    mechanism = WeightedMean(epsilon, given_weights, "1/3", "5/2")
    scale = F(13, 6) * max(given_weights) / epsilon
    assert mechanism.weighted_query() == WeightedQuery(
        tuple(given_weights), F(1, 3), F(5, 2), scale
    )
    assert mechanism.scale == scale


@given(epsilons, weights)
def test_loss_is_epsilon(epsilon: Fraction, given_weights: list[Fraction]) -> None:
    """No record may lose more than epsilon, and the one of the largest weight loses just that."""
    query = WeightedMean(epsilon, given_weights).weighted_query()
    if not any(given_weights):
        assert query.scale == 0
    else:
        losses = [w * (query.high - query.low) / query.scale for w in query.weights]
        assert max(losses) == epsilon


@given(st.lists(records, min_size=3, max_size=3))
def test_clipping_first_changes_nothing(data: list[float]) -> None:
    """Records outside the bounds must be read as the nearer bound."""
    clipped = [min(max(x, 0.0), 1.0) for x in data]
    np.testing.assert_array_equal(draws(WeightedMean(), data), draws(WeightedMean(), clipped))


@pytest.mark.parametrize("missing", [BOT, math.inf, -math.inf, None, "word", 10**400])
def test_missing_record_is_the_midpoint(missing: Any) -> None:
    """What is no number must count as the midpoint, and not as 0."""
    mechanism = WeightedMean(low=1, high=4)
    found = draws(mechanism, [2.0, missing, 3.0])
    np.testing.assert_array_equal(found, draws(mechanism, [2.0, 2.5, 3.0]))
    assert not np.array_equal(found, draws(mechanism, [2.0, 1.0, 3.0]))


@given(st.permutations(range(4)), st.lists(records, min_size=4, max_size=4))
def test_records_keep_their_weights(places: list[int], data: list[float]) -> None:
    """Permuting records and weights together must change nothing."""
    given_weights = [F(1, 2), F(1, 4), F(0), F(2)]
    before = draws(WeightedMean(1, given_weights), data)
    moved = WeightedMean(1, [given_weights[i] for i in places])
    np.testing.assert_allclose(draws(moved, [data[i] for i in places]), before, atol=1e-14)


def test_constants() -> None:
    """Without width, or without weights, the release must be certain."""
    np.testing.assert_array_equal(draws(WeightedMean(low=3, high=3), [1, 9, BOT]), [3.0] * 5)
    nothing = WeightedMean(weights=(0, 0), low=2, high=5)
    np.testing.assert_array_equal(draws(nothing, [3, 4]), [0.0] * 5)
    assert WeightedMean(low=3, high=3).weighted_query().scale == 0


def test_far_bounds_do_not_warn() -> None:
    """Sums beyond doubles must not warn."""
    mechanism = WeightedMean(1, (10**9, 1), low=10**300, high=10**300 + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (draws(mechanism, [1e300, BOT]) >= 1e300).all()
