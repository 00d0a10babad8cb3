"""The law of the center for one user: point by point, published figures, samples."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mechanisms.as_printed.center_law import CenterLaw, center_law, widths
from mechanisms.as_printed.range import PrintedRange
from mechanisms.as_printed.range_stages import PrintedStages
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.personalized.sparse.discretization import Discretization
from mechanisms.personalized.users import BOT
from mechanisms.protocols import FiniteLaw, PartialLaw
from proofs_check.enclosure import Balls, contains, endpoints
from tests.mechanisms.as_printed.centers import law_of
from tests.mechanisms.as_printed.slow_center import slow_hit
from tests.mechanisms.subset import chi_square

F = Fraction
NUMBERS = Balls(192)
SURE = RationalRates((F(1),))
PRINTED = frozenset(("E-10", "E-11", "E-12", "E-13"))


def chance(law: CenterLaw) -> float:
    """Probability of the event in doubles."""
    lower, upper = endpoints(law.masses(NUMBERS)[True])
    assert upper - lower <= lower / 10**12
    return float(lower)


@pytest.mark.long
@settings(max_examples=30)
@given(
    record=st.sampled_from([None, F(0), F(1, 3), F(-1, 3), F(1), F(-5, 2), F(13, 4), F(40)]),
    tau=st.sampled_from([F(1), F(12), F(40)]),
    beta=st.sampled_from([F(9, 10), F(1, 5)]),
    x=st.sampled_from([F(1), F(1, 4), F(-2), F(10, 3)]),
    slips=st.sets(st.sampled_from(sorted(PRINTED))),
)
@example(record=F(40), tau=F(12), beta=F(1, 5), x=F(10, 3), slips=set())
@example(record=F(40), tau=F(12), beta=F(1, 5), x=F(10, 3), slips={"E-13"})
@example(record=F(-5, 2), tau=F(40), beta=F(1, 5), x=F(-2), slips={"E-11", "E-13"})
def test_law_is_that_of_all_points(
    record: Fraction | None, tau: Fraction, beta: Fraction, x: Fraction, slips: set[str]
) -> None:
    """With scans of 4 queries it must agree with a sum over widths, radii and points."""
    law = CenterLaw(record, SURE, tau, beta, x, frozenset(slips), cap=4)
    slow = slow_hit(record, float(tau), float(beta), x, slips, 4)
    assert chance(law) == pytest.approx(slow, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("slip", [*sorted(PRINTED), "none of them"])
def test_every_slip_changes_the_law(slip: str) -> None:
    """Each slip must matter for some record, so that the comparison above can see it."""
    slips = PRINTED & {slip}
    far = [
        chance(CenterLaw(record, SURE, F(12), F(1, 5), F(2), used, cap=4))
        for used in (frozenset(), slips)
        for record in (F(-1, 3), F(13, 4))
    ]
    assert (far[:2] != far[2:]) == (slip in PRINTED)


def test_widths_are_those_of_the_stage() -> None:
    """Widths must have the law of Algorithm 4 without a pair, for any epsilon, and add up to 1."""
    law = Discretization(3).exact_law([1001.3])
    assert law is not None
    stated, found = law.masses(Balls(320)), widths()
    assert found.keys() == stated.keys()
    assert all(contains(stated[b], mass) for b, mass in found.items())
    assert sum(found.values()) == 1
    assert min(found) == F(1, 2**65)
    assert min(widths(PRINTED)) == F(1, 2**66)


PUBLISHED = {
    "Algorithm 6": ({}, 4.282837e-6, 2.33648e-9, 7.5137),
    "equation 7": ({"slip": "E-02, E-10, E-11, E-12, E-13"}, 2.142585e-6, 2.33466e-9, 6.8219),
    "radius repaired": ({"slip": "E-01, E-10, E-12, E-13"}, None, None, 10.688),
    "radius repaired, equation 7": ({"slip": "E-02, E-10, E-12, E-13"}, None, None, 9.996),
}
"""PDP-CX1, without a cap on the queries; the cap changes P(D') by 7 parts in a million."""


@pytest.mark.parametrize(
    "case",
    ["Algorithm 6", *(pytest.param(c, marks=pytest.mark.slow) for c in list(PUBLISHED)[1:])],
)
def test_published_counterexample(case: str) -> None:
    """Probabilities and losses at epsilon = 0.1 must be those of PDP-CX1."""
    arguments, p, q, loss = PUBLISHED[case]
    mechanism = PrintedRange(budgets="0.1", **arguments)
    assert mechanism.counterexample is not None
    found = [chance(mechanism.exact_law(side)) for side in mechanism.counterexample]
    assert math.log(found[0] / found[1]) == pytest.approx(loss, rel=5e-5)
    if p is not None:
        assert found[0] == pytest.approx(p, rel=2e-7)
        assert found[1] == pytest.approx(q, rel=1e-5)


def test_published_components() -> None:
    """P(event) must be 3.428686e-3 if x survives, 2.33284e-9 without survivor, 5.2473e-9 for 1.

    The last sum converges slowly: a cap of 64 queries takes away 8 parts in 10,000 of it.
    """
    tau, beta = F(801, 10), F(9, 10)
    for record, published, apart in (
        (F(10013, 10), 3.428686e-3, 2e-7),
        (None, 2.33284e-9, 2e-5),
        (F(1), 5.2473e-9, 1e-3),
    ):
        law = CenterLaw(record, SURE, tau, beta, slips=PRINTED)
        assert chance(law) == pytest.approx(published, rel=apart)


def test_survival_mixes_the_laws() -> None:
    """The mass must be p P(event | survivor) + (1 - p) P(event | none), at the rate of the user."""
    tau, beta, record, x = F(4), F(1, 5), F(2, 3), F(1)
    kept, lost = (slow_hit(r, float(tau), float(beta), x, set(), 4) for r in (record, None))
    assert abs(kept - lost) > 0.005
    for rates in (SURE, RationalRates((F(3, 8),)), RightRates((F(1, 2),), tau)):
        p = float(endpoints(rates.mass(0, NUMBERS))[0])
        mixed = chance(CenterLaw(record, rates, tau, beta, x, cap=4))
        assert mixed == pytest.approx(p * kept + (1 - p) * lost, rel=1e-9)


SAMPLED: dict[str, tuple[Any, dict[str, Any], float, Fraction]] = {
    "sound": (PersonalizedRange, {"budgets": 40, "beta": ".9"}, 0.7, F(1)),
    "sound, public tau": (PersonalizedRange, {"budgets": 16, "beta": ".9", "tau": 17}, 0.7, F(1)),
    "sound, negative": (PersonalizedRange, {"budgets": 80, "beta": ".9"}, -1.25, F(-1)),
    "sound, placeholder": (PersonalizedRange, {"budgets": 1}, BOT, F(0)),
    "printed rates": (PrintedRange, {"budgets": 24, "slip": "E-02"}, 0.7, F(1)),
    "printed, positive": (PrintedRange, {"budgets": 80, "slip": "E-10"}, -0.7, F(-1, 2)),
    "printed radius": (PrintedRange, {"budgets": 80, "slip": "E-11"}, 0.7, F(1)),
    "printed width": (PrintedRange, {"budgets": 80, "slip": "E-12"}, -1.25, F(-1)),
    "printed rank": (PrintedRange, {"budgets": 80, "slip": "E-13"}, 3.25, F(4)),
    "printed": (PrintedRange, {"budgets": 80}, 3.25, F(0)),
}


HEAVY = ("printed radius", "printed rank")
"""Slips that draw by far the most; the row of all slips has them too."""


@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=[pytest.mark.long] * (c in HEAVY)) for c in SAMPLED]
)
def test_sampler_has_the_exact_law(case: str, dp_rng: np.random.Generator) -> None:
    """Centers that are drawn must lie in the event as often as stated, not 6 % more or less."""
    kind, arguments, record, x = SAMPLED[case]
    mechanism = kind(**arguments, release="center")
    law = replace(law_of(mechanism, [record]), x=x)
    p, without = chance(law), chance(replace(law, record=None))
    assert (abs(p - without) > 0.06 * min(p, 1 - p)) == (not math.isnan(record))
    size = draws_for(p, 0.06)
    assert size < 300_000
    check_hits(p, 0.06, mechanism.sample([record], size, rng=dp_rng), x)


@pytest.mark.slow
def test_survivor_of_the_counterexample_is_drawn_as_often(dp_rng: np.random.Generator) -> None:
    """If 1001.3 survives, 3.43 of 1,000 printed centers must lie in its event, not 20 % more."""
    tau, beta, x = F(801, 10), F(9, 10), F(10013, 10)
    stages = PrintedStages(SURE, tau, beta, float(F(1, 10) / (2 * tau)), PRINTED)
    p = chance(CenterLaw(F(1001.3), SURE, tau, beta, x, PRINTED))
    size = draws_for(p, 0.2)
    check_hits(p, 0.2, stages.draw(np.array([1001.3]), size, rng=dp_rng).center, x)


def both_ways(p: float, change: float) -> tuple[Any, list[Any]]:
    """Masses of the event and the rest, and those of laws that are wrong by a share."""
    right, move = np.array([p, 1 - p]), change * min(p, 1 - p) * np.array([1, -1])
    return right, [right + move, right - move]


def draws_for(p: float, change: float) -> int:
    """Draws that tell both wrong laws from the right one."""
    right, wrong = both_ways(p, change)
    return max(chi_square.draws_for(right, other) for other in wrong)


def check_hits(p: float, change: float, draws: Any, x: Fraction) -> None:
    """Check that draws have the right law and neither wrong one."""
    right, wrong = both_ways(p, change)
    hits = np.count_nonzero((draws > float(x - 1)) & (draws <= float(x)))
    counts = np.array([hits, draws.size - hits])
    for law, fits in ((right, True), (wrong[0], False), (wrong[1], False)):
        value, limit = chi_square.statistic(counts, law)
        assert (value < limit) == fits


def test_the_sound_range_states_no_law_of_a_part() -> None:
    """It must hold that what a sound mechanism states is the law of its whole output."""
    assert not hasattr(PersonalizedRange("1/10"), "exact_law")


def test_law_is_a_partial_law() -> None:
    """It must hold that it has two outcomes, named in words, and says what it leaves out."""
    law = PrintedRange("1/10").exact_law([1001.3])
    assert isinstance(law, FiniteLaw)
    assert isinstance(law, PartialLaw)
    assert (law.rational, law.cuts) == (False, ())
    assert law.part == "whether the center lies in (1000.3, 1001.3]"
    assert law.describe(True) == "the center lies in (1000.3, 1001.3]"
    assert law.describe(False) == "the center lies outside (1000.3, 1001.3]"
    third = center_law(np.array([1.0]), SURE, F(1), F(1, 10), F(1, 3))
    assert third.part == "whether the center lies in (-2/3, 1/3]"
    masses = law.masses(NUMBERS)
    assert masses.keys() == {True, False}
    assert contains(masses[True] + masses[False], F(1))


@pytest.mark.parametrize("kind", [PersonalizedRange, PrintedRange])
def test_only_one_user_has_a_stated_law(kind: Any) -> None:
    """With more users the law must be refused, whatever their records."""
    for data in ([1.0, 2.0], [BOT, BOT]):
        with pytest.raises(InvalidArgument, match="for 1 user only, got 2 users"):
            law_of(kind(("1/2", 1)), data)


def test_what_is_no_number_is_the_placeholder(subtests: pytest.Subtests) -> None:
    """Such records must have one law."""
    for kind in [PersonalizedRange, PrintedRange]:
        for record in [BOT, math.inf, -math.inf, None, "a word"]:
            with subtests.test(kind=kind, record=record):
                assert law_of(kind("1/2"), [record]) == law_of(kind("1/2"), [BOT])


@pytest.mark.parametrize("kind", [PersonalizedRange, PrintedRange])
def test_without_a_budget_the_center_is_zero(kind: Any, dp_rng: np.random.Generator) -> None:
    """The law must be certain, as the release is: (x - 1, x] holds 0 for 0 <= x < 1."""
    mechanism = kind(0, release="center")
    assert not mechanism.sample([7.0], 3, rng=dp_rng).any()
    law = law_of(mechanism, [7.0])
    for x, hit in ((F(0), 1), (F(1, 2), 1), (F(1), 0), (F(-1, 2), 0)):
        found = CenterLaw(law.record, law.rates, law.tau, law.beta, x).masses(NUMBERS)
        assert contains(found[True], F(hit))
        assert contains(found[False], F(1 - hit))


@pytest.mark.parametrize("kind", [PersonalizedRange, PrintedRange])
@pytest.mark.parametrize(("record", "budget"), [(1e300, "1e-4"), (-1e300, 40), (-5e-324, "1e-4")])
def test_extreme_records_have_a_law(kind: Any, record: float, budget: Any) -> None:
    """Records far out of all scales, and small or large budgets, must have certain masses."""
    assert 0 < chance(law_of(kind(budget), [record])) < 1e-5
