"""Each partition finds what it is there for, and what the others miss.

The measure is the largest gap p - s q - t of a set of cells in standard errors of one draw, on
fresh draws: the number of draws to a verdict falls as its square.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.draws.encode import Encoder
from audit.engine.partitions import PARTITIONS
from mechanisms.corpus.sparse_vector import SparseVector

Arms = Callable[[int, np.random.Generator], tuple[NDArray[Any], NDArray[Any]]]

FRESH = 40_000
LEAST_MASS = 0.002


def power(
    name: str, arms: Arms, claim: tuple[float, float], draws: int, rng: np.random.Generator
) -> float:
    """Largest gap per standard error, over ordered prefixes or over cells in order of ratio.

    The order of the ratios is that of one half of the fresh draws, counted on the other half.
    """
    encoder, (s, t) = Encoder(), (math.exp(claim[0]), claim[1])
    past = arms(draws, rng)
    encoder.fix_layout(past)
    fresh = [encoder.encode(outputs) for outputs in arms(FRESH, rng)]
    largest = -math.inf
    for partition in PARTITIONS[name](encoder, *map(encoder.encode, past)):
        codes = [partition.codes(outcomes) for outcomes in fresh]
        half, rest = (
            np.stack([np.bincount(c[start::2], minlength=partition.size) for c in codes])
            for start in (0, 1)
        )
        ratio = (half[0] + 0.5) / (half[1] + 0.5)
        cells = np.arange(partition.ordered) if partition.ordered else np.argsort(ratio)
        for by_arm in (rest, rest[::-1]):
            for order in (cells, cells[::-1]):
                p, q = np.cumsum(by_arm[:, order], axis=1) / (FRESH / 2)
                variance = p * (1 - p) + s**2 * q * (1 - q)
                gap = np.where(p > LEAST_MASS, p - s * q - t, -1)
                largest = max(largest, float((gap / np.sqrt(variance + 1e-9)).max()))
    return largest


def test_logit_sees_a_shift_spread_over_many_coordinates(dp_rng: np.random.Generator) -> None:
    """Gaussian vectors, each of ten coordinates a little shifted: a linear score adds them up."""

    def arms(size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        return rng.normal(size=(size, 10)), rng.normal(size=(size, 10)) + 0.16

    claim = (0.5, 0.03)
    assert power("logit", arms, claim, 4000, dp_rng) > 0.02
    assert power("quantile table", arms, claim, 4000, dp_rng) < 0


def test_logit_finds_the_coordinate_that_moves(dp_rng: np.random.Generator) -> None:
    """One of ten Gaussian coordinates moves: its weight is learned, and no other column's."""

    def arms(size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        noise = rng.normal(size=(2, size, 10))
        noise[1, :, 2] += 1
        return noise[0], noise[1]

    assert power("logit", arms, (0.5, 0.1), 1000, dp_rng) > 0.12


def test_naive_bayes_sees_a_corner_where_ratios_saturate(dp_rng: np.random.Generator) -> None:
    """Laplace vectors that move in both coordinates: no half-plane is the best event."""

    def arms(size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        noise = rng.laplace(scale=2, size=(2, size, 2))
        return noise[0], noise[1] + 1

    claim = (0.8, 0.0)
    found = power("naive Bayes", arms, claim, 10_000, dp_rng)
    assert found > 0.035
    assert found > 1.5 * power("logit", arms, claim, 10_000, dp_rng)


def test_naive_bayes_sees_partial_sums_by_their_increments(dp_rng: np.random.Generator) -> None:
    """Partial sums of ten noisy entries, one of which differs: the increments tell it all."""

    def arms(size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        noise = rng.laplace(size=(2, size, 10))
        noise[1, :, 5] += 1
        sums = noise.cumsum(axis=2)
        return sums[0], sums[1]

    claim = (0.8, 0.0)
    assert power("naive Bayes", arms, claim, 4000, dp_rng) > 0.08
    assert power("quantile table", arms, claim, 4000, dp_rng) < 0.04


@pytest.mark.long
def test_few_draws_of_one_telling_coordinate_are_enough(dp_rng: np.random.Generator) -> None:
    """One of a hundred Laplace coordinates moves: the others do not drown it at 1,000 draws."""

    def arms(size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        noise = rng.laplace(size=(2, size, 100))
        noise[1, :, 50] += 1
        return noise[0], noise[1]

    assert power("naive Bayes", arms, (0.8, 0.0), 2000, dp_rng) > 0.06


def test_rows_see_what_no_single_coordinate_tells(dp_rng: np.random.Generator) -> None:
    """Three coins, the third the parity of the others in one arm only: any two are fair."""

    def arms(size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        fair = rng.integers(0, 2, size=(size, 3))
        other = rng.integers(0, 2, size=(size, 3))
        other[:, 2] = (other[:, 0] + other[:, 1] + (rng.random(size) < 0.25)) % 2
        return fair, other

    claim = (0.2, 0.0)
    rows = power("rows", arms, claim, 2000, dp_rng)
    assert rows > 0.2
    for name in ("quantile table", "naive Bayes", "logit"):
        assert power(name, arms, claim, 2000, dp_rng) < 0.7 * rows


def test_rows_of_answers_need_few_draws(dp_rng: np.random.Generator) -> None:
    """Sparse vector answers with too little noise: the rows show it to 200 draws, whole."""
    mechanism = SparseVector(epsilon=1, variant="svt4")
    data = np.repeat([0.0, 1.0], 5)

    def arms(size: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        return mechanism.sample(data, size, rng=rng), mechanism.sample(1 - data, size, rng=rng)

    assert power("rows", arms, (1.0, 0.0), 200, dp_rng) > 0.03
