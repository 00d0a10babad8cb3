"""Noisy queries: lemmas for all neighbors against exact pairs, samplers, and mutants."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from audit.exact import all_neighbors as neighbors
from audit.exact import neighbor_pair
from audit.exact.all_neighbors import all_neighbors
from audit.exact.cells.plane.plane_law import PlaneLaw
from audit.exact.exact_audit import audit
from audit.exact.moves import noise_lemmas
from audit.exact.neighbor_pair import loss_reached, losses_of_records, pair_that_shows
from audit.exact.question import Question
from audit.results.verdict import Verdict
from mechanisms.claims import (
    ApproxDP,
    Order,
    PrivacyClaim,
    PureDP,
    Relation,
    Source,
    TradeOff,
)
from mechanisms.errors import InvalidArgument
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.laplace import Laplace
from mechanisms.noisy_query import NoisyQuery, StatesNoisyQuery
from mechanisms.registry import MECHANISMS, build_mechanism
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpSum
from tests.slow import by_default

F = Fraction
STATED = [
    name
    for name in MECHANISMS
    if name.startswith("ksw.") and isinstance(build_mechanism(name), StatesNoisyQuery)
]
PROVED = [*STATED, "sub.bounded-mean", "tri.clipped-mean", "tri.tilted-sign"]
SMALL = {"ksw.release-mean": {"grid": 6}}
HEAVY = ("ksw.transformed-staircase", "ksw.transformed-hourglass", "ksw.release-mean")
"""Of whose kinds of noise there is a mean in one dimension, too."""


def made(name: str, **parameters: Any) -> Any:
    """A registered mean; one on integers with a grid that is small."""
    return build_mechanism(name, **(SMALL.get(name, {}) | parameters))


def loss_of(name: str) -> Fraction:
    """The true loss of the noisy query at the default parameters."""
    return F(2) if name.endswith("as-printed") else F(1)


@pytest.fixture
def made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Laws in the plane and their cells, which questions about one query share."""
    for module, name in (
        (neighbors, "hourglass_law"),
        (neighbors, "discrete_hourglass_law"),
        (noise_lemmas, "l1_law"),
        (neighbor_pair, "plane_law"),
        (PlaneLaw, "cells"),
    ):
        monkeypatch.setattr(module, name, cache(getattr(module, name)))


@pytest.mark.usefixtures("made_once")
@pytest.mark.parametrize("name", by_default([name for name in PROVED if name not in HEAVY], PROVED))
def test_the_largest_loss_is_proved_and_reached(name: str) -> None:
    """It must hold that a claim is proved down to the loss that pairs reach, and not below."""
    mechanism = made(name)
    assert isinstance(mechanism, StatesNoisyQuery)
    query, relation, loss = mechanism.noisy_query(), mechanism.claim.relation, loss_of(name)
    found = all_neighbors(query, relation, loss)
    assert found.check.verdict is Verdict.PROVED
    assert found.loss == loss == loss_reached(query, relation)
    assert pair_that_shows(query, relation, loss) is None
    less = loss * F(99, 100)
    assert all_neighbors(query, relation, less).check.verdict is Verdict.REFUTED
    pair = pair_that_shows(query, relation, less)
    assert pair is not None
    assert pair.excess.p > pair.excess.q * ExpSum.exp(less)


@pytest.mark.parametrize("name", by_default(["ksw.swap-laplace", "ksw.release-mean"], STATED))
def test_the_query_has_the_noise_that_the_sampler_adds(
    name: str, dp_rng: np.random.Generator
) -> None:
    """It must hold of what the means draw, against sums plus stated noise.

    Two-sample Kolmogorov-Smirnov at 1e-6 for each coordinate (of the noisy pair where the mean
    tells it, else of the release); noise of 1.2 times the size must be told apart.
    """
    mechanism = made(name, low="-1", high="2")
    query, data, size = mechanism.noisy_query(), [0.5, 2.0, -1.0], 200_000
    records = [(F(x) - query.origin) / query.unit for x in data]
    sums = [float(sum((query.move(x)[i] for x in records), F(0))) for i in range(len(query.moves))]
    noise = np.column_stack(
        [z.sample(size, rng=dp_rng).reshape(size, -1) for z in query.noises]
    ).astype(np.float64)
    tell, read = _outputs(mechanism, len(data))
    drawn = tell(data, size, dp_rng)
    same, wider = (read((np.array(sums) + factor * noise).T) for factor in (1.0, 1.2))
    for expected, other, found in zip(same, wider, drawn, strict=True):
        assert ks_2samp(expected, found).pvalue > 1e-6
        assert ks_2samp(other, found).pvalue < 1e-6


def _outputs(mechanism: Any, count: int) -> tuple[Any, Any]:
    """How to draw what a mean tells, and how to read the same off the noisy sums."""
    low, width = float(mechanism.low), float(mechanism.high - mechanism.low)

    def clipped(over: Any, under: Any) -> list[Any]:
        return [low + width * np.clip(over / under, 0, 1)]

    def ratio(data: Any, size: int, rng: Any) -> list[Any]:
        return [mechanism.sample(data, size, rng=rng)]

    if hasattr(mechanism, "release"):
        pair = type(mechanism)(mechanism.epsilon, mechanism.low, mechanism.high, release="pair")
        return (lambda data, size, rng: pair.sample(data, size, rng=rng).T), (lambda sums: sums)
    if hasattr(mechanism, "noisy_integers"):
        return (lambda data, size, _: mechanism.noisy_integers(data, size)), (lambda sums: sums)
    if mechanism.claim.relation is Relation.SWAP:
        return ratio, (lambda sums: clipped(sums[0], np.full_like(sums[0], count)))
    if hasattr(mechanism, "noisy_sums"):
        hourglass = mechanism.noise == "hourglass"
        return (
            lambda data, size, rng: mechanism.noisy_sums(data, size, rng=rng),
            lambda sums: (sums[0], sums[1] if hourglass else sums[0] + sums[1]),
        )
    return ratio, (lambda sums: clipped(sums[0], sums[0] + sums[1]))


def swap_of(noise: Any, slope: Any = 1) -> NoisyQuery:
    """A sum of records in [0, 1] with noise."""
    return NoisyQuery("sum", ((F(slope), F(0)),), (F(0), F(1)), (noise,))


def test_a_query_that_moves_more_is_refuted() -> None:
    """It must hold of a sum whose records count 1 % more than the noise is for."""
    for slope, verdict in ((1, Verdict.PROVED), ("101/100", Verdict.REFUTED)):
        found = all_neighbors(swap_of(Laplace(1, 1), slope), Relation.SWAP, F(1))
        assert found.check.verdict is verdict
    wide = replace(made("ksw.transformed-staircase").noisy_query(), records=(F(0), F(101, 100)))
    with pytest.raises(InvalidArgument, match=r"at most 1 in l1 \(z3\); not for"):
        all_neighbors(wide, Relation.ADD_REMOVE, F(1))


def test_a_hypothesis_that_does_not_hold_is_an_error() -> None:
    """It must hold of hourglass noise on other sums, and of relations without a lemma."""
    query = made("ksw.transformed-hourglass").noisy_query()
    for wrong in (
        replace(query, moves=((F(1), F(0)), (F(-1), F(1)))),
        replace(query, records=(F(0), F(2))),
        replace(query, whole=True),
    ):
        with pytest.raises(InvalidArgument, match="hourglass noise is for"):
            all_neighbors(wrong, Relation.ADD_REMOVE, F(1))
    with pytest.raises(InvalidArgument, match="no lemma covers"):
        all_neighbors(query, Relation.LISTED, F(1))
    with pytest.raises(InvalidArgument, match="coordinates"):
        replace(query, noises=(Laplace(1, 1),))
    with pytest.raises(InvalidArgument, match="range"):
        replace(query, records=(F(1), F(0)))


def test_a_record_replaced_loses_at_most_twice_as_much() -> None:
    """It must hold of the hourglass, whose swaps lose 2 epsilon; a claim below is not proved."""
    query = made("ksw.transformed-hourglass").noisy_query()
    found = all_neighbors(query, Relation.SWAP, F(2))
    assert (found.check.verdict, found.loss) == (Verdict.PROVED, 2)
    assert found.lemmas == ("KSW-T2", "group privacy", "post-processing")
    assert all_neighbors(query, Relation.SWAP, F(199, 100)).check.verdict is Verdict.REFUTED


def asked(mechanism: Any, claim: Any, relation: Relation = Relation.ADD_REMOVE) -> Question:
    """An exact audit of a mechanism at a level."""
    stated = PrivacyClaim(claim, relation, Source("user", "a test"))
    return Question("test", mechanism, stated, Order.FREE, floating_point=True)


LOSS_OF_A_RECORD = {
    "ksw.independent-laplace": lambda x: (1 + abs(x) / 3) / 2,
    "ksw.shifted-laplace": lambda x: F(1, 2) + abs(x - 1) / 4,
    "ksw.transformed-laplace": lambda x: 1,
    "ksw.transformed-staircase": lambda x: 1,
    "ksw.transformed-hourglass": lambda x: 1,
}


@pytest.mark.parametrize("name", LOSS_OF_A_RECORD)
def test_a_record_loses_what_the_table_of_ksw_says(name: str) -> None:
    """It must hold at both ends and the middle of [-1, 3], in units of epsilon (KSW section 4)."""
    epsilon = F(5, 4)
    query = build_mechanism(name, epsilon=epsilon, low=-1, high=3).noisy_query()
    found = dict(losses_of_records(query))
    assert found == {F(x): epsilon * LOSS_OF_A_RECORD[name](F(x)) for x in (-1, 1, 3)}


@pytest.mark.slow
def test_delta_is_counted() -> None:
    """It must hold that delta lifts a refutation from the exact excess on."""
    mechanism = made("ksw.transformed-hourglass")
    refuted = audit(asked(mechanism, PureDP("9/10")))
    assert refuted.witness is not None
    lower, upper = refuted.witness.excess
    assert F(695694219, 10**10) < lower <= upper < F(695694220, 10**10)
    below = audit(asked(mechanism, ApproxDP("9/10", lower - F(1, 10**9))))
    assert below.verdict is Verdict.REFUTED
    above = audit(asked(mechanism, ApproxDP("9/10", upper + F(1, 10**9))))
    assert above.verdict is Verdict.PROVED  # the loss is 1, so randomized response is the worst
    assert audit(asked(mechanism, ApproxDP(1, "1/100"))).verdict is Verdict.PROVED


def test_what_is_stated_by_nobody_is_an_error() -> None:
    """It must hold of other levels, and of mechanisms without a law."""
    curve = TradeOff(((0, 1), (1, 0)))
    with pytest.raises(InvalidArgument, match="states its noisy query, by which mode"):
        audit(asked(made("ksw.swap-laplace"), curve, Relation.SWAP))
    with pytest.raises(InvalidArgument, match="states no law"):
        audit(asked(object(), PureDP(1)))


def test_exact_probabilities_are_those_of_the_event() -> None:
    """It must hold for Algorithm 2: both noises below 0 with probability 1/4 on empty data."""
    result = audit(asked(made("ksw.shifted-laplace"), PureDP("1/2")))
    assert result.witness is not None
    assert result.witness.p == (F(1, 4), F(1, 4))
    lower, upper = result.witness.q
    exact = endpoints((ExpSum.exp(F(-1)) * F(1, 4)).ball(256))
    assert lower <= exact[0] <= exact[1] <= upper


def test_the_l1_staircase_needs_its_sensitivity() -> None:
    """It must hold that noise for half the sensitivity loses twice as much, and is refused."""
    query = made("ksw.transformed-staircase").noisy_query()
    narrow = replace(query, noises=(L1Staircase(1, F(1, 2)),))
    with pytest.raises(InvalidArgument, match=r"at most 1/2 in l1 \(z3\); not for"):
        all_neighbors(narrow, Relation.ADD_REMOVE, F(1))
    wide = replace(query, noises=(L1Staircase(1, 2),))
    assert all_neighbors(wide, Relation.ADD_REMOVE, F(1)).check.verdict is Verdict.PROVED
