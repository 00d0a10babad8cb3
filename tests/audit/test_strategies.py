"""The public strategies: every pair is a pair, what fails shrinks to the smallest, runs repeat."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import Phase, find, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from audit.levels import LEVELS
from audit.pairs.pair_sources import with_user
from audit.pairs.worst_cases import Pair, check_pairs
from audit.strategies import (
    budgets,
    datasets,
    neighboring_pairs,
    noise_parameters,
    personalized_pairs,
    privacy_levels,
)
from audit.targets.domain import Domain
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    TotalVariationDP,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument
from mechanisms.registry import NOISES, build_noise

T = TypeVar("T")

MADE = (Relation.ADD_REMOVE, Relation.SWAP)
each_relation = pytest.mark.parametrize("relation", MADE)
each_order = pytest.mark.parametrize("order", Order)
BUDGETS = (Fraction(1, 10), Fraction(1), Fraction(1), Fraction(2))


def smallest(strategy: SearchStrategy[T], condition: Callable[[T], bool] = lambda _: True) -> T:
    """Find an example, and shrink it as a failing test does."""
    phases = (Phase.generate, Phase.shrink)
    quick = settings(max_examples=2000, database=None, phases=phases)
    return find(strategy, condition, settings=quick, random=Random(1))


def drawn(strategy: SearchStrategy[Any], examples: int = 100) -> list[Any]:
    """Draw examples, the same ones in every run."""
    found = []

    @seed(20240721)
    @settings(max_examples=examples, database=None, deadline=None, derandomize=False)
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


@each_relation
@each_order
@pytest.mark.parametrize("hostile", [False, True])
@given(data=st.data())
def test_each_pair_is_a_pair(
    relation: Relation, order: Order, hostile: bool, data: DataObject
) -> None:
    """It must hold that the data sets are neighbors, differ, and have the asked sizes and range."""
    sizes = {"min_size": 2, "max_size": 5}
    pair = data.draw(
        neighboring_pairs(relation, order=order, low=-1, high=3, hostile=hostile, **sizes)
    )
    Domain(relation, order).check("p", pair.data, pair.neighbor)
    check_pairs([pair])
    assert apart(pair) == {Relation.ADD_REMOVE: [0, 1], Relation.SWAP: [1, 1]}[relation]
    assert all(2 <= len(side) <= 5 for side in (pair.data, pair.neighbor))
    if not hostile:
        both = np.concatenate((pair.data, pair.neighbor))
        assert ((both >= -1) & (both <= 3)).all()


def apart(pair: Pair) -> list[int]:
    """Records in one of the data sets only, fewest first."""
    one, other = (Counter(map(repr, side.tolist())) for side in (pair.data, pair.neighbor))
    return sorted(((one - other).total(), (other - one).total()))


@each_relation
@pytest.mark.parametrize("placeholder", [False, True])
@given(data=st.data())
def test_each_personalized_pair_is_a_pair(
    relation: Relation, placeholder: bool, data: DataObject
) -> None:
    """It must hold that one user's record changes, and that the pair names that user."""
    users = data.draw(budgets(max_users=4))
    pair = data.draw(personalized_pairs(users, relation, placeholder=placeholder))
    assert pair.user is not None
    assert with_user(pair, PersonalizedDP(users).budgets, relation).user == pair.user
    order = Order.FIXED if relation is Relation.SWAP else Order.FREE
    Domain(relation, order).check("p", pair.data, pair.neighbor)
    check_pairs([pair])
    if not placeholder:
        assert not any(np.isnan(side).any() for side in (pair.data, pair.neighbor))
    if relation is Relation.ADD_REMOVE:
        larger = max(pair.data, pair.neighbor, key=len)
        assert not Counter(larger[:, 1].tolist()) - Counter(map(float, users))


SMALLEST: dict[str, tuple[SearchStrategy[Pair], Any, Any]] = {
    "one joins": (neighboring_pairs("add-remove"), [], [0.0]),
    "one joins, in order": (neighboring_pairs("add-remove", order="fixed"), [], [0.0]),
    "one replaced": (neighboring_pairs("swap"), [0.0], [1.0]),
    "one replaced, in order": (neighboring_pairs("swap", order="fixed"), [0.0], [1.0]),
    "public bounds": (neighboring_pairs("swap", low=18, high=100), [18.0], [100.0]),
    "both signs": (neighboring_pairs("add-remove", low=-1, high=3), [], [-1.0]),
    "three at least": (neighboring_pairs("add-remove", min_size=3), [0.0] * 3, [0.0] * 4),
    "no room but NaN": (neighboring_pairs("swap", low=1, high=1, hostile=True), [1.0], [np.nan]),
    "one user": (personalized_pairs((1, 2)), [0.0, 0.0], [1.0, 0.0]),
    "one user joins": (personalized_pairs((1, 2), "add-remove"), [], [[0.0, 1.0]]),
}


@pytest.mark.parametrize("case", SMALLEST)
def test_the_smallest_pair(case: str) -> None:
    """It must hold that what fails for every pair shrinks to the smallest pair."""
    pairs, data, neighbor = SMALLEST[case]
    pair = smallest(pairs)
    np.testing.assert_array_equal(pair.data, np.reshape(data, pair.data.shape))
    np.testing.assert_array_equal(pair.neighbor, neighbor)


def jumps(pair: Pair) -> bool:
    """Whether a mean of two records or more moves by a fifth."""
    both = (pair.data, pair.neighbor)
    return min(map(len, both)) > 1 and bool(abs(both[0].mean() - both[1].mean()) >= 1 / 5)


def in_front(pair: Pair) -> bool:
    """Whether the record that joins stands before the others."""
    one_more = len(pair.neighbor) > len(pair.data) > 0
    return one_more and list(pair.neighbor[1:]) == list(pair.data) != list(pair.neighbor[:-1])


CONDITIONS: dict[str, tuple[SearchStrategy[Pair], Callable[[Pair], bool], tuple[int, int]]] = {
    "a mean that moves": (neighboring_pairs("swap"), jumps, (2, 2)),
    "a mean that a record moves": (neighboring_pairs("add-remove", order="fixed"), jumps, (2, 3)),
    "another order": (neighboring_pairs("add-remove", order="free"), in_front, (1, 2)),
    "first place": (neighboring_pairs("add-remove", order="fixed"), in_front, (1, 2)),
    "one leaves": (
        neighboring_pairs("add-remove"),
        lambda pair: len(pair.data) > len(pair.neighbor),
        (1, 0),
    ),
    "a missing record": (
        personalized_pairs((1, 1, 1), placeholder=True),
        lambda pair: bool(np.isnan(pair.neighbor[2]) and not np.isnan(pair.data).any()),
        (3, 3),
    ),
}


@pytest.mark.parametrize("case", CONDITIONS)
def test_what_fails_shrinks_and_stays_a_pair(case: str) -> None:
    """It must hold that a condition ends at a smallest pair that meets it, with records at ends."""
    pairs, condition, sizes = CONDITIONS[case]
    pair = smallest(pairs, condition)
    assert (len(pair.data), len(pair.neighbor)) == sizes
    assert sum(apart(pair)) == (2 if sizes[0] == sizes[1] else 1)
    records = np.concatenate((pair.data, pair.neighbor))
    assert np.isin(records[~np.isnan(records)], [0, 1]).all()


@each_relation
def test_both_ways_and_all_places_come(relation: Relation) -> None:
    """It must hold that records join and leave, at the first and at the last place."""
    fixed = drawn(neighboring_pairs(relation, order="fixed", low=0, high=9, min_size=3))
    longer = {len(pair.data) - len(pair.neighbor) for pair in fixed}
    assert longer == ({-1, 1} if relation is Relation.ADD_REMOVE else {0})
    whole = [max(pair.data, pair.neighbor, key=len) for pair in fixed]
    rest = [min(pair.data, pair.neighbor, key=len) for pair in fixed]
    if relation is Relation.ADD_REMOVE:
        changed_first = [np.array_equal(x[1:], y) for x, y in zip(whole, rest, strict=True)]
        changed_last = [np.array_equal(x[:-1], y) for x, y in zip(whole, rest, strict=True)]
    else:
        changed_first = [pair.data[0] != pair.neighbor[0] for pair in fixed]
        changed_last = [pair.data[-1] != pair.neighbor[-1] for pair in fixed]
    assert any(changed_first)
    assert any(changed_last)
    assert not all(changed_first)


@pytest.mark.long
def test_data_sets_reach_what_is_asked() -> None:
    """It must hold that ends, sizes and hostile records come, and only where asked for."""
    plain = drawn(datasets(18, 100, min_size=1, max_size=3))
    assert {len(data) for data in plain} == {1, 2, 3}
    records = np.concatenate(plain)
    assert {18.0, 59.0, 100.0} <= set(records)
    assert ((records >= 18) & (records <= 100)).all()
    hostile = np.concatenate(drawn(datasets(18, 100, hostile=True)))
    assert np.isnan(hostile).any()
    assert np.isinf(hostile).any()
    assert (hostile == 920).any()
    missing = np.concatenate(drawn(datasets(18, 100, placeholder=True)))
    assert np.isnan(missing).any()
    assert not np.isinf(missing).any()


@pytest.mark.parametrize(
    "strategy",
    [neighboring_pairs("swap"), privacy_levels(), noise_parameters("staircase"), budgets()],
)
def test_the_same_seed_draws_the_same(strategy: SearchStrategy[Any]) -> None:
    """It must hold that a run is repeated by Hypothesis' seed, and that draws vary."""
    first = list(map(repr, drawn(strategy, 20)))
    assert first == list(map(repr, drawn(strategy, 20)))
    assert len(set(first)) > 5


KINDS = tuple(kind.level for kind in LEVELS)
SIMPLEST = {
    PureDP: PureDP(1),
    ApproxDP: ApproxDP(1, "1e-5"),
    ZeroConcentratedDP: ZeroConcentratedDP(1),
    RenyiDP: RenyiDP(2, 1),
    GaussianDP: GaussianDP(1),
    TotalVariationDP: TotalVariationDP("1e-5"),
    TradeOff: TradeOff(((0, 1), (1, 0))),
    PersonalizedDP: PersonalizedDP((1,)),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_level_shrinks_to_the_simplest(kind: type) -> None:
    """It must hold that one kind is drawn on request, and shrinks to what reads best."""
    assert smallest(privacy_levels(kind)) == SIMPLEST[kind]
    assert {type(level) for level in drawn(privacy_levels(kind), 20)} == {kind}


def test_every_kind_of_level_comes() -> None:
    """It must hold that without a choice all kinds are drawn, and make claims."""
    levels = drawn(privacy_levels(), 200)
    assert {type(level) for level in levels} == set(KINDS)
    assert str(PrivacyClaim(levels[0], Relation.SWAP, Source("user", "test"))).endswith("(swap)")


def test_trade_off_curves_are_not_all_alike() -> None:
    """It must hold that curves of several segments come, steep and flat."""
    curves = drawn(privacy_levels(TradeOff))
    assert max(len(curve.knots) for curve in curves) >= 4
    assert len({curve(Fraction(1, 2)) for curve in curves}) > 10


@pytest.mark.long
@pytest.mark.parametrize("name", NOISES)
@given(data=st.data())
def test_noise_parameters_make_a_law(name: str, data: DataObject) -> None:
    """It must hold that every law has parameters here, and that all that are drawn make it."""
    parameters = data.draw(noise_parameters(name))
    law = build_noise(name, **parameters)
    assert {key: getattr(law, key) for key in parameters} == parameters
    assert law.variance() > 0


def test_smallest_and_largest_parameters_come() -> None:
    """It must hold that few examples hold epsilon 0, the largest one, and budgets at both ends."""
    sizes = {level.epsilon for level in drawn(privacy_levels(PureDP), 30)}
    assert {0, 1, 8} <= sizes
    users = {budget for drawn_budgets in drawn(budgets(), 30) for budget in drawn_budgets}
    assert {Fraction(1, 20), 1, 8} <= users
    small = {budget for some in drawn(budgets(largest="1/2"), 30) for budget in some}
    assert {Fraction(1, 40), Fraction(1, 2)} <= small


@given(budgets(min_users=2, max_users=3, largest="1/2"))
def test_budgets_are_positive_and_bounded(users: tuple[Fraction, ...]) -> None:
    """It must hold that the numbers of users and the largest budget are kept."""
    assert 2 <= len(users) <= 3
    assert all(0 < budget <= Fraction(1, 2) for budget in users)


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "listed": (lambda: neighboring_pairs("listed"), "relation must be one of add-remove, swap"),
    "order": (lambda: neighboring_pairs("swap", order="any"), "order must be one of free, fixed"),
    "sizes": (lambda: datasets(min_size=3, max_size=2), "max_size must be at least min_size=3"),
    "no room": (
        lambda: neighboring_pairs("add-remove", min_size=2, max_size=2),
        "max_size must be greater than min_size=2 for add-remove, got max_size=2",
    ),
    "nobody": (lambda: neighboring_pairs("swap", max_size=0), "max_size must be an integer of at"),
    "bounds": (lambda: datasets(2, 1), "low must be at most high, got low=2, high=1"),
    "one point": (lambda: neighboring_pairs("swap", low=1, high=1), "needs low < high"),
    "one double": (
        lambda: neighboring_pairs("swap", low=1, high="1.00000000000000000001"),
        "needs low < high in double precision",
    ),
    "one point of a user": (lambda: personalized_pairs((1,), low=1, high=1), "needs low < high"),
    "no users": (lambda: personalized_pairs(()), "budgets must name at least one user"),
    "users": (lambda: budgets(min_users=3, max_users=2), "max_users must be at least min_users=3"),
    "largest": (lambda: budgets(largest=0), "largest must be greater than 0"),
    "kind": (lambda: privacy_levels(int), "kinds must be among PureDP"),  # type: ignore[arg-type]
    "noise": (lambda: noise_parameters("cauchy"), "name must be one of laplace, .*name='cauchy'"),
}


def test_wrong_arguments_are_told_before_a_draw(subtests: pytest.Subtests) -> None:
    """It must hold that what can have no example is an error where it is written."""
    for case in WRONG:
        with subtests.test(case=case):
            wrong, message = WRONG[case]
            with pytest.raises(InvalidArgument, match=message):
                wrong()


def test_without_hypothesis_the_extra_is_named() -> None:
    """It must hold that the import says how to install what is missing."""
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from mechanisms.errors import MissingExtra\n"
        "try:\n    import audit.strategies\n"
        "except MissingExtra as exc:\n    print(exc)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'touchstone-dp[hypothesis]'" in done.stdout
