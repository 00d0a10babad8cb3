"""Algorithms 1 to 3, and the swap-model mean: noise, claims, zero denominators, forms."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.add_remove.independent_mean import IndependentMean
from mechanisms.add_remove.ratio import clipped_ratio
from mechanisms.add_remove.shifted_mean import ShiftedMean
from mechanisms.add_remove.swap_mean import SwapMean
from mechanisms.add_remove.transformed_mean import TransformedMean
from mechanisms.claims import PureDP
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.laplace import Laplace
from tests.calibrated import assert_law, assert_not_law, draws_for

DISTANCE = 0.012
DRAWS = draws_for(DISTANCE)
NOISES = ["laplace", "l1-staircase", "hourglass"]
Cdf = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def assert_scale(draws: NDArray[np.float64], cdf: Cdf) -> None:
    """Fail unless the draws follow the law, or if they also follow it at a scale 8 % off."""
    assert_law(draws, cdf, DISTANCE)
    for factor in (0.92, 1.08):
        assert_not_law(draws / factor, cdf, DISTANCE)


def seeded(seed: int = 11) -> np.random.Generator:
    """Make a generator: the same stream each time."""
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("noise", "cdf"),
    [
        ("laplace", Laplace(epsilon=2).cdf),
        ("l1-staircase", L1Staircase(epsilon=2).marginal_cdf),
        ("hourglass", Hourglass(epsilon=2).marginal().cdf),
    ],
)
def test_noise_of_the_transformed_sums(noise: str, cdf: Cdf, dp_rng: np.random.Generator) -> None:
    """s1 and s2 must carry noise of sensitivity 1, whatever the width of the bounds is."""
    mean = TransformedMean(2, 10, 14, noise)
    s1_hat, n_hat = mean.noisy_sums([11.0, 14.0], DRAWS, rng=dp_rng)
    assert_scale(s1_hat - 1.25, cdf)
    assert_scale(n_hat - s1_hat - 0.75, cdf)


def test_one_record_moves_the_noisy_sums_by_itself(subtests: pytest.Subtests) -> None:
    """Under one seed, adding x must move (s1, s2) by (x', 1 - x')."""
    for noise in NOISES:
        for x in [0.0, 0.25, 1 / 3, 1.0, 7.0, math.nan]:
            with subtests.test(noise=noise, x=x):
                mean, data = TransformedMean(1, 0, 1, noise), [0.5, 0.125]
                before = mean.noisy_sums(data, 1000, rng=seeded())
                after = mean.noisy_sums([*data, x], 1000, rng=seeded())
                position = round(Fraction(min(x, 1.0)) * 2**32) / 2**32 if x == x else 0.5
                np.testing.assert_allclose(after[0] - before[0], position, rtol=0, atol=1e-13)
                np.testing.assert_allclose(after[1] - before[1], 1, rtol=0, atol=1e-13)


def test_hourglass_count_is_an_integer() -> None:
    """With hourglass noise n + T must be an integer: another value would leak the support."""
    _, n_hat = TransformedMean(noise="hourglass").noisy_sums([0.3, 1 / 3], 10_000, rng=seeded())
    assert np.all(n_hat == np.rint(n_hat))
    assert set(range(-3, 8)) <= set(n_hat.astype(int).tolist())


def test_algorithm_2_is_its_matrix_form() -> None:
    """Algorithm 2 must be M^-1 (M (sum, count) + Laplace), M = [[1, -1/2], [0, 1/2]] (KSW-A2)."""
    data, eps, size = np.array([0.125, 0.5, 1.0, 0.75]), 0.5, 5000
    out = ShiftedMean(eps).sample(data, size, rng=seeded())
    rng = seeded()
    law = Laplace(epsilon=eps)
    noise = np.stack([law.sample(size, rng=rng), law.sample(size, rng=rng)])
    transform = np.array([[1, -0.5], [0, 0.5]])
    noisy = transform @ np.array([[data.sum()], [4.0]]) + noise
    sum_hat, count_hat = np.array([[1.0, 1.0], [0.0, 2.0]]) @ noisy
    np.testing.assert_allclose(np.array([[1, 1], [0, 2]]) @ transform, np.eye(2))
    np.testing.assert_allclose(out, np.clip(sum_hat / count_hat, 0, 1), rtol=0, atol=1e-9)


def test_algorithm_1_as_written() -> None:
    """Algorithm 1 must be the clipped quotient of the noisy sum and the noisy count."""
    data, size = np.array([-1.0, 2.0, 5.0]), 5000
    out = IndependentMean(1, -3, 5).sample(data, size, rng=seeded())
    pair = IndependentMean(1, -3, 5, release="pair").sample(data, size, rng=seeded())
    np.testing.assert_allclose(out, np.clip(pair[:, 0] / pair[:, 1], -3, 5), rtol=0, atol=1e-9)


LOSSES = [
    (IndependentMean("1/3", -2, 1), "1/3"),
    (IndependentMean(1, -2, 1, sum_scale=4), "1"),
    (IndependentMean(1, -2, 1, sum_scale=1), "5/2"),
    (IndependentMean(1, -2, 1, count_scale="1/4"), "9/2"),
    (ShiftedMean("1/3", -2, 1), "1/3"),
    (ShiftedMean(1, -2, 1, sum_scale=1), "2"),
    (ShiftedMean(1, count_scale=1), "3/2"),
    (ShiftedMean(1, count_scale=1, release="pair"), "3/2"),
    (ShiftedMean(1, count_scale="1/4"), "9/2"),
    (ShiftedMean(7, 0, 4, sum_scale=2, count_scale=5), "6/5"),
    (ShiftedMean(1, 3, 3), "1"),
    (IndependentMean(1, 0, 0), "1"),
]


def test_claim_is_the_loss_of_the_pair(subtests: pytest.Subtests) -> None:
    """The claim must be sensitivity / scale, summed over sum and count (KSW-A1, KSW-A2)."""
    for mechanism, epsilon in LOSSES:
        with subtests.test(mechanism=mechanism, epsilon=epsilon):
            assert mechanism.claim.level == PureDP(epsilon)


@pytest.mark.parametrize("kind", [IndependentMean, ShiftedMean])
def test_claim_of_the_pair_is_reached(kind: Any, dp_rng: np.random.Generator) -> None:
    """Far out in both tails the odds on {} and {high} must differ by the claimed factor."""
    loss = 0.9
    mean = kind(1, 0, 1, sum_scale=2 if kind is IndependentMean else 1, count_scale="5/2")
    assert mean.claim.level == PureDP(Fraction(1, 2) + Fraction(2, 5))
    mean = kind(1, 0, 1, mean.sum_scale, mean.count_scale, "pair")
    shift = 1.0 if kind is IndependentMean else 0.5

    def frequency(data: list[float]) -> float:
        pair = mean.sample(data, 400_000, rng=dp_rng)
        return float(np.mean((pair[:, 0] > shift) & (pair[:, 1] > 1)))

    assert abs(math.log(frequency([1.0]) / frequency([])) - loss) < 0.05  # seven standard errors


@pytest.mark.parametrize("noise", NOISES)
def test_empty_data_on_the_midpoint(noise: str, dp_rng: np.random.Generator) -> None:
    """On empty data the noise alone decides: symmetric about the midpoint, with both ends."""
    out = TransformedMean(1, 2, 6, noise).sample([], DRAWS, rng=dp_rng)
    ends = 1 / 4 if noise == "laplace" else float(np.mean(out == 2.0))  # KSW-X1 at n = 0
    assert ends > 0.1
    assert abs(float(np.mean(out == 2.0)) - ends) < DISTANCE / 2
    assert abs(float(np.mean(out == 6.0)) - ends) < DISTANCE
    at_midpoint = 0.265252083448721 if noise == "hourglass" else 0.0  # KSW-ER18
    assert abs(float(np.mean(out == 4.0)) - at_midpoint) < DISTANCE / 2


def test_zero_denominator_is_the_midpoint() -> None:
    """A zero count, of either sign, must give the midpoint and nothing else."""
    numerator = np.array([1.0, -1.0, 0.0, np.inf, 1.0, -1.0, 0.0])
    denominator = np.array([0.0, 0.0, -0.0, 0.0, -2.0, -2.0, -2.0])
    low, high = Fraction(2), Fraction(6)
    out = clipped_ratio(numerator, denominator, low, high, offset=low, unit=high - low)
    assert out.tolist() == [4.0, 4.0, 4.0, 4.0, 2.0, 4.0, 2.0]


def test_no_negative_zero() -> None:
    """A noisy sum of -0.0 must be released as 0.0: the sign bit would be one more outcome."""
    zero, one = np.array([-0.0]), np.array([1.0])
    for low, offset in ((Fraction(0), Fraction(0)), (Fraction(-1), Fraction(0))):
        out = clipped_ratio(zero, one, low, Fraction(1), offset=offset, unit=Fraction(1))
        assert out[0] == 0
        assert not np.signbit(out[0])


def test_size_of_no_records_is_public_for_the_swap_mean() -> None:
    """With n = 0, which is public there, the swap mean must be the midpoint."""
    assert SwapMean(1, 2, 6).sample([], 5, rng=seeded()).tolist() == [4.0] * 5


@pytest.mark.parametrize("kind", [IndependentMean, ShiftedMean])
def test_pairs_of_extreme_data_are_numbers(kind: Any) -> None:
    """The pair must come back without an exception for any bounds and records."""
    for low, high in (("-8e307", "8e307"), (0, "1e-320"), (0, 0), (3, 3)):
        for data in ([], [1e308] * 50, [math.nan, -math.inf]):
            pair = kind(1, low, high, release="pair").sample(data, 20, rng=seeded())
            assert pair.shape == (20, 2)
            assert not np.any(np.isnan(pair))
