"""Reports as JSON: every one validates, is finite, and says how to repeat the run."""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import replace
from fractions import Fraction
from typing import Any

import jsonschema
import numpy as np
import pytest

from audit.cli import main
from audit.files.plain import SCHEMA_VERSION, plain
from audit.levels import LIMITS
from audit.report.json_text import dump
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.repeat import rerun_command
from audit.request.request import Request, by_field
from audit.results.sampled_result import AuditResult
from audit.runs.result_kinds import record_of
from audit.suite.exit_status import Exit
from audit.suite.gate_outcome import GateResult, Outcome
from audit.suite.gate_record import record_of_gate
from mechanisms.claims import ApproxDP, PureDP
from tests.audit.report.schema import FILE, made, written
from tests.audit.results import ALL, BY_LEVEL, CONSISTENT, FAILED, REFUTED, fake_engine
from tests.reports import check_report, schema


def check_valid(document: dict[str, Any]) -> None:
    """Validate what a reader of the written report sees."""
    check_report(json.loads(dump(document)), document["kind"])


@pytest.fixture(scope="module")
def plan() -> PrivacyPlan:
    """What a report was made from."""
    return plan_audit(Request("ksw.shifted-laplace", ideal=True), stated_in="command line")


def test_the_schema_needs_nothing_else() -> None:
    """It must hold that the shipped file is a JSON schema that refers to itself only."""
    content = schema()
    jsonschema.Draft202012Validator.check_schema(content)
    used = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(content)))
    assert used == {f"#/$defs/{name}" for name in content["$defs"]}


def test_the_schema_has_the_version_that_reports_have() -> None:
    """It must hold that reports of both kinds carry the one version that the schema allows."""
    for kind in ("audit", "gate"):
        versions = schema()["$defs"][kind]["properties"]["schema_version"]
        assert versions == {"const": SCHEMA_VERSION}


@pytest.mark.parametrize("name", ALL)
def test_every_audit_report_validates(name: str, plan: PrivacyPlan) -> None:
    """It must hold that each kind of result is a valid report."""
    check_valid(record_of(ALL[name], plan))


@pytest.mark.parametrize("name", BY_LEVEL)
def test_every_level_has_exact_parameters(name: str, plan: PrivacyPlan) -> None:
    """It must hold that parameters are strings that give the exact value back."""
    level = BY_LEVEL[name].claim.level
    document = record_of(BY_LEVEL[name], plan)
    check_valid(document)
    assert document["claim"]["level"] == name
    if isinstance(level, ApproxDP):
        assert document["claim"]["delta"] == "1/100000"
    if isinstance(level, PureDP):
        assert Fraction(document["claim"]["epsilon"]) == level.epsilon


@pytest.mark.parametrize("name", BY_LEVEL)
def test_a_level_has_its_own_limits_only(name: str, plan: PrivacyPlan) -> None:
    """It must hold that a report lacks no limit of its claim and has none of another level's."""
    document = record_of(BY_LEVEL[name], plan)
    own = document["limits"]
    assert own == dict(BY_LEVEL[name].limits)
    for limit in LIMITS:
        changed = {key: value for key, value in own.items() if key != limit}
        wrong = document | {"limits": changed if limit in own else own | {limit: 0.5}}
        with pytest.raises(jsonschema.ValidationError):
            check_valid(wrong)


def test_the_schema_is_what_the_types_make_of_it() -> None:
    """It must hold of the shipped file, text and all."""
    text = FILE.read_text("utf-8")
    assert text == written(made(json.loads(text))) + "\n"


def test_the_profile_is_a_table(plan: PrivacyPlan) -> None:
    """It must hold that each row of a profile has an epsilon and a delta, for pure claims too."""
    document = record_of(BY_LEVEL["pure"], plan)
    assert document["profile"][1] == {"epsilon": 0.25, "delta_lower": 0.05}
    for wrong in ([], [{"epsilon": 1.0}], [{"epsilon": 1.0, "delta_lower": 2.0}]):
        with pytest.raises(jsonschema.ValidationError):
            check_valid({**document, "profile": wrong})
    gaussian = record_of(BY_LEVEL["gaussian"], plan)
    with pytest.raises(jsonschema.ValidationError):
        check_valid({**gaussian, "profile": document["profile"]})


MUTATIONS = {
    "verdict": "MAYBE",
    "limits": {"epsilon": None},
    "false_alarm": 0,
    "samples": -1,
    "witness": "none",
    "versions": {},
    "extra": 1,
}


@pytest.mark.parametrize("key", MUTATIONS)
def test_a_wrong_report_does_not_validate(key: str, plan: PrivacyPlan) -> None:
    """It must hold that the schema notices a field that is wrong, missing or unknown."""
    document = record_of(CONSISTENT, plan)
    with pytest.raises(jsonschema.ValidationError):
        check_valid({**document, key: MUTATIONS[key]})
    if key in document:
        del document[key]
        with pytest.raises(jsonschema.ValidationError):
            check_valid(document)


def test_a_refutation_without_witness_does_not_validate(plan: PrivacyPlan) -> None:
    """It must hold that REFUTED comes with a witness, and CONSISTENT with its power."""
    for result in (replace(REFUTED, witness=None), replace(CONSISTENT, detectable=None)):
        with pytest.raises(jsonschema.ValidationError):
            check_valid(record_of(result, plan))


def test_numbers_are_finite(plan: PrivacyPlan) -> None:
    """It must hold that infinite numbers are words and that NaN records are too."""
    document = record_of(ALL["floating-point"], plan)
    assert document["limits"]["epsilon"] == "inf"
    assert document["witness"]["neighbor"] == "nan"
    assert record_of(CONSISTENT, plan)["detectable"]["epsilons"][-1] == "inf"
    assert plain(np.array([[np.nan, -np.inf], [1.0, 2.0]])) == [["nan", "-inf"], [1.0, 2.0]]
    assert plain({"a": (1, b"x", Fraction(1, 3))}) == {"a": [1, "b'x'", "1/3"]}


def test_the_command_repeats_the_request(plan: PrivacyPlan) -> None:
    """It must hold that every option of a request is in the command, seed and rate too."""
    request = Request(
        "my file.py:f",
        stated={"epsilon": "1/10"},
        param={"scale": 0.5, "kind": "a b", "flag": True},
        low=0,
        high=0,
        pair=("p.json", "q.json"),
        generate=True,
        budget_samples=9,
    )
    document = record_of(CONSISTENT, replace(plan, request=request))
    assert shlex.split(document["command"]) == [
        *("touchstone", "audit", "my file.py:f", "--epsilon", "1/10"),
        *("--param", "scale=0.5", "--param", "kind=a b", "--param", "flag=true"),
        *("--low", "0", "--high", "0", "--pair", "p.json", "--pair", "q.json", "--generate"),
        *("--false-alarm", "0.05", "--seed", "7", "--budget-samples", "9"),
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        {"rho": "1/2"},
        {"mu": 0.8},
        {"epsilon": 1, "alpha_order": "5/2"},
        {"budgets": (0.1, "1/3", 2), "relation": "swap"},
        {"epsilon": 1, "profile": True},
    ],
)
def test_the_command_states_every_claim(words: dict[str, Any], plan: PrivacyPlan) -> None:
    """It must hold that the printed command is read as the request that it came from."""
    request = Request("ksw.swap-laplace", **by_field(words))
    planned = plan_audit(request, stated_in="command line")
    read: list[Request] = []

    def keep(asked: Request, **_: object) -> PrivacyPlan:
        read.append(asked)
        return planned

    words_again = rerun_command(request, CONSISTENT)[1:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("audit.request.privacy_plan.plan_audit", keep)
        fake_engine(patch, lambda *_: CONSISTENT)
        assert main([*words_again, "--output", os.devnull]) == 0
    assert plan_audit(read[0], stated_in="command line").claim == planned.claim
    assert read[0].profile == request.profile


def test_a_run_stopped_by_time_is_repeated_by_its_samples(plan: PrivacyPlan) -> None:
    """It must hold that the command states the samples drawn, and time enough to draw them."""
    words = shlex.split(record_of(ALL["coarse"], plan)["command"])
    assert words[-4:] == ["--budget-samples", "120000", "--budget-seconds", "120"]


@pytest.mark.parametrize(("asked", "words"), [(None, []), (700, ["--budget-samples", "700"])])
def test_a_run_without_draws_asks_for_none_again(asked: int | None, words: list[str]) -> None:
    """It must hold that the command never states a budget of 0 samples, which is wrong usage."""
    request = Request("ksw.swap-laplace", budget_samples=asked)
    nothing = replace(ALL["coarse"], samples=0, repeat_samples=None)
    again = rerun_command(request, nothing)
    assert again[again.index("--seed") + 2 :] == [*words, "--budget-seconds", "120"]


def gate_of(plan: PrivacyPlan, results: list[AuditResult | None]) -> GateResult:
    """A gate run with these results; None is an error."""
    outcomes = tuple(
        Outcome(
            "name", "consistent", plan, r, "internal error: E: x" if r is None else None, Exit.OK
        )
        for r in results
    )
    return GateResult("test", outcomes, 9, Exit.OK, 1e-3, 1e-4, 150.0, 1.0, 3, False)


def test_gate_reports_validate(plan: PrivacyPlan) -> None:
    """It must hold that a gate report with every kind of outcome is valid."""
    document = record_of_gate(gate_of(plan, [*ALL.values(), None]))
    check_valid(document)
    assert [audit["report"] is None for audit in document["audits"]] == [False] * 5 + [True]
    broken = record_of_gate(gate_of(plan, [FAILED]))
    broken["audits"][0]["report"]["verdict"] = "MAYBE"
    with pytest.raises(jsonschema.ValidationError):
        check_valid(broken)


@pytest.mark.parametrize("kind", ["audit", "gate", "table", None])
def test_a_report_obeys_the_schema_of_its_own_kind(kind: str | None, plan: PrivacyPlan) -> None:
    """It must hold that a report which says another kind, or none, does not validate."""
    documents = {
        "audit": record_of(CONSISTENT, plan),
        "gate": record_of_gate(gate_of(plan, [])),
    }
    for own, document in documents.items():
        said = {**document, "kind": kind}
        if kind is None:
            del said["kind"]
        assert jsonschema.Draft202012Validator(schema()).is_valid(said) == (kind == own)


def test_versions_name_the_audited_library() -> None:
    """It must hold that the report says which release of the library was audited."""
    from importlib.metadata import version

    request = Request("diffprivlib.mean")
    document = record_of(CONSISTENT, plan_audit(request, stated_in="test"))
    assert document["versions"]["diffprivlib"] == version("diffprivlib")
    assert set(document["versions"]) == {"touchstone", "python", "numpy", "scipy", "diffprivlib"}
