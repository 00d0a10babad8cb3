"""ENG-T1b: bets on functions that are learned from all of the past never gain under the claim.

Each bet is made from the counts of random draws, and its largest mean over all pairs that satisfy
the claim is found by a linear program; the same calculation convicts bets off the edge of the
claim. That a function may know nothing of the batch that it bets on, exact means show, and the
rate of false alarms of the expert that has the whole wealth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from audit.engine.experts import ratio_accounts
from audit.engine.experts.learned_ratios import NO_PRIOR, Learned
from audit.engine.experts.ratio_bets import RATIO_PRIOR, RatioBets
from audit.engine.experts.ratio_choice import RatioChoice
from audit.engine.loop import book
from audit.levels.supporting_lines import LineGrid
from audit.pairs.worst_cases import Pair
from benchmarks.nulls import NULLS, Null, begin, end_of
from benchmarks.power_rows import vector_of, wide_laplace
from mechanisms.claims import ApproxDP, GaussianDP, Level, PureDP, TradeOff
from tests.audit.engine.test_null import STATED, least_convicted, with_hindsight
from tests.theorems.exact import Array, mean, table, worst_pair
from tests.theorems.test_experts import ON_DATA, ON_NEIGHBOR, STEEP, around, lines_at

EXACT = 1e-9
"""Of the sum of means; the program's vertices are exact to rounding."""

FEW, MANY = 54, 2_000
"""Learned bets by default, and in the slow run."""

RUNS, DRAWS = 12, 300
"""Of the expert alone, by default."""

CLAIMS: tuple[Level, ...] = (
    PureDP(1),
    PureDP("1/10"),
    PureDP(0),
    PureDP(4),
    ApproxDP("1/2", "1/10"),
    ApproxDP(1, "1/1000"),
    GaussianDP(1),
    TradeOff(((0, 1), ("1/5", "2/5"), (1, 0))),
    STEEP,
)
CHOICE = RatioChoice(0, NO_PRIOR, 0.0)
"""On the only partition."""


def random_past(rng: np.random.Generator) -> tuple[Array, int]:
    """Counts by half, arm and cell of two random laws, and how many cells are in order."""
    size = int(rng.integers(3, 41))
    p = rng.dirichlet(np.full(size, rng.choice([0.2, 1.0, 5.0])))
    q = p * np.exp(rng.choice([-2.0, 0.0, 0.5, 2.0], size) * rng.choice([0.3, 1.0]))
    draws = int(rng.choice([2, 20, 200, 5_000]))
    laws = (p, q / q.sum())
    past = np.array([[rng.multinomial(draws, law) for law in laws] for _ in range(2)], dtype=float)
    return past, int(rng.choice([0, size, rng.integers(0, size + 1)]))


def factors_of(bets: RatioBets, size: int, point: int) -> tuple[Array, Array]:
    """Factors of both arms at one point, shape (3, K)."""
    both = []
    for log in (bets.log_a, bets.log_b):
        of_point = log.reshape(RATIO_PRIOR.size, bets.points, -1)[:, point]
        whole = np.repeat(of_point[:, -1:], size, axis=1)  # cells that no draw has met
        whole[:, bets.used] = of_point[:, :-1]
        both.append(np.exp(whole))
    return both[0], both[1]


def excesses(
    rng: np.random.Generator,
    bets: int,
    against: Callable[[LineGrid], LineGrid] = lambda grid: grid,
) -> Iterator[float]:
    """Largest E_P a + E_Q b - 2 of learned bets, of the claims in turn."""
    for number in range(bets):
        grid = around(CLAIMS[number % len(CLAIMS)])
        past, ordered = random_past(rng)
        point = int(rng.integers(grid.points))
        made = RatioBets.make(CHOICE, [past], [ordered], against(grid))
        a, b = factors_of(made, past.shape[2], point)
        assert min(a.min(), b.min()) >= 0.0049
        account = number // len(CLAIMS) % RATIO_PRIOR.size
        lines = lines_at(grid, point)
        yield worst_pair(a[account], b[account], lines, one_way=grid.one_way)[0] - 2


def test_learned_bets_never_gain_under_the_claim(dp_rng: np.random.Generator) -> None:
    """It must hold that E_P a + E_Q b <= 2 for every pair that satisfies the claim."""
    assert max(excesses(dp_rng, FEW)) <= EXACT


@pytest.mark.slow
def test_two_thousand_learned_bets_never_gain(dp_rng: np.random.Generator) -> None:
    """It must hold of many more."""
    assert max(excesses(dp_rng, MANY)) <= EXACT


def test_bets_off_the_edge_of_the_claim_are_convicted(dp_rng: np.random.Generator) -> None:
    """It must hold that an edge of which p0 is 1 % too small is found out by the same program."""

    def off_edge(grid: LineGrid) -> LineGrid:
        return replace(grid, slopes=0.99 * grid.slopes, offsets=0.99 * grid.offsets)

    found = np.array(list(excesses(dp_rng, 5 * len(CLAIMS), off_edge)))
    assert (found > 1e-4).mean() > 0.25


def test_functions_below_zero_are_convicted(
    dp_rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that values outside [0, 1] break the lemma, and that the program sees it."""
    clipped = Learned.functions

    def too_low(learned: Learned, slopes: Array) -> Array:
        return clipped(learned, slopes) - 0.05

    monkeypatch.setattr(Learned, "functions", too_low)
    found = np.array(list(excesses(dp_rng, 5 * len(CLAIMS))))
    assert (found > 1e-4).mean() > 0.25


def test_an_asymmetric_curve_is_bet_on_one_way_only() -> None:
    """It must hold that bets the other way round gain on a pair that the curve allows (T5)."""
    grid = around(STEEP)
    assert grid.one_way
    past = np.broadcast_to(1e4 * np.stack([ON_DATA, ON_NEIGHBOR]), (2, 2, 2))
    for both_ways in (False, True):
        made = RatioBets.make(CHOICE, [past], [2], replace(grid, one_way=not both_ways))
        a, b = factors_of(made, 2, grid.claimed)
        excess = worst_pair(a[0], b[0], lines_at(grid, grid.claimed), one_way=True)[0] - 2
        assert (excess > 0.005) == both_ways


def largest_mean(past: Array, batch_is_known: bool, draws: int) -> float:
    """Exact mean of an account's e-value of a batch, on an edge of the claim epsilon = 1."""
    grid = around(PureDP(1))
    p = np.array([0.5, 0.2, 0.3])
    q = np.array([0.5 / np.e, 0.2, 0.8 - 0.5 / np.e])

    def log_e(counts: Array) -> Array:
        known = past + np.stack([counts, counts]) / 2 if batch_is_known else past
        bets = RatioBets.make(CHOICE, [known], [3], grid)
        return bets.log_e([counts], draws)[:, grid.claimed]

    return float(mean(table(log_e, 3, draws), p, q).max())


def test_functions_learned_from_their_own_batch_gain_under_the_claim() -> None:
    """It must hold that the calculation convicts a function that knows the batch it bets on."""
    past = np.broadcast_to([[3.0, 1, 2], [1, 1, 4]], (2, 2, 3))
    assert largest_mean(past, batch_is_known=False, draws=5) <= 1 + EXACT
    assert largest_mean(past, batch_is_known=True, draws=5) > 1.02


def alone(null: Null, seed: int, draws: int) -> bool:
    """Whether the ratio expert refutes a claim that holds, with the whole wealth at .05."""
    run = begin(null, seed, draws)
    run.wealth.levels[:] = STATED
    run.wealth.shares[:] = 0.0
    run.wealth.shares[slice(*ratio_accounts(run.grid))] = RATIO_PRIOR
    return end_of(run) == "refuted"


def names(data: Any, size: int, rng: np.random.Generator) -> list[str]:
    """One of 200 labels, half of which the data make likelier, by e."""
    weights = np.where(np.arange(200) % 2 == int(data), math.e, 1.0)
    return [f"n{i}" for i in rng.choice(200, size, p=weights / weights.sum())]


ALONE = {
    "laplace": NULLS["laplace"],
    "randomized-response": NULLS["randomized-response"],
    "names": Null("200 names, epsilon 1", names, PureDP(1)),
    "vectors": Null(
        "Laplace of scale 2 on two coordinates, epsilon 1",
        vector_of(wide_laplace),
        PureDP(1),
        [Pair("both move", np.zeros(2), np.ones(2))],
    ),
}
"""Claims that hold with equality."""

each_null = pytest.mark.parametrize("null", ALONE.values(), ids=ALONE)


@pytest.mark.long
@pytest.mark.parametrize("name", ["names", "laplace"])
def test_a_few_runs_of_the_expert_alone(name: str) -> None:
    """It must hold that the rate is not far above the stated one (all but excluded at it)."""
    seen = sum(alone(ALONE[name], seed, DRAWS) for seed in range(RUNS))
    assert seen < least_convicted(RUNS)


@pytest.mark.slow
@each_null
def test_the_expert_alone_keeps_the_rate(null: Null) -> None:
    """It must hold that at most 122 of 2,000 runs are refuted (more: probability .012 at .05)."""
    seen = sum(alone(null, seed, 2_000) for seed in range(2_000))
    print(f"{null.name}: {seen} of 2,000 refuted at {STATED}")
    assert seen <= 122


@pytest.mark.long
def test_an_expert_that_knows_its_batch_is_convicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the same count convicts functions that were learned from their batch."""
    monkeypatch.setattr("audit.engine.loop.book", with_hindsight(book))
    seen = sum(alone(ALONE["names"], seed, 3 * DRAWS) for seed in range(RUNS))
    assert seen >= least_convicted(RUNS)


@pytest.mark.long
def test_the_expert_alone_finds_what_is_false() -> None:
    """It must hold that the runs that are counted stake something: a loss of 1.5 is found."""
    broken = replace(ALONE["vectors"], level=PureDP("0.4"))
    assert all(alone(broken, seed, 2_000) for seed in range(3))
