"""Events worth a bet: prefixes of orders, cross-fitted so that chance makes no gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.engine.bet_growth import z_score
from audit.engine.candidate_events import WHOLE, propose

COUNTS = st.lists(
    st.tuples(*[st.integers(0, 30)] * 4), min_size=2, max_size=12
).map(lambda rows: np.array(rows, dtype=float).T.reshape(2, 2, -1) + 1.0)  # fmt: skip


@given(COUNTS, st.integers(0, 12))
def test_estimates_are_counts_of_the_located_cells(counts: np.ndarray, ordered: int) -> None:
    """An event's estimates come from the cells that it names, on its order's part of the past."""
    ordered = min(ordered, counts.shape[-1])
    candidates = propose([counts], [ordered])
    everything = np.arange(counts.shape[-1])
    inside = candidates.members(np.arange(len(candidates.p)), everything)
    assert len(inside) > 0
    for event in range(len(candidates.p)):
        order, cells = candidates.locate(event)
        assert set(everything[inside[event]]) == set(cells)
        past = counts.sum(axis=0) if order.sample == WHOLE else counts[order.sample]
        n = past[0].sum()
        hits, other = past[order.direction, cells].sum(), past[1 - order.direction, cells].sum()
        assert candidates.direction[event] == order.direction
        assert candidates.partition[event] == order.partition == 0
        assert candidates.n[event, 0] == n
        assert candidates.p[event, 0] == pytest.approx((hits + 0.5) / (n + 1))
        assert candidates.q[event, 0] == pytest.approx((other + 0.5) / (n + 1))


@given(COUNTS)
def test_both_directions_and_every_threshold_are_candidates(counts: np.ndarray) -> None:
    """Each cut of the value is there, from below and from above, for either arm."""
    size = counts.shape[-1]
    candidates = propose([counts], [size])
    found = {
        (order.direction, tuple(sorted(cells)))
        for order, cells in map(candidates.locate, range(len(candidates.p)))
    }
    for direction in (0, 1):
        for cut in range(1, size):
            assert (direction, tuple(range(cut))) in found
            assert (direction, tuple(range(cut, size))) in found


def test_values_that_occur_once_make_no_gap() -> None:
    """400 values, each seen once and in one arm only, look like nothing: ties are at random.

    Codes are given out one arm after the other, so in their order the first 200 would separate
    the arms by 20 standard errors.
    """
    counts = np.zeros((2, 2, 401))
    counts[0, :, 400] = 200
    counts[1, 0, :200] = 1
    counts[1, 1, 200:400] = 1
    candidates = propose([counts], [0])
    z = z_score(candidates.p, candidates.q, candidates.n, np.array([1.0]), np.array([0.0]))
    assert (candidates.n == 200).all()
    assert z.max() < 6


def test_an_unknown_event_is_an_error() -> None:
    """There is no event beyond the last."""
    candidates = propose([np.ones((2, 2, 3))], [3])
    with pytest.raises(IndexError):
        candidates.locate(len(candidates.p))
    assert math.isclose(float(candidates.n.max()), 6.0)
