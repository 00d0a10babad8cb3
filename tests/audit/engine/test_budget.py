"""The default budget: what the power statement needs, and no less than CONSISTENT takes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from audit.engine import budget
from audit.engine.budget import FALLBACK_SAMPLES, MOST_SAMPLES, Budget, detectable_budget
from audit.engine.detectable_power import draws_needed
from audit.engine.loop import FIRST_RUN_SHARE
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.repeat import rerun_command
from audit.request.request import DETECTABLE, Request
from audit.results.verdict import Verdict
from audit.runs.privacy_run import budget_of, run_plan
from mechanisms.claims import (
    Level,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    Source,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument


def claim(level: Level) -> PrivacyClaim:
    """A claim about replaced records."""
    return PrivacyClaim(level, Relation.SWAP, Source("user", "a test"))


def pairs(count: int, *users: int) -> list[Pair]:
    """Pairs of neighbors; only their number and their users count."""
    data, neighbor = np.zeros(2), np.array([1.0, 0.0])
    chosen = users or (None,) * count
    return [Pair(f"pair {i}", data, neighbor, user=user) for i, user in enumerate(chosen)]


def test_it_is_what_the_power_statement_needs() -> None:
    """It must hold that every pair gets a twentieth more than is needed, besides the reserve."""
    pure = claim(PureDP(1))
    asked = detectable_budget(pure, pairs(7), false_alarm=1e-3, resolution=None)
    needed = draws_needed(grid_of(pure, coarse=True), false_alarm=9e-4, resolution=None)
    assert FIRST_RUN_SHARE == 0.9
    each = asked.samples * 7 / 8 / (2 * 7)
    assert each == pytest.approx(1.05 * needed, rel=1e-3)
    assert asked.needed == asked.samples


def test_claims_without_upper_limits_keep_nothing_for_them() -> None:
    """It must hold that an eighth is added for pure and approximate claims alone."""
    concentrated = claim(ZeroConcentratedDP("1/2"))
    asked = detectable_budget(concentrated, pairs(1), false_alarm=1e-3, resolution=None)
    needed = draws_needed(grid_of(concentrated), false_alarm=9e-4, resolution=None)
    assert asked.samples == 2 * math.ceil(1.05 * needed)


def test_it_grows_with_the_pairs_the_rate_and_the_resolution() -> None:
    """It must hold that a finer question costs more."""
    pure = claim(PureDP(1))
    base = detectable_budget(pure, pairs(5), false_alarm=1e-3, resolution=0.5).samples
    for count, rate, resolution in ((6, 1e-3, 0.5), (5, 1e-5, 0.5), (5, 1e-3, 0.3)):
        more = detectable_budget(pure, pairs(count), false_alarm=rate, resolution=resolution)
        assert more.samples > 1.1 * base


def test_a_personalized_claim_takes_what_its_smallest_budget_needs() -> None:
    """It must hold that every user's budget is looked at, in whatever order."""
    level = PersonalizedDP(("1/10", "1"))
    both = detectable_budget(claim(level), pairs(2, 1, 0), false_alarm=1e-3, resolution=None)
    large = detectable_budget(claim(level), pairs(2, 1, 1), false_alarm=1e-3, resolution=None)
    small = detectable_budget(claim(level), pairs(2, 0, 0), false_alarm=1e-3, resolution=None)
    assert both.samples == max(large.samples, small.samples) != min(large.samples, small.samples)


def test_too_much_is_cut() -> None:
    """It must hold that the most is taken, and that more would be needed."""
    asked = detectable_budget(claim(PureDP(1)), pairs(5), false_alarm=1e-3, resolution=0.01)
    assert asked.samples == MOST_SAMPLES < asked.needed


def test_where_nothing_is_enough_the_run_still_looks() -> None:
    """It must hold that an infinite need is a usual budget."""
    asked = detectable_budget(claim(PureDP(1)), pairs(5), false_alarm=1e-3, resolution=1e-9)
    assert asked == Budget(FALLBACK_SAMPLES, math.inf)


def planned(**words: object) -> PrivacyPlan:
    """A mechanism with 39 pairs, and more that join."""
    request = Request("ksw.swap-laplace", stated={"epsilon": 1}, ideal=True, **words)  # type: ignore[arg-type]
    return plan_audit(request, stated_in="a test")


@pytest.mark.long
@pytest.mark.parametrize("rate", [pytest.param(1e-3, marks=pytest.mark.slow), 1e-5])
def test_a_sound_mechanism_is_consistent_within_it(rate: float) -> None:
    """It must hold at both rates that pairs which join take nothing of what was promised."""
    plan = planned()
    unscreened = replace(plan.request, screen=0)  # which adds pairs, and so draws
    plan = replace(plan, pairs=plan.pairs[:6], request=unscreened)
    result = run_plan(plan, seed=1, false_alarm=rate)
    assert result.verdict is Verdict.CONSISTENT, result.reason
    assert result.pairs > 6  # some joined
    assert result.planned == budget_of(plan, rate).samples
    assert 0.99 * result.planned < result.samples <= result.planned


@pytest.mark.long
def test_less_than_it_is_not_enough() -> None:
    """The negative control: with a fifth less the same run is inconclusive."""
    plan = planned()
    plan = replace(plan, pairs=plan.pairs[:1])
    fewer = int(0.8 * budget_of(plan, 1e-3).samples)
    plan = replace(plan, request=replace(plan.request, budget_samples=fewer))
    result = run_plan(plan, seed=1, false_alarm=1e-3)
    assert (result.verdict, result.planned) == (Verdict.INCONCLUSIVE, fewer)


@pytest.mark.long
def test_an_inconclusive_run_says_what_its_budget_lacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold where no number of draws would have been enough."""
    monkeypatch.setattr(budget, "FALLBACK_SAMPLES", 10_000)
    plan = planned(resolution=1e-9)
    plan = replace(plan, pairs=plan.pairs[:1])
    result = run_plan(plan, seed=1, false_alarm=1e-3)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert [hint.code for hint in result.warnings] == ["too-few-draws"]
    assert "no number of draws is enough" in result.warnings[0].text


@pytest.mark.long
def test_the_word_and_its_absence_mean_the_same() -> None:
    """It must hold that neither is repeated in a command, and that a number is."""
    plan, asked = planned(), planned(budget_samples=DETECTABLE)
    assert budget_of(plan, 1e-3) == budget_of(asked, 1e-3)
    own = planned(budget_samples=6_000)
    assert budget_of(own, 1e-3) == Budget(6_000, 0.0)
    result = run_plan(own, seed=1, false_alarm=1e-3)
    assert "--budget-samples" in rerun_command(own.request, result)
    assert "--budget-samples" not in rerun_command(asked.request, result)


def test_a_fixed_budget_is_what_bound_needs() -> None:
    """It must hold that a mode without a power statement has its own default, and no such word."""
    assert budget_of(planned(mode="bound"), 1e-3) == Budget(2_000_000, 0.0)
    with pytest.raises(InvalidArgument, match="give --mode bound a number"):
        planned(mode="bound", budget_samples=DETECTABLE)


def test_draws_that_only_learn_come_on_top() -> None:
    """It must hold beyond the 200 that every run may learn from: else no run were CONSISTENT."""
    asked: dict[str, Any] = {"false_alarm": 1e-3, "resolution": None}
    base, few, many = (
        detectable_budget(claim(PureDP(1)), pairs(3), first_draws=n, **asked).samples * 7 / 8
        for n in (None, 200, 5_200)
    )
    assert few == base
    assert many - base == pytest.approx(1.05 * 5_000 * 2 * 3, rel=1e-3)
    plan = planned(first_draws=5_200)
    assert budget_of(plan, 1e-3).needed > budget_of(planned(), 1e-3).needed
