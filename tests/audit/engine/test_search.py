"""Local search: moves keep the relation, and find what no generated pair shows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import binom

from audit.draws.settings import Settings
from audit.engine.allocation import most_suspicious
from audit.engine.joining_pairs import FIRST_DRAWS_OF_JOINED, MOST_JOINED, SHARE, Search, moves
from audit.engine.loop import bet_on, first_draws, is_exploring, join_nearby, next_bet
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.levels import grid_of
from audit.pairs.matched_records import Records
from audit.pairs.worst_cases import Pair, worst_case_pairs
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.domain import Declared, Domain
from mechanisms.claims import Order, Relation
from tests.audit.engine.samplers import claim, shifted_mean, target
from tests.audit.engine.test_shrink import neighbors

BOUNDS = (Fraction(0), Fraction(1))
WORST = worst_case_pairs(Domain(Relation.ADD_REMOVE, bounds=BOUNDS, records=Declared.DECLARED))


@given(neighbors())
def test_a_move_keeps_the_relation(case: tuple[Records, Relation, Order]) -> None:
    """It must hold that what is near a pair of neighbors is a pair of neighbors, within bounds."""
    records, relation, order = case
    old = np.concatenate([records.data.ravel(), records.neighbor.ravel()])
    domain = Domain(relation, order, bounds=BOUNDS)
    found = list(moves(records, domain))
    for data, neighbor in found:
        domain.check("moved", data, neighbor)
        assert len(neighbor) - len(data) == len(records.neighbor) - len(records.data)
        new = np.concatenate([data.ravel(), neighbor.ravel()])
        assert all(0 <= x <= 1 or x in old or np.isnan(x) for x in new)
    sizes = {len(data) - len(records.data) for data, _ in found}
    assert 1 in sizes
    assert -1 in sizes or not len(records.common)


def threshold(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A coin that tells how many records are high: losses 0.8 from 3 to 4 and 1.5 from 4 to 5."""
    high = int((data > 0.75).sum())
    return rng.random(size) < 0.05 * np.exp(0.8 * (high > 3) + 1.5 * (high > 4))


def run(draw: Any, pairs: list[Pair], seed: int = 1, **settings: Any) -> AuditResult:
    """Audit a sampler on records in [0, 1] at epsilon = 1."""
    settings = {"budget_samples": 200_000, "ideal": True, "false_alarm": 0.05, **settings}
    bounded = replace(target(draw), bounds=BOUNDS)
    return audit(bounded, claim(1), pairs, Settings(seed=seed, **settings))


@pytest.mark.slow
def test_a_violation_beside_all_generated_pairs_is_found() -> None:
    """It must hold that a loss from 4 to 5 records is found, which no generated pair shows."""
    for pair in WORST:
        counts = sorted(int((side > 0.75).sum()) for side in (pair.data, pair.neighbor))
        assert counts != [4, 5]
    small = [pair for pair in WORST if len(pair.data) <= 3]
    witnesses = [result.witness for result in (run(threshold, small, seed) for seed in range(6))]
    found = [witness for witness in witnesses if witness is not None]
    assert len(found) >= 4  # the search goes elsewhere in about one run of six
    for witness in found:
        sides = (witness.data, witness.neighbor)
        assert sorted(int((side > 0.75).sum()) for side in sides) == [4, 5]
    alone = [replace(pair, generated=False) for pair in small]
    assert run(threshold, alone).verdict is not Verdict.REFUTED


@pytest.mark.long
def test_a_ratio_with_far_too_little_count_noise_is_found() -> None:
    """It must hold that Algorithm 2 with a quartered count noise is refuted, as a ratio.

    The exact loss is 1.5065 at no records against one at low.
    """
    assert run(shifted_mean(0.25), WORST, budget_samples=2_000_000).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_ratio_with_too_little_count_noise_is_found() -> None:
    """It must hold that it is with a halved count noise in two runs of three at least.

    The exact loss is 1.13 at one record at low against one more at high. Where least-sampled pairs
    were drawn from in steps of 4 and not of 2, it was found in three runs of eight.
    """
    settings = {"budget_samples": 20_000_000, "budget_seconds": 1e5}
    found = [run(shifted_mean(0.5), WORST, seed, **settings).verdict for seed in range(1, 7)]
    assert found.count(Verdict.REFUTED) >= 4


def started(pairs: list[Pair], **settings: Any) -> Run:
    """A run whose pairs have been drawn from once."""
    chosen = Settings(
        **{"seed": 1, "ideal": True, "false_alarm": 0.05, "budget_samples": 10**6, **settings}
    )
    sampler = target(lambda d, n, rng: len(d) + rng.laplace(scale=2, size=n))
    bounded = replace(sampler, bounds=BOUNDS)
    stated = claim(1)
    begun = Run.start(bounded, stated, pairs, chosen, grid_of(stated), None, 1.0)
    for state in begun.pairs:
        first_draws(begun, state, FIRST_DRAWS_OF_JOINED)
    return begun


def test_a_pair_joins_with_no_wealth_of_its_own() -> None:
    """It must hold that joining and first draws move no wealth, and its bet no pair's own."""
    begun = started(WORST[:6], seed=2)
    for state in begun.given:
        bet_on(begun, state, FIRST_DRAWS_OF_JOINED)
    before = [begun.wealth.log_experts.copy(), begun.wealth.log_pairs.copy()]
    joined = join_nearby(begun)
    assert joined is not None
    first_draws(begun, joined, FIRST_DRAWS_OF_JOINED)
    for then, now in zip(before, (begun.wealth.log_experts, begun.wealth.log_pairs), strict=True):
        assert np.array_equal(then, now)
    bet_on(begun, joined, 200)
    assert np.array_equal(before[1], begun.wealth.log_pairs)
    assert len(begun.given) == 6
    assert len(begun.pairs) == 7
    assert is_exploring(begun)
    assert joined.draws == min(state.draws for state in begun.pairs)
    assert next_bet(begun)[0] is begun.given[0]


def test_pairs_join_after_all_were_bet_on_and_at_a_limited_pace() -> None:
    """It must hold that no pair joins early, beyond its share of the draws, or without an end."""
    begun = started(WORST[:6], seed=2)
    assert join_nearby(begun) is None
    search = Search()
    assert not search.may_join(FIRST_DRAWS_OF_JOINED, round(2 * FIRST_DRAWS_OF_JOINED / SHARE) - 1)
    assert search.may_join(FIRST_DRAWS_OF_JOINED, round(2 * FIRST_DRAWS_OF_JOINED / SHARE))
    search.joined = MOST_JOINED
    assert not search.may_join(FIRST_DRAWS_OF_JOINED, 10**12)


@pytest.mark.parametrize("min_size", [0, 1, 2])
def test_every_pair_that_joins_is_new_and_allowed(min_size: int) -> None:
    """It must hold that no pair comes twice, mirrored or below the smallest size; all come once."""
    begun = started([pair for pair in WORST if 2 <= len(pair.data) <= 3][:6])
    search = Search()

    def next_pair() -> Pair | None:
        domain = Domain(Relation.ADD_REMOVE, bounds=BOUNDS, min_size=min_size)
        return search.next_pair(begun.pairs, domain)

    seen = set()
    for state in begun.pairs:
        seen.add(frozenset(np.sort(side).tobytes() for side in (state.data, state.neighbor)))
    smallest = set()
    while (pair := next_pair()) is not None:
        smallest.add(min(len(pair.data), len(pair.neighbor)))
        key = frozenset(np.sort(side).tobytes() for side in (pair.data, pair.neighbor))
        assert key not in seen
        seen.add(key)
    assert min(smallest) == max(1, min_size)
    assert search.joined == len(seen) - 6 > 20


@pytest.mark.long
@pytest.mark.parametrize("relation", list(Relation))
def test_a_users_pairs_are_not_moved(relation: Relation) -> None:
    """It must hold that listed pairs and pairs of a user's own are the only ones tried."""
    pair = Pair("the user's", np.zeros(3), np.append(np.zeros(3), 1.0))
    if relation is Relation.SWAP:
        pair = Pair("the user's", np.zeros(3), np.append(np.zeros(2), 1.0))
    stated = claim(1, relation=relation)
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=20_000)
    law = target(lambda d, n, rng: d.sum() + rng.laplace(scale=2, size=n))  # not suspicious
    sampler = replace(law, bounds=BOUNDS)
    assert audit(sampler, stated, [pair], settings).pairs == 1
    if relation is Relation.ADD_REMOVE:  # the same pair, had it been generated
        assert audit(sampler, stated, [replace(pair, generated=True)], settings).pairs > 1


@pytest.mark.long
@pytest.mark.parametrize("data", [[[1.0], [2.0, 3.0]], {"x": 1.0}, "text", None])
def test_data_of_any_kind_are_left_alone(data: Any) -> None:
    """It must hold that listed pairs of no arrays do not stop the search."""
    sampler = target(lambda d, n, rng: (d == "neighbor") + rng.laplace(scale=2, size=n))
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=20_000)
    listed = claim(1, relation=Relation.LISTED)
    assert audit(sampler, listed, [Pair("listed", data, "neighbor")], settings).pairs == 1


@pytest.mark.long
def test_the_same_seed_tries_the_same_pairs() -> None:
    """It must hold that a run with pairs that join is repeated by its seed."""
    first, second = (run(shifted_mean(1.0), WORST[:8], budget_samples=30_000) for _ in range(2))
    assert first.pairs == second.pairs > 8
    assert first.limits["epsilon"] == second.limits["epsilon"]
    assert first.samples == second.samples <= 30_000
    assert first.detectable is not None
    assert first.detectable.pairs == 8


@pytest.mark.long
def test_noise_among_many_pairs_costs_little_wealth() -> None:
    """It must hold that what the pairs carry is hardly staked on the noise of 20 of them."""
    begun = started(WORST[:20])
    bets = most_suspicious(begun.pairs).bets
    assert bets is not None
    assert bets.suspicion > 1
    for _ in range(100):
        bet_on(begun, *next_bet(begun))
    weights = begun.wealth.shares[:-1] / begun.wealth.shares[:-1].sum()
    carried = np.log(weights @ np.exp(begun.wealth.log_experts[:, begun.grid.claimed]))
    assert carried > -1


@pytest.mark.slow
def test_pairs_that_join_keep_the_level() -> None:
    """It must hold that 12 pairs at their exact claim, and those that join, are rarely refuted."""
    pairs = [pair for pair in WORST if len(pair.data) <= 2][:12]
    draw = lambda d, n, rng: len(d) + rng.laplace(size=n)  # noqa: E731
    results = [run(draw, pairs, seed=seed, budget_samples=60_000) for seed in range(60)]
    assert sum(result.pairs for result in results) > 60 * 14
    wrong = sum(result.verdict is Verdict.REFUTED for result in results)
    print(f"{wrong} of 60")
    assert binom.sf(wrong - 1, 60, 0.05) > 1e-9
