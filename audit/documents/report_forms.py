"""The forms of a report, one row each: what renders it, and how its files end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = ["FORMS", "ReportForm"]


@final
@dataclass(frozen=True, slots=True)
class ReportForm:
    """A form of a report."""

    module: str
    """Where the function `render` is, which writes an `audit.documents.report_cases.Report`; empty
    of the form that holds what a result holds, and renders nothing."""
    ending: str
    """Of the names of its files."""


FORMS: dict[str, ReportForm] = {
    "text": ReportForm("audit.report.text_form", "txt"),
    "json": ReportForm("", "json"),
    "junit": ReportForm("audit.report.junit", "xml"),
    "markdown": ReportForm("audit.report.markdown_form", "md"),
    "html": ReportForm("audit.report.html.pages", "html"),
    "sarif": ReportForm("audit.report.sarif", "sarif"),
}
"""By the name that a user gives; in the order of the help."""
