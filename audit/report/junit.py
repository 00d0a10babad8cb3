"""Reports as JUnit XML, which build servers show as tests.

One testsuite is the run, one testcase an audit, the claims of one name, or a stored table. A
failure is what makes the exit status 1 or 3, an error what makes it 2 or 4; INCONCLUSIVE that the
user lets pass is skipped. The text of a failure is the report, with its witness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from audit.report.cases import Case
from audit.report.characters import in_xml

__all__ = ["junit"]

ERRORS, FAILURES = ("ERROR",), ("FAIL", "OPEN")


def junit(name: str, cases: Sequence[Case], seconds: float, facts: Mapping[str, str]) -> str:
    """Write a run.

    Parameters
    ----------
    name : str
        Of the run.
    cases : sequence of Case
        Its audits and proofs.
    seconds : float
        Wall time.
    facts : mapping
        What repeats it: seed, rate, versions.
    """
    totals = {
        "tests": str(len(cases)),
        "failures": str(sum(case.mark in FAILURES for case in cases)),
        "errors": str(sum(case.mark in ERRORS for case in cases)),
        "skipped": str(sum(case.let_pass for case in cases)),
        "time": f"{seconds:.3f}",
    }
    top = ET.Element("testsuites", {"name": "touchstone", **totals})
    suite = ET.SubElement(top, "testsuite", {"name": in_xml(name), **totals})
    properties = ET.SubElement(suite, "properties")
    for key, value in facts.items():
        ET.SubElement(properties, "property", {"name": key, "value": in_xml(value)})
    for case in cases:
        _add(suite, case)
    ET.indent(top)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(top, encoding="unicode") + "\n"


def _add(suite: ET.Element, case: Case) -> None:
    told = {
        "classname": f"touchstone.{case.kind}",
        "name": in_xml(case.name),
        "time": f"{case.seconds:.3f}",
    }
    item = ET.SubElement(suite, "testcase", told)
    text, message = in_xml(case.text), in_xml(case.headline)
    if case.mark in ERRORS:
        ET.SubElement(item, "error", {"type": case.verdict, "message": message}).text = text
    elif case.mark in FAILURES:
        ET.SubElement(item, "failure", {"type": case.verdict, "message": message}).text = text
    elif case.let_pass:
        ET.SubElement(item, "skipped", {"message": message})
    if case.mark not in (*ERRORS, *FAILURES):
        ET.SubElement(item, "system-out").text = text
