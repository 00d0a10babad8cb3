"""Rivals of the subset mean: the fullest bin, the center and the radius by a second way."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.subset.rivals.histogram_mean import HistogramMean
from mechanisms.subset.rivals.moment_mean import MomentMean
from mechanisms.subset.rivals.radius_mean import RadiusMean, _drawn
from mechanisms.subset.rivals.steps import Histogram, clipped_means

F = Fraction
DRAWS = 100_000
VALUES = np.array([0.1, 0.15, 0.31, 0.9])


def shares(drawn: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How often each point was drawn."""
    return np.array([np.mean(np.isclose(drawn, x)) for x in points])


def test_the_fullest_bin_is_that_of_all_noisy_counts() -> None:
    """It must hold within six standard errors that bins without records count as all others do.

    Beside draws of the noise of every bin; noise of another scale gives other shares.
    """
    rng, bins, share = np.random.default_rng(6), Histogram(F(0), F(1, 8), 8), F(1, 2)
    drawn = bins.fullest(VALUES, share, DRAWS, rng=rng)
    counts = np.bincount((VALUES * 8).astype(int), minlength=8)
    middles = (np.arange(8) + 0.5) / 8
    for scale, same in ((4.0, True), (3.0, False)):
        slow = (counts + rng.laplace(scale=scale, size=(DRAWS, 8))).argmax(axis=1)
        expected = np.bincount(slow, minlength=8) / DRAWS
        gap = np.abs(shares(drawn, middles) - expected)
        assert (gap < 6 * np.sqrt(2 * expected / DRAWS)).all() == same


def test_the_center_has_the_weights_of_its_scores() -> None:
    """It must hold within five standard errors, and not for twice the factor."""
    made = RadiusMean(4, low=0, high=1, alpha="1/10")
    below = np.array([np.count_nonzero(x >= VALUES) for x in made.points])
    for times, same in ((1, True), (2, False)):
        weights = np.exp(-times * np.abs(below - 2) / 2)
        # without noise in the mean the center cannot be seen, so it is drawn as `sample` does
        drawn = _centers(made)
        expected = weights / weights.sum()
        gap = np.abs(shares(drawn, made.points) - expected)
        assert (gap < 5 * np.sqrt(expected / DRAWS)).all() == same


def _centers(made: RadiusMean) -> np.ndarray:
    """Centers: a release is one where the records are none, and two equal ones pull it nowhere."""
    below = np.searchsorted(VALUES, made.points, side="right")
    logs = -np.abs(below - VALUES.size / 2) * float(made.factor)
    return made.points[_drawn(logs, DRAWS, np.random.default_rng(8))]


def test_a_replaced_record_moves_the_clipped_mean_by_the_width_over_n() -> None:
    """It must hold without noise, at either end, and be reached."""

    class NoNoise:
        def laplace(self, scale: float, size: int) -> np.ndarray:
            return 0 * scale * np.ones(size)

    ends = [np.append(VALUES, x) for x in (-1e9, 1e9)]
    centers, reach = np.array([0.3, 0.5]), np.array([0.1, 2.0])
    one, two = (clipped_means(v, centers, reach, F(1), rng=NoNoise()) for v in ends)  # type: ignore[arg-type]
    assert two - one == pytest.approx(2 * reach / 5)


@pytest.mark.parametrize("kind", [HistogramMean, MomentMean, RadiusMean])
def test_the_mean_of_many_records_is_found(kind: type) -> None:
    """It must hold for 4 000 normal records at a place far from the middle of wide bounds."""
    data = np.random.default_rng(2).normal(37.0, 1.0, 4_000)
    scale = {HistogramMean: {"sigma": 1}, MomentMean: {"psi": 1}, RadiusMean: {"alpha": "1/10"}}
    made = kind(1, low=-100, high=100, **scale[kind])
    error = made.sample(data, 200, rng=np.random.default_rng(3)) - data.mean()
    assert np.quantile(np.abs(error), 0.9) < 0.2
    assert np.all(np.abs(made.sample([], 50, rng=np.random.default_rng(3))) <= 100)


def test_radii_reach_from_end_to_end() -> None:
    """It must hold that the largest radius covers the bounds from any center."""
    for high in (1, F(7, 5), 64, F(1, 1000)):
        made = RadiusMean(1, low=0, high=high, alpha="1/1000")
        assert made.radii[-1] >= float(high)
        assert made.radii.size <= max(1, math.ceil(math.log2(float(high) * 1000)) + 1)
