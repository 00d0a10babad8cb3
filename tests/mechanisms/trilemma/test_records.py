"""What the four means on real records share: any records, in any order, and public errors only."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.registry import build_mechanism
from mechanisms.trilemma.records import finite_records

NAMES = ["tri.clipped-mean", "tri.name-and-shame", "tri.combined", "tri.tilted-sign"]
SEED = 71
each_mean = pytest.mark.parametrize("name", NAMES)

RECORD = st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.sampled_from([0.0, -0.0]))


def draws(name: str, data: Any, size: int = 20, **arguments: Any) -> NDArray[np.float64]:
    """Draws of a registered mean with one seed."""
    mechanism = build_mechanism(name, **arguments)
    out: NDArray[np.float64] = mechanism.sample(data, size, rng=np.random.default_rng(SEED))
    return out


@each_mean
@given(data=st.lists(RECORD, min_size=1, max_size=8), keys=st.randoms(use_true_random=False))
def test_order_of_records_is_nothing(name: str, data: list[float], keys: Any) -> None:
    """A permutation of the records must give the same draws, bit for bit."""
    shuffled = list(data)
    keys.shuffle(shuffled)
    first, second = draws(name, data), draws(name, shuffled)
    assert first.tobytes() == second.tobytes()
    assert not np.isnan(first).any()


@each_mean
@pytest.mark.parametrize(
    "data",
    [
        [math.nan, math.inf, -math.inf],
        [10**400, -(10**400)],
        [None, "word", object()],
        [1.7e308] * 6,
        [1.7e308, -1.7e308] * 3,
        [-0.0, 5e-324],
        np.array([Fraction(1, 3), None], dtype=object),
    ],
)
def test_no_record_raises(name: str, data: Any) -> None:
    """Any record must give draws, never an error, a warning or the failure symbol."""
    out = draws(name, data, 500)
    assert out.shape == (500,)
    assert out.dtype == np.float64
    assert not np.isnan(out).any()


@pytest.mark.parametrize("name", ["tri.clipped-mean", "tri.combined"])
def test_one_record_is_covered_by_noise_far_from_zero(name: str) -> None:
    """A chance must move by at most 1 - e^(-1/2) = 0.39 as one record goes from end to end.

    Releases near 10^16 are multiples of 2, and sums of a thousand such records multiples of 2048:
    were they rounded before the noise, some record would decide the release. The limit 0.6 is nine
    standard deviations above 0.39.
    """
    n, low = 1000, 10**16
    ends = build_mechanism(name, low=low, high=low + 2).ends
    lower, upper = ends if name == "tri.clipped-mean" else ends(n)
    chances = [
        float(
            np.mean(
                draws(name, [lower] * (n - k) + [upper] * k, 500, low=low, high=low + 2) > lower
            )
        )
        for k in range(30, 80)
    ]
    assert chances[0] < 0.1 < 0.9 < chances[-1]
    assert np.diff(chances).max() < 0.6


@each_mean
def test_a_masked_record_is_no_number(name: str) -> None:
    """It must count as NaN, whatever the mask hides, and not make the release NaN."""
    masked = np.ma.masked_array([0.25, 1e300, 3.0], mask=[False, True, False])
    out = draws(name, masked)
    np.testing.assert_array_equal(out, draws(name, [0.25, math.nan, 3.0]))
    assert not np.isnan(out).any()


def test_infinite_records_have_no_excess() -> None:
    """The combined mean must read them as the clip ends of so many records, NaN as the middle."""
    lower, upper = build_mechanism("tri.combined").ends(4)
    data, stand_ins = [math.nan, -math.inf, math.inf, 90.0], [(lower + upper) / 2, lower, upper, 90]
    np.testing.assert_array_equal(draws("tri.combined", data), draws("tri.combined", stand_ins))


def test_records_are_sorted_without_negative_zero() -> None:
    """It must hold of every list of records."""
    read = finite_records([3, -0.0, math.nan, -math.inf], missing=2.0, lowest=-1.0, highest=1.0)
    assert read.tolist() == [-1.0, 0.0, 2.0, 3.0]
    assert not np.signbit(read[1])


@each_mean
@pytest.mark.parametrize("data", [[], np.array([])])
def test_no_records_raise(name: str, data: Any) -> None:
    """The number of records is public, and a mean of none must be refused."""
    with pytest.raises(InvalidArgument, match="at least one record, got 0"):
        draws(name, data)
