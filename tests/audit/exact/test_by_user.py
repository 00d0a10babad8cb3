"""Exact audits of personalized claims: every user is held to the own budget."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar, final

import pytest

from audit.exact.exact_audit import audit
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.results.exact_result import ExactResult
from audit.results.verdict import Verdict
from mechanisms.claims import (
    ApproxDP,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    Source,
)
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.quantile.diffused_quantile import DiffusedQuantile
from mechanisms.protocols import Arithmetic
from mechanisms.weighted_query import WeightedQuery

N = TypeVar("N")
GRID = Multisets(1, 2, Fraction(0), Fraction(1))


@final
@dataclass(frozen=True, slots=True)
class Answers:
    """Each user's bit, turned around with probability 1 / (1 + e^rate)."""

    rates: tuple[Fraction, ...]

    def exact_law(self, data: Any) -> AnswersLaw:
        """State it."""
        return AnswersLaw(self.rates, tuple(x == 1 for x in data))


@final
@dataclass(frozen=True, slots=True)
class AnswersLaw:
    """Law of the vector of answers."""

    rates: tuple[Fraction, ...]
    bits: tuple[bool, ...]
    rational: bool = False
    cuts: tuple[Fraction, ...] = ()

    def masses(
        self,
        numbers: Arithmetic[N],
        cuts: Sequence[Fraction] = (),  # noqa: ARG002
    ) -> Mapping[Hashable, N]:
        """Products over the users."""
        masses: dict[Hashable, N] = {}
        for answers in product((False, True), repeat=len(self.bits)):
            mass: Any = numbers.rational(Fraction(1))
            for rate, bit, answer in zip(self.rates, self.bits, answers, strict=True):
                sign = 1 if bit != answer else -1
                mass = mass / (1 + numbers.exp(numbers.rational(sign * rate)))
            masses[answers] = mass
        return masses

    def describe(self, outcome: Any) -> str:
        """In words."""
        return f"answers {outcome}"


@final
@dataclass(frozen=True, slots=True)
class Weighted:
    """What states a weighted sum."""

    query: WeightedQuery

    def weighted_query(self) -> WeightedQuery:
        """State it."""
        return self.query


def run(
    mechanism: Any,
    budgets: Sequence[str],
    relation: Relation = Relation.SWAP,
    **words: Any,
) -> ExactResult:
    """Audit a personalized claim exactly."""
    claim = PrivacyClaim(PersonalizedDP(tuple(budgets)), relation, Source("test", "1"))
    return audit(Question("m", mechanism, claim, Order.FIXED, False, multisets=GRID, **words))


RATES = (Fraction(1, 2), Fraction(2), Fraction(1))


def test_tight_budgets_are_proved_for_every_user() -> None:
    """It must hold that the largest loss of each user is found, and equals the rate."""
    result = run(Answers(RATES), ("0.5", "2", "1"))
    assert result.verdict is Verdict.PROVED
    assert result.proof is not None
    found = {user: loss for user, _, loss in result.proof.users}
    for user, rate in enumerate(RATES, start=1):
        assert found[user][0] <= rate <= found[user][1]
        assert found[user][1] - found[user][0] < Fraction(1, 10**9)


@pytest.mark.parametrize("user", [1, 2, 3])
def test_the_user_whose_promise_is_broken_is_named(user: int) -> None:
    """It must hold that a budget that is 1 % too small is refuted for that user and no other."""
    budgets = [str(r * (99 if i == user else 100) / 100) for i, r in enumerate(RATES, start=1)]
    result = run(Answers(RATES), budgets)
    assert result.verdict is Verdict.REFUTED
    witness = result.witness
    assert witness is not None
    assert (witness.user, witness.budget) == (user, Fraction(budgets[user - 1]))
    differ = [x != y for x, y in zip(witness.data, witness.neighbor, strict=True)]
    assert differ == [i == user for i in (1, 2, 3)]
    assert witness.loss is not None
    assert witness.loss[0] <= RATES[user - 1] <= witness.loss[1]
    assert witness.excess[0] > 0


def test_listed_pairs_count_for_their_own_user() -> None:
    """It must hold that a pair is held to the budget of the user that it is about."""
    pairs = (((0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),)
    proved = run(Answers(RATES), ("0.1", "2", "0.1"), pairs=pairs, users=(1,))
    assert proved.verdict is Verdict.PROVED
    refuted = run(Answers(RATES), ("9", "1.9", "9"), pairs=pairs, users=(1,))
    assert refuted.witness is not None
    assert refuted.witness.user == 2


def test_the_worst_of_users_with_the_same_budget_is_told() -> None:
    """It must hold that users with the same budget are all gone through."""
    result = run(Answers(RATES), ("2", "2", "2"))
    assert result.proof is not None
    ((user, budget, _),) = result.proof.users
    assert (user, budget) == (2, 2)
    assert run(Answers(RATES), ("1", "1", "1")).verdict is Verdict.REFUTED


@pytest.mark.long
def test_missing_records_are_gone_through_where_they_are_known() -> None:
    """It must hold that the placeholder is a record of the grid for those who know it."""
    without = run(Answers(RATES), ("1", "2", "1"))
    including = run(Answers(RATES), ("1", "2", "1"), placeholder=True)
    assert without.proof is not None
    assert including.proof is not None
    assert "12 pairs" in without.proof.pairs
    assert "missing: 81 pairs" in including.proof.pairs
    seen: list[float] = []

    class Reads:
        def exact_law(self, data: Any) -> AnswersLaw:
            seen.extend(data)
            return AnswersLaw(RATES[:1], (False,))

    run(Reads(), ("1",), placeholder=True)
    assert any(math.isnan(x) for x in seen)


def test_too_many_data_sets_are_an_error() -> None:
    """It must hold that what would not end is refused, with a way out."""
    with pytest.raises(InvalidArgument, match=r"too many \(at most 20000\); give --pair"):
        run(Answers(RATES * 5), ("1",) * 15)
    with pytest.raises(InvalidArgument, match="needs --pair"):
        run(Answers(RATES), ("1", "2", "1"), Relation.ADD_REMOVE)
    with pytest.raises(InvalidArgument, match="states no law"):
        run(object(), ("1",))


QUERY = WeightedQuery((Fraction(1, 4), Fraction(3, 4)), Fraction(-1), Fraction(1), Fraction(1, 2))


def test_a_weighted_sum_loses_weight_times_width_over_scale() -> None:
    """It must hold that 1/4 * 2 / (1/2) = 1 and 3/4 * 2 / (1/2) = 3 are proved and no less."""
    result = run(Weighted(QUERY), ("1", "3"))
    assert result.verdict is Verdict.PROVED
    assert result.proof is not None
    assert result.proof.users == ((1, 1, (1, 1)), (2, 3, (3, 3)))
    for budgets, user in ((("0.999", "3"), 1), (("1", "2.999"), 2)):
        broken = run(Weighted(QUERY), budgets)
        assert broken.witness is not None
        assert broken.witness.user == user
        assert broken.witness.excess[0] > 0
        assert broken.witness.event == "output <= -1"


def test_a_sum_without_noise_hides_nothing() -> None:
    """It must hold that scale 0 is refuted for every budget, unless all records are the same."""
    bare = WeightedQuery((Fraction(1),), Fraction(0), Fraction(1), Fraction(0))
    result = run(Weighted(bare), ("100",))
    assert result.witness is not None
    assert (result.witness.p, result.witness.q) == ((1, 1), (0, 0))
    assert result.witness.loss is None
    flat = WeightedQuery((Fraction(1),), Fraction(2), Fraction(2), Fraction(0))
    assert run(Weighted(flat), ("0",)).verdict is Verdict.PROVED


def test_a_pure_claim_about_a_weighted_sum_is_every_records() -> None:
    """It must hold that one epsilon for all is the largest loss."""
    for epsilon, verdict in (("3", Verdict.PROVED), ("2.999", Verdict.REFUTED)):
        claim = PrivacyClaim(PureDP(epsilon), Relation.SWAP, Source("test", "1"))
        assert audit(Question("m", Weighted(QUERY), claim, Order.FIXED, False)).verdict is verdict


def test_claims_that_a_weighted_sum_cannot_have_are_errors() -> None:
    """It must hold that another relation, another number of users and listed pairs are told."""
    with pytest.raises(InvalidArgument, match="relation must be swap"):
        run(Weighted(QUERY), ("1", "3"), Relation.ADD_REMOVE)
    with pytest.raises(InvalidArgument, match="has 2 users, the claim has 3"):
        run(Weighted(QUERY), ("1", "3", "1"))
    with pytest.raises(InvalidArgument, match="leave out --pair"):
        run(Weighted(QUERY), ("1", "3"), pairs=(((0.0, 0.0), (0.0, 1.0)),), users=(1,))


def test_bounds_that_are_no_doubles_stand_exactly_in_the_witness() -> None:
    """It must hold that a witness names records at which its probabilities are exact."""
    query = WeightedQuery((Fraction(1),), Fraction(1, 10), Fraction(6, 5), Fraction(1))
    witness = run(Weighted(query), ("1",)).witness
    assert witness is not None
    assert (witness.data, witness.neighbor) == (["1/10"], ["6/5"])
    assert (witness.p, witness.event) == ((Fraction(1, 2), Fraction(1, 2)), "output <= 1/10")
    halves = WeightedQuery((Fraction(1),), Fraction(-1, 2), Fraction(1), Fraction(1))
    witness = run(Weighted(halves), ("1",)).witness
    assert witness is not None
    assert (witness.data, witness.neighbor) == ([-0.5], [1.0])


@final
@dataclass(frozen=True, slots=True)
class FirstOpen:
    """Answers that tell only a part where the first user's record is at stake."""

    def exact_law(self, data: Any) -> Any:
        """State it."""
        law = AnswersLaw(RATES, tuple(x == 1 for x in data))
        return law if data[0] == 0 else PartOf(law)


@final
@dataclass(frozen=True, slots=True)
class PartOf:
    """A law that says that there is more."""

    law: AnswersLaw
    part: str = "the answers"
    rational: bool = False
    cuts: tuple[Fraction, ...] = ()

    def masses(self, numbers: Arithmetic[N], cuts: Sequence[Fraction] = ()) -> Any:
        """Those of the law."""
        return self.law.masses(numbers, cuts)

    def describe(self, outcome: Any) -> str:
        """In words."""
        return self.law.describe(outcome)


def test_a_user_whose_pairs_stay_open_does_not_hide_one_whose_promise_is_broken() -> None:
    """It must hold that all users are gone through before the audit is inconclusive."""
    pairs = (
        ((1.0, 0.0, 0.0), (1.0, 0.0, 1.0)),
        ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    )
    refuted = run(FirstOpen(), ("1", "1.9", "1"), pairs=pairs, users=(2, 1))
    assert refuted.witness is not None
    assert refuted.witness.user == 2
    still_open = run(FirstOpen(), ("1", "2", "1"), pairs=pairs, users=(2, 1))
    assert still_open.verdict is Verdict.INCONCLUSIVE
    assert "user 3, the stated law tells only the answers" in still_open.reason


@pytest.mark.parametrize("digits", [70, 3000])
def test_a_survivor_that_is_nearly_certain_is_proved(digits: int) -> None:
    """It must hold that the loss is told although 1 - p is far below the first precision."""
    tau = Fraction(4000)
    mechanism = DiffusedQuantile((tau - Fraction(1, 10**digits),), tau)
    pairs = (([1000.0], [0.0]),)
    result = run(mechanism, tuple(map(str, mechanism.budgets)), pairs=pairs, users=(0,))
    assert result.verdict is Verdict.PROVED
    assert result.proof is not None
    ((_, budget, loss),) = result.proof.users
    assert 0 <= loss[0] <= loss[1] <= budget
    if digits == 70:
        assert Fraction(100) < loss[0]
        assert loss[1] - loss[0] < Fraction(1, 10**9)


def test_a_mechanism_without_a_law_on_the_data_is_told() -> None:
    """It must hold that a law that is not known there is an error that says what else to do."""

    class Silent:
        def exact_law(self, data: Any) -> None:  # noqa: ARG002
            return None

    with pytest.raises(InvalidArgument, match="states no law of its release on these data"):
        run(Silent(), ("1",))


@pytest.mark.parametrize("weights", [(Fraction(1), Fraction(1)), (Fraction(3, 4), Fraction(1))])
def test_a_weighted_sum_may_use_its_delta(weights: tuple[Fraction, ...]) -> None:
    """It must hold that a loss beyond epsilon refutes only if its probability is beyond delta.

    At most 1 - e^((epsilon - loss) / 2) of Laplace noise is beyond e^epsilon, here for loss 1.
    """
    most = Fraction(1 - math.exp(-0.25))
    for delta, verdict in (
        (most * Fraction(999, 1000), Verdict.REFUTED),
        (most * Fraction(1001, 1000), Verdict.INCONCLUSIVE),
    ):
        claim = PrivacyClaim(ApproxDP("1/2", delta), Relation.SWAP, Source("test", "1"))
        query = WeightedQuery(weights, Fraction(0), Fraction(1), Fraction(1))
        result = audit(Question("m", Weighted(query), claim, Order.FIXED, False))
        assert result.verdict is verdict, delta
        if result.witness is not None:
            assert result.witness.excess[0] > 0
            assert result.witness.user == 1 + weights.index(1)
            lost, loss = math.log(result.witness.p[0] / result.witness.q[1]), result.witness.loss
            assert loss is not None
            assert float(loss[0]) == pytest.approx(lost)
