"""Samplers of the power benchmark follow the laws that its limits are computed from."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.limits import LAWS
from benchmarks.power_rows import BITS, KEPT, ROWS
from mechanisms.corpus.sparse_vector import SparseVector
from tests.calibrated import assert_law, assert_not_law, draws_for


@pytest.mark.parametrize("arm", [0, 1])
def test_weak_svt_has_the_scales_of_its_law(arm: int, dp_rng: np.random.Generator) -> None:
    """It must hold that row 11 draws the first answer above from its law, not from svt1's."""
    patterns = SparseVector(1, "svt3").patterns(10)
    place = np.where((patterns == 1).any(axis=1), (patterns == 1).argmax(axis=1), 10)
    pair = ROWS["11"].pairs[0]
    data = (pair.data, pair.neighbor)[arm]

    def cdf_of(law: np.ndarray) -> object:
        below = np.cumsum(np.bincount(place, law))
        return lambda z: np.where(z < 0, 0.0, below[np.clip(np.floor(z), 0, 10).astype(int)])

    right = cdf_of(LAWS["11"]()[arm])
    wrong = cdf_of(SparseVector(1, "svt1").law(data))
    grid = np.arange(11.0)
    distance = float(np.abs(right(grid) - wrong(grid)).max())
    rows = ROWS["11"].draw(data, draws_for(distance), dp_rng)
    first = np.where((rows == 1).any(axis=1), (rows == 1).argmax(axis=1), 10).astype(float)
    assert_law(first, right, distance, left_cdf=lambda z: right(z - 0.5))
    assert_not_law(first, wrong, distance, left_cdf=lambda z: wrong(z - 0.5))


@pytest.mark.parametrize(("row", "hashes"), [("13a", 1), ("13b", 2)])
def test_rappor_keeps_three_bits_in_four(
    row: str, hashes: int, dp_rng: np.random.Generator
) -> None:
    """It must hold that 2 h bits of the two values differ, and 3/4 of each are kept."""
    pair = ROWS[row].pairs[0]
    assert (pair.data != pair.neighbor).sum() == 2 * hashes
    draws = ROWS[row].draw(pair.data, 20_000, dp_rng)
    kept = (draws == pair.data).mean(axis=0)
    assert draws.shape == (20_000, BITS)
    assert np.abs(kept - KEPT).max() < 0.02  # 6.5 standard errors


def test_rows_have_goals_and_distinct_neighbors() -> None:
    """It must hold that every row's aim is no worse than its must, and its pairs differ."""
    for row in ROWS.values():
        assert row.aim is None or row.aim <= row.must
        assert all(not np.array_equal(pair.data, pair.neighbor) for pair in row.pairs)
