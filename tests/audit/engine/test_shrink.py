"""Shrinking keeps the relation, finds what is small, and is never what the verdict rests on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from audit.engine.berger_boos import rejects
from audit.engine.sequential import Settings, audit
from audit.engine.two_binomials import Counts
from audit.engine.witness import witness_search
from audit.engine.witness.pair_shrinking import StopShrinking, cost, shrink
from audit.pairs.matched_records import Records
from audit.pairs.worst_cases import Pair, pairs_from_records
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.strategies import neighboring_pairs
from audit.targets.domain import Domain
from mechanisms.claims import Order, Relation
from tests.audit.engine.samplers import claim, target

BOUNDS = (Fraction(0), Fraction(1))
UNIT = Domain(Relation.ADD_REMOVE, bounds=BOUNDS)


@st.composite
def neighbors(draw: st.DrawFn) -> tuple[Records, Relation, Order]:
    """Two neighboring arrays under some relation and order, rows of two among them."""
    relation = draw(st.sampled_from([Relation.ADD_REMOVE, Relation.SWAP]))
    order = draw(st.sampled_from(list(Order)))
    pair = draw(neighboring_pairs(relation, order=order, max_size=13, hostile=draw(st.booleans())))
    data, neighbor = pair.data, pair.neighbor
    if draw(st.booleans()):
        data, neighbor = (np.column_stack([x, np.full(x.size, 0.5)]) for x in (data, neighbor))
    records = Records.match(data, neighbor)
    assert records is not None
    return records, relation, order


@given(neighbors(), st.integers(0, 6), st.booleans(), st.integers(0, 5))
def test_every_pair_tried_is_a_pair_of_neighbors(
    case: tuple[Records, Relation, Order], min_size: int, fixed_size: bool, salt: int
) -> None:
    """It must hold that relation, bounds of the size and cost are kept, whatever shows."""
    start, relation, order = case
    if fixed_size and (relation is not Relation.SWAP or len(start.data) < min_size):
        return
    domain = Domain(relation, order, BOUNDS, min_size)
    if fixed_size:
        domain = domain.near(start.data, start.neighbor, generated=False)

    def shows(records: Records) -> bool | None:
        domain.check("tried", records.data, records.neighbor)
        assert records.differ
        assert min(len(records.data), len(records.neighbor)) >= min_size
        assert not fixed_size or len(records.data) == len(start.data)
        assert len(records.neighbor) - len(records.data) == len(start.neighbor) - len(start.data)
        key = records.data.tobytes() + b"/" + records.neighbor.tobytes()
        return True if (crc32(key) + salt) % 3 else None

    found, shown = shrink(start, domain, shows)
    assert (shown is None) == (found is start)
    assert cost(found, domain) <= cost(start, domain)


SMALLEST: dict[str, tuple[Any, Any, list[float], list[float]]] = {
    "any neighbors": (lambda d, n: True, None, [], [0.0]),
    "seven records": (lambda d, n: len(d) >= 7, None, [0.0] * 7, [0.0] * 8),
    "a large record": (
        lambda d, n: n.sum() - d.sum() > 0.5 and len(d) >= 2, None, [0.0] * 2, [0.0, 0.0, 1.0]
    ),
    "one record above a half": (lambda d, n: bool((d > 0.5).any()), None, [1.0], [1.0, 0.0]),
    "one record near 0.3": (
        lambda d, n: bool((np.abs(d - 0.31) < 0.02).any()), 0.3141592, [0.3], [0.3, 0.0]
    ),
    "not less than a hundred": (lambda d, n: len(d) >= 100, None, [0.0] * 100, [0.0] * 101),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALLEST)
def test_finds_the_smallest_pair(name: str) -> None:
    """It must hold that what shows on a few simple records is found there, from hundreds."""
    shows, planted, data, neighbor = SMALLEST[name]
    records = 0.32 + 0.68 * np.random.default_rng(3).random(300)
    if planted is not None:
        records[123] = planted
    start = Records.match(records, np.append(records, 0.8123))
    assert start is not None
    tried: list[Records] = []

    def check(candidate: Records) -> bool | None:
        tried.append(candidate)
        return True if shows(candidate.data, candidate.neighbor) else None

    found, _ = shrink(start, UNIT, check)
    assert sorted(found.data.tolist()) == sorted(data)
    assert sorted(found.neighbor.tolist()) == sorted(neighbor)
    assert len(tried) < 100


def test_a_spent_budget_leaves_the_best_so_far() -> None:
    """It must hold that shrinking can be stopped at any step."""
    start = Records.match(np.full(64, 0.3), np.full(65, 0.3))
    assert start is not None
    sizes = [len(start.data)]
    for budget in range(6):
        left = iter(range(budget))

        def shows(records: Records, left: Any = left) -> bool | None:
            if next(left, None) is None:
                raise StopShrinking
            return True if len(records.data) >= 5 else None

        found, _ = shrink(start, UNIT, shows)
        sizes.append(len(found.data))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 64


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (([], [1.0]), "no records; one more at high"),
        (([0.0], [0.0, 0.5]), "1 record at low; one more at the midpoint"),
        (([0.0, 0.0, 0.3], [0.0, 0.0]), "2 records at low and 1 at 0.3; one fewer at 0.3"),
        (([0.0, 1.0], [1.0, 1.0]), "1 record at low and 1 at high; one at low replaced by high"),
        (([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.45]), "4 records; one at 0.4 replaced by 0.45"),
        (([0.0, 1.0], [1.0, 0.0]), "1 record at low and 1 at high, in another order"),
    ],
)
def test_a_pair_in_words(sides: tuple[list[float], list[float]], words: str) -> None:
    """It must hold that the label of a small pair says all of it."""
    records = Records.match(*(np.array(side, dtype=float) for side in sides))
    assert records is not None
    assert records.describe(UNIT) == words


def noisy_sum(scale: float) -> Any:
    """Sum of the records plus Laplace noise."""
    return lambda data, size, rng: np.sum(data) + rng.laplace(scale=scale, size=size)


def many_records(relation: Relation) -> list[Pair]:
    """Pairs made from 500 records."""
    return pairs_from_records(np.random.default_rng(5).random(500), Domain(relation, bounds=BOUNDS))


def refuted(
    draw: Any, pairs: list[Pair], relation: Relation = Relation.ADD_REMOVE, **settings: Any
) -> AuditResult:
    """Audit a broken sampler at epsilon = 1; samples end it, and no load of the machine."""
    budget = {"budget_samples": 200_000, "budget_seconds": 1e5}
    settings = {"seed": 1, "ideal": True, "false_alarm": 0.05, **budget, **settings}
    bounded = replace(target(draw), bounds=BOUNDS)
    result = audit(bounded, claim(1, relation=relation), pairs, Settings(**settings))
    assert result.verdict is Verdict.REFUTED
    return result


@pytest.mark.slow
def test_a_leak_of_floats_does_not_take_the_place_of_another() -> None:
    """It must hold that a jump at twelve records is shrunk to them, though all pairs leak bits."""

    def jumps(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.sum(data) + 4 * (len(data) >= 12) + rng.laplace(size=size)

    pairs = [Pair("eleven", np.full(11, 0.3), np.append(np.full(11, 0.3), 1.0))]
    for ideal in (True, False):
        witness = refuted(jumps, pairs, ideal=ideal).witness
        assert witness is not None
        assert (witness.feature, len(witness.data)) == ("value", 11)
        assert witness.confirmed == (witness.epsilon_lower > 1)
    floats = refuted(noisy_sum(1), pairs, ideal=False).witness
    assert floats is not None
    assert (floats.feature, len(floats.data)) == ("floating-point lattice", 0)


@pytest.mark.long
@pytest.mark.parametrize("scale", [0.5, 0.7])
@pytest.mark.parametrize("relation", [Relation.ADD_REMOVE, Relation.SWAP])
def test_a_shrunk_witness_refutes_again(scale: float, relation: Relation) -> None:
    """It must hold that 500 records become at most one, and that an own audit refutes there."""
    result = refuted(noisy_sum(scale), many_records(relation), relation)
    witness = result.witness
    assert witness is not None
    assert "500 records" in str(witness.shrunk_from)
    assert len(witness.data) <= 1
    assert witness.confirmed == (witness.epsilon_lower > 1)
    pair = Pair("shrunk", witness.data, witness.neighbor)
    Domain(relation).check("p", pair.data, pair.neighbor)
    assert refuted(noisy_sum(scale), [pair], relation, seed=77).witness is not None


@pytest.mark.long
def test_a_smallest_size_is_kept() -> None:
    """It must hold that no data set of a witness is smaller than the user allows."""
    witness = refuted(noisy_sum(0.5), many_records(Relation.ADD_REMOVE), min_size=20).witness
    assert witness is not None
    assert min(len(witness.data), len(witness.neighbor)) == 20


@pytest.mark.slow
def test_a_crash_is_shrunk_to_its_threshold() -> None:
    """It must hold that a failure that needs 40 records is shown on 40, where failing is cheap."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        if len(data) > 40:
            raise FloatingPointError
        return rng.laplace(size=size)

    rng = np.random.default_rng(2)
    pair = Pair("41 records and 40", rng.random(41), rng.random(41)[:40])
    same = replace(pair, neighbor=pair.data[:40])
    witness = refuted(draw, [same]).witness
    assert witness is not None
    assert (len(witness.data), len(witness.neighbor)) == (41, 40)
    assert set(witness.data) == {0.0}
    assert witness.event == "output raises FloatingPointError"


UNTOUCHED = {
    "listed": (
        Pair("listed", np.full(9, 0.3), np.full(10, 0.3)),
        Relation.LISTED,
        lambda d, n, rng: len(d) + rng.laplace(scale=0.3, size=n),
    ),
    "a dictionary": (
        Pair("a dictionary", {"x": 0.3}, {"x": 1.3}),
        Relation.ADD_REMOVE,
        lambda d, n, rng: d["x"] + rng.laplace(scale=0.3, size=n),
    ),
    "two records apart": (
        Pair("two records apart", np.zeros(3), np.append(np.zeros(3), [0.5, 0.5])),
        Relation.ADD_REMOVE,
        lambda d, n, rng: np.sum(d) + rng.laplace(scale=0.3, size=n),
    ),
    "a list": (
        Pair("a list", [0.3, 0.3], [0.3, 0.3, 1.0]),
        Relation.ADD_REMOVE,
        lambda d, n, rng: sum(d) + rng.laplace(scale=0.3, size=n),
    ),
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_other_pairs_stay_as_they_are(name: str) -> None:
    """It must hold that listed pairs, and data that are no numeric arrays, are not changed."""
    pair, relation, draw = UNTOUCHED[name]
    witness = refuted(draw, [pair], relation).witness
    assert witness is not None
    assert witness.data is pair.data
    assert witness.neighbor is pair.neighbor
    assert witness.shrunk_from is None


@pytest.mark.long
def test_a_users_swap_keeps_its_size() -> None:
    """It must hold that records of a user's own SWAP pair are replaced but not dropped."""
    data = np.full(30, 0.3)
    pair = Pair("the user's", data, np.append(data[1:], 0.9))
    witness = refuted(noisy_sum(0.3), [pair], Relation.SWAP).witness
    assert witness is not None
    assert len(witness.data) == len(witness.neighbor) == 30
    assert set(witness.data[:-1]) == {0.0}


@pytest.mark.slow
def test_the_verdict_does_not_depend_on_shrinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that verdict and limits are the same without it, and the same seed repeats.

    So it is where both pairs are confirmed by their fresh draws; else more evidence is asked for.
    """
    pairs = many_records(Relation.ADD_REMOVE)
    with_it, again = refuted(noisy_sum(0.5), pairs), refuted(noisy_sum(0.5), pairs)
    monkeypatch.setattr(witness_search, "smallest_pair", lambda run, found, *_: (found, 0, False))
    without = refuted(noisy_sum(0.5), pairs)
    assert all(r.witness is not None and r.witness.confirmed for r in (with_it, without))
    for name in ("verdict", "limits", "reproducible"):
        assert getattr(with_it, name) == getattr(without, name)
    assert with_it.witness is not None
    assert again.witness is not None
    assert with_it.witness.rerun == again.witness.rerun
    assert with_it.samples == again.samples > without.samples


@pytest.mark.long
def test_draws_that_choose_a_pair_are_not_reported() -> None:
    """It must hold that run, attempts and the reported counts share no random numbers."""
    seen: list[float] = []

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        noise = rng.laplace(scale=0.5, size=size)
        seen.extend(noise)
        return np.sum(data) + noise

    result = refuted(draw, many_records(Relation.ADD_REMOVE), first_draws=200)
    assert result.witness is not None
    assert result.witness.shrunk_from is not None
    assert len(seen) == result.samples
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("fresh", [True, False], ids=["drawn again", "the draws that chose"])
def test_the_reported_limit_needs_fresh_counts(fresh: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that the limit keeps its level on fresh counts, not on those that chose."""
    runs, candidates, draws, alpha = 300, 200, 500, 0.05
    p, q = 0.4, 0.4 / np.e
    hits, other = (dp_rng.binomial(draws, x, (runs, candidates)) for x in (p, q))
    best = np.argmax(hits - np.e * other, axis=1)[:, None]
    if fresh:
        chosen = dp_rng.binomial(draws, p, runs), dp_rng.binomial(draws, q, runs)
    else:
        chosen = tuple(np.take_along_axis(x, best, axis=1)[:, 0] for x in (hits, other))
    wrong = sum(
        rejects(Counts(int(x), int(y), draws, draws), (1.0, 1.0), 0.0, alpha=alpha)
        for x, y in zip(*chosen, strict=True)
    )
    print(f"fresh={fresh}: {wrong} of {runs}")
    assert (binom.sf(wrong - 1, runs, alpha) > 1e-9) == fresh
