"""The mean of users with private budgets: what is released and read, the mean stage, errors."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mechanisms.laws import FLOATS
from mechanisms.personalized.diffusion.rates import RightRates
from mechanisms.personalized.groups.exponential import choose
from mechanisms.personalized.groups.mean import GroupMean, SampleRates, with_zeros
from mechanisms.personalized.groups.unbounded_mean import UnboundedMean
from mechanisms.personalized.public_tau import best_tau
from mechanisms.personalized.range.mean import PersonalizedMean
from tests.mechanisms.personalized.two_samples import (
    assert_alike,
    assert_not_alike,
    draws_of_each,
)
from tests.slow import by_default

F = Fraction
BETA = F(9, 10)
SEED = 20240711
USERS = [[1.0, 1], [3.0, 1], [2.5, 2], [-1.0, 2], [math.nan, 2], [7.0, 4]]


def draws(data: Any, size: int = 200, seed: int = SEED, **arguments: Any) -> np.ndarray:
    """Releases of a mechanism with many counts above 0."""
    mechanism = UnboundedMean(**{"budgets": (1, 2, 4), "beta": BETA, **arguments})
    return mechanism.sample(data, size, rng=np.random.default_rng(seed))


def test_releases_are_of_one_run() -> None:
    """The counts must be those that the mean was made from, and 0 released where all are 0."""
    table, means, counts = (draws(USERS, 2000, release=r) for r in ("all", "mean", "counts"))
    assert table.shape == (2000, 4)
    np.testing.assert_array_equal(table[:, :3], counts)
    np.testing.assert_array_equal(table[:, 3], means)
    assert means.dtype == counts.dtype == np.float64
    empty = ~counts.any(axis=1)
    assert 0 < empty.sum() < 2000
    assert not means[empty].any()
    assert means[~empty].all()
    assert not np.signbit(means[empty]).any()


@pytest.mark.parametrize("budget", [0.999, 0.0, -1.0, math.nan, math.inf, 1e-300])
def test_who_may_not_be_charged_leaves_no_trace(budget: float) -> None:
    """A row below the lowest budget, or without one, must not change any draw."""
    np.testing.assert_array_equal(draws(USERS), draws([*USERS, [1e9, budget]]))


def test_a_budget_above_the_highest_counts_as_the_highest() -> None:
    """Larger budgets must be read as the highest one."""
    np.testing.assert_array_equal(draws([*USERS, [9.0, 4]]), draws([*USERS, [9.0, 1e8]]))


def test_a_budget_counts_as_the_left_end_of_its_group() -> None:
    """Nothing but the group of a budget may show in a release."""
    rounded = [[x, 2.0 if budget == 2 else budget] for x, budget in USERS]
    inside = [[x, 3.99 if budget == 2 else budget] for x, budget in USERS]
    np.testing.assert_array_equal(draws(rounded), draws(inside))


@pytest.mark.parametrize("data", [[], np.empty((0, 2)), [[1.0, 0.1]]])
def test_nobody_may_take_part(data: Any) -> None:
    """Without users a release must be finite, and sometimes not 0: counts are noisy."""
    found = draws(data, 2000, release="all")
    assert np.isfinite(found).all()
    assert 0 < np.count_nonzero(found[:, -1]) < 1000


HOSTILE: dict[str, Any] = {
    "placeholders": [[math.nan, 2.0]] * 5,
    "infinities": [[math.inf, 2.0], [-math.inf, 1.0]],
    "huge": [[1.7e308, 2.0], [-1.7e308, 2.0]] * 3,
    "tiny": [[5e-324, 2.0], [-5e-324, 1.0]],
    "odd": [[None, 1.0], ["word", 2.0], [10**400, 4.0]],
    "ties": [[0.25, 1.0]] * 40,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_no_record_raises(case: str) -> None:
    """Whatever the records are, releases must be finite, without an error or a warning."""
    assert np.isfinite(draws(HOSTILE[case], 300, release="all")).all()


def test_placeholder_is_not_zero() -> None:
    """A missing record must count as the center of the range, not as 0."""
    found = {}
    records = np.random.default_rng(SEED).normal(50, 1, 600)
    for words, record in (("missing", math.nan), ("zero", 0.0)):
        data = [[x, 8] for x in records] + [[record, 8]] * 200
        found[words] = float(np.median(draws(data, 100, budgets=(8,))))
    assert abs(found["missing"] - 50) < 0.5
    assert found["zero"] < 45


APART = 0.07
"""Distance of laws that two samples must tell apart."""

CASES: dict[str, tuple[list[float], list[int], tuple[int, ...], tuple[int, ...]]] = {
    "all sampled": ([-3.0, 1.0, 2.0, 2.5, 40.0], [2, 3], (2, 3), (24, 24)),
    "padded": ([-3.0, 1.0, 9.0, math.nan, 40.0], [2, 3], (4, 5), (24, 24)),
    "two budgets": ([-3.0, 1.0, 9.0, 2.5, 40.0], [2, 3], (3, 3), (12, 32)),
}
"""Records, users of both groups, their counts, and budgets."""


@pytest.mark.long
@pytest.mark.parametrize("case", by_default(["all sampled"], CASES))
def test_mean_of_the_samples_is_algorithm_7(case: str, dp_rng: np.random.Generator) -> None:
    """With everybody sampled, draws must have the law of Algorithm 7 on padded data.

    Budgets larger by a half must be told apart: their laws are 0.078 or more away.
    """
    records, users, counts, budgets = CASES[case]
    places = np.split(np.array(records), [users[0]])
    padded = [np.append(x, [math.nan] * (c - x.size)) for x, c in zip(places, counts, strict=True)]
    ends = np.array([0, users[0], sum(users)])
    size = draws_of_each(APART)
    found = {}
    for factor in (F(1), F(3, 2)):
        exact = tuple(factor * b for b in budgets)
        stage = GroupMean(np.array(records), ends, exact, BETA)
        found[factor] = stage.draw(np.tile(counts, (size, 1)), rng=dp_rng)
    repeated = [b for b, c in zip(budgets, counts, strict=True) for _ in range(c)]
    reference = PersonalizedMean(repeated, BETA).sample(np.concatenate(padded), size, rng=dp_rng)
    assert_alike(found[F(1)], reference, APART)
    assert_not_alike(found[F(3, 2)], reference, APART)


def test_mean_of_a_sample_is_a_mixture(dp_rng: np.random.Generator) -> None:
    """Below the size of a group, draws must have the mixture of the laws of the subsets."""
    records, size = np.array([-20.0, 1.0, 300.0]), 3 * (draws_of_each(APART) // 3 + 1)
    ends, exact = np.array([0, 3]), (F(24),)
    found = GroupMean(records, ends, exact, BETA).draw(np.full((size, 1), 2), rng=dp_rng)
    parts = []
    for left_out in range(3):
        stage = GroupMean(np.delete(records, left_out), np.array([0, 2]), exact, BETA)
        parts.append(stage.draw(np.full((size // 3, 1), 2), rng=dp_rng))
    assert_alike(found, np.concatenate(parts), APART)
    assert_not_alike(found, np.concatenate((parts[0], parts[0], parts[1])), APART)


def test_who_is_not_sampled_does_not_survive(dp_rng: np.random.Generator) -> None:
    """Survivors must be a subset of the sample, each with the rate of the group."""
    halves, ends, tau = (F(1, 2), F(1)), np.array([0, 30, 50]), F(1)
    assert best_tau([halves[0]] * 20 + [halves[1]] * 20) == tau
    rates = tuple(RightRates((half,), tau) for half in halves)
    chosen = choose(ends, np.tile((20, 25), (4000, 1)), rng=dp_rng)
    survivors = SampleRates(rates, ends, chosen)
    kept = survivors.draw(4000, rng=dp_rng)
    assert not (kept & ~chosen).any()
    assert kept[:, 30:].all()  # tau is their budget
    rate = math.expm1(0.5) / math.expm1(1)
    assert survivors.mass(29, FLOATS) == pytest.approx(rate, rel=1e-12)
    assert survivors.mass(30, FLOATS) == 1
    assert abs(kept[:, :30].sum() / chosen[:, :30].sum() - rate) < 6 * 0.5 / math.sqrt(80_000)


def test_range_stage_has_half_of_the_budgets() -> None:
    """Users must survive with the rates of half of what the mean may spend on them."""
    stage = GroupMean(np.array([]), np.zeros(3, dtype=int), (F(1), F(2)), BETA)
    first, second = (rate.mass(0, FLOATS) for rate in stage.rates(F(3, 2)))
    assert first == pytest.approx(math.expm1(0.5) / math.expm1(1.5), rel=1e-12)
    assert second == pytest.approx(math.expm1(1) / math.expm1(1.5), rel=1e-12)


def test_zeros_fill_the_missing_places() -> None:
    """The printed padding must add zeros behind each group that is too small, draw by draw."""
    users, ends = np.array([1.0, 2, 3]), np.array([0, 2, 2, 3])
    counts = np.array([[3, 2, 1], [1, 0, 1], [2, 1, 3]])
    chosen = np.array([[1, 1, 1], [0, 1, 1], [1, 1, 1]], dtype=np.bool_)
    records, larger, samples = with_zeros(users, ends, chosen, counts)
    assert records.tolist() == [1, 2, 0, 0, 0, 3, 0, 0]
    assert larger.tolist() == [0, 3, 5, 8]
    assert samples.astype(int).tolist() == [
        [1, 1, 1, 1, 1, 1, 0, 0],
        [0, 1, 0, 0, 0, 1, 0, 0],
        [1, 1, 0, 1, 0, 1, 1, 1],
    ]


def test_draws_of_many_counts_are_those_of_each(dp_rng: np.random.Generator) -> None:
    """Draws of mixed counts must have, at each of them, the law of draws of that one alone."""
    stage = GroupMean(np.array([-3.0, 1.0, 40.0]), np.array([0, 2, 3]), (F(24), F(48)), BETA)
    kinds, size = [(0, 1), (2, 1), (1, 3), (2, 0)], draws_of_each(0.14)
    mixed = dp_rng.permutation(np.repeat([*kinds, (0, 0)], size, axis=0))
    found = stage.draw(mixed, rng=dp_rng)
    assert not found[(mixed == 0).all(axis=1)].any()
    laws = {kind: stage.draw(np.tile(kind, (size, 1)), rng=dp_rng) for kind in kinds}
    for kind, alone in laws.items():
        part = found[(mixed == kind).all(axis=1)]
        assert_alike(part, alone, 0.14)
        for other, law in laws.items():
            if other != kind:
                assert_not_alike(part, law, 0.14)


@pytest.mark.parametrize("zeros", [False, True])
def test_memory_bounds_the_draws_that_are_made_at_once(zeros: bool) -> None:
    """Draws must be split into parts of about 2e6 numbers, also where some need many zeros."""
    stage = GroupMean(np.zeros(10), np.array([0, 4, 10]), (F(1), F(2)), BETA, zeros)
    counts = np.array([[4, 6]] * 30_000 + [[100_000, 6]] * 19 + [[2 * 10**6, 0]] * 2)
    parts = list(stage._parts(np.arange(len(counts)), counts))
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(len(counts)))
    for part in parts:
        extra = int(np.maximum(counts[part] - [4, 6], 0).sum(axis=1).max()) * zeros
        assert part.size == 1 or part.size * (10 + extra + 64) <= 2_000_000
    assert len(parts) == (5 if zeros else 2)


def test_budgets_and_offsets_of_the_stages() -> None:
    """Counts must cost left / 2, with 2 J / beta in their offsets."""
    mechanism = UnboundedMean((1, 16), beta="1/5")
    assert mechanism.left_ends == tuple(map(F, (1, 2, 4, 8, 16)))
    assert mechanism.counts.rates == tuple(left / 2 for left in mechanism.left_ends)
    assert mechanism.counts.quotient == 50


def test_mean_stage_gets_half_of_the_left_ends_and_of_beta() -> None:
    """Draws must be those of Algorithm 7 at left / 2 and beta / 2 on samples of the counts."""
    mechanism, data = UnboundedMean((24, 48), beta=BETA), [[-3.0, 24], [1.0, 30], [40.0, 48]]
    rng = np.random.default_rng(SEED)
    counts = mechanism.counts.draw(np.array([2, 1]), 50, rng=rng)
    records, ends = np.array([-3.0, 1.0, 40.0]), np.array([0, 2, 3])
    stage = GroupMean(records, ends, (F(12), F(24)), BETA / 2)
    expected = stage.draw(counts, rng=rng)
    found = mechanism.sample(data, 50, rng=np.random.default_rng(SEED))
    assert np.unique(counts, axis=0).shape[0] > 2
    np.testing.assert_array_equal(found, expected)


def test_exact_law_is_of_the_counts() -> None:
    """The law must be stated for the counts, at the sizes of the groups, and for nothing else."""
    law = UnboundedMean((1, 2, 4), release="counts").exact_law([*USERS, [0.0, 0.5]])
    assert law is not None
    assert law.sizes == (2, 3, 1)
    assert UnboundedMean((1, 2, 4)).exact_law(USERS) is None
    assert UnboundedMean((1, 2, 4), release="all").exact_law(USERS) is None
    assert UnboundedMean((1, 1024), release="counts").exact_law(USERS) is None  # 11 groups


@pytest.mark.parametrize("user", range(len(USERS)))
def test_no_user_pays_more_than_half_of_the_left_end_for_the_counts(user: int) -> None:
    """The loss of the counts must be half of the left end of the user's group, for each user."""
    mechanism = UnboundedMean((1, 2, 4), release="counts")
    law, other = mechanism.exact_law(USERS), mechanism.exact_law(USERS[:user] + USERS[user + 1 :])
    assert law is not None
    assert other is not None
    p, q = law.masses(FLOATS), other.masses(FLOATS)
    loss = max(abs(math.log(p[z] / q[z])) for z in p)
    assert loss == pytest.approx(USERS[user][1] / 2, abs=1e-9)


def test_a_public_limit_bounds_the_memory() -> None:
    """With the least budget a count beyond the limit must be that limit, and soon be drawn."""
    mechanism = UnboundedMean("1e-9", beta=BETA, release="all", most=1000)
    found = mechanism.sample(USERS, 200, rng=np.random.default_rng(SEED))
    assert found[:, 0].max() == 1000
    assert np.isfinite(found).all()


def reference_rows(rng: np.random.Generator, lowest: float, users: int) -> np.ndarray:
    """Records from N(50, 1), budgets uniform from the lowest to 1."""
    return np.column_stack((50 + rng.normal(size=users), rng.uniform(lowest, 1, users)))


def test_users_kept_are_those_of_the_reference(dp_rng: np.random.Generator) -> None:
    """Of 20,000 users with budgets uniform on [0.05, 1] about 19,641 must be kept.

    The expectation is 20000 - sum (2 / left_i) ln(2 J / beta) - J / 2; a reference has 19,651 as
    the mean of 60 runs, whose standard deviation is 8.4.
    """
    mechanism = UnboundedMean(("0.05", 1), release="counts")
    lefts = [0.05 * 2**i for i in range(5)]
    expected = 20_000 - sum(2 / left for left in lefts) * math.log(100) - 2.5
    deviation = math.sqrt(2 * sum((2 / left) ** 2 for left in lefts) / 60)
    assert abs(19_651 - expected) < 4 * deviation
    counts = mechanism.sample(reference_rows(dp_rng, 0.05, 20_000), 4000, rng=dp_rng)
    assert abs(counts.sum(axis=1).mean() - expected) < 6 * deviation * math.sqrt(60 / 4000)


@pytest.mark.slow
def test_error_is_that_of_the_reference(dp_rng: np.random.Generator) -> None:
    """The median error of 20,000 users must be within a factor of 2 of the reference, 0.0121."""
    mechanism = UnboundedMean(("0.05", 1))
    errors = [
        mechanism.sample(reference_rows(dp_rng, 0.05, 20_000), 1, rng=dp_rng)[0] - 50
        for _ in range(200)
    ]
    assert 0.0121 / 2 < np.median(np.abs(errors)) < 0.0121 * 2
