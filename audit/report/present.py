"""How results present themselves: the only door from a result's methods to the reports."""

from __future__ import annotations

import json
import shlex
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from audit.request.error_plan import UtilityPlan
from audit.request.plan import Plan
from audit.result import Json, Result, Verdict
from audit.suite.exits import Exit, of_audit
from audit.suite.outcome import GateResult, Outcome
from audit.utility.result import UtilityResult
from audit.verdict import AuditResult, ExactResult
from mechanisms.errors import InvalidArgument, UnexpectedVerdict, close_names

if TYPE_CHECKING:
    from audit.report.cases import Case

__all__ = [
    "check_expected",
    "dictionary",
    "fragment",
    "page_style",
    "repeat_of",
    "report",
    "save",
    "text",
]

ENDINGS = {
    ".txt": "text",
    ".html": "html",
    ".md": "markdown",
    ".json": "json",
    ".xml": "junit",
    ".sarif": "sarif",
}
"""Form of a report by the end of its file's name."""

PASSING = ("CONSISTENT", "PROVED", "OK")
"""What `expect` takes without a word."""


def report(result: Result, form: str) -> str:
    """Write a result in one of the forms of `audit.report.forms`.

    Raises
    ------
    InvalidArgument
        For a result that no run made: reports name what was asked.
    """
    from audit.report.forms import audit_report, gate_report

    if isinstance(result, GateResult):
        return gate_report(form, result)
    return audit_report(form, _outcome(result))


def text(result: Result) -> str:
    """Write a result as text; as Python does where no run made it."""
    if not isinstance(result, GateResult) and _plan(result) is None:
        return repr(result)
    return report(result, "text")


def dictionary(result: Result) -> dict[str, Json]:
    """Write a result as JSON has it."""
    found: dict[str, Json] = json.loads(report(result, "json"))
    return found


def save(result: Result, path: str | Path) -> None:
    """Write a result to a file, in the form that its name ends in."""
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


def fragment(result: Result) -> str:
    """Write a result as HTML for a place in a page of others, such as a notebook."""
    from audit.report.html.elements import el, raw
    from audit.report.html.pages import audit_body

    if isinstance(result, GateResult) or _plan(result) is None:
        return str(el("pre", text(result)))
    body = audit_body(_case(result), f"audit-{crc32(text(result).encode())}")
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
    """The command that repeats a result, or the call."""
    from audit.run import repeat_line

    if isinstance(result, GateResult):
        return shlex.join(["touchstone", "gate", "--seed", str(result.seed)])
    plan = _plan(result)
    assert isinstance(result, AuditResult | ExactResult | UtilityResult)
    return "" if plan is None else repeat_line(plan.request, result)


def check_expected(result: Result, outcomes: tuple[str, ...]) -> None:
    """Raise UnexpectedVerdict unless a result's outcome is among these."""
    known = [one.name for one in (Exit if isinstance(result, GateResult) else Verdict)]
    wanted = [outcome.upper() for outcome in outcomes] or PASSING
    for outcome in wanted if outcomes else ():
        if outcome not in known:
            msg = f"outcomes must be among {', '.join(known)}, got {outcome!r}"
            raise InvalidArgument(msg + close_names(outcome, known))
    if result.outcome not in wanted:
        msg = f"expected {' or '.join(w for w in wanted if w in known)}, got {result.outcome}"
        msg = f"{msg}\n\n{text(result)}"
        raise UnexpectedVerdict(msg)


def _plan(result: Result) -> Plan | UtilityPlan | None:
    """What was asked; None of a result that no run made."""
    asked = getattr(result, "asked", None)
    assert asked is None or isinstance(asked, Plan | UtilityPlan)
    return asked


def _outcome(result: Result) -> Outcome:
    plan = _plan(result)
    if plan is None:
        msg = f"a report needs the result of a run, got {result!r}"
        raise InvalidArgument(msg)
    assert isinstance(result, AuditResult | ExactResult | UtilityResult)
    return Outcome(result.target, "consistent", plan, result, None, of_audit(result))


def _case(result: Result) -> Case:
    from audit.report.cases import cases_of

    (case,) = cases_of([_outcome(result)])
    return case
