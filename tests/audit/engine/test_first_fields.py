"""What a report says of the draws that only learned: how many, and what one of them cost."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from audit.documents.typed_json import Unlike
from audit.engine.privacy_record import CODEC
from audit.engine.sequential import Settings, audit
from audit.pairs.worst_cases import Pair
from audit.report.stored_runs import stored_document
from audit.results.sampled_result import AuditResult
from audit.runs.result_kinds import record_of
from audit.targets.target import Calls
from tests.audit.engine.samplers import claim, laplace, target
from tests.audit.report.runs import plan_of
from tests.audit.results import REFUTED
from tests.clock import Clock
from tests.reports import check_report
from tests.untimed import untimed

PAIRS = [Pair("0 and 1", 0.0, 1.0)]


def json_of(result: AuditResult) -> dict[str, Any]:
    """Its own keys, as they are read again."""
    told: dict[str, Any] = json.loads(json.dumps(CODEC.write(AuditResult, result)))
    return told


@pytest.mark.parametrize("cost", [0.5, 0.25])
def test_a_report_has_the_first_draws_and_their_cost(
    cost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a measured cost; of a given number nothing is measured, and all is equal."""
    clock = Clock().install(monkeypatch)
    slow = replace(target(clock.ticking(laplace(), a_draw=cost)), calls=Calls.ONE)
    settings = Settings(seed=1, ideal=True, budget_samples=60, budget_seconds=60.0)
    sized = json_of(audit(slow, claim(1), PAIRS, settings))
    learned = 8 if cost == 0.5 else 13  # a quarter of what is bet
    assert sized["first_draws"] == learned
    assert sized["seconds_per_draw"] == pytest.approx(cost)
    given = json_of(audit(slow, claim(1), PAIRS, replace(settings, first_draws=learned)))
    assert (given["first_draws"], given["seconds_per_draw"]) == (learned, None)


def test_two_costs_make_no_other_result() -> None:
    """It must hold that a measured time is beside `seconds`: results and reports are equal."""
    one, other = (replace(REFUTED, seconds_per_draw=cost) for cost in (1.23456e-7, 2.0))
    assert one == other
    assert repr(one) == repr(other)
    assert json_of(one)["seconds_per_draw"] == 1.23e-7
    assert json_of(one) != json_of(other)
    assert untimed(json_of(one)) == untimed(json_of(other))
    assert json_of(replace(one, first_draws=16))["first_draws"] == 16


def test_a_report_without_these_fields_is_refused() -> None:
    """It must hold of each of them: a report of this version has all its keys."""
    stored = json.loads(json.dumps(record_of(replace(REFUTED, first_draws=16), plan_of())))
    assert (stored["first_draws"], stored["seconds_per_draw"]) == (16, None)
    check_report(stored, "audit")
    for name in ("first_draws", "seconds_per_draw"):
        with pytest.raises(Unlike, match=f"the report has no {name}"):
            stored_document({key: value for key, value in stored.items() if key != name})
    with pytest.raises(Unlike, match="seconds_per_draw must be"):
        stored_document(stored | {"seconds_per_draw": "long"})
