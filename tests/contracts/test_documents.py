"""Documents and forms: what a result says is shown by every form, or listed here with a reason."""

from __future__ import annotations

import ast
import html
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

import audit
from audit.documents.report_cases import Case, Report
from audit.documents.report_forms import FORMS, ReportForm
from audit.report import junit, sarif
from audit.report.document_lines import document_text
from audit.report.html import pages
from audit.report.rendering import audit_report, gate_report
from audit.report.text_form import render
from audit.results.document import (
    Cards,
    Document,
    DocumentTable,
    Place,
    Row,
    Rows,
    Script,
    Section,
    View,
    Words,
    code,
    plain_text,
)
from audit.results.plot_parts import Bar, Bars, Curves, Mark
from audit.results.verdict import Verdict
from audit.runs.result_kinds import KINDS, document_of
from tests.audit.report.runs import RESULTS, good_run, outcome_of
from tests.audit.results import REFUTED

QUOTING = ("text", "markdown", "junit", "sarif")
"""Forms that show what is meant for lines; a page shows what is meant for pages."""

NO_SAMPLES = "a terminal says nothing of evidence of a kind that there is none of"
PICTURED = "a terminal has no pictures, and their words repeat its rows"
ORDER = "a page puts 'source:' before the source, a terminal does not"
SHORT = "two ways to write the same numbers: columns of a terminal, a table of a page"
RESOLUTION = "a terminal does not say what must be seen for CONSISTENT"
IN_WORDS = "a page has it in a sentence, as 'Of the ledger: ...'"

LEFT_OUT = {
    # What a page leaves out, or says in other words.
    ("html", "audit", "ledger"): IN_WORDS,
    ("html", "audit", "witness"): "a page has event and pair in rows of their own",
    ("html", "exact", "claim"): ORDER,
    ("html", "exact", "ledger"): IN_WORDS,
    ("html", "utility", "on a data set"): SHORT,
    ("html", "utility", "claims"): "a page names the kinds of claims, and no sources",
    ("html", "utility", "intervals"): "a page lists the methods, and not how surely each holds",
    ("html", "utility", "law"): SHORT,
    ("html", "utility", "ledger"): IN_WORDS,
    ("html", "utility", "run"): "a page counts the tests too",
    ("html", "utility", "estimates"): SHORT,
    ("html", "utility", "witness"): "a page has case and claim in rows of their own",
    # What text, and the forms that quote it, leave out or say in other words.
    ("text", "account", "Evidence"): "only a page says why there is no error rate",
    ("text", "account", "What could not have been seen"): "a terminal lists what was not tried",
    ("text", "account", "plot Privacy profile"): PICTURED,
    ("text", "audit", "Exact"): NO_SAMPLES,
    ("text", "audit", "Proved"): NO_SAMPLES,
    ("text", "audit", "Samples (black box)"): NO_SAMPLES,
    ("text", "audit", "What could not have been seen"): NO_SAMPLES,
    ("text", "audit", "as Python"): "the script of the witness holds it",
    ("text", "audit", "mode"): "the command that repeats the run holds it",
    ("text", "audit", "plot Event"): PICTURED,
    ("text", "audit", "plot Evidence"): PICTURED,
    ("text", "audit", "plot Power"): PICTURED,
    ("text", "audit", "plot Privacy profile"): PICTURED,
    ("text", "audit", "Smallest loss seen, by the probability of the event"): SHORT,
    ("text", "exact", "Exact"): "a terminal has it as loss, delta, divergence or excess",
    ("text", "exact", "Proved"): "a terminal has it in its first line",
    ("text", "exact", "Samples (black box)"): NO_SAMPLES,
    ("text", "exact", "What could not have been seen"): NO_SAMPLES,
    ("text", "exact", "claim"): ORDER,
    ("text", "exact", "plot Event"): PICTURED,
    ("text", "exact", "plot Users"): PICTURED,
    ("text", "sensitivity", "Evidence"): "only a page says why there is no error rate",
    ("text", "sensitivity", "What could not have been seen"): "a terminal lists what was not tried",
    ("text", "sensitivity", "found"): "a terminal has it in its first lines",
    ("text", "sensitivity", "plot Distance"): PICTURED,
    ("text", "utility", "Proved"): IN_WORDS,
    ("text", "utility", "What could not have been seen"): RESOLUTION,
    ("text", "utility", "claims"): "a terminal has each claim with its source",
    ("text", "utility", "run"): "the number of tests stands in the row on intervals",
    ("text", "utility", "Draws beside the stated law"): SHORT,
    ("text", "utility", "Errors of the estimates"): SHORT,
    ("text", "utility", "Smallest faults that would have been seen"): SHORT,
}
"""Form, kind of result, part: why the form does not show it word for word."""


def settled(text: str) -> str:
    """Words without layout: accents of code, colons, case and full stops are a form's own."""
    return " ".join(re.sub("[`:]", "", text).split()).casefold().rstrip(".")


def read(form: str, text: str) -> str:
    """The words of a report."""
    match form:
        case "html":
            text = re.sub(r"<(style|script|title|desc)\b.*?</\1>", " ", text, flags=re.DOTALL)
            text = html.unescape(re.sub(r"<[^>]+>", " ", text))
        case "junit":
            text = " ".join(ET.fromstring(text).itertext())
        case "sarif":
            (run,) = json.loads(text)["runs"]
            text = " ".join(found["message"]["text"] for found in run["results"])
    return settled(text)


def pieces(section: Section) -> Iterator[tuple[str, str, str]]:
    """Name, label and words of all that a section says."""
    label = ""
    for part in section.parts:
        match part:
            case Rows(rows=rows, listed=listed):
                for row in rows:
                    label = row.label or label
                    name = "listed" if listed else label
                    yield name, row.label, plain_text(row.text)
            case Words(text=text):
                yield section.title or "on a data set", "", plain_text(text)
            case DocumentTable(caption=caption, head=head, rows=rows):
                for cells in (*((head,) if head else ()), *rows):
                    yield caption or "estimates", "", " ".join(map(plain_text, cells))
            case Script(language=language, source=source):
                yield language, "", source
            case Cards(sections=sections):
                for card in sections:
                    yield from pieces(card)
            case Bars(title=title, words=words) | Curves(title=title, words=words):
                yield f"plot {title}", "", part.caption or words


def lacking(form: str, view: View, *, labels: bool = False) -> set[tuple[str, str, str]]:
    """What is meant for a view and not shown by a form, over all results."""
    found = set()
    for name, result in RESULTS.items():
        outcome = outcome_of(name, result)
        text = read(form, audit_report(form, outcome))
        if form == "sarif" and not text:
            continue  # no finding, no words
        for section in document_of(result, outcome.plan).view(view):
            for part, label, words in pieces(section):
                if settled(f"{label} {words}" if labels else words) not in text:
                    found.add((form, KINDS[type(result)].name, part))
    return found


@pytest.mark.parametrize("form", [*QUOTING, "html"])
def test_a_form_shows_all_that_is_meant_for_it(form: str) -> None:
    """It must hold of every row, table, plot and script of every kind of result."""
    view = View.PAGE if form == "html" else View.LINES
    drawn = {("html", "audit", "plot Event"), ("html", "audit", "plot Evidence")}
    drawn |= {("html", "exact", "plot Users")}  # pictures without a caption: below
    known = drawn if form == "html" else set()
    assert lacking(form, view, labels=True) == known


@pytest.mark.long
def test_what_only_one_form_shows_is_listed() -> None:
    """It must hold that page and terminal say the same but for what is listed, and all that is."""
    found = lacking("html", View.LINES) | lacking("text", View.PAGE)
    assert (found - set(LEFT_OUT), set(LEFT_OUT) - found) == (set(), set())


@pytest.mark.long
def test_forms_that_quote_the_text_quote_all_of_it() -> None:
    """It must hold that what they leave out is what the text leaves out."""
    for form in ("markdown", "junit"):
        left_out = {(form, *key[1:]) for key in LEFT_OUT if key[0] == "text"}
        assert lacking(form, View.PAGE) == left_out


PARTS = (
    Rows((Row("one", ("a row with ", code("its code"))), Row("", "that goes on", 1))),
    Rows((Row("two", "of a list"),), listed=True),
    Words("a paragraph"),
    DocumentTable("a table", ("its", "head"), (("its", "cells"),)),
    Script("a script", "python", "print('a script')"),
    Script("a command", "console", "touchstone verify x"),
    Bars("b", "bars", (Bar("a bar", 1.0, "samples"),), "an axis", (2.0, "a line"), "bars in words"),
    Curves(
        "c",
        "curves",
        ("across", "up"),
        0.0,
        1.0,
        1.0,
        (Mark("dots", ((0.5, 0.5),), "proved", ("a dot",)),),
        "curves in words",
    ),
    Cards((Section("a card", (Words("in a card"),)),)),
)
WHOLE = Document(
    "a thing",
    Verdict.REFUTED,
    "It is false.",
    "seen",
    (Section("A section", PARTS, "section"),),
    claim="a claim",
    samples="7",
    command="touchstone again",
    finding="claim-refuted",
)
CASE = Case("audit", "thing", "thing", "FAIL", "REFUTED", "It is false.", 1.0, document=WHOLE)


def test_what_no_result_says_yet_is_shown_too() -> None:
    """It must hold that text and page show each part there is, without a result."""
    said = settled(document_text(WHOLE))
    report = Report("a run", (CASE,), 1.0, 1, ())
    page = html.unescape(re.sub(r"<(?!title|desc)[^>]+>", " ", pages.render(report)))
    for text in (said, settled(page)):
        for name, label, words in pieces(WHOLE.sections[0]):
            shown = f"{label} {words}" if label else words
            assert settled(shown) in text, name
    assert render(report) == document_text(WHOLE)
    assert all(words in page for words in ("a bar", "a dot", "a line", "an axis", "across", "up"))


def test_lists_of_cases_read_the_case() -> None:
    """It must hold that JUnit and SARIF say verdict, headline and place of a case as they are."""
    other = replace(CASE, verdict="DOUBTED", headline="Who knows.", rule="table-differs")
    other = replace(other, place=Place("m.py", 7, "f"))
    report = Report("a run", (other,), 1.0, 1, ())
    (failure,) = ET.fromstring(junit.render(report)).iter("failure")
    assert failure.attrib == {"type": "DOUBTED", "message": "Who knows."}
    (run,) = json.loads(sarif.render(report))["runs"]
    (found,) = run["results"]
    assert found["ruleId"] == "table-differs"
    assert found["message"]["text"].startswith("thing: Who knows.\n\nREFUTED: a thing")
    (place,) = found["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "m.py"},
        "region": {"startLine": 7},
    }


def test_a_new_form_is_one_file_and_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a module with `render` and its row are all that a form needs."""
    module = ModuleType("a_new_form")
    module.render = lambda report: "|".join(  # type: ignore[attr-defined]
        f"{case.name} is {case.verdict}" for case in report.cases
    )
    monkeypatch.setitem(sys.modules, "a_new_form", module)
    monkeypatch.setitem(FORMS, "new", ReportForm("a_new_form", "new"))
    assert audit_report("new", outcome_of("x", REFUTED)) == "x is REFUTED"
    run = good_run()
    said = gate_report("new", run).split("|")
    assert said[:2] == ["sound is CONSISTENT", "twin is REFUTED"]
    assert len(said) == len(run.outcomes) + len(run.proofs)


RENDERERS = Path(audit.__file__).parent / "report"
FOLDERS_OF_KINDS = (
    *("audit.accounting", "audit.engine", "audit.exact", "audit.runs.result_kinds"),
    *("audit.stability", "audit.suite", "audit.surveys", "audit.utility"),
)


def names_imported(tree: ast.AST) -> Iterator[str]:
    """Everything that a module imports by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def knows_results(source: str) -> bool:
    """Whether a module imports a kind of result, or what only one kind has."""
    names = set(names_imported(ast.parse(source)))
    return any(map(_of_a_kind, names))


KINDS_OF_RESULTS = tuple(
    f"audit.results.{name}." for name in ("exact_result", "refutation", "sampled_result")
)


def _of_a_kind(name: str) -> bool:
    return name.startswith((*KINDS_OF_RESULTS, *FOLDERS_OF_KINDS))


def test_a_renderer_knows_no_kind_of_result() -> None:
    """It must hold of every module of the folder, at any depth; the doors are none."""
    files = list(RENDERERS.rglob("*.py"))
    doors = {"rendering.py", "present.py", "stored_runs.py"}
    knowing = {file.name for file in files if knows_results(file.read_text(encoding="utf-8"))}
    assert knowing == doors
    assert knows_results("from audit.results.sampled_result import AuditResult")
    assert not knows_results("from audit.results.verdict import Verdict")


OF_KINDS = frozenset(
    {
        "AccountPlan",
        "AccountResult",
        "AuditResult",
        "DivergenceWitness",
        "ExactResult",
        "ExactWitness",
        "GateResult",
        "SensitivityResult",
        "StabilityPlan",
        "Outcome",
        "PrivacyPlan",
        "ProofOutcome",
        "TableOutcome",
        "UtilityPlan",
        "UtilityResult",
        "UtilityWitness",
        "Witness",
    }
)
SWITCHES = {
    "suite/baseline/baseline_values.py": (5, "a stored baseline has other values of each kind"),
    "exact/exact_audit.py": (1, "a proof or a refutation"),
    "exact/proof_document.py": (10, "its two kinds of witness"),
    "surveys/survey_run.py": (1, "a row is audited from samples, or searched without noise"),
    "suite/gate_run.py": (2, "an audit of errors, and an account, are run by other code"),
    "suite/history.py": (2, "wealth is carried for audits from samples alone"),
    "testing.py": (1, "summaries of tests have the limit of a proof or of samples"),
    "request/repeat.py": (1, "first draws that the clock sized are repeated where there are draws"),
    "figures/result_plot.py": (2, "errors are intervals, the others begin at their lower limit"),
    "exact/limits.py": (1, "its two kinds of witness"),
    "report/present.py": (2, "the door of the API: a gate's result has the forms of a run"),
    "suite/shares.py": (1, "what can raise a false alarm is another question for errors"),
}
"""How often a file asks which kind of result or plan it has, and why."""


def switches(tree: ast.AST) -> int:
    """How often a module asks for a kind, by isinstance or in a case."""
    count = 0
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]):
                asked = {one.id for one in ast.walk(kinds) if isinstance(one, ast.Name)}
                count += bool(asked & OF_KINDS)
            case ast.MatchClass(cls=ast.Name(id=name)):
                count += name in OF_KINDS
    return count


def test_type_switches_are_counted() -> None:
    """It must hold that reports and commands ask for no kind, and others with a reason."""
    root = Path(audit.__file__).parent
    counts = {
        file.relative_to(root).as_posix(): switches(ast.parse(file.read_text(encoding="utf-8")))
        for file in root.rglob("*.py")
    }
    found = {file: count for file, count in counts.items() if count}
    assert found == {file: count for file, (count, _) in SWITCHES.items()}
    reports = [file for file in found if file.startswith(("report/", "cli/"))]
    assert reports == ["report/present.py"]
    asks = "isinstance(x, A | AuditResult)\nmatch x:\n    case ExactResult():\n        pass"
    assert switches(ast.parse(asks)) == 2
