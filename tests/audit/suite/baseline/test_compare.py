"""What is worse than in a baseline, and what only differs."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit.request.configuration import read_config
from audit.request.configured_audits import Entry
from audit.request.privacy_plan import plan_audit
from audit.request.request import Request
from audit.results.exact_result import ExactResult, Proof
from audit.results.sampled_result import ExactBounds
from audit.results.verdict import Limits, Verdict
from audit.suite.baseline.baseline_values import values_of
from audit.suite.baseline.compare import EXACT_MARGIN, MSE_MARGIN, Regression, compare
from audit.suite.baseline.file import matched, read_baseline, write_baseline
from audit.utility.error_result import CaseResult, Estimate, Interval, UtilityResult
from mechanisms.claims import ApproxDP, Order, PrivacyClaim, PureDP, Relation
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim
from tests.audit.results import BY_LEVEL, CONSISTENT

PLAN = plan_audit(Request("ksw.shifted-laplace"), stated_in="test")


def kept(result: Any) -> dict[str, Any]:
    """What a baseline file has of a result."""
    stored: dict[str, Any] = json.loads(json.dumps(values_of(result), allow_nan=False))
    return stored


def claiming(level: Any, relation: Relation = Relation.ADD_REMOVE, **changes: Any) -> Any:
    """A result about a claim."""
    claim = PrivacyClaim(level, relation, CONSISTENT.claim.source)
    return replace(CONSISTENT, claim=claim, **changes)


@pytest.mark.parametrize("name", BY_LEVEL)
def test_a_claim_of_any_level_is_as_good_as_itself(name: str) -> None:
    """It must hold that every level goes into the file and comes back."""
    assert compare(kept(BY_LEVEL[name]), kept(BY_LEVEL[name])) == ()


SOURCE = CONSISTENT.claim.source
ONE = claiming(PureDP(1))
WEAKER = {
    "epsilon": (claiming(PureDP("5/4")), "epsilon = 5/4 (add-remove)"),
    "delta": (claiming(ApproxDP(1, "1e-9")), "epsilon = 1, delta = 1/1000000000 (add-remove)"),
    "relation": (claiming(PureDP(1), Relation.SWAP), "epsilon = 1 (swap)"),
    "order": (claiming(PureDP(1), order=Order.FIXED), "epsilon = 1 (add-remove), order fixed"),
}


@pytest.mark.parametrize("name", WEAKER)
def test_a_weaker_claim_is_a_regression_with_both_claims(name: str) -> None:
    """It must hold that any weakening counts, however small, and that a stronger claim does not."""
    now, words = WEAKER[name]
    (found,) = compare(kept(ONE), kept(now))
    before = "epsilon = 1 (add-remove)" + (", order free" if name == "order" else "")
    assert found == Regression("claim", before, words)
    assert str(found) == f"claim: {before} in the baseline, {words} now"
    stronger = compare(kept(now), kept(ONE))
    assert stronger == () or name == "relation"


def test_limits_of_samples_are_no_regression() -> None:
    """It must hold that a lower limit that is larger by chance is not worse."""
    before, now = (claiming(PureDP(1), limits=Limits.of(epsilon=x)) for x in (0.1, 0.95))
    assert compare(kept(before), kept(now)) == ()
    assert kept(now)["limits"] == {"epsilon": 0.95}


def exact(reached: Any, proved: Any) -> Any:
    """A result with a stated law."""
    return replace(ONE, exact=ExactBounds(reached, Fraction(proved), "the pair", "KSW-T2"))


SLIGHTLY = 1 + EXACT_MARGIN * Fraction(9, 10)
BEYOND = 1 + EXACT_MARGIN * Fraction(11, 10)


def test_exact_values_have_a_margin_of_a_billionth() -> None:
    """It must hold that larger values beyond the margin are regressions, each with both."""
    before = kept(exact(Fraction(1), 2))
    assert compare(before, kept(exact(Fraction(1) * SLIGHTLY, 2 * SLIGHTLY))) == ()
    assert compare(before, kept(exact(Fraction(1, 2), 1))) == ()
    assert compare(before, kept(exact(None, 2))) == ()
    found = compare(before, kept(exact(BEYOND, 2 * BEYOND)))
    assert [regression.what for regression in found] == [
        "exact loss of a pair of neighbors",
        "proved bound of the loss",
    ]
    assert (found[0].before, found[0].now) == ("1", str(BEYOND))
    (lost,) = compare(before, kept(ONE))
    assert lost == Regression("proved bound of the loss", "2", "none")


def proved(loss: Any, excess: Any = None, verdict: Verdict = Verdict.PROVED) -> Any:
    """A result of an exact audit."""
    ends = None if loss is None else (Fraction(0), Fraction(loss))
    over = None if excess is None else (Fraction(0), Fraction(excess))
    proof = Proof("all", "the sum", (), (), 1, ends, excess=over)
    reason, found = "", proof if verdict is Verdict.PROVED else None
    return ExactResult("m", verdict, ONE.claim, Order.FREE, reason, 0.1, found)


def test_proofs_are_compared_by_what_they_prove() -> None:
    """It must hold that a larger loss or delta is worse though the claim is proved."""
    assert compare(kept(proved("1/2")), kept(proved("1/3"))) == ()
    (loss,) = compare(kept(proved("1/2")), kept(proved("2/3")))
    assert loss == Regression("exact loss", "1/2", "2/3")
    (unbounded,) = compare(kept(proved("1/2")), kept(proved(None)))
    assert unbounded.now == "inf"
    (excess,) = compare(kept(proved(None, "1/9")), kept(proved(None, "1/8")))
    assert excess.what == "exact delta at the claimed epsilon"
    (lost,) = compare(kept(proved("1/2")), kept(proved(None, verdict=Verdict.INCONCLUSIVE)))
    assert lost == Regression("exact loss", "1/2", "none")


def test_long_fractions_are_kept_as_doubles() -> None:
    """It must hold that an enclosure's end does not fill the file, and is within the margin."""
    long = Fraction(10**4000 + 1, 3 * 10**4000)
    assert kept(proved(long))["exact"]["loss"] == repr(1 / 3)
    assert compare(kept(proved(long)), kept(proved("1/3"))) == ()
    tiny = Fraction(1, 10**400)
    assert compare(kept(proved(tiny)), kept(proved(tiny))) == ()
    (found,) = compare(kept(proved(tiny)), kept(proved(2 * tiny)))
    assert found.what == "exact loss"


def squared(
    value: float, lower: float, upper: float, label: str = "ages", bounds: tuple[Any, ...] = ()
) -> Any:
    """A result of a utility audit."""
    interval = Interval(lower, upper, "bet", "bet", 0.01)
    claims = tuple(UtilityClaim(Quantity.MSE, bound, SOURCE) for bound in bounds)
    estimates = (Estimate("bias", 0.0, interval), Estimate("mse", value, interval, claims))
    case = CaseResult(label, 10, 100, 0, Truth(Fraction(1), "mean"), estimates)
    return UtilityResult("m", Verdict.CONSISTENT, "", (case,), 0.01, 4, 0.1, 100, 0.1, 1, True)


def test_squared_errors_are_worse_where_intervals_are_apart() -> None:
    """It must hold that intervals must be disjoint by the margin, and that both are told."""
    before = kept(squared(2.0, 1.5, 2.5))
    edge = 2.5 * (1 + MSE_MARGIN)
    assert compare(before, kept(squared(3.0, edge, 4.0))) == ()
    assert compare(before, kept(squared(1.0, 0.5, 1.2))) == ()
    (found,) = compare(before, kept(squared(3.0, edge + 1e-9, 4.0)))
    assert found.what == "mean squared error on ages"
    assert (found.before, found.now) == ("2 (1.5 to 2.5)", "3 (2.525 to 4)")
    (gone,) = compare(before, kept(squared(2.0, 1.5, 2.5, label="heights")))
    assert gone.now == "none"


def test_a_larger_bound_of_an_error_is_a_weaker_claim() -> None:
    """It must hold of a bound that grows, and of one that is claimed no more."""
    before = kept(squared(2.0, 1.5, 2.5, bounds=(Fraction(3),)))
    assert compare(before, kept(squared(2.0, 1.5, 2.5, bounds=(Fraction(5, 2),)))) == ()
    for bounds, now in (((3.5,), "3.5"), ((), "none")):
        (found,) = compare(before, kept(squared(2.0, 1.5, 2.5, bounds=bounds)))
        assert found == Regression("claimed bound of the mse on ages", "3", now)


def entries(*names: str, expect: str = "consistent") -> list[Entry]:
    """Audits of a configuration, each its own key."""
    return [Entry(n, Request("m.py:f"), expect, key=n) for n in names]  # type: ignore[arg-type]


def test_audits_are_found_by_name_and_then_by_target() -> None:
    """It must hold that another value of a parameter is the same audit, if no other fits."""
    stored: dict[str, Any] = dict.fromkeys(["a.py:f", "a.py:g (n = 1)", "a.py:g (n = 2)", "b.py:h"])
    now = entries("a.py:g (n = 2)", "a.py:g (n = 3)", "a.py:f", "c.py:new")
    found, missing = matched(stored, now)
    assert found == {
        "a.py:f": "a.py:f",
        "a.py:g (n = 2)": "a.py:g (n = 2)",
        "a.py:g (n = 3)": "a.py:g (n = 1)",
    }
    assert missing == ("b.py:h",)


def test_a_positive_control_is_no_audit_of_a_baseline() -> None:
    """It must hold that an audit that is made a control is missing."""
    assert matched({"a.py:f": {}}, entries("a.py:f", expect="refuted")) == ({}, ("a.py:f",))


def test_keys_tell_audits_of_one_name_apart(tmp_path: Path) -> None:
    """It must hold that each audit of a configuration has a key of its own."""
    path = tmp_path / "touchstone.toml"
    path.write_text('[[audit]]\ntarget = "m:f"\n' * 2 + '[[audit]]\ntarget = "m:g"\n')
    assert [e.key for e in read_config(path).entries] == ["m:f", "m:f [2]", "m:g"]


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    """It must hold that the file gives the records back, and holds only JSON."""
    path = tmp_path / "baseline.json"
    audits = {"a": kept(ONE), "b": kept(proved("1/2")), "c": kept(squared(2.0, 1.5, 2.5))}
    write_baseline(path, audits)
    assert read_baseline(path) == audits
    assert [p.name for p in tmp_path.iterdir()] == ["baseline.json"]


EMPTY = '{"format": "touchstone baseline 1", "audits": {"a": {}}}'
OTHER = '{"format": "touchstone baseline 2", "versions": {}, "audits": {}}'
BROKEN = [
    "",
    "[]",
    "{}",
    EMPTY,
    OTHER,
    '{"format": "touchstone baseline 1"}',
    '{"audits": {"a": {}}}',
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_damaged_baseline_is_an_error(tmp_path: Path, text: str) -> None:
    """It must hold that a file that is no baseline is never taken for an empty one."""
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(InvalidData, match="is no baseline of this version"):
        read_baseline(path)


@pytest.mark.parametrize("loss", ["1/0", "one", math.inf, [1]])
def test_a_number_that_is_none_damages_a_baseline(tmp_path: Path, loss: Any) -> None:
    """It must hold of an exact value that someone has written by hand."""
    path = tmp_path / "baseline.json"
    write_baseline(path, {"a": kept(proved("1/2"))})
    content = json.loads(path.read_text())
    content["audits"]["a"]["exact"]["loss"] = loss
    path.write_text(json.dumps(content))
    with pytest.raises(InvalidData, match="is no baseline of this version"):
        read_baseline(path)


def test_a_missing_baseline_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    """It must hold that the user hears how to make it."""
    with pytest.raises(InvalidData, match="yet: touchstone gate --write-baseline makes it"):
        read_baseline(tmp_path / "none.json")
    with pytest.raises(InvalidArgument, match="cannot be written"):
        write_baseline(tmp_path / "no" / "where.json", {})
