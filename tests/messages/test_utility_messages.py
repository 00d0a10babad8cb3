"""What users read of utility audits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from audit.report.document_lines import document_text
from audit.report.gate_text import case_lines
from audit.request.error_plan import UtilityPlan, plan_utility
from audit.request.request import Request, UtilityAsked
from audit.results.verdict import Verdict
from audit.runs.result_kinds import document_of
from audit.suite.exit_status import of_audit
from audit.suite.gate_document import case_of
from audit.suite.gate_outcome import Outcome
from audit.utility.error_result import (
    CaseResult,
    Estimate,
    Fit,
    Interval,
    Seen,
    UtilityResult,
    UtilityWitness,
)
from mechanisms.claims import Source
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim
from tests.messages.golden import assert_golden

TRUTH = Truth(0.5, "mean")
SOURCE = Source("TRI", "Proposition 3.0.2")
UNBIASED = UtilityClaim(Quantity.BIAS, 0, SOURCE)
EXACT = UtilityClaim(Quantity.MSE, 0.01, SOURCE, exactly=True, square=0.0006)
BOUND = UtilityClaim(Quantity.MSE, 0.02, Source("user", "command line"))
MISS = UtilityClaim(Quantity.MISS, 0.05, SOURCE, interval=(0.0, 1.0))


def estimate(name: str, value: float, half: float, by: str, *claims: Any, **more: Any) -> Estimate:
    """An estimate with limits on either side."""
    lower_method, upper_method = by.split(", ")
    interval = Interval(value - half, value + half, lower_method, upper_method, 0.005)
    return Estimate(name, value, interval, claims, **more)


GOOD = CaseResult(
    "10 records at low",
    10,
    20_000,
    0,
    TRUTH,
    (
        estimate("bias", 0.0003, 0.0021, "claimed error, claimed error", UNBIASED),
        estimate("variance", 0.0099, 0.0004, "sum of limits, sum of limits"),
        estimate("mse", 0.0099, 0.0004, "bet, second moment", EXACT, BOUND),
        estimate("mae", 0.07, 0.001, "bet, Student's t"),
        estimate("miss", 0.031, 0.002, "binomial, binomial", MISS),
    ),
    (
        Fit("release", "cdf band", 0.0034, 0.0131),
        Fit("level and sum", "relative entropy", 0.0011, 0.0032),
    ),
    Seen(0.0041, 0.041, (("mse", 1.06), ("miss", 1.12)), (("mse", 0.94),), 0.0219),
)
BAD = replace(
    GOOD,
    label="9 records at low, 1 at high",
    failures=3,
    estimates=(
        estimate("bias", 0.01, 0.002, "Student's t, Student's t", UNBIASED, refuted=(UNBIASED,)),
        *GOOD.estimates[1:4],
    ),
    fits=(Fit("release", "cdf band", 0.0234, 0.0131),),
)
WITNESS = UtilityWitness(
    "9 records at low, 1 at high",
    [0.0] * 9 + [1.0],
    "claimed: unbiased; the bias is at least 0.008 (0.01 in the draws)",
    20_000,
    "import numpy as np\nprint(1)",
)
CONSISTENT = UtilityResult(
    target="tri.name-and-shame",
    verdict=Verdict.CONSISTENT,
    reason="the report says what would have been seen",
    cases=(GOOD, replace(GOOD, label="10 records at high")),
    false_alarm=0.05,
    ends=10,
    resolution=0.1,
    samples=44_000,
    seconds=1.25,
    seed=7,
    reproducible=True,
    notes=("nothing is promised, so nothing was tried, on: 10 records in the middle",),
)
RESULTS = {
    "consistent": CONSISTENT,
    "refuted": replace(
        CONSISTENT,
        verdict=Verdict.REFUTED,
        reason="a claim is false on 9 records at low, 1 at high",
        cases=(GOOD, BAD),
        witness=WITNESS,
    ),
    "inconclusive": replace(
        CONSISTENT,
        verdict=Verdict.INCONCLUSIVE,
        reason="10 records at low: the draws are not independent: they repeat or are correlated",
        cases=(CaseResult("10 records at low", 10, 0, 0, TRUTH),),
        reproducible=False,
        stopped_by="failure",
    ),
}


@pytest.fixture(scope="module")
def plan() -> UtilityPlan:
    """What a report was made from."""
    request = Request("tri.name-and-shame", utility=UtilityAsked(n=10))
    return plan_utility(request, stated_in="command line")


@pytest.mark.parametrize("name", RESULTS)
def test_utility_report(name: str, plan: UtilityPlan) -> None:
    """It must hold that the report of each verdict reads as kept, and its line in the gate."""
    result = RESULTS[name]
    outcome = Outcome("audit 1", "consistent", plan, result, None, of_audit(result))
    assert_golden(
        f"utility-{name}",
        f"{document_text(document_of(result, plan))}\n{case_lines(case_of(outcome), 9)}",
    )
