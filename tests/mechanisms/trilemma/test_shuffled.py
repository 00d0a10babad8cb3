"""Shuffled blocks: uniform within rows, answered in turn; the laws of the mean of all answers."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noise.laplace import Laplace
from mechanisms.protocols import Mechanism
from mechanisms.trilemma.amplification import shuffle_epsilon_upper
from mechanisms.trilemma.shuffled_mean import ShuffledMean, shuffled_composition
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance
from tests.mechanisms.subset import chi_square

Array = NDArray[np.float64]
SMALL: dict[str, Any] = {"epsilon": "0.3", "delta": 1, "blocks": 16}
"""As few blocks as the theorem allows at this budget, about."""
SIGMAS = 5
"""Of a normal mean: exceeded with probability 6e-7."""


def frequencies(cells: Counter[Any], law: dict[Any, float]) -> tuple[float, float]:
    """Chi-square statistic of seen cells under a law, and its limit."""
    assert set(cells) <= set(law)
    return chi_square.statistic(
        np.array([cells[cell] for cell in law]), np.array(list(law.values()))
    )


def tell(_: tuple[Any, ...], block: NDArray[Any], __: np.random.Generator) -> tuple[str, ...]:
    """Answer a block by its records."""
    return tuple(block)


def test_every_arrangement_of_each_row_is_equally_likely(dp_rng: np.random.Generator) -> None:
    """Two rows of three must give 36 equal arrays, no record leaving its row; not 6 of them."""
    data = np.array(["a", "x", "b", "y", "c", "z"])
    arrays = {
        tuple(zip(one, two, strict=True)): 1 / 36
        for one, two in product(permutations("abc"), permutations("xyz"))
    }
    size = 36 * chi_square.LEAST
    seen = Counter(shuffled_composition(data, [tell] * 3, 2, rng=dp_rng) for _ in range(size))
    value, limit = frequencies(seen, arrays)
    assert value < limit
    together = permutations((("a", "x"), ("b", "y"), ("c", "z")))
    value, limit = frequencies(Counter(dict.fromkeys(together, size // 6)), arrays)
    assert value > limit


def adaptive_step(truth: float) -> Any:
    """A step that tells the exclusive or of a block and of the last answer, true with this rate."""

    def step(answers: tuple[int, ...], block: NDArray[Any], rng: np.random.Generator) -> int:
        last = answers[-1] if answers else 0
        return int(block[0] ^ block[1] ^ last) ^ int(rng.random() >= truth)

    return step


def adaptive_law(rows: tuple[Any, Any], truth: float) -> dict[tuple[int, ...], float]:
    """Law of three adaptive answers, by going through all arrangements."""
    law = dict.fromkeys(product((0, 1), repeat=3), 0.0)
    for one, two in product(permutations(rows[0]), permutations(rows[1])):
        for answers in law:
            weight = 1 / 36
            for i, answer in enumerate(answers):
                right = one[i] ^ two[i] ^ (answers[i - 1] if i else 0)
                weight *= truth if answer == right else 1 - truth
            law[answers] += weight
    return law


def test_composition_has_the_exact_law(dp_rng: np.random.Generator) -> None:
    """Adaptive answers must pass a test of their law that rejects another rate of truth."""
    rows = ((0, 0, 1), (0, 1, 1))
    data = np.array([bit for block in zip(*rows, strict=True) for bit in block])
    law, wrong = adaptive_law(rows, 0.9), adaptive_law(rows, 0.87)
    size = chi_square.draws_for(np.array(list(law.values())), np.array(list(wrong.values())))
    for truth, right in ((0.9, True), (0.87, False)):
        steps = [adaptive_step(truth)] * 3
        seen = Counter(shuffled_composition(data, steps, 2, rng=dp_rng) for _ in range(size))
        value, limit = frequencies(seen, law)
        assert (value < limit) == right


def test_composition_checks_the_public_numbers(dp_rng: np.random.Generator) -> None:
    """A wrong number of records must be named with the right one, and 2-d data be refused."""
    for data, rows, named in (
        (np.zeros(5), 2, "3 x 2 = 6 records, got 5 records"),
        (np.zeros((3, 2)), 2, "got 2-d data"),
        (np.zeros(6), 0, "rows=0"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            shuffled_composition(data, [tell] * 3, rows, rng=dp_rng)
        assert named in str(caught.value)
    with pytest.raises(InvalidArgument, match="number of steps"):
        shuffled_composition([], [], 1, rng=dp_rng)


def average_cdf(z: Array, blocks: int, scale: float) -> Array:
    """Cdf of the mean of independent Laplace variates of this scale, by Fourier inversion.

    1/2 + (1 / pi) times the integral of sin(t z) / t (1 + (t scale / m)^2)^-m over t > 0.
    """
    t = (np.arange(2_000) + 0.5) * 0.01 * math.sqrt(blocks) / scale
    weight = np.exp(-blocks * np.log1p((t * scale / blocks) ** 2)) / t * (t[1] - t[0])
    grid = np.linspace(-9, 9, 361) * scale / math.sqrt(blocks)
    values = 0.5 + np.sin(np.outer(grid, t)) @ weight / math.pi
    return np.asarray(np.interp(z, grid, values))


@pytest.mark.parametrize("release", ["mean", "blocks"])
def test_average_has_its_law(release: str, dp_rng: np.random.Generator) -> None:
    """The short and the long way to the average must have its law, not that of 5 % more noise."""
    mechanism = ShuffledMean(**SMALL, low=-1, high=3, rows=2, release=release)
    data = np.linspace(-2, 4, 32)
    center, scale = np.clip(data, -1, 3).mean(), mechanism.scale
    assert scale == pytest.approx(4 / (2 * 0.3))

    def cdf(z: Array, factor: float = 1.0) -> Array:
        return average_cdf(z - center, 16, factor * scale)

    grid = center + np.linspace(-3, 3, 601) * scale
    distance = law_distance(cdf, lambda z: cdf(z, 1.05), grid)
    size = draws_for(distance)
    draws = mechanism.sample(data, size, rng=dp_rng)
    average = draws if release == "mean" else draws.mean(axis=1)
    assert_law(average, cdf, distance)
    assert_not_law(center + 1.05 * (average - center), cdf, distance)


def test_answers_come_from_shuffled_blocks(dp_rng: np.random.Generator) -> None:
    """The first answer must be from any block: not from the first, where the only large record is.

    That the answers are not in the order of the blocks is what the claim rests on.
    """
    data = np.zeros(256)
    data[0] = 1.0
    noise = Laplace(epsilon=1)

    def shuffled(z: Array) -> Array:
        return noise.cdf(z - 1) / 256 + noise.cdf(z) * 255 / 256

    def in_order(z: Array) -> Array:
        return noise.cdf(z - 1)

    distance = law_distance(shuffled, in_order, np.linspace(-3, 3, 601))
    draws = ShuffledMean(release="blocks").sample(data, draws_for(distance), rng=dp_rng)
    for column in (0, 100, 255):
        assert_law(draws[:, column], shuffled, distance)
        assert_not_law(draws[:, column], in_order, distance)


def test_without_shuffling_the_claim_breaks() -> None:
    """Answers in the order of the blocks must lose more than the claim: delta is 0.367, not 0.01.

    By the event that the first answer is large, for a first record of 1 and of 0.
    """
    level = ShuffledMean().claim.level
    assert isinstance(level, ApproxDP)
    noise, epsilon1 = Laplace(epsilon=1), float(level.epsilon)
    event = (1 + epsilon1) / 2
    q, p = 1 - noise.cdf([event, event - 1])
    assert p - math.exp(epsilon1) * q == pytest.approx(1 - math.exp((epsilon1 - 1) / 2))
    assert round(p - math.exp(epsilon1) * q, 3) == 0.367
    assert (p + 255 * q) / 256 - math.exp(epsilon1) * q < float(level.delta)


def test_error_is_bias_squared_and_a_share_of_the_variance(dp_rng: np.random.Generator) -> None:
    """MSE = beta^2 + (alpha^2 - beta^2) / m on independent records, and at most beta^2 + alpha^2/m.

    Coins of 0 and 2 are clipped to [0, 1], so that one answer has bias -1/2. Five standard errors
    tell the mean squared error from the upper bound, and from the squared bias alone.
    """
    rows, blocks, runs = 10, 16, 8_000
    mechanism = ShuffledMean(**SMALL, rows=rows)
    bias, variance = -0.5, 1 / (4 * rows) + 2 * mechanism.scale**2
    alpha_squared = bias**2 + variance
    expected, at_most = bias**2 + variance / blocks, bias**2 + alpha_squared / blocks
    coins = 2.0 * dp_rng.integers(0, 2, (runs, rows * blocks))
    squares = np.array([mechanism.sample(x, 1, rng=dp_rng)[0] - 1 for x in coins]) ** 2
    spread = SIGMAS * squares.std() / math.sqrt(runs)
    assert abs(squares.mean() - expected) < spread
    assert abs(squares.mean() - at_most) > spread
    assert abs(squares.mean() - bias**2) > spread
    assert expected < at_most


def test_claim_is_that_of_the_theorem() -> None:
    """The claim must be (epsilon1, delta1) for a swap of records that keep their places."""
    mechanism = ShuffledMean("1/2", "1/1000", blocks=1000, rows=3)
    assert isinstance(mechanism, Mechanism)
    level = mechanism.claim.level
    assert isinstance(level, ApproxDP)
    assert level.delta == Fraction(1, 1000)
    exact = shuffle_epsilon_upper("1/2", 1000, "0.001")
    assert exact <= level.epsilon < exact + Fraction(1, 10**6)
    assert mechanism.claim.relation is Relation.SWAP
    assert mechanism.order is Order.FIXED
    assert mechanism.count == 3000


@pytest.mark.parametrize("release", ["mean", "blocks"])
def test_records_are_read_one_by_one(release: str) -> None:
    """Records of any kind must act as public values in [low, high], bit for bit."""
    mechanism = ShuffledMean(**SMALL, low=-1, high=2, release=release)
    odd: list[Any] = [math.nan, math.inf, -math.inf, 10**400, None, "word", 7, -5]
    plain = [0.5, 2.0, -1.0, 2.0, 0.5, 0.5, 2.0, -1.0]
    before = list(odd)
    first, second = (
        mechanism.sample(data + [0.25] * 8, 50, rng=np.random.default_rng(1))
        for data in (odd, plain)
    )
    np.testing.assert_array_equal(first, second)
    assert first.shape == ((50,) if release == "mean" else (50, 16))
    assert np.isfinite(first).all()
    assert odd[1:] == before[1:]
    huge = np.array([1e308, -1e308] * 8)
    kept = huge.copy()
    assert np.isfinite(mechanism.sample(huge, 5, rng=np.random.default_rng(1))).all()
    np.testing.assert_array_equal(huge, kept)


@pytest.mark.parametrize("release", ["mean", "blocks"])
def test_follows_an_affine_map_of_the_data(release: str) -> None:
    """Under one seed, mapping data and bounds must map the draws."""
    unit = np.linspace(0, 1, 16)
    plain = ShuffledMean(**SMALL, release=release)
    mapped = ShuffledMean(**SMALL, low="-0.7", high="1.8", release=release)
    first = plain.sample(unit, 20, rng=np.random.default_rng(2))
    second = mapped.sample(-0.7 + 2.5 * unit, 20, rng=np.random.default_rng(2))
    np.testing.assert_allclose(second, -0.7 + 2.5 * first, atol=1e-12)


def test_noise_is_for_the_width_of_the_clip() -> None:
    """It must be for the doubles that clip the records, here 2 apart and not 0.2 as the bounds."""
    mechanism = ShuffledMean(**SMALL, low="10000000000000000.9", high="10000000000000001.1")
    assert mechanism.ends == (1e16, 1e16 + 2)
    assert mechanism.scale == pytest.approx(2 / 0.3, rel=1e-15)


def test_records_of_a_composition_stay_as_they_are(dp_rng: np.random.Generator) -> None:
    """A word among the records must not make words of the others."""
    for odd in ("word", 10**400, 0.5, [7]):
        told = shuffled_composition([1, 2, odd, 4], [tell] * 2, 2, rng=dp_rng)
        rest = [x for block in told for x in block if x is not odd]
        assert sorted(rest) == [1, 2, 4]
        assert all(type(x) is int for x in rest)
