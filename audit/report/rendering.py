"""One report in the form that is asked for: the only door from the commands to the forms."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from audit.documents.report_forms import FORMS
from audit.report.characters import cleaned
from audit.report.json_text import dump
from audit.results.document import Provenance
from audit.runs.result_kinds import record_of
from audit.suite.gate_document import report_of_audit, report_of_gate
from audit.suite.gate_record import record_of_gate
from audit.surveys.survey_document import report_of_survey
from audit.surveys.survey_record import record_of_survey

if TYPE_CHECKING:
    from audit.documents.report_cases import Report
    from audit.suite.gate_outcome import GateResult, Outcome
    from audit.surveys.survey_result import SurveyResult

__all__ = ["audit_report", "gate_report", "rendered", "survey_report"]


def audit_report(form: str, outcome: Outcome, certificate: str | None = None) -> str:
    """Report of one audit.

    `form`: one of `audit.documents.report_forms.FORMS`. `outcome`: its result, and the exit status
    that this is. `certificate`: the file that was written.
    """
    result, plan = outcome.result, outcome.plan
    assert result is not None
    if not FORMS[form].module:
        assert not isinstance(plan, Provenance)
        return dump(record_of(result, plan, certificate, int(outcome.status)))
    return rendered(form, report_of_audit(outcome, certificate))


def gate_report(form: str, gate: GateResult, *, verbose: bool = False) -> str:
    """Report of a run of the gate, in one of `FORMS`; as text with all its lines if `verbose`."""
    if not FORMS[form].module:
        return dump(record_of_gate(gate))
    return rendered(form, report_of_gate(gate, verbose=verbose))


def survey_report(form: str, survey: SurveyResult) -> str:
    """Report of a survey of a library, in one of `FORMS`."""
    if not FORMS[form].module:
        return dump(record_of_survey(survey))
    return rendered(form, report_of_survey(survey))


def rendered(form: str, run: Report) -> str:
    """Report of a run in one of the `FORMS` that render: all but JSON."""
    render: Callable[[Report], str] = import_module(FORMS[form].module).render
    return render(cleaned(run))
