"""ENG-T7 and ENG-T8: exact sizes by enumeration, and what happens to who leaves the conditions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta, binom

from audit.engine import berger_boos
from audit.engine.bound.conditional import conditional_epsilon_lower, conditional_p_value
from audit.engine.two_binomials import Counts, probability_upper

ALPHA = 0.05
SLOPE = math.e
NULL_LINE = (0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 1 / SLOPE, 0.5, 0.8, 1.0)
"""Values of q; from 1/e on the claim is p = 1."""

Table = NDArray[np.bool_]


def sizes(
    reject: Table, draws: int, other_draws: int, *, s: float = SLOPE, t: float = 0.0
) -> list[float]:
    """Probability of rejection at the border of the claim, p = min(1, s q + t), for each q."""
    found = []
    for q in NULL_LINE:
        p = min(1.0, s * q + t)
        x = binom.pmf(np.arange(draws + 1), draws, p)
        y = binom.pmf(np.arange(other_draws + 1), other_draws, q)
        found.append(float(x @ reject @ y))
    return found


def conditional_rejections(draws: int, other_draws: int, epsilon: float, share: float) -> Table:
    """Where T7 rejects, by hits of both arms."""
    return np.array(
        [
            [conditional_p_value(x, y, epsilon, label_share=share) <= ALPHA for y in ys]
            for ys in [range(other_draws + 1)]
            for x in range(draws + 1)
        ]
    )


def berger_boos_rejections(draws: int, other_draws: int, epsilon: float, delta: float) -> Table:
    """Where T8 rejects, by hits of both arms."""
    return np.array(
        [
            [
                berger_boos.rejects(
                    Counts(x, y, draws, other_draws), (epsilon, epsilon), delta, alpha=ALPHA
                )
                for y in range(other_draws + 1)
            ]
            for x in range(draws + 1)
        ]
    )


@pytest.mark.parametrize("share", [0.5, 0.3])
def test_random_labels_keep_the_level_for_every_number_of_hits(share: float) -> None:
    """It must hold that with random labels T7 errs with probability at most alpha, given m too."""
    epsilon = 1.0
    r = SLOPE * share / (SLOPE * share + 1 - share)
    for m in range(60):
        x = np.arange(m + 1)
        reject = [conditional_p_value(int(i), int(m - i), epsilon, label_share=share) for i in x]
        assert binom.pmf(x, m, r)[np.array(reject) <= ALPHA].sum() <= ALPHA + 1e-12


@pytest.mark.parametrize("q", [0.3, 1 / SLOPE])
def test_fixed_labels_void_the_conditional_test(q: float) -> None:
    """It must hold that with arms of fixed sizes T7 errs beyond alpha given the number of hits."""
    n = 40
    reject = conditional_rejections(n, n, 1.0, 0.5)
    law = np.outer(binom.pmf(np.arange(n + 1), n, SLOPE * q), binom.pmf(np.arange(n + 1), n, q))
    hits = np.add.outer(np.arange(n + 1), np.arange(n + 1))
    given = {
        int(m): float(law[(hits == m) & reject].sum() / law[hits == m].sum())
        for m in np.unique(hits)
        if law[hits == m].sum() > 1e-6
    }
    worst = max(given.values())
    print(f"q={q:.2f}: {worst:.4f} given m = {max(given, key=lambda m: given[m])}")
    assert worst > 2 * ALPHA


@pytest.mark.parametrize(
    ("draws", "other_draws", "epsilon", "delta"),
    [(24, 24, 1.0, 0.0), (20, 28, 1.0, 0.1), (25, 25, 0.0, 0.05)],
)
def test_berger_boos_keeps_the_level_on_the_whole_null_line(
    draws: int, other_draws: int, epsilon: float, delta: float
) -> None:
    """It must hold that T8's exact size is at most alpha everywhere, and not far below it."""
    reject = berger_boos_rejections(draws, other_draws, epsilon, delta)
    found = sizes(reject, draws, other_draws, s=math.exp(epsilon), t=delta)
    print([f"{size:.4f}" for size in found])
    assert max(found) <= ALPHA
    assert max(found) > 0.3 * ALPHA


def test_a_test_at_a_larger_level_would_be_caught() -> None:
    """It must hold that the enumeration convicts the plug-in test, q taken as it was seen."""
    n = 24
    q_hat = np.arange(n + 1) / n
    p_hat = np.minimum(1.0, SLOPE * q_hat)
    spread = np.sqrt((p_hat * (1 - p_hat) + SLOPE**2 * q_hat * (1 - q_hat)) / n)
    gap = np.arange(n + 1)[:, None] / n - SLOPE * q_hat[None, :]
    assert max(sizes(gap > 1.645 * spread[None, :] + 1e-12, n, n)) > 1.5 * ALPHA


def cut_p_value(counts: Counts, epsilon: float) -> float:
    """Return p of the wrong variant of T8: C is cut at q = (1 - t) / s, where p reaches 1."""
    gamma, s = berger_boos.GAMMA_SHARE * ALPHA, math.exp(epsilon)
    low, high = berger_boos.interval_of_q(counts, gamma)
    if low >= 1 / s:
        return gamma
    edges = np.linspace(low, min(high, 1 / s), 65)
    p, q = np.minimum(1.0, s * edges[1:]), edges[:-1]
    return float(probability_upper(counts, (s, s), p, q, tail=1e-9).max()) + gamma


def test_the_claim_contains_certain_events() -> None:
    """It must hold that p = 1 with s q > 1 is part of the claim: cut off, a true 20 is rejected."""
    n = 1_000
    counts = Counts(n, int(n / SLOPE), n, n)
    assert cut_p_value(counts, 20.0) <= ALPHA
    assert berger_boos.p_value_upper(counts, 20.0, 0.0, alpha=ALPHA) > ALPHA
    assert not berger_boos.rejects(counts, (20.0, 20.0), 0.0, alpha=ALPHA)
    # bisection between 0, rejected, and 20, rejected as well, would report 20 for a true 1
    grid = np.linspace(0, 20, 401).tolist()
    assert 0.85 < berger_boos.epsilon_lower(counts, 0.0, grid, alpha=ALPHA) <= 1.0


@pytest.mark.parametrize("p", [0.5, 0.02])
def test_limits_exceed_the_truth_rarely(p: float, dp_rng: np.random.Generator) -> None:
    """It must hold that limits above a true epsilon of 1 come by rarely, and above 0.7 mostly."""
    n, runs, q = 5_000, 200, p / SLOPE
    first = dp_rng.binomial(2 * n, 0.5, runs)
    drawn = zip(dp_rng.binomial(first, p), dp_rng.binomial(2 * n - first, q), strict=True)
    conditional = [conditional_epsilon_lower(int(x), int(y), ALPHA) for x, y in drawn]
    wrong = {"conditional": sum(limit > 1 + 1e-9 for limit in conditional)}
    drawn = zip(dp_rng.binomial(n, p, runs), dp_rng.binomial(n, q, runs), strict=True)
    counts = [Counts(int(x), int(y), n, n) for x, y in drawn]
    wrong["unconditional"] = sum(
        berger_boos.rejects(c, (1.0, 1.0), 0.0, alpha=ALPHA) for c in counts
    )
    lower = sum(berger_boos.rejects(c, (0.7, 0.7), 0.0, alpha=ALPHA) for c in counts[:50])
    print(f"p={p}: {wrong} of {runs}; claim 0.7 rejected {lower} times of 50")
    assert all(binom.sf(k - 1, runs, ALPHA) > 1e-9 for k in wrong.values())
    assert binom.sf(lower - 1, 50, ALPHA) < 1e-9


def two_limits(hits: int, other_hits: int, n: int) -> float:
    """Lower limit on epsilon from two limits of Clopper and Pearson at half the level."""
    low = beta.ppf(ALPHA / 2, hits, n - hits + 1)
    high = beta.ppf(1 - ALPHA / 2, other_hits + 1, n - other_hits)
    return float(math.log(low / high))


@pytest.mark.parametrize(("p", "berger"), [(0.5, True), (0.01, False)])
def test_one_joint_test_beats_two_limits_at_half_the_level(p: float, berger: bool) -> None:
    """It must hold that the joint limit is closer to the truth by a quarter of the gap or more."""
    n = 100_000
    x, y = round(n * p), round(n * p / SLOPE)
    gap = 1 - two_limits(x, y, n)
    if berger:
        grid = np.linspace(0.9, 1.0, 401).tolist()
        joint = berger_boos.epsilon_lower(Counts(x, y, n, n), 0.0, grid, alpha=ALPHA)
    else:
        joint = conditional_epsilon_lower(x, y, ALPHA)
    print(f"p={p}: gap {1 - joint:.4f} of the joint limit, {gap:.4f} of two")
    assert 1 - joint < 0.75 * gap


@pytest.mark.parametrize("hits", [(40, 10), (5, 0), (0, 3), (30, 30)])
def test_the_conditional_limit_inverts_its_test(hits: tuple[int, int]) -> None:
    """It must hold that the limit is where the p-value is alpha: T7's test and limit agree."""
    limit = conditional_epsilon_lower(*hits, ALPHA)
    if math.isinf(limit):
        assert conditional_p_value(*hits, -20.0) > ALPHA
    else:
        assert conditional_p_value(*hits, limit) == pytest.approx(ALPHA, rel=1e-9)


def test_the_tail_is_never_below_the_exact_sum() -> None:
    """It must hold that the bounded sum lies within its stated slack above the full one."""
    counts = Counts(60, 20, 150, 100)
    s = 1.7
    x, y = np.meshgrid(np.arange(151), np.arange(101), indexing="ij")
    region = (x - 60) / 150 >= s * (y - 20) / 100 - 1e-12
    p, q = np.array([0.3, 0.32, 0.01, 0.0]), np.array([0.2, 0.25, 0.001, 0.0])
    found = probability_upper(counts, (s, s), p, q, tail=1e-7)
    for value, a, b in zip(found, p, q, strict=True):
        law = np.outer(binom.pmf(np.arange(151), 150, a), binom.pmf(np.arange(101), 100, b))
        exact = float(law[region].sum())
        assert exact <= value <= exact * (1 + 1e-8) + 5e-7


def test_an_interval_of_slopes_covers_each_of_them() -> None:
    """It must hold that what is bounded over [s1, s2] bounds every slope between."""
    counts = Counts(300, 80, 1_000, 1_000)
    p, q = np.array([0.26, 0.25]), np.array([0.09, 0.08])
    joint = probability_upper(counts, (2.0, 3.0), p, q, tail=1e-9)
    for s in np.linspace(2, 3, 11):
        single = probability_upper(counts, (s, s), p, q, tail=1e-9)
        assert (single <= joint + 1e-8).all()


def test_whole_runs_of_the_grid_are_rejected_as_its_points_are() -> None:
    """It must hold that the limit over runs is the one that the points give one by one."""
    grid = np.linspace(0, 2, 81).tolist()
    for counts, delta in ((Counts(400, 130, 1_000, 1_000), 0.0), (Counts(90, 9, 800, 900), 0.02)):
        one_by_one = 0.0
        for epsilon in grid:
            if not berger_boos.rejects(counts, (epsilon, epsilon), delta, alpha=ALPHA):
                break
            one_by_one = epsilon
        assert berger_boos.epsilon_lower(counts, delta, grid, alpha=ALPHA) == one_by_one
