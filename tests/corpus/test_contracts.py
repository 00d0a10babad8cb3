"""What every mechanism of the corpus has: a claim, pairs, an exact epsilon, a seeded sampler."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from audit.levels import kind_of
from audit.request.privacy_plan import plan_audit
from audit.request.request import Request
from audit.targets.load import load_target
from mechanisms.claims import (
    ApproxDP,
    Level,
    Order,
    PersonalizedDP,
    PureDP,
    Relation,
)
from mechanisms.corpus.registry import CORPUS, build_corpus
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Mechanism
from tests.corpus.exact import exact_of


def test_an_entry_says_what_its_class_says(subtests: pytest.Subtests) -> None:
    """It must hold that the entry's claim and relation are those of the mechanism it builds."""
    for name in CORPUS:
        with subtests.test(name=name):
            mechanism, entry = build_corpus(name), CORPUS[name]
            assert isinstance(mechanism, Mechanism)
            assert mechanism.claim.level == entry.claim
            assert mechanism.claim.relation is entry.relation is Relation.LISTED
            records = name == "corpus.auditorium-mean"
            assert mechanism.order is (Order.FREE if records else Order.FIXED)


@pytest.mark.parametrize("name", CORPUS)
def test_draws_are_the_first_axis_and_repeat_under_a_seed(name: str) -> None:
    """It must hold that a seed repeats the draws, and another seed changes them."""
    mechanism = build_corpus(name)
    data = mechanism.pairs[0][0]
    first, same, other = (
        mechanism.sample(data, 100, rng=np.random.default_rng(seed)) for seed in (5, 5, 6)
    )
    assert len(first) == 100
    assert first.ndim in (1, 2)
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other, equal_nan=first.dtype.kind == "f")
    with pytest.raises(InvalidArgument, match="size must be"):
        mechanism.sample(data, 0, rng=np.random.default_rng(5))


def test_sampling_leaves_the_data_alone(
    subtests: pytest.Subtests, dp_rng: np.random.Generator
) -> None:
    """It must hold that a draw changes neither of the two data sets, which differ."""
    for name in CORPUS:
        with subtests.test(name=name):
            for data, neighbor in build_corpus(name).pairs:
                assert not np.array_equal(data, neighbor)
                before = data.copy()
                build_corpus(name).sample(data, 5, rng=dp_rng)
                np.testing.assert_array_equal(data, before)


@pytest.mark.long
def test_form_says_whether_a_pair_breaks_the_claim(subtests: pytest.Subtests) -> None:
    """It must hold that exactly the broken entries have a pair beyond what it promises."""
    for name in CORPUS:
        with subtests.test(name=name):
            exact, entry = exact_of(name), CORPUS[name]
            promised = [float(value) for value in promises(entry.claim, len(exact))]
            assert min(exact) >= 0
            assert max(exact) > 0
            broken = any(e > p * (1 + 1e-9) for e, p in zip(exact, promised, strict=True))
            assert broken == (entry.form == "broken")


def promises(level: Level, pairs: int) -> list[Fraction]:
    """What a level promises about each pair: pair i changes user i of personalized budgets."""
    if isinstance(level, PersonalizedDP):
        return list(level.budgets)
    claimed = kind_of(level).limits[0].claimed
    assert claimed is not None
    return [claimed(level)] * pairs


@pytest.mark.long
def test_a_claim_with_an_epsilon_has_an_exact_one(subtests: pytest.Subtests) -> None:
    """It must hold that such entries compute an epsilon, the same with the sides exchanged."""
    for name in [n for n, entry in CORPUS.items() if isinstance(entry.claim, PureDP | ApproxDP)]:
        with subtests.test(name=name):
            mechanism = build_corpus(name)
            data, neighbor = mechanism.pairs[0]
            there, back = (
                mechanism.epsilon_exact(data, neighbor),
                mechanism.epsilon_exact(neighbor, data),
            )
            assert there == pytest.approx(back, rel=1e-12)


def test_a_name_is_a_target_with_its_own_pairs(subtests: pytest.Subtests) -> None:
    """It must hold that an audit of a name finds the claim and the literature's pairs."""
    for name in CORPUS:
        with subtests.test(name=name):
            plan = plan_audit(Request(name), stated_in="a test")
            assert plan.target.seedable
            assert plan.claim.level == CORPUS[name].claim
            pairs = build_corpus(name).pairs
            assert len(plan.pairs) == len(pairs)
            for pair, (data, neighbor) in zip(plan.pairs, pairs, strict=True):
                np.testing.assert_array_equal(pair.data, data)
                np.testing.assert_array_equal(pair.neighbor, neighbor)


def test_unknown_names_and_parameters_are_named() -> None:
    """It must hold that the error for a wrong name or parameter lists what there is."""
    with pytest.raises(InvalidArgument, match=r"'corpus\.nothing'; known: corpus\.laplace"):
        build_corpus("corpus.nothing")
    with pytest.raises(InvalidArgument, match="no parameter scale; it has: epsilon, variant"):
        load_target("corpus.svt-1", parameters={"scale": 1})
    with pytest.raises(InvalidArgument, match="variant must be one of svt1"):
        load_target("corpus.svt-1", parameters={"variant": "svt7"})


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("corpus.laplace", [1.0, 2.0], "one query answer"),
        ("corpus.svt-1", [], "vector of query answers"),
        ("corpus.randomized-response", 2, "from 0 to 1"),
        ("corpus.symmetric-unary", 0.5, "from 0 to 4"),
        ("corpus.truncated-geometric", 6, "from 0 to 5"),
        ("corpus.subset-selection", 8, "from 0 to 7"),
        ("corpus.optimized-hashing", -1, "from 0 to 9999"),
        ("corpus.personalized-sum", [1.0], "must have 3 records"),
    ],
)
def test_data_of_another_kind_are_refused(name: str, data: object, text: str) -> None:
    """It must hold that data that are no answer vector of this mechanism are an error."""
    with pytest.raises(InvalidArgument, match=text):
        build_corpus(name).sample(data, 1, rng=np.random.default_rng(1))
