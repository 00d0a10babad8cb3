"""A report as text: of one audit its document, of a run of several a line each."""

from __future__ import annotations

from audit.documents.report_cases import Report
from audit.report.characters import as_lines
from audit.report.document_lines import document_text
from audit.report.gate_text import run_text

__all__ = ["render"]


def render(run: Report) -> str:
    """Report of one audit, or of a whole run."""
    if run.is_many:
        return run_text(run)
    (case,) = run.cases
    return as_lines(case.text) if case.document is None else document_text(case.document)
