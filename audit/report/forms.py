"""One report in the format that is asked for: the only door from the commands to the formats."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from audit.report.cases import Case, cases_of, result_text
from audit.report.gate_text import gate_head, gate_left_out, gate_summary, gate_text
from audit.report.history import head_words
from audit.report.json import gate_document, result_document
from audit.report.values import dump
from audit.report.words import number
from audit.verdict import ExactResult
from audit.versions import versions

if TYPE_CHECKING:
    from audit.suite.outcome import GateResult, Outcome

__all__ = ["FORMS", "audit_report", "gate_report"]

FORMS = ("text", "json", "junit", "markdown", "html", "sarif")
"""Names of the formats."""

SUITE = "the reference suite"
"""Name of the configuration that is shipped (a test compares)."""


def audit_report(form: str, outcome: Outcome, certificate: str | None = None) -> str:
    """Report of one audit.

    Parameters
    ----------
    form : str
        One of `FORMS`.
    outcome : Outcome
        Its result, and the exit status that this is.
    certificate : str or None
        The file that was written.
    """
    result, plan = outcome.result, outcome.plan
    assert result is not None
    if form == "text":
        return result_text(result, plan, certificate)
    if form == "json":
        return dump(result_document(result, plan))
    told = versions([plan.target.library])
    if not isinstance(result, ExactResult):
        told = {"seed": str(result.seed), "false alarm": number(result.false_alarm)} | told
    (case,) = cases_of([outcome])
    if form == "html":
        from audit.report.html.pages import audit_page

        return audit_page(case, told, certificate)
    if form == "markdown":
        from audit.report.markdown import audit_markdown

        return audit_markdown(case)
    name = f"touchstone audit {outcome.name}"
    return _listed(form, name, [case], case.seconds, int(outcome.status), None, told)


def gate_report(form: str, gate: GateResult, *, verbose: bool = False) -> str:
    """Report of a run of the gate, in one of `FORMS`; as text with all its lines if `verbose`."""
    if form == "text":
        return gate_text(gate, verbose=verbose)
    if form == "json":
        return dump(gate_document(gate))
    cases = cases_of(gate.outcomes, gate.proofs, gate.tables, gate.told)
    told = {
        "seed": str(gate.seed),
        "false alarm": (
            f"{number(gate.false_alarm)} for the run, {number(gate.share)} for each of "
            f"{gate.sharing} audits that can raise one, {number(gate.false_alarm)} for each control"
        ),
        **versions(outcome.plan.target.library for outcome in gate.outcomes),
    }
    left_out = gate_left_out(gate.left_out) + head_words(gate.told)
    head = gate_head(gate.configuration, gate.planned, gate.false_alarm, gate.seed, gate.share)
    summary = f"{'. '.join(gate_summary(gate).splitlines())}. {left_out}".strip()
    if form == "html":
        from audit.report.html.pages import gate_page

        return gate_page(gate, cases, summary, told)
    if form == "markdown":
        from audit.report.markdown import gate_markdown

        return gate_markdown(f"Touchstone: {head.strip()}", summary, cases)
    name = f"touchstone gate {gate.configuration}"
    own = Path(gate.configuration)
    if gate.configuration == SUITE:
        own = Path(str(files("audit") / "reference.toml"))
    listed_in = str(own) if own.is_file() else None
    return _listed(form, name, cases, gate.seconds, int(gate.status), listed_in, told)


def _listed(
    form: str,
    name: str,
    cases: list[Case],
    seconds: float,
    status: int,
    configuration: str | None,
    told: Mapping[str, str],
) -> str:
    """Write a format of which one file is a list of cases."""
    if form == "junit":
        from audit.report.junit import junit

        return junit(name, cases, seconds, told)
    from audit.report.sarif import sarif

    return sarif(cases, status=status, configuration=configuration, facts=told)
