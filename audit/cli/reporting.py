"""What a command says at its end: one report where it was asked for, others in files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict, Unpack

from audit.cli.options import write
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from audit.accounting.account_result import AccountResult
    from audit.certificate.certificate_form import Certificate
    from audit.request.plans import AnyPlan
    from audit.results.exact_result import ExactResult
    from audit.results.sampled_result import AuditResult
    from audit.stability.sensitivity_result import SensitivityResult
    from audit.suite.exit_status import Exit
    from audit.utility.error_result import UtilityResult

__all__ = ["Reports", "report_audit", "report_with_certificate", "write_all"]

Reports = tuple[tuple[str, str], ...]
"""Formats and files of --report."""


class ReportWords(TypedDict):
    """What a command says of its reports: --format, --output, --report, --inconclusive."""

    form: str
    output: str | None
    reports: Reports
    inconclusive: str | None


def report_audit(
    result: AuditResult | ExactResult | UtilityResult | SensitivityResult | AccountResult,
    plan: AnyPlan,
    *,
    form: str,
    output: str | None,
    reports: Reports,
    inconclusive: str | None,
    certificate: str | None = None,
) -> Exit:
    """Write the reports of one audit, and return its exit status; raises as `write_all` does.

    `result`: what came. `plan`: what was asked. `form`, `output`, `reports`, `inconclusive`:
    --format, --output, --report and --inconclusive. `certificate`: the file that was written.
    """
    from audit.report.rendering import audit_report
    from audit.suite.exit_status import of_audit
    from audit.suite.gate_outcome import Outcome

    status = of_audit(result, inconclusive_ok=inconclusive == "ok")
    outcome = Outcome(result.target, "consistent", plan, result, None, status)
    write_all(lambda one: audit_report(one, outcome, certificate), form, output, reports)
    return status


def report_with_certificate(
    result: ExactResult | AccountResult,
    plan: AnyPlan,
    made: Certificate | None,
    certificate: str | None,
    **told: Unpack[ReportWords],
) -> Exit:
    """Write the certificate of a proof, and the reports in any case; raises as `write_all` does.

    `made`: None where there is none. `certificate`: --certificate.
    """
    written, fault = None, None
    if certificate is not None and made is not None:
        try:
            write(made.text(), certificate, "--certificate", is_shown=True)
            written = certificate
        except InvalidArgument as exc:
            fault = exc
    status = report_audit(result, plan, certificate=written, **told)
    if fault is not None:
        raise fault
    return status


def write_all(
    made: Callable[[str], str], form: str | None, output: str | None, reports: Reports
) -> None:
    """Write a report in its format (None: it was written as it came), and in those of --report.

    Raises InvalidArgument if a file cannot be written; the others are, and the report is on
    standard output.
    """
    faults = []
    for one, file, option in ((form, output, "--output"), *((*r, "--report") for r in reports)):
        if one is not None:
            try:
                write(made(one), file, option, is_shown=option == "--report")
            except InvalidArgument as exc:
                faults.append(str(exc))
    if faults:
        raise InvalidArgument("; ".join(faults))
