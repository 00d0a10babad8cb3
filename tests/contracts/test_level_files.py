"""Claims of every kind in the files of the gate: written and read again, and told apart."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.levels import LEVELS, grid_of
from audit.levels.implication import implies
from audit.levels.kind import LevelKind
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.request import Request
from audit.results.verdict import Limits
from audit.suite.baseline.baseline_values import values_of
from audit.suite.baseline.compare import compare
from audit.suite.baseline.file import read_baseline, write_baseline
from audit.suite.changes import fingerprint
from audit.suite.changes.closure import Closure
from audit.suite.wealth_of_nights import Nights, NightsFile
from mechanisms.claims import Level, Order, PersonalizedDP, PrivacyClaim, Relation
from tests.audit.results import BY_LEVEL
from tests.contracts.test_level_nulls import each_kind, null_of, smaller, stated

REUSED = settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
EACH_BUT_CURVES = pytest.mark.parametrize(
    "kind", [kind for kind in LEVELS if kind.limits], ids=lambda kind: kind.name
)
"""A curve has no limits."""


@pytest.mark.long
@each_kind
@REUSED
@given(data=st.data())
def test_a_baseline_holds_the_claim(kind: LevelKind, data: st.DataObject, tmp_path: Path) -> None:
    """It must hold that a claim which was written is as good as itself, and a weaker one is not."""
    result = BY_LEVEL[kind.name]
    level = data.draw(kind.example(st))
    other = data.draw(kind.example(st))
    before, now = (replace(result, claim=_claim(one)) for one in (level, other))
    file = tmp_path / "baseline.json"
    write_baseline(file, {"a": values_of(before)})
    stored = read_baseline(file)["a"]
    assert compare(stored, values_of(before)) == ()
    found = [one.what for one in compare(stored, values_of(now))]
    assert ("claim" in found) == (not _implies(other, level))


def _claim(level: Level) -> PrivacyClaim:
    return PrivacyClaim(level, Relation.SWAP, stated(level).source)


def _implies(level: Level, other: Level) -> bool:
    return implies(_claim(level), Order.FREE, _claim(other), Order.FREE)


@pytest.mark.long
@EACH_BUT_CURVES
def test_a_baseline_holds_the_limits(kind: LevelKind, tmp_path: Path) -> None:
    """It must hold that what was bounded is in the file under the names of the kind."""
    limits = Limits(tuple((limit.name, 0.25) for limit in kind.limits))
    file = tmp_path / "baseline.json"
    write_baseline(file, {"a": values_of(replace(BY_LEVEL[kind.name], limits=limits))})
    assert read_baseline(file)["a"]["limits"] == {limit.name: 0.25 for limit in kind.limits}


def planned(kind: LevelKind, level: Level) -> PrivacyPlan:
    """An audit of the kind's own mechanism at a level."""
    name, _ = null_of(kind)
    return replace(plan_audit(Request(name), stated_in="test"), claim=stated(level))


@pytest.mark.long
@each_kind
def test_wealth_is_kept_for_the_claim(
    kind: LevelKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a night goes on about the same claim, and begins anew about another."""
    no_files = Closure(None, frozenset(), frozenset())
    monkeypatch.setattr(fingerprint, "closure_of", lambda *_: no_files)  # reading ours takes long
    _, level = null_of(kind)
    plan = planned(kind, level)
    user = plan.pairs[0].user
    grid = grid_of(plan.claim, user=user)
    assert (user is not None) == isinstance(level, PersonalizedDP)
    file = NightsFile(tmp_path / "nights.json")
    first = Nights(file, 7)
    night = first.begin("a", plan, tmp_path)
    assert (night.claimed, night.number) == (grid.claimed, 1)
    log_values = tuple(-0.25 - 0.01 * point for point in range(grid.points))
    result = replace(
        BY_LEVEL[kind.name], night=log_values, rejected=(False,) * grid.points, samples=100
    )
    wealth = first.book("a", night, result)
    first.keep()
    first.close()
    again = Nights(file, 7)
    later = again.begin("a", plan, tmp_path)
    assert (later.number, later.why_new) == (2, "")
    assert later.carried == night.after(result)
    assert math.isclose(later.wealth_before, wealth)
    assert wealth < 1
    other = again.begin("a", planned(kind, smaller(level, Fraction(9, 10))), tmp_path)
    assert other.number == 1
    assert "claim" in other.why_new
    again.close()
