"""How results present themselves: the only door from a result's methods to the reports."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zlib import crc32

from audit.documents.report_forms import FORMS
from audit.request.plans import AnyPlan
from audit.results.base_result import Json, Result
from audit.results.document import Document
from audit.runs.result_kinds import AnyResult, document_of, repeat_line
from audit.suite.exit_status import of_audit
from audit.suite.gate_document import report_of_audit
from audit.suite.gate_outcome import GateResult, Outcome
from audit.surveys.survey_result import SurveyResult
from mechanisms.errors import InvalidArgument, UnexpectedVerdict, close_names
from mechanisms.validation import shown

__all__ = [
    "check_expected",
    "dictionary",
    "document",
    "fragment",
    "page_style",
    "plot",
    "repeat_of",
    "report",
    "save",
    "text",
]

ENDINGS = {f".{form.ending}": name for name, form in FORMS.items()}
"""Form of a report by the end of its file's name."""

PASSING = ("CONSISTENT", "PROVED", "OK")
"""What `expect` takes without a word."""


def report(result: Result, form: str) -> str:
    """Write a result in one of the forms of `audit.report.rendering`.

    Raises InvalidArgument for a result that no run made: reports name what was asked.
    """
    from audit.report.rendering import audit_report, gate_report, survey_report

    if isinstance(result, GateResult):
        return gate_report(form, result)
    if isinstance(result, SurveyResult):
        return survey_report(form, result)
    return audit_report(form, _outcome(result))


def text(result: Result) -> str:
    """Write a result as text; as Python does where no run made it."""
    return report(result, "text") if result.was_run else repr(result)


def dictionary(result: Result) -> dict[str, Json]:
    """Write a result as JSON has it."""
    found: dict[str, Json] = json.loads(report(result, "json"))
    return found


def save(result: Result, path: object) -> None:
    """Write a result to a file, in the form that its name ends in."""
    if not isinstance(path, str | Path):
        msg = f"path must be text or a Path, got path={shown(path)} (type {type(path).__name__})"
        raise InvalidArgument(msg)
    file = Path(path)
    form = ENDINGS.get(file.suffix)
    if form is None:
        msg = f"path must end in {', '.join(ENDINGS)}, got path={str(path)!r}"
        raise InvalidArgument(msg)
    written = report(result, form)
    try:
        file.write_text(written if written.endswith("\n") else f"{written}\n", encoding="utf-8")
    except OSError as exc:
        msg = f"{path} cannot be written: {exc.strerror}"
        raise InvalidArgument(msg) from exc


def plot(result: Result, ax: Any) -> Any:
    """Draw a result into axes; None for a new figure."""
    from audit.figures import result_plot

    return result_plot.plot(result, ax)


def fragment(result: Result) -> str:
    """Write a result as HTML for a place in a page of others, such as a notebook."""
    from audit.report.characters import cleaned
    from audit.report.html.elements import el, raw
    from audit.report.html.pages import audit_body

    if not result.was_run or isinstance(result, GateResult | SurveyResult):
        return str(el("pre", text(result)))
    (case,) = cleaned(report_of_audit(_outcome(result))).cases
    body = audit_body(case, f"audit-{crc32(text(result).encode())}")
    return str(el("div", el("style", raw(page_style())), body, class_="touchstone"))


@cache
def page_style() -> str:
    """The style of the pages, for what stands in an element of the class "touchstone" alone.

    Without the script of the pages their buttons do nothing, and are left out.
    """
    style = (files("audit.report.html") / "page.css").read_text(encoding="utf-8")
    for whole in (":root", "body", "html"):
        style = style.replace(f"{whole} {{", "& {")
    return f".touchstone {{\n{style}button, .told {{ display: none; }}\n}}\n"


def repeat_of(result: Result) -> str:
    """The command that repeats an audit, or the call."""
    return repeat_line(_of_audit(result), _plan(result)) if result.was_run else ""


def document(result: Result) -> Document:
    """What a result says, before any form.

    Raises InvalidArgument for a result of several, each of which has a document.
    """
    return document_of(_of_audit(result), _plan(result))


def check_expected(result: Result, outcomes: tuple[object, ...]) -> None:
    """Raise UnexpectedVerdict unless a result's outcome is among these."""
    known = result.outcomes_known()
    given = [one.upper() if isinstance(one, str) else one for one in outcomes]
    for one in given:
        if one not in known:
            msg = f"outcomes must be among {', '.join(known)}, got {shown(one)}"
            raise InvalidArgument(msg + close_names(str(one), known))
    wanted = list(map(str, given)) or PASSING
    if result.outcome not in wanted:
        msg = f"expected {' or '.join(w for w in wanted if w in known)}, got {result.outcome}"
        msg = f"{msg}\n\n{text(result)}"
        raise UnexpectedVerdict(msg)


def _of_audit(result: Result) -> AnyResult:
    assert isinstance(result, AnyResult)
    return result


def _outcome(result: Result) -> Outcome:
    """One audit as reports read it."""
    plan, found = _plan(result), _of_audit(result)
    return Outcome(found.target, "consistent", plan, found, None, of_audit(found))


def _plan(result: Result) -> AnyPlan:
    """What was asked."""
    plan = getattr(result, "asked", None)
    if not isinstance(plan, AnyPlan):
        name = type(result).__name__
        msg = f"a report needs the result of a run, got {name}(...) that was made without one"
        if result.was_run:
            msg = (
                f"a {name} is of many audits and has no document of its own: each result in it "
                "has one, and to_dict() and save() report it whole"
            )
        raise InvalidArgument(msg)
    return plan
