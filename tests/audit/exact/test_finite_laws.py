"""Finite laws compared outcome by outcome: exactly where rational, else as finely as it takes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.cell_divergences import hockey_stick
from audit.exact.cells.finite_laws import FinitePmf, cells_of, compare, finite_cells
from audit.exact.exact_audit import audit
from audit.exact.exact_numbers import as_ball
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.results.exact_result import ExactResult
from audit.results.verdict import Verdict
from mechanisms.claims import ApproxDP, Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import endpoints

F = Fraction


@dataclass(frozen=True)
class Table:
    """A law with given masses, told as rationals or as balls."""

    table: Mapping[Hashable, Fraction]
    rational: bool = True
    cuts: tuple[Fraction, ...] = ()

    def masses(
        self,
        numbers: Any,
        cuts: Sequence[Fraction] = (),  # noqa: ARG002
    ) -> Mapping[Hashable, Any]:
        """Probability of each outcome."""
        return {z: numbers.rational(mass) for z, mass in self.table.items()}

    def describe(self, outcome: Any) -> str:
        """Say what it is."""
        return f"z = {outcome}"


@dataclass(frozen=True)
class Coin:
    """A uniform coin that is told, and a bit that is likelier beyond a place of the coin."""

    place: Fraction
    rational: bool = False
    cuts: tuple[Fraction, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cuts", (F(0), self.place, F(1)))

    def masses(self, numbers: Any, cuts: Sequence[Fraction] = ()) -> Mapping[Hashable, Any]:
        """Of (interval of the coin, bit)."""
        found: dict[Hashable, Any] = {}
        for lower, upper in pairwise(cuts):
            chance = F(3, 4) if lower >= self.place else F(1, 4)
            for bit, part in ((1, chance), (0, 1 - chance)):
                found[(lower, upper), bit] = numbers.rational((upper - lower) * part)
        return found

    def describe(self, outcome: Any) -> str:
        """Say what it is."""
        return f"z = {outcome}"


TABLES = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)


def normalized(weights: list[int]) -> dict[Hashable, Fraction]:
    """Probabilities; outcomes of weight 0 left out."""
    return {z: F(w, sum(weights)) for z, w in enumerate(weights) if w}


@given(TABLES, TABLES, st.fractions(0, 2, max_denominator=4), st.booleans())
def test_both_ways_of_telling_agree_with_the_cells(
    first: list[int], second: list[int], epsilon: Fraction, rational: bool
) -> None:
    """It must hold that the excess and the ratio are those of the finite laws as cells."""
    p, q = normalized(first), normalized(second)
    exact = hockey_stick(cells_of(FinitePmf(p), FinitePmf(q)), epsilon).value
    delta = F(1, 1_000_003)  # never the excess itself
    laws = Table(p, rational), Table(q, rational)
    found, _ = compare(*laws, epsilon, delta)
    lower, upper = endpoints(as_ball(found.excess.value) - as_ball(exact))
    assert lower <= 0 <= upper
    assert upper - lower < F(1, 10**40)
    assert found.exceeds(delta) == (exact > delta)
    if any(z not in q for z in p):
        assert found.ratio is None
    else:
        lower, upper = endpoints(found.ratio)  # type: ignore[arg-type]
        assert lower <= max(p[z] / q[z] for z in p) <= upper


def test_a_common_coin_is_cut_at_the_places_of_both() -> None:
    """It must hold that the ratio is taken within each interval of the coin."""
    found, _ = compare(Coin(F(1, 3)), Coin(F(1, 2)), F(0), F(0))
    lower, upper = endpoints(as_ball(found.excess.value))
    assert lower <= F(1, 12) <= upper  # (1/2 - 1/3) (3/4 - 1/4)


def test_equality_is_exact_for_rational_masses() -> None:
    """It must hold that an excess of exactly delta is within the claim."""
    p, q = Table({0: F(3, 4), 1: F(1, 4)}), Table({0: F(1, 4), 1: F(3, 4)})
    found, _ = compare(p, q, F(0), F(1, 2))
    assert not found.exceeds(F(1, 2))
    assert found.exceeds(F(1, 2) - F(1, 10**60))


def test_masses_that_do_not_add_up_raise() -> None:
    """It must hold that a missing outcome is noticed in either way of telling."""
    whole: dict[Hashable, Fraction] = {0: F(1)}
    part: dict[Hashable, Fraction] = {0: F(99, 100)}
    for rational in (True, False):
        with pytest.raises(InvalidArgument, match="add up"):
            compare(Table(whole, rational), Table(part, rational), F(1), F(0))
    with pytest.raises(InvalidArgument, match="rational masses"):
        finite_cells(Table(whole), Table(whole, rational=False))


@dataclass(frozen=True)
class Coins:
    """One record is told with a chance: (0, chance)-private under SWAP."""

    chance: Fraction
    rational: bool
    which: Callable[[Sequence[float]], float] = max

    def exact_law(self, data: Sequence[float]) -> Table:
        """Law of the told record, the largest."""
        told: dict[Hashable, Fraction] = {"nothing": 1 - self.chance if len(data) else F(1)}
        if len(data):
            told["told", self.which(data)] = self.chance
        return Table(told, self.rational)


@pytest.mark.parametrize("rational", [True, False])
def test_a_law_that_reads_the_order_is_not_proved_without_it(rational: bool) -> None:
    """It must hold that a law of the second record, say, is no law of a multiset.

    Of (a, b, x) and (a, b, y) with a <= b it tells b: the pairs that are gone through show nothing.
    """
    claim = PrivacyClaim(ApproxDP(1, F(1, 8)), Relation.SWAP, Source("test", "coins"))
    places = Multisets(3, 3, F(0), F(1))
    for which in (lambda data: data[-1], lambda data: data[0], lambda data: data[len(data) // 3]):
        asked = Question(
            "coins", Coins(F(1, 8), rational, which), claim, Order.FREE, False, multisets=places
        )
        with pytest.raises(InvalidArgument, match="depends on the order of the records"):
            audit(asked)


def test_a_negative_mass_is_no_probability() -> None:
    """It must hold that masses that add up to 1 are no law if one is below 0."""
    law, other = ({0: F(3, 2), 1: F(-1, 2)}, {0: F(1)})
    for rational in (True, False):
        with pytest.raises(InvalidArgument, match="a mass must be at least 0"):
            compare(Table(law, rational), Table(other, rational), F(1), F(0))


@pytest.mark.parametrize("rational", [True, False])
def test_an_audit_of_a_finite_law_says_delta(rational: bool) -> None:
    """It must hold that the claim is proved from delta on, and refuted below with its outcomes."""

    def run(delta: Fraction | None) -> ExactResult:
        level = PureDP(1) if delta is None else ApproxDP(1, delta)
        claim = PrivacyClaim(level, Relation.SWAP, Source("test", "coins"))
        mechanism = Coins(F(1, 8), rational)
        places = Multisets(2, 3, F(0), F(1))
        return audit(Question("coins", mechanism, claim, Order.FREE, False, multisets=places))

    proved = run(F(1, 8) + F(1, 10**12))
    assert proved.verdict is Verdict.PROVED
    assert proved.proof is not None
    assert proved.proof.loss is None
    assert proved.proof.excess is not None
    assert proved.proof.excess[0] <= F(1, 8) <= proved.proof.excess[1]
    assert "largest delta at epsilon = 1" in proved.reason
    for delta in (F(1, 8) - F(1, 10**12), None):
        refuted = run(delta)
        assert refuted.verdict is Verdict.REFUTED
        assert refuted.witness is not None
        assert "told" in refuted.witness.event


@dataclass(frozen=True)
class Powers:
    """A law with masses (a e + b) / (e + 1), known as balls; e may be written with a root."""

    terms: Mapping[Hashable, tuple[Fraction, Fraction]]
    root: bool = False
    rational: bool = False
    cuts: tuple[Fraction, ...] = ()

    def masses(
        self,
        numbers: Any,
        cuts: Sequence[Fraction] = (),  # noqa: ARG002
    ) -> Mapping[Hashable, Any]:
        """Probability of each outcome."""
        e = numbers.exp(numbers.rational(F(1)))
        if self.root:
            e = numbers.sqrt(e * e)
        return {z: (e * a + b) / (e + 1) for z, (a, b) in self.terms.items()}

    def describe(self, outcome: Hashable) -> str:
        """Name it."""
        return str(outcome)


@dataclass(frozen=True)
class Response:
    """Randomized response of the first record at epsilon = 1; others are told besides."""

    root: bool = False

    def exact_law(self, data: Sequence[float]) -> Powers:
        """Law on a data set of 0 and 1."""
        likely, other = (F(1), F(0)), (F(0), F(1))
        told = tuple(data[1:])
        masses = {(z, told): likely if z == data[0] else other for z in (0.0, 1.0)}
        return Powers(masses, self.root)


@pytest.mark.parametrize("root", [False, True])
def test_equality_is_decided_by_exponentials_and_left_open_in_balls(root: bool) -> None:
    """It must hold that a loss of exactly epsilon is proved where the law is made of exponentials.

    For other laws it is neither proved nor refuted, nor an error.
    """

    def run(*pairs: tuple[list[float], list[float]], more: Fraction | int = 0) -> ExactResult:
        claim = PrivacyClaim(PureDP(1 + more), Relation.SWAP, Source("test", "response"))
        return audit(Question("response", Response(root), claim, Order.FIXED, False, pairs))

    same, equal, worse = ([0.0], [0.0]), ([0.0], [1.0]), ([0.0, 0.0], [0.0, 1.0])
    assert run(same).verdict is Verdict.PROVED
    for found in (run(equal), run(equal, same)):
        assert found.verdict is (Verdict.INCONCLUSIVE if root else Verdict.PROVED)
        assert ("bits do not decide" in found.reason) == root
    tiny = F(1, 10**100)
    assert run(equal, more=tiny).verdict is Verdict.PROVED
    assert run(equal, more=-tiny).verdict is Verdict.REFUTED
    refuted = run(equal, worse)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness is not None
    assert refuted.witness.data == worse[0]


def test_a_tiny_excess_in_either_direction_is_seen() -> None:
    """It must hold that equality one way round does not hide an excess of 1e-100 the other way."""
    tiny, half = F(1, 10**100), F(1, 2)
    law = Powers({0: (half, F(0)), 1: (F(0), half), 2: (half, half)})
    other = Powers({0: (F(0), half), 1: (half, tiny), 2: (half, half - tiny)})
    for sides in ((law, other), (other, law)):
        assert any(side.exceeds(F(0)) for side in compare(*sides, F(1), F(0)))


def test_one_direction_is_enough_to_refute() -> None:
    """It must hold that equality one way round does not hide what is lost the other way."""
    law = Powers({0: (F(1), F(0)), 1: (F(0), F(1))})
    other = Powers({0: (F(0), F(1)), 1: (F(1), F(-1, 4)), 2: (F(0), F(1, 4))})
    equal, infinite = compare(law, other, F(1), F(0))
    assert not equal.exceeds(F(0))
    assert infinite.exceeds(F(0))
    assert infinite.ratio is None
