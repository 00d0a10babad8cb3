"""Reports as JUnit XML, which build servers show as tests.

One testsuite is the run, one testcase an audit, the claims of one name, or a stored table. A
failure is what makes the exit status 1 or 3, an error what makes it 2 or 4; INCONCLUSIVE that the
user lets pass is skipped, and so is what an interruption left. The text of a failure is the report,
with its witness.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from audit.documents.report_cases import Case, Report
from audit.files.plain import printable
from audit.report.document_lines import case_text

__all__ = ["render"]

ERRORS, FAILURES = ("ERROR",), ("FAIL", "OPEN")


def render(run: Report) -> str:
    """Write a run."""
    cases = run.cases
    totals = {
        "tests": str(len(cases) + len(run.not_run)),
        "failures": str(sum(case.mark in FAILURES for case in cases)),
        "errors": str(sum(case.mark in ERRORS for case in cases)),
        "skipped": str(sum(case.let_pass for case in cases) + len(run.not_run)),
        "time": f"{run.seconds:.3f}",
    }
    top = ET.Element("testsuites", {"name": "touchstone", **totals})
    suite = ET.SubElement(top, "testsuite", {"name": printable(run.name), **totals})
    properties = ET.SubElement(suite, "properties")
    for key, value in run.facts:
        ET.SubElement(properties, "property", {"name": key, "value": printable(value)})
    for case in cases:
        _add(suite, case)
    for name in run.not_run:
        told = {"classname": "touchstone.audit", "name": printable(name), "time": "0.000"}
        item = ET.SubElement(suite, "testcase", told)
        ET.SubElement(item, "skipped", {"message": "interrupted"})
    ET.indent(top)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(top, encoding="unicode") + "\n"


def _add(suite: ET.Element, case: Case) -> None:
    told = {
        "classname": f"touchstone.{case.kind}",
        "name": printable(case.name),
        "time": f"{case.seconds:.3f}",
    }
    item = ET.SubElement(suite, "testcase", told)
    text, message = printable(case_text(case)), printable(case.headline)
    if case.mark in ERRORS:
        ET.SubElement(item, "error", {"type": case.verdict, "message": message}).text = text
    elif case.mark in FAILURES:
        ET.SubElement(item, "failure", {"type": case.verdict, "message": message}).text = text
    elif case.let_pass:
        ET.SubElement(item, "skipped", {"message": message})
    if case.mark not in (*ERRORS, *FAILURES):
        ET.SubElement(item, "system-out").text = text
