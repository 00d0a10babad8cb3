"""Reports for programs, checked as their readers would."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema

__all__ = ["check_report", "schema"]


def schema() -> dict[str, Any]:
    """The shipped schema of reports."""
    content: dict[str, Any] = json.loads((files("audit") / "report" / "schema.json").read_text())
    return content


def check_report(report: dict[str, Any], kind: str) -> None:
    """Check that a report is of a kind (as the schema has them), and obeys the schema."""
    assert report["kind"] == kind
    jsonschema.validate(report, schema())
