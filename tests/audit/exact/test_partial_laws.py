"""Laws of a part of the release: they break claims, and prove none."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from audit.exact.exact_audit import audit
from audit.exact.exact_search import search
from audit.exact.question import Question
from audit.exact.release_events import chance, exact_event
from audit.results.exact_result import ExactResult
from audit.results.refutation import Witness
from audit.results.verdict import Verdict
from mechanisms.as_printed.range import PrintedRange
from mechanisms.claims import (
    GaussianDP,
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    ZeroConcentratedDP,
)
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.protocols import FiniteLaw, PartialLaw
from proofs_check.enclosure import Undecided

F = Fraction
EVERYWHERE = ((-1e9, True, 1e9, True),)


@dataclass(frozen=True)
class Whole:
    """A bit, and whatever else; 1 with the given probability."""

    one: Fraction
    rational: bool = True
    cuts: tuple[Fraction, ...] = ()

    def masses(
        self,
        numbers: Any,
        cuts: Sequence[Fraction] = (),  # noqa: ARG002
    ) -> Mapping[Hashable, Any]:
        """Probability of the bit."""
        return {F(1): numbers.rational(self.one), F(0): numbers.rational(1 - self.one)}

    def describe(self, outcome: Any) -> str:
        """Name the bit."""
        return f"the bit is {outcome}"


@dataclass(frozen=True)
class Part(Whole):
    """The same, which says that there is more."""

    part: str = "the bit"


@dataclass(frozen=True)
class Tells:
    """A mechanism whose law on a record is that record's bit."""

    law: Any

    def exact_law(self, data: Any) -> Any:
        """State it."""
        return self.law(F(data[0]))


PAIR = (F(1, 2),), (F(1, 4),)
"""Ratios 2 and 3/2."""


def test_a_whole_law_proves_and_a_part_does_not() -> None:
    """At epsilon = 1 the whole law must be proved; its part must stay open and name its loss."""
    assert not isinstance(Whole(F(1, 2)), PartialLaw)
    assert isinstance(Part(F(1, 2)), FiniteLaw)
    assert isinstance(Part(F(1, 2)), PartialLaw)
    assert search(Tells(Whole), [PAIR], F(1), F(0)).broken is None
    words = "tells only the bit, which loses at most 0.693147; the release may lose more"
    with pytest.raises(Undecided, match=words):
        search(Tells(Part), [PAIR], F(1), F(0))


@pytest.mark.parametrize("law", [Whole, Part])
def test_either_law_breaks_a_claim(law: Any) -> None:
    """At epsilon = 1/2 both must break the claim, by the event that the bit is 1."""
    broken = search(Tells(law), [PAIR], F(1, 2), F(0)).broken
    assert broken is not None
    assert broken[:2] == PAIR
    assert broken[2].event == ("the bit is 1",)


def test_a_part_that_may_lose_anything_stays_open() -> None:
    """With an infinite ratio but enough delta, the part must stay open without a figure."""
    pair = (F(1, 2),), (F(0),)
    assert search(Tells(Whole), [pair], F(1), F(1, 2)).broken is None
    with pytest.raises(Undecided, match=r"tells only the bit$"):
        search(Tells(Part), [pair], F(1), F(1, 2))


LEVELS = (ZeroConcentratedDP(1), RenyiDP(2, 1), GaussianDP(3), PureDP(1), PersonalizedDP((1,)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("law", [Whole, Part])
def test_a_part_proves_no_claim_of_any_level(law: Any, level: Level) -> None:
    """Every level must be proved by the whole law, and stay open where a part is all that is told.

    That the law of one of the two data sets is a part is enough.
    """
    claim = PrivacyClaim(level, Relation.LISTED, Source("test", "here"))
    laws = [law] if law is Whole else [law, lambda one: (Part if one < F(1, 2) else Whole)(one)]
    for told in laws:
        asked = Question("bit", Tells(told), claim, Order.FIXED, False, pairs=(PAIR,), users=(0,))
        found = audit(asked)
        assert found.verdict is (Verdict.PROVED if law is Whole else Verdict.INCONCLUSIVE)
        assert law is Whole or "the stated law tells only the bit" in found.reason


def test_outcomes_of_a_part_are_no_releases() -> None:
    """The bit is an event of the release only where it is the release."""
    assert chance(Whole(F(1, 2)), EVERYWHERE) is not None
    assert chance(Part(F(1, 2)), EVERYWHERE) is None


@pytest.mark.parametrize("kind", [PersonalizedRange, PrintedRange])
@pytest.mark.parametrize("budgets", ["1/2", "1/2, 1"])
def test_what_is_not_stated_has_no_exact_event(kind: Any, budgets: str) -> None:
    """Samples must stand alone where no law is stated, that of a part, or one user's only."""
    mechanism = kind(budgets, release="center")
    data, neighbor = [1.0] * mechanism.count, [2.0] * mechanism.count
    part = (0.0, False, 1.0, True)
    witness = Witness(
        "", data, neighbor, "", "", "value", "data", 0, 0, 0, 0.0, "", None, 0.0, (part,)
    )
    claim = PrivacyClaim(PureDP(1), Relation.SWAP, Source("test", "here"))
    assert exact_event(mechanism, witness, claim) is None


def verdict(mechanism: Any) -> ExactResult:
    """Audit the pair of PDP-CX1."""
    pairs = (([1001.3], [1.0]),)
    return audit(
        Question(
            "range",
            mechanism,
            mechanism.claim,
            Order.FIXED,
            floating_point=False,
            pairs=pairs,
            users=(0,),
        )
    )


def test_the_printed_range_is_refuted_by_its_center() -> None:
    """Algorithm 6 of PDP at epsilon = 0.1 must lose 7.51 on the pair of PDP-CX1."""
    found = verdict(PrintedRange("1/10"))
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness.event == "the center lies in (1000.3, 1001.3]"
    assert found.witness.loss is not None
    assert [round(float(end), 4) for end in found.witness.loss] == [7.5137, 7.5137]
    assert found.reason.endswith("4.28284e-06 on the data and 2.3365e-09 on the neighbor")


def test_a_range_is_not_proved_by_its_center() -> None:
    """The center alone must leave the claim about the range open: printed stages, right rates."""
    found = verdict(PrintedRange("1/10", slip="E-10, E-11, E-12, E-13"))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "tells only whether the center lies in (1000.3, 1001.3]" in found.reason
    assert found.proof is None
