"""Samplers of the corpus draw from the laws that its exact epsilons are computed from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import laplace, norm

from mechanisms.corpus.auditorium_mean import AuditoriumMean
from mechanisms.corpus.gaussian import GaussianNoise
from mechanisms.corpus.local import RandomizedResponse, UnaryEncoding
from mechanisms.corpus.noise import (
    GeometricNoise,
    LaplaceNoise,
    NoisyHistogram,
    ParallelLaplace,
    SnappedLaplace,
)
from mechanisms.corpus.noisy_max import NoisyMax
from mechanisms.corpus.rappor import Rappor
from mechanisms.corpus.sparse_vector import SparseVector
from mechanisms.corpus.sums import NoisySum, PrefixSum, SmartSum
from mechanisms.corpus.svt_parallel import ParallelSparseVector
from mechanisms.corpus.svt_variants import VARIANTS
from mechanisms.corpus.truncated_geometric import TruncatedGeometric
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance

DISTANCE = 0.02
DRAWS = draws_for(DISTANCE)

Cdf = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def steps(law: NDArray[np.float64], shift: int = 0) -> Cdf:
    """Return the cdf of a law on 0, 1, 2, ... (`shift` 1: the probability of less)."""
    sums = np.concatenate([[0.0], np.cumsum(law)])
    return lambda z: sums[z.astype(np.int64) + 1 - shift]


def check_law(codes: Any, law: Any, wrong: Any) -> None:
    """Accept the law of the codes, and reject a wrong one at the test's distance."""
    law, wrong = np.asarray(law, dtype=np.float64), np.asarray(wrong, dtype=np.float64)
    values = np.asarray(codes, dtype=np.float64)
    assert law_distance(steps(law), steps(wrong), np.arange(law.size)) >= DISTANCE
    assert_law(values, steps(law), DISTANCE, left_cdf=steps(law, 1))
    assert_not_law(values, steps(wrong), DISTANCE, left_cdf=steps(wrong, 1))


@pytest.mark.parametrize(
    ("mechanism", "wrong", "data"),
    [
        (RandomizedResponse(1), RandomizedResponse("1.2"), 0),
        (RandomizedResponse(1, 5), RandomizedResponse("1.2", 5), 2),
        (NoisyMax(1), NoisyMax("1.25"), [3, 0, 1]),
        (NoisyMax(1, "exponential"), NoisyMax("1.25", "exponential"), [3, 0, 1]),
        (NoisyMax(1, "gumbel"), NoisyMax("1.25", "gumbel"), [3, 0, 1]),
        (TruncatedGeometric(), TruncatedGeometric("1/2"), 2),
    ],
)
def test_indices_have_their_law(
    mechanism: Any, wrong: Any, data: Any, dp_rng: np.random.Generator
) -> None:
    """Each output must come with its exact probability (alpha 1e-9, distance 0.02)."""
    codes = mechanism.sample(data, DRAWS, rng=dp_rng)
    check_law(codes, mechanism.law(data), wrong.law(data))


@pytest.mark.parametrize("variant", VARIANTS)
def test_sparse_vectors_have_their_law(variant: str, dp_rng: np.random.Generator) -> None:
    """Each row of answers must come with its exact probability, with c = 2."""
    data = [1, 3, 0, 2]
    other = "5/2" if variant == "numerical" else "3/2"  # its noises are the largest
    mechanism, wrong = (SparseVector(eps, variant, c=2) for eps in (1, other))
    rows = mechanism.sample(data, DRAWS, rng=dp_rng)
    if VARIANTS[variant].release != "answer":
        rows = np.where(np.isnan(rows), -1, rows != 0)
    known = {tuple(row): code for code, row in enumerate(mechanism.patterns(4).tolist())}
    codes = [known[tuple(row)] for row in rows.tolist()]
    check_law(codes, mechanism.law(data), wrong.law(data))


def product_law(ones: NDArray[np.float64]) -> NDArray[np.float64]:
    """Law of independent bits, the first the lowest binary digit."""
    law = np.ones(1)
    for p in ones:
        law = np.concatenate([law * (1 - p), law * p])
    return law


@pytest.mark.parametrize(
    ("mechanism", "wrong", "places"),
    [
        (UnaryEncoding(1, 4), UnaryEncoding("5/4", 4), [0, 1, 2, 3]),
        (UnaryEncoding(1, 4, "optimized"), UnaryEncoding("5/4", 4, "optimized"), [0, 1, 2, 3]),
        (UnaryEncoding(1, 4, sticky=True), UnaryEncoding(1, 4), [0, 1, 2, 3]),
        (Rappor(), Rappor("3/4", "0.40", "0.55"), [0, 3, 11, 18]),
        (Rappor("0.95", 0, 1), Rappor("0.85", 0, 1), [0, 3, 11, 18]),
    ],
)
def test_bits_have_their_law(
    mechanism: Any, wrong: Any, places: list[int], dp_rng: np.random.Generator
) -> None:
    """Bits must be independent with their probabilities: the law of four at once."""
    codes = mechanism.sample(0, DRAWS, rng=dp_rng)[:, places] @ (1 << np.arange(4))
    check_law(codes, product_law(mechanism.bits(0)[places]), product_law(wrong.bits(0)[places]))


def lap(loc: float, scale: float) -> Cdf:
    """Return the cdf of a Laplace law."""
    return lambda z: laplace.cdf(z, loc, scale)


def two_laplaces(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cdf of the sum of Laplace noises of scales 2 and 4: (16 e^(-z/4) - 4 e^(-z/2)) / 24."""
    tail = (16 * np.exp(-np.abs(z) / 4) - 4 * np.exp(-np.abs(z) / 2)) / 24
    return np.asarray(np.where(z < 0, tail, 1 - tail))


THREE = [1.0, 2.0, 0.0]

CONTINUOUS: dict[str, tuple[Any, Any, Callable[[Any], Any], Cdf]] = {
    "laplace": (LaplaceNoise(1), 2, lambda z: z, lap(2, 1)),
    "gaussian": (
        GaussianNoise(),
        2,
        lambda z: z,
        lambda z: norm.cdf(z, 2, GaussianNoise().sigma),
    ),
    "histogram-1": (NoisyHistogram("1/2"), THREE, lambda z: z[:, 1], lap(2, 2)),
    "histogram-2": (NoisyHistogram("1/2", inverted=True), THREE, lambda z: z[:, 1], lap(2, 0.5)),
    "parallel": (ParallelLaplace(1, 4), 1, lambda z: z[:, 3], lap(1, 4)),
    "prefix": (PrefixSum("1/2"), THREE, lambda z: z[:, 2] - z[:, 1], lap(0, 2)),
    "sum": (NoisySum("1/2"), THREE, lambda z: z, lap(3, 2)),
    "sum-halved": (NoisySum("1/2", halved=True), THREE, lambda z: z, lap(3, 1)),
    "smart-step": (SmartSum(1, 2), THREE, lambda z: z[:, 2] - z[:, 1], lap(0, 1)),
    "smart-block": (SmartSum(1, 2), THREE, lambda z: z[:, 1], lap(3, 1)),
    "max-3": (
        NoisyMax(1, value=True),
        THREE,
        lambda z: z,
        lambda z: np.prod([lap(x, 2)(z) for x in THREE], axis=0),
    ),
    "max-4": (
        NoisyMax(1, "exponential", value=True),
        THREE,
        lambda z: z,
        lambda z: np.prod([1 - np.exp(-np.maximum(z - x, 0) / 2) for x in THREE], axis=0),
    ),
    "svt-3": (SparseVector(1, "svt3", threshold=-1000), [1], lambda z: z[:, 0], lap(1, 2)),
    "svt-gap": (
        SparseVector(1, "gap", threshold=-1000),
        [1],
        lambda z: z[:, 0] - 1001,
        two_laplaces,
    ),
    "svt-bad-gap": (SparseVector(1, "bad-gap", threshold=-1000), [1], lambda z: z[:, 0], lap(1, 4)),
    "svt-numerical": (
        SparseVector(1, "numerical", threshold=-1000),
        [1],
        lambda z: z[:, 0],
        lap(1, 3),
    ),
}
"""Mechanism, data, one coordinate of the output, and its cdf."""


@pytest.mark.long
def test_values_have_their_law(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """Each value must have its cdf, and not the one of a wider or shifted noise."""
    for name in CONTINUOUS:
        with subtests.test(name=name):
            mechanism, data, pick, cdf = CONTINUOUS[name]
            values = pick(mechanism.sample(data, DRAWS, rng=dp_rng))
            spread = float(np.quantile(values, 0.75) - np.quantile(values, 0.25))
            assert_law(values, cdf, DISTANCE)
            for wrong in (
                lambda z, cdf=cdf: cdf(z / 1.15),
                lambda z, cdf=cdf, spread=spread: cdf(z - spread / 10),
            ):
                assert law_distance(cdf, wrong, np.linspace(-20, 20, 4001)) >= DISTANCE
                assert_not_law(values, wrong, DISTANCE)


def test_the_parallel_output_is_both_parts() -> None:
    """Values of Algorithm 3 must come first, then answers of Algorithm 4, drawn on their own."""
    mechanism = ParallelSparseVector(1, c=1)
    seeds = np.random.default_rng(3), np.random.default_rng(3)
    rows = mechanism.sample(THREE, 50, rng=seeds[0])
    third, fourth = (part.sample(THREE, 50, rng=seeds[1]) for part in mechanism.parts)
    np.testing.assert_array_equal(rows[:, :3], third)
    np.testing.assert_array_equal(rows[:, 3:], fourth)


def test_the_auditorium_mean_forgets_its_noise_as_often_as_stated(
    dp_rng: np.random.Generator,
) -> None:
    """Outputs next to 0 must come with probability e^(-1/2) / 2 on [0], and rarely else."""
    alone = np.abs(AuditoriumMean().sample([0], DRAWS, rng=dp_rng)) < 1e-9
    assert abs(alone.mean() - np.exp(-0.5) / 2) < DISTANCE / 2
    assert (np.abs(AuditoriumMean().sample([0, 1], DRAWS, rng=dp_rng)) < 1e-9).sum() < 3


def test_a_bare_block_total_has_no_noise(dp_rng: np.random.Generator) -> None:
    """The broken running sum must release every second total as it is, and only that."""
    rows = SmartSum(1, 2, bare=True).sample(THREE, 50, rng=dp_rng)
    assert (rows[:, 1] == 3).all()
    assert np.unique(rows[:, 0]).size == np.unique(rows[:, 2]).size == 50


def test_snapped_values_have_their_law(dp_rng: np.random.Generator) -> None:
    """Multiples of the step must have the mass of their cell, and the ends that of the tails."""
    mechanism = SnappedLaplace(1, 6)
    values = mechanism.sample(1, DRAWS, rng=dp_rng)  # the step is 2
    assert set(np.unique(values)) == {-6, -4, -2, 0, 2, 4, 6}
    cells = np.array([-np.inf, -5, -3, -1, 1, 3, 5, np.inf])
    law, wrong = (np.diff(laplace.cdf(cells, 1, scale)) for scale in (1, 1.15))
    check_law((values + 6) / 2, law, wrong)


def test_geometric_values_have_their_law(dp_rng: np.random.Generator) -> None:
    """The two-sided geometric law must hold on -5..5, with the tails at the ends."""
    values = np.clip(GeometricNoise(1).sample(2, DRAWS, rng=dp_rng) - 2, -5, 5) + 5

    def law(epsilon: float) -> NDArray[np.float64]:
        weights = np.exp(-epsilon * np.abs(np.arange(-60, 61.0)))
        weights /= weights.sum()
        return np.concatenate([[weights[:56].sum()], weights[56:65], [weights[65:].sum()]])

    check_law(values, law(1), law(1.15))
