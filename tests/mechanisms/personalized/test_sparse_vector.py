"""The sparse vector technique: the law of its index, its cap, its blocks and its utility."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.personalized.sparse.sparse_vector import CAP, above_threshold
from tests.calibrated import assert_law, draws_for
from tests.mechanisms.personalized.index_reference import (
    frequencies,
    merged,
    slow_draws,
    slow_index_law,
)
from tests.mechanisms.subset import chi_square

Array = NDArray[np.float64]

TIES = np.zeros((1, CAP))
LEAST = 0.002
"""Share of a cell of the chi-square tests."""
CASES: dict[str, tuple[list[float], float, float]] = {
    "all orders": ([-3.0, 0.0, 2.0, -1.0, 1.5, -6.0, 4.0], 0.5, 1.0),
    "rising": ([-9.0, -5.0, -3.0, -1.0, 0.0, 0.0, 0.0, 0.0], -2.0, 1.0),
    "large budget": ([-1.0, 0.5, -0.5, 0.0, 1.0], 0.0, 6.0),
    "small budget": ([40.0, -60.0, 20.0, 0.0, -20.0], 10.0, 0.05),
    "beyond the first block": ([-12.0] * 6 + [0.0, 1.0, -2.0, 3.0, 0.0, 2.0, 5.0], 0.0, 1.0),
}
WRONG = {
    "query noise 3.8": (2.0, 3.8),
    "threshold noise 2.2": (2.2, 4.0),
    "both 5 % less": (1.9, 3.8),
    "exchanged": (4.0, 2.0),
}
"""Scales of threshold and queries, in units of 1 / epsilon."""


def tie_tail(m: Array) -> Array:
    """P(index > m) on ties (PDP-A1-TAIL)."""
    return (4 - 2.0 ** (1 - m)) / ((m + 1) * (m + 2))


def tie_cdf(x: Array) -> Array:
    """P(index <= x) on ties, with the cap."""
    return np.where(x >= CAP + 1, 1.0, 1 - tie_tail(np.floor(x)))


def same_law(index: NDArray[np.int64], p: Array) -> bool:
    """Whether the frequencies pass the chi-square test of p, rare outcomes taken together."""
    groups = merged(p, LEAST)
    counts = frequencies(index, p.size)
    value, limit = chi_square.statistic(
        np.array([counts[group].sum() for group in groups]),
        np.array([p[group].sum() for group in groups]),
    )
    return value < limit


@pytest.mark.parametrize("epsilon", [1.0, 0.03, 20.0])
def test_index_on_ties_has_the_exact_tail(epsilon: float, dp_rng: np.random.Generator) -> None:
    """All queries at the threshold: P(index > m) = (4 - 2^(1-m)) / ((m+1)(m+2)) for m <= 64."""
    distance = 0.02
    index = above_threshold(TIES + 3, 3.0, epsilon, rng=dp_rng, size=draws_for(distance))
    assert index.min() == 1
    assert index.max() == CAP + 1
    assert_law(index.astype(float), tie_cdf, distance, left_cdf=lambda x: tie_cdf(x - 1))


def test_tail_on_ties_tells_a_wrong_scale(dp_rng: np.random.Generator) -> None:
    """Draws on ties must pass a chi-square test that query noise of 3.8 / epsilon fails."""
    few = 12
    p = -np.diff([*tie_tail(np.arange(few + 1.0)), 0.0])
    q = slow_index_law([0.0] * few, 0.0, 2.0, 3.8)
    size = chi_square.draws_for(p, q)
    assert size < 1_000_000
    assert same_law(above_threshold(TIES[:, :few], 0.0, 1.0, rng=dp_rng, size=size), p)
    assert not same_law(slow_draws([0.0] * few, 0.0, (2.0, 3.8), size, rng=dp_rng), p)


def test_nothing_fires_as_often_as_it_should(dp_rng: np.random.Generator) -> None:
    """On ties the index 65 must have probability (4 - 2^-63) / (65 66) = 0.00093."""
    size = 500_000
    index = above_threshold(TIES, 0.0, 1.0, rng=dp_rng, size=size)
    p = float(tie_tail(np.array(CAP)))
    assert p == pytest.approx(4 / (65 * 66), rel=1e-15)
    spread = 6.5 * math.sqrt(size * p)
    assert abs(np.count_nonzero(index == CAP + 1) - size * p) < spread < size * p / 3


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("case", CASES)
def test_index_has_the_law_of_the_noises(
    case: str, wrong: str, dp_rng: np.random.Generator
) -> None:
    """Draws must pass a chi-square test of the exact law, and those at other scales must not."""
    answers, theta, epsilon = CASES[case]
    p = slow_index_law(answers, theta, 2 / epsilon, 4 / epsilon)
    scales = WRONG[wrong][0] / epsilon, WRONG[wrong][1] / epsilon
    q = slow_index_law(answers, theta, *scales)
    assert p.sum() == pytest.approx(1, abs=1e-12)
    groups = merged(p, LEAST)
    cells = [np.array([law[group].sum() for group in groups]) for law in (p, q)]
    size = chi_square.draws_for(*cells)
    assert size < 1_500_000
    row = np.array([answers])
    assert same_law(above_threshold(row, theta, epsilon, rng=dp_rng, size=size), p)
    assert not same_law(slow_draws(answers, theta, scales, size, rng=dp_rng), p)


def test_rows_of_their_own_have_the_law_of_each(dp_rng: np.random.Generator) -> None:
    """Rows with other answers and other thresholds must each have their own law."""
    size = 200_000
    rows = [[0.0, 1.0, -1.0, 2.0, 0.5, 0.0], [2.0, -4.0, 0.0, 0.0, 6.0, -1.0]]
    thetas = np.array([0.5, -1.0])
    which = np.arange(2 * size) % 2
    index = above_threshold(np.array(rows)[which], thetas[which], 2.0, rng=dp_rng)
    laws = [slow_index_law(row, theta, 1.0, 2.0) for row, theta in zip(rows, thetas, strict=True)]
    for number, law in enumerate(laws):
        assert same_law(index[which == number], law)
        assert not same_law(index[which != number], law)


def test_the_first_clear_query_fires(
    subtests: pytest.Subtests, dp_rng: np.random.Generator
) -> None:
    """Where one query is far above and those before far below, its index must be returned."""
    for place in [1, 4, 5, 8, 9, 16, 17, 32, 33, 63, 64, 65]:
        with subtests.test(place=place):
            answers = np.full((1, CAP), -1e9)
            answers[0, place - 1 :] = 1e9
            index = above_threshold(answers, 0.0, 1.0, rng=dp_rng, size=1000)
            assert set(index.tolist()) == {place}
            assert index.shape == (1000,)


@pytest.mark.parametrize("quiet", [3, 4, 11, 40])
def test_one_threshold_serves_all_blocks(quiet: int, dp_rng: np.random.Generator) -> None:
    """Ties behind queries far below must have the tail of ties, wherever the blocks begin."""
    distance = 0.02
    answers = np.concatenate([np.full(quiet, -1e9), np.zeros(20)])
    index = above_threshold(answers[np.newaxis], 0.0, 1.0, rng=dp_rng, size=draws_for(distance))

    def cdf(x: Array) -> Array:
        return np.where(x >= quiet + 21, 1.0, 1 - tie_tail(np.maximum(np.floor(x) - quiet, 0)))

    assert_law(index.astype(float), cdf, distance, left_cdf=lambda x: cdf(x - 1))


def test_an_independent_threshold_for_each_query_is_another_law() -> None:
    """The tail must tell a threshold noise drawn once from one drawn for each query: 2^-m."""
    tails = tie_tail(np.arange(8.0))
    np.testing.assert_allclose(
        tails, [1, 1 / 2, 7 / 24, 3 / 16, 31 / 240, 3 / 32, 127 / 1792, 85 / 1536], rtol=1e-15
    )
    assert np.all(tails[2:] > 2.0 ** -np.arange(2, 8) * 1.15)


def test_the_budget_is_a_unit_of_the_answers() -> None:
    """Answers and threshold times 4 at a quarter of the budget must give the same draws."""
    answers = np.array([[-3.0, 1.0, 0.5, 2.0, -1.0, 4.0]])
    one, other = (np.random.default_rng(3) for _ in range(2))
    first = above_threshold(answers, 0.5, 1.0, rng=one, size=5000)
    np.testing.assert_array_equal(
        first, above_threshold(4 * answers, 2.0, 0.25, rng=other, size=5000)
    )
    other = np.random.default_rng(3)
    assert not np.array_equal(first, above_threshold(answers, 0.5, 0.25, rng=other, size=5000))


@pytest.mark.parametrize(("early", "late"), [(0, 1), (3, 6), (10, 12)])
def test_utility_of_lemma_6(early: int, late: int, dp_rng: np.random.Generator) -> None:
    """The index must be as Lemma 6 says but with probability beta, and fail as often as it does.

    Queries stand where the lemma needs them, as badly as it allows; the exact failure probability
    is at most (sqrt(2) / 3 + 1 / 24) beta.
    """
    epsilon, beta, theta = 0.7, 0.5, 3.0
    slack = 6 / epsilon * math.log(2 * late / beta)
    low = theta - 8 / epsilon * math.log(4 * early / beta) if early else 0.0
    between = [theta - 1.001 * slack] * (late - early - 1)
    answers = [low] * early + between + [theta + 6 / epsilon * math.log(2 / beta)]
    answers += [theta - 1.001 * slack] * 4
    good = [early < i <= late and answers[i - 1] >= theta - slack for i in range(1, late + 5)]
    bad = ~np.array([*good, False])
    failure = slow_index_law(answers, theta, 2 / epsilon, 4 / epsilon)[bad].sum()
    assert 0 < failure < (math.sqrt(2) / 3 + 1 / 24) * beta < beta
    distance = failure / 2
    size = min(draws_for(distance), 2_000_000)
    index = above_threshold(np.array([answers]), theta, epsilon, rng=dp_rng, size=size)
    spread = 6.5 * math.sqrt(failure / size)
    assert abs(bad[index - 1].mean() - failure) < spread
    half = above_threshold(np.array([answers]), theta, epsilon / 2, rng=dp_rng, size=size)
    assert bad[half - 1].mean() - failure > spread


def test_no_draws_and_no_queries_are_allowed(dp_rng: np.random.Generator) -> None:
    """No rows must give no index, and no queries the index 1."""
    assert above_threshold(np.zeros((0, 5)), 0.0, 1.0, rng=dp_rng).shape == (0,)
    assert above_threshold(np.zeros((3, 0)), 0.0, 1.0, rng=dp_rng).tolist() == [1, 1, 1]


@pytest.mark.parametrize("epsilon", [1e-9 / 16, 500.0])
def test_extreme_budgets_do_not_warn(epsilon: float, dp_rng: np.random.Generator) -> None:
    """Budgets at the ends of their range must give indices without a warning."""
    answers = np.linspace(-1e5, 1e5, CAP)[np.newaxis]
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        index = above_threshold(answers, 0.0, epsilon, rng=dp_rng, size=2000)
    assert index.min() >= 1
    assert index.max() <= CAP + 1
    if epsilon > 1:
        assert set(index.tolist()) == {CAP // 2 + 1}
