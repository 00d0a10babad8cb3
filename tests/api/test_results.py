"""Results present themselves, travel, and have no truth value."""

from __future__ import annotations

import copy
import json
import math
import pickle
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import audit
from audit.report.present import ENDINGS, page_style
from audit.request.word_table import FORMS
from tests.api.audited import leaky
from tests.audit.results import CONSISTENT
from tests.untimed import untimed

SMALL: dict[str, Any] = {"budget_samples": 20_000, "seed": 1, "ideal": True}
PAIR = (np.zeros(2), np.array([0.0, 1.0]))


@pytest.fixture(scope="module")
def results() -> dict[str, audit.Result]:
    """One result of each kind."""
    return {
        "refuted": audit.audit(leaky, audit.pure(1, relation="swap"), pair=PAIR, **SMALL),
        "proved": audit.prove("ksw.swap-laplace"),
        "refuted exactly": audit.prove("ksw.swap-laplace", epsilon="1/2", relation="swap"),
        "errors": audit.accuracy(leaky, mse=1, low=0, high=1, n=2, seed=1, budget_samples=20_000),
    }


def test_forms_by_ending_are_the_forms_of_reports() -> None:
    """It must hold that each form has one ending."""
    assert sorted(ENDINGS.values()) == sorted(FORMS)


@pytest.mark.long
def test_a_result_is_written_in_every_form(
    results: dict[str, audit.Result], tmp_path: Path
) -> None:
    """It must hold that each form is that of the command, and other endings are refused."""
    for name, result in results.items():
        for ending in ENDINGS:
            result.save(tmp_path / f"report{ending}")
        assert json.loads((tmp_path / "report.json").read_text()) == result.to_dict()
        assert (tmp_path / "report.txt").read_text() == str(result)
        assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>"), name
        with pytest.raises(audit.InvalidArgument, match=r"path must end in \.txt, .*'x\.pdf'"):
            result.save("x.pdf")


def test_a_fragment_has_no_page(results: dict[str, audit.Result]) -> None:
    """It must hold that a notebook shows the report without its page; its style stays inside."""
    for result in results.values():
        html = result._repr_html_()  # type: ignore[attr-defined]
        assert html.startswith('<div class="touchstone"><style>.touchstone {')
        assert "<html" not in html
        assert "<script" not in html
        assert result.outcome in html
    assert not any(
        line.lstrip().startswith((":root", "body", "html")) for line in page_style().splitlines()
    )


def test_a_result_travels(results: dict[str, audit.Result]) -> None:
    """It must hold that its pickle and its copy present themselves alike."""
    for result in results.values():
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert again.to_dict() == result.to_dict()
            assert str(again) == str(result)
            assert again.repeat == result.repeat


def test_a_result_is_frozen_and_has_no_truth_value(results: dict[str, audit.Result]) -> None:
    """It must hold that nothing changes it, and that `if result` is an error that says why."""
    for result in results.values():
        with pytest.raises((FrozenInstanceError, AttributeError)):
            result.verdict = "PROVED"  # type: ignore[attr-defined]
        with pytest.raises(TypeError, match="compare its verdict"):
            bool(result)


def test_expect_returns_the_result_or_raises_with_its_report(
    results: dict[str, audit.Result],
) -> None:
    """It must hold that without a word it takes what passes in a gate, and that words are known."""
    assert results["proved"].expect() is results["proved"]
    assert results["refuted"].expect("proved", "refuted") is results["refuted"]
    for name in ("refuted", "refuted exactly"):
        with pytest.raises(AssertionError) as raised:
            results[name].expect()
        assert isinstance(raised.value, audit.UnexpectedVerdict)
        assert str(raised.value).startswith("expected CONSISTENT or PROVED, got REFUTED\n\nREFUTED")
    with pytest.raises(audit.InvalidArgument, match="got 'REFUTD'; close: REFUTED"):
        results["refuted"].expect("refutd")


def test_limits_are_below_the_truth(results: dict[str, audit.Result]) -> None:
    """It must hold that those of a proof enclose, and that a refuted claim is not above them."""
    found: Any = results
    assert dict(found["proved"].limits) == {"epsilon": 1.0}
    assert 1 / 2 < found["refuted exactly"].limits["epsilon"] <= 1
    assert 1 <= found["refuted"].limits["epsilon"] < 1 / 0.3
    errors = found["errors"]
    truth = 2 * 0.3**2  # of the mean square of the noise; the sum is not the mean
    assert 0 < errors.limits["mse, 2 records at low"] < truth
    assert errors.limits["bias, 2 records at low"] == 0
    assert errors.limits["bias, 2 records at high"] < 1


@pytest.mark.long
def test_exact_limits_of_other_claims() -> None:
    """It must hold that each kind of claim has the limit of its name."""
    approximate = audit.prove("ksw.swap-laplace", epsilon="1/2", delta="1/100", relation="swap")
    assert 0.01 < approximate.limits["delta"] < 1
    concentrated = audit.prove("noise.gaussian", rho="1/3", relation="listed")
    assert concentrated.verdict is audit.Verdict.REFUTED
    assert concentrated.limits["rho"] == 1
    assert dict(audit.prove("pdp.adpm").limits) == {"budget_factor": 1.0}
    total = 1 - math.exp(-1 / 2)  # between Laplace laws of scale 1, a move of 1 apart
    for tv, verdict in ((1, "PROVED"), ("1/2", "PROVED"), ("1/10", "REFUTED")):
        found = audit.prove("noise.laplace", tv=tv, relation="listed")
        assert found.verdict.name == verdict
        assert 0 <= total - found.limits["tv"] < 1e-12
    for mu, verdict in ((3, "PROVED"), (1, "PROVED"), ("9/10", "REFUTED")):
        found = audit.prove("noise.gaussian", mu=mu, relation="listed")
        assert found.verdict.name == verdict
        assert 0 <= 1 - found.limits["mu"] < 1e-12
    laplace = audit.prove("noise.laplace", mu="1/10", relation="listed")
    quantile = NormalDist().inv_cdf(1 - math.exp(-1 / 2) / 2)
    assert 0 <= 2 * quantile - laplace.limits["mu"] < 1e-9
    assert dict(audit.prove("pdp.weighted-mean").limits) == {"epsilon": 1.0}


@pytest.mark.long
def test_a_bound_by_the_loss_is_no_lower_limit() -> None:
    """It must hold of what follows from the loss alone: the mechanism itself may lose less."""
    words = {"low": 0, "high": 1, "relation": "add-remove"}
    truth = {
        "tv": audit.prove("noise.laplace", tv=1, relation="listed").limits["tv"],
        "renyi_epsilon": audit.prove(
            "noise.laplace", epsilon=2, alpha_order=2, relation="listed"
        ).limits["renyi_epsilon"],
    }
    for claim in ({"tv": 1}, {"epsilon": 2, "alpha_order": 2}, {"rho": 2}, {"mu": 3}):
        proved = audit.prove("ksw.transformed-laplace", **claim, **words)
        assert proved.verdict is audit.Verdict.PROVED
        ((name, limit),) = proved.limits.items()
        assert limit <= truth.get(name, 0.5)


def test_a_plot_has_a_bar_for_each_limit(results: dict[str, audit.Result]) -> None:
    """It must hold that the claim is drawn at 1 and that a refuted limit is not left of it."""
    for name in ("refuted", "refuted exactly", "proved"):
        axes = results[name].plot()
        widths = [patch.get_width() for patch in axes.patches]
        assert widths
        assert (max(widths) >= 1) == ("refuted" in name or name == "proved")
        assert results[name].plot(axes) is axes
    assert len(results["errors"].plot().lines) > 1
    unclaimed = audit.prove("ksw.swap-laplace", epsilon=0, relation="swap")
    with pytest.raises(audit.InvalidArgument, match="nothing to plot"):
        unclaimed.plot()


def test_a_document_says_what_the_report_says(results: dict[str, audit.Result]) -> None:
    """It must hold that the headline stands in the text; a gate has one in each of its results."""
    for name, result in results.items():
        if name == "gate":
            with pytest.raises(audit.InvalidArgument) as found:
                result.document()
            assert str(found.value).startswith("a GateResult is of many audits and has no document")
            assert len(str(found.value)) < 200
            assert isinstance(result, audit.GateResult)
            for outcome in result.outcomes:
                assert outcome.result is not None
                assert outcome.result.document().headline
        else:
            words = " ".join(str(result).split())
            assert result.document().headline in words


def test_a_result_that_no_run_made_says_so() -> None:
    """It must hold that it is shown as Python shows it, and has no report."""
    assert str(CONSISTENT) == repr(CONSISTENT)
    assert CONSISTENT.repeat == ""
    with pytest.raises(audit.InvalidArgument, match=r"of a run, got AuditResult\(\.\.\.\)"):
        CONSISTENT.to_dict()
    assert replace(CONSISTENT, samples=1) != CONSISTENT


def test_what_repeats_a_run_repeats_it(results: dict[str, audit.Result]) -> None:
    """It must hold that the call that a result names gives the same result."""
    told = results["refuted"].repeat
    assert told.startswith("audit.audit(leaky, epsilon='1', relation='swap', pair=pair, ideal=True")
    again = eval(told, {"audit": audit, "leaky": leaky, "pair": PAIR})
    first, second = (untimed(result.to_dict()) for result in (again, results["refuted"]))
    assert first == second
    assert results["proved"].repeat == "touchstone audit ksw.swap-laplace --mode exact"
