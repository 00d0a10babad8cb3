"""What users read: reports, gate lines, errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit.cli import main
from audit.report.document_lines import document_text
from audit.report.gate_text import case_lines
from audit.report.rendering import gate_report
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.request import Request
from audit.runs.result_kinds import document_of
from audit.suite.exit_status import of_audit
from audit.suite.gate_document import case_of
from audit.suite.gate_outcome import GateResult, Outcome
from tests.audit.results import (
    ALL,
    BY_LEVEL,
    COARSE,
    CONSISTENT,
    GAUSSIAN_REFUTED,
    REFUTED,
)
from tests.messages.golden import assert_golden
from tests.user_files import imports_restored


@pytest.fixture(scope="module")
def plan() -> PrivacyPlan:
    """What a report was made from."""
    return plan_audit(Request("ksw.shifted-laplace", ideal=True), stated_in="command line")


@pytest.mark.parametrize("name", ALL)
def test_audit_report(name: str, plan: PrivacyPlan) -> None:
    """It must hold that the report of each verdict reads as kept."""
    assert_golden(f"audit-{name}", document_text(document_of(ALL[name], plan)))


def test_reports_of_every_level(plan: PrivacyPlan) -> None:
    """It must hold that what holds at least, and the gate's line, read as kept for every level."""
    texts = []
    for name, result in {**BY_LEVEL, "gaussian": GAUSSIAN_REFUTED}.items():
        text = document_text(document_of(result, plan))
        head = text if name == "personalized" else text.partition("\npower")[0]
        outcome = Outcome("audit 1", "consistent", plan, result, None, of_audit(result))
        texts.append(f"{name}\n\n{head.rstrip()}\n\n{case_lines(case_of(outcome), 9)}")
    assert_golden("levels", "\n\n".join(texts))


@pytest.mark.parametrize("name", ALL)
def test_a_report_fits_one_screen(name: str, plan: PrivacyPlan) -> None:
    """It must hold that verdict and witness come first and the lines before the script are few.

    27, and three for the figures of several intervals, boxes and remainders where they are said.
    """
    power = getattr(ALL[name], "detectable", None)
    wider = 3 if power is not None and power.wider else 0
    text = document_text(document_of(ALL[name], plan))
    assert text.startswith(ALL[name].verdict.value)
    assert len(text.partition("The witness as a script:")[0].splitlines()) <= 27 + wider


def test_gate_report(plan: PrivacyPlan) -> None:
    """It must hold that a gate run reads as kept, whatever comes."""
    cases = [
        ("consistent", CONSISTENT),
        ("refuted", replace(REFUTED)),
        ("consistent", REFUTED),
        ("refuted", CONSISTENT),
        ("consistent", COARSE),
        ("consistent", None),
    ]
    outcomes = [
        Outcome(
            f"audit {number}",
            expect,  # type: ignore[arg-type]
            plan,
            result,
            "internal error: RuntimeError: a bug" if result is None else None,
            4 if result is None else of_audit(result, expect=expect),  # type: ignore[arg-type]
        )
        for number, (expect, result) in enumerate(cases, start=1)
    ]
    gate = GateResult(
        "touchstone.toml",
        tuple(outcomes),
        9,
        130,
        1e-3,
        1e-3 / 9,
        150.0,
        61.5,
        7,
        True,  # type: ignore[arg-type]
    )
    assert_golden("gate", gate_report("text", gate))


FILES = {
    "m.py": (
        "def mean(data, size, rng):\n    return rng.laplace(size=size)\n\n\n"
        "def scaled(data, size, rng, epsilon):\n    return rng.laplace(0, 1 / epsilon, size)\n"
    ),
    "text.csv": "id,x\n1,0.5\n2,abc\n",
    "empty.csv": "id,x\n1,\n",
    "no.json": "no\n",
    "half.json": '{"data": [1]}\n',
    "far.json": '{"data": [0, 0], "neighbor": [1, 1]}\n',
    "user.json": '{"data": [0, 0], "neighbor": [0, 1], "user": 1}\n',
    "key.toml": '[[audit]]\ntarget = "ksw.swap-laplace"\nepsilonn = 1\n',
}

USER = "m.py:mean --epsilon 1 --relation add-remove"

ERRORS = [
    "audit nothing:here",
    "audit nothing",
    "audit missing.py:mean",
    "audit m.py:other",
    "audit m.py:mean --epsilon -1 --relation swap",
    "audit ksw.swap-laplace --epsilon -1",
    "audit ksw.swap-laplace --epsilon one",
    "audit ksw.swap-laplace --delta 1e-6",
    "audit ksw.swap-laplace --alpha-order 2",
    "audit ksw.swap-laplace --rho 1 --mu 1",
    "audit ksw.swap-laplace --epsilon 1 --budgets 1,2",
    "audit ksw.swap-laplace --budgets 1,,2",
    "audit ksw.swap-laplace --budgets 1,2 --order free",
    "audit ksw.shifted-laplace --budgets 1,2 --pair user.json",
    "audit ksw.swap-laplace --budgets 1,2 --pair user.json",
    "audit ksw.swap-laplace --pair user.json",
    "audit ksw.swap-laplace --mu 13",
    "audit ksw.swap-laplace --rho 1 --profile",
    "audit ksw.swap-laplace --rho 1 --mode bound",
    "audit ksw.swap-laplace --profile --mode bound",
    "audit ksw.swap-laplace --data missing.csv",
    "audit ksw.swap-laplace --data text.csv --column x",
    "audit ksw.swap-laplace --data empty.csv --column x",
    "audit ksw.swap-laplace --data text.csv --column y",
    "audit ksw.swap-laplace --data text.csv",
    "audit ksw.swap-laplace --column x",
    "audit ksw.swap-laplace --low 2 --high 1",
    f"audit {USER} --low 2 --high 1",
    f"audit {USER} --low 2",
    "audit ksw.swap-laplace --pair no.json",
    "audit ksw.swap-laplace --pair half.json",
    "audit ksw.swap-laplace --pair far.json",
    "audit ksw.swap-laplace --pair missing.json",
    "audit ksw.swap-laplace --pair far.json --data text.csv",
    "audit m.py:mean",
    "audit m.py:mean --epsilon 1",
    f"audit {USER}",
    "audit m.py:scaled --epsilon 1 --relation swap --low 0 --high 1",
    f"audit {USER} --param nothing=1",
    "audit ksw.swap-laplace --param nothing=1",
    "audit ksw.swap-laplace --param nothing",
    "audit ksw.swap-laplace --param epsilon=-1",
    "audit ksw.swap-laplace --relation add-remove",
    "audit ksw.swap-laplace --relation near",
    "audit ksw.swap-laplace --relation listed",
    "audit opendp.laplace",
    "audit ksw.swap-laplace --order none",
    "audit ksw.swap-laplace --false-alarm 2",
    "audit ksw.swap-laplace --budget-seconds 0",
    "audit ksw.swap-laplace --resolution 0",
    "audit ksw.swap-laplace --min-size 1000",
    "audit ksw.swap-laplace --output nowhere/report.txt",
    "audit ksw.swap-laplace --report pdf=report.pdf",
    "audit ksw.swap-laplace --report html=nowhere/report.html",
    "gate",
    "gate --false-alarm 0 --reference",
    "list fruits",
]

CLICK_ERRORS = {
    "audit ksw.swap-laplace --sigma 1": "--sigma",
    "audit ksw.swap-laplace --mode exactly": "exact",
    "audit ksw.swap-laplace --format pdf": "pdf",
    "audit ksw.swap-laplace --budget-samples 0": "--budget-samples",
    "audit ksw.swap-laplace --seed -1": "--seed",
    "audit": "TARGET",
    "prove KSW-T2 --format pdf": "pdf",
    "prove --paper ABC": "ABC",
    "table variance --format pdf": "pdf",
    "table": "NAME",
    "figure": "figure",
}
"""Errors that click words (the wording changes with its version), and what they must name."""


@pytest.fixture
def user_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with the user's files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


@pytest.mark.long
def test_every_user_error_is_one_line_and_status_2(
    user_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each wrong use is exit 2 and reads as kept: one line, no traceback."""
    told = []
    for words in ERRORS:
        status = main(words.split())
        out, err = capsys.readouterr()
        assert (status, out, err.count("\n")) == (2, "", 1), (words, status, out, err)
        assert err.startswith("touchstone: ")
        told.append(f"$ touchstone {words}\n{err}")
    assert_golden("errors", "\n".join(told))


def test_a_wrong_key_of_the_configuration(
    user_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that an unknown key is exit 2 and is named."""
    (user_folder / "key.toml").rename(user_folder / "touchstone.toml")
    assert main(["gate"]) == 2
    assert_golden("gate-unknown-key", capsys.readouterr().err)


@pytest.mark.parametrize("words", CLICK_ERRORS)
def test_errors_of_the_option_parser_are_one_line_too(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a wrong option is exit 2, named in one line that points to the help."""
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("touchstone: ")
    assert CLICK_ERRORS[words] in err
    assert "--help`)" in err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--help", ["audit", "gate", "list", "Exit status"]),
        ("audit --help", ["--epsilon", "--pair", "--inconclusive", "TARGET"]),
        ("gate --help", ["--reference", "--budget-seconds", "--changed-since", "--carry"]),
        ("init --help", ["[MODULE]", "--force", "touchstone.toml"]),
        ("prove --help", ["[ID]", "--paper", "--why", "--fresh"]),
        ("table --help", ["NAME", "--check", "--epsilon", "--data", "--empirical", "GRID"]),
        ("list --help", ["KIND", "adapters"]),
        ("", ["audit", "gate", "list"]),
    ],
)
def test_help(words: str, named: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the help of each command is status 0 and names what there is."""
    assert main(words.split()) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in named)
