"""What `--mode exact` proves of registered mechanisms: no second opinion may differ.

Over all mechanisms, both relations and a grid of parameters: the check of a certificate accepts it,
and no exact probability on small pairs of data sets contradicts the proof. The oracle evaluates the
stated laws at points, and shares no lemma and no search with what proves.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, final

import pytest

from audit.exact import all_neighbors, certify
from audit.exact import exact_audit as exact_audit
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.exact.recheck import Disagreement, rechecked
from audit.exact.release_events import chance
from audit.exact.symbolic.log_numbers import exponent
from audit.results.exact_result import ExactResult
from audit.results.verdict import Verdict
from mechanisms.claims import ApproxDP, PersonalizedDP, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import StatesNoisyQuery
from mechanisms.registry import MECHANISMS, build_mechanism
from proofs_check.enclosure import endpoints

F = Fraction
RELATIONS = (Relation.ADD_REMOVE, Relation.SWAP)
GRID: tuple[dict[str, Any], ...] = (
    {},
    {"epsilon": "1/1000"},
    {"epsilon": 20},
    {"low": -3, "high": "5/2"},
    {"low": "1/2", "high": "1/2"},
    {"grid": 1},
    {"grid": 3},
    {"points": 2},
    {"points": 5},
    {"noise": "staircase"},
    {"noise": "laplace"},
    {"release": "pair"},
    {"side": "above"},
    {"step": "1/2"},
    {"constant": "sharp"},
)
"""Settings; a mechanism has those whose names are parameters of it."""

QUICK = (
    ("ksw.independent-laplace", {"low": -3, "high": "5/2"}),
    ("ksw.shifted-laplace", {"low": "1/2", "high": "1/2"}),
    ("ksw.transformed-laplace", {"epsilon": "1/1000"}),
    ("ksw.release-mean", {"grid": 1}),
    ("ksw.swap-laplace", {}),
    ("ksw.swap-staircase", {"epsilon": 20}),
    ("tri.clipped-mean", {}),
    ("tri.tilted-sign", {}),
    ("tri.name-and-shame", {}),
    ("sub.bounded-mean", {}),
    ("pdp.adpm", {}),
    ("sub.threshold", {"low": "1/2", "high": "1/2"}),
)


@final
@dataclass(frozen=True, slots=True)
class Combination:
    """A mechanism, its parameters, a relation and a factor on its claim."""

    name: str
    parameters: tuple[tuple[str, Any], ...]
    relation: Relation
    factor: int


def combinations_of(name: str, settings: dict[str, Any]) -> Iterator[Combination]:
    """Both relations at the own claim and at twice as much."""
    for relation, factor in product(RELATIONS, (1, 2)):
        yield Combination(name, tuple(settings.items()), relation, factor)


def every() -> Iterator[Combination]:
    """All combinations of mechanisms and the settings that they have."""
    for name in MECHANISMS:
        known = inspect.signature(type(build_mechanism(name))).parameters
        for settings in GRID:
            if set(settings) <= set(known):
                yield from combinations_of(name, settings)


def claimed(mechanism: Any, one: Combination) -> PrivacyClaim:
    """The own claim under a relation, times a factor."""
    level = mechanism.claim.level
    if isinstance(level, PureDP):
        level = PureDP(level.epsilon * one.factor)
    elif isinstance(level, ApproxDP):
        level = ApproxDP(level.epsilon * one.factor, level.delta)
    elif isinstance(level, PersonalizedDP):
        level = PersonalizedDP([budget * one.factor for budget in level.budgets])
    return PrivacyClaim(level, one.relation, Source("user", "a test"))


def disagreement(one: Combination) -> str:
    """What contradicts the verdict on a combination; empty where nothing does."""
    try:
        mechanism = build_mechanism(one.name, **dict(one.parameters))
        result = answered(mechanism, one)
    except InvalidArgument:
        return ""
    except Disagreement as exc:
        return f"{one}: {exc}"
    if result.verdict is not Verdict.PROVED:
        return ""
    found = contradiction(mechanism, one, result.claim)
    return f"{one}: {found}" if found else ""


def answered(mechanism: Any, one: Combination) -> ExactResult:
    """The exact audit, as the command does it, on multisets of 2 records among 3 points."""
    bounds = getattr(mechanism, "low", 0), getattr(mechanism, "high", 1)
    entry = MECHANISMS[one.name]
    claim = claimed(mechanism, one)
    grid = Multisets(2, 3, F(bounds[0]), F(bounds[1]))
    asked = Question(
        one.name, mechanism, claim, mechanism.order, entry.floating_point, multisets=grid
    )
    return rechecked(exact_audit.audit(asked))


def contradiction(mechanism: Any, one: Combination, claim: PrivacyClaim) -> str:
    """A pair of data sets of at most 3 records whose stated laws differ by more than the claim."""
    if isinstance(claim.level, PersonalizedDP):
        return ""
    epsilon = claim.level.epsilon  # type: ignore[union-attr]
    delta = claim.level.delta if isinstance(claim.level, ApproxDP) else F(0)
    if isinstance(mechanism, StatesNoisyQuery):
        if one.relation is Relation.ADD_REMOVE and mechanism.claim.relation is Relation.SWAP:
            return "a public number of records differs: the loss is infinite at {} against {0}"
        return largest_loss(mechanism, one.relation, epsilon)
    if not hasattr(mechanism, "exact_law"):
        return ""
    return unlikely_event(mechanism, one.relation, epsilon, delta)


def largest_loss(mechanism: Any, relation: Relation, epsilon: Fraction) -> str:
    """Compare the stated log-densities of the noise and of the moved noise, at points."""
    query = mechanism.noisy_query()
    low, high = query.records
    records = [low, high] if query.whole else [low, (low + high) / 2, high]
    moves = [query.move(x) for x in records]
    if relation is Relation.SWAP:
        moves = [tuple(a - b for a, b in zip(x, y, strict=True)) for x, y in product(moves, moves)]
    spread = [F(k, 3) for k in range(-4, 5)]
    if query.whole and query.noises[0].dimension == 2:
        spread = [F(k) for k in range(-3, 4)]
    for move in moves:
        for point in product(spread, repeat=len(move)):
            loss = loss_at(query.noises, point, move)
            if abs(loss) > epsilon:
                return f"the loss is {loss} at {point}, moved by {move}"
    return ""


def loss_at(noises: Any, point: Any, move: Any) -> Fraction:
    """Difference of the log-densities at a point; in the coordinates that the law has."""
    moved = tuple(x + y for x, y in zip(point, move, strict=True))
    if noises[0].dimension == 1:
        each = zip(noises, point, moved, strict=True)
        return sum(
            (F(exponent(z.exact_law(), y)) - F(exponent(z.exact_law(), x)) for z, x, y in each),  # type: ignore[arg-type]
            F(0),
        )
    law = noises[0].exact_law()
    if hasattr(noises[0], "sensitivity"):
        unit = noises[0].sensitivity
        point, moved = (tuple(x * unit for x in side) for side in (point, moved))
        return F(exponent(law, moved)) - F(exponent(law, point))  # type: ignore[arg-type]
    # an hourglass has the coordinates (z1, t) with whole t
    whole = tuple(F(math.floor(x)) if i else x for i, x in enumerate(point))
    ends = (whole[0] + move[0], whole[1] + move[1])
    return F(exponent(law, ends)) - F(exponent(law, whole))  # type: ignore[arg-type]


def unlikely_event(mechanism: Any, relation: Relation, epsilon: Fraction, delta: Fraction) -> str:
    """Compare probabilities of intervals of the release, which another code path computes."""
    low, high = float(getattr(mechanism, "low", 0)), float(getattr(mechanism, "high", 1))
    cuts = [low + (high - low) * k / 4 for k in range(5)]
    events = [((a, True, b, True),) for a, b in combinations_with_replacement(cuts, 2)]
    grid = Multisets(2, 3, F(low), F(high))
    for data, neighbor in grid.pairs(relation):
        sides = [[float(x) for x in side] for side in (data, neighbor)]
        laws = [mechanism.exact_law(side) for side in sides]
        for event in events:
            p, q = (chance(law, event) for law in laws)
            if p is None or q is None:
                return ""
            for over, under in ((p, q), (q, p)):
                least, most = endpoints(over)[0], endpoints(under)[1]
                allowed = F(math.exp(min(float(epsilon), 700.0))) * most * (1 + F(1, 10**9))
                if least > allowed + delta + F(1, 10**12):
                    return f"{event} on {sides}: {float(least)} against {float(most)}"
    return ""


@pytest.mark.parametrize(("name", "settings"), QUICK, ids=[f"{n}-{s}" for n, s in QUICK])
def test_a_few_proofs_have_no_contradiction(name: str, settings: dict[str, Any]) -> None:
    """It must hold of those that take little, at both relations and twice the claim."""
    assert [found for one in combinations_of(name, settings) if (found := disagreement(one))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MECHANISMS)
def test_no_proof_has_a_contradiction(name: str) -> None:
    """It must hold of every mechanism, relation and setting; the number of them is printed."""
    mine = [one for one in every() if one.name == name]
    wrong = [found for one in mine if (found := disagreement(one))]
    print(f"{name}: {len(mine)} combinations, {len(wrong)} disagreements")
    assert wrong == []


def test_the_grid_is_large() -> None:
    """It must hold that every mechanism is in it, both relations, and hundreds of combinations."""
    grid = list(every())
    print(f"{len(grid)} combinations")
    assert {one.name for one in grid} == set(MECHANISMS)
    assert len(grid) == len(set(grid)) >= 500


def test_broken_provers_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of one that forgets the public size, bounds half the loss, or lies about it."""
    swap = Combination("ksw.swap-laplace", (), Relation.ADD_REMOVE, 1)
    assert disagreement(swap) == ""
    with monkeypatch.context() as patched:
        patched.setattr(all_neighbors, "CHANGED", dict.fromkeys(Relation, ()))
        assert "disagree" in disagreement(swap)  # the certificate is of another relation
        patched.setattr(certify, "RECHECKED", ())
        assert "a public number of records differs" in disagreement(swap)
    printed = Combination("ksw.transformed-laplace-as-printed", (), Relation.ADD_REMOVE, 1)
    assert disagreement(printed) == ""
    with monkeypatch.context() as patched:
        lemma = all_neighbors.record_lemma
        patched.setattr(
            all_neighbors,
            "record_lemma",
            lambda noises, moves, records, bound, claim: lemma(
                noises, moves, records, lambda x: 2 * bound(x), claim
            ),
        )
        assert "disagree" in disagreement(printed)
        patched.setattr(certify, "RECHECKED", ())
        assert "the loss is 2" in disagreement(printed)
