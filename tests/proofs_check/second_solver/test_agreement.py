"""A second solver's answers: stored for the ledger as it is, and a dispute is seen."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from audit.cli import main
from audit.cli.other_provers import ask_second
from proofs_check.claim import Check, Method, Obligation
from proofs_check.second_solver.agreement import Agreement, Compared, stored
from proofs_check.second_solver.comparison import compare
from proofs_check.second_solver.cvc5_answers import cvc5_answer
from proofs_check.second_solver.problems import LedgerProblem
from proofs_check.second_solver.smtlib import script
from proofs_check.second_solver.terms import Constant, SolverTerm, Variable
from proofs_check.smt import maximum, reals, valid
from proofs_check.solver_record import recording
from tests.proofs_check.ledgers import ledger, stated
from tests.proofs_check.problems import SOME_OR_ALL, Problems, rows_of

X = Variable("x", "Real")
ONE = Constant(Fraction(1), "Real")
TRUE = SolverTerm("<", "Bool", (X, SolverTerm("+", "Real", (X, ONE))))
FALSE = SolverTerm("<", "Bool", (SolverTerm("*", "Real", (X, X)), ONE))
MOST_OPEN = 2
"""Problems that cvc5 does not decide: PDP-E17 and KSW-D5p."""


def problem(formula: SolverTerm, *, holds: bool) -> LedgerProblem:
    """A problem with an answer of z3."""
    return LedgerProblem("KSW-A", "so", 1, 1, formula, holds, {}, True)


@SOME_OR_ALL
def test_what_is_stored_is_of_the_ledger_as_it_is(problems: Problems) -> None:
    """It must hold of every problem (`python -m proofs_check.second_solver` asks anew)."""
    asked = [(p.claim, p.check, p.number, p.digest, p.answer) for p in problems()]
    rows = rows_of(problems, stored().problems)
    assert [(r.claim, r.check, r.number, r.digest, r.z3) for r in rows] == asked


def test_no_answer_is_disputed() -> None:
    """It must hold of all, and that all but a few are decided by both."""
    rows = stored().problems
    assert [row for row in rows if row.disagrees] == []
    assert sum(not row.agrees for row in rows) <= MOST_OPEN


@pytest.mark.parametrize(
    ("z3", "cvc5", "agrees", "disagrees"),
    [
        ("unsat", "unsat", True, False),
        ("sat", "sat", True, False),
        ("unsat", "sat", False, True),
        ("unsat", "unknown", False, False),
        ("unknown", "unknown", False, False),
    ],
)
def test_only_two_answers_agree_or_dispute(
    z3: str, cvc5: str, agrees: bool, disagrees: bool
) -> None:
    """It must hold that what is not decided is neither."""
    row = Compared("KSW-A", "so", 1, "0", z3, cvc5)
    assert (row.agrees, row.disagrees) == (agrees, disagrees)
    words = Agreement({"z3": "1", "cvc5": "2"}, (row,)).words()
    assert f"agree on {int(agrees)} of 1 problems" in words
    assert ("1 disputed (KSW-A)" in words) is disagrees


def test_a_linear_program_is_recorded_as_its_bound() -> None:
    """It must hold that no feasible point is better, and that the record ends with its block."""
    with recording() as record:
        best = maximum(["x"], lambda x: x, lambda x: [2 * x <= 3, x >= 0])
    assert best.value == Fraction(3, 2)
    (only,) = record
    assert "x <= 3/2" in str(only.formula) or "3/2 >= x" in str(only.formula)
    assert valid(reals("x"), lambda x: x <= x).holds
    assert len(record) == 1


@pytest.mark.parametrize("good", [True, False])
def test_a_lemma_is_decided_before_it_is_told(good: bool) -> None:
    """It must hold that a false lemma proves nothing, and a true one does not enter the record."""
    with recording() as record:
        found = valid(
            reals("x"), lambda x: x * x >= 0, lemmas=lambda x: [x * x >= (0 if good else 1)]
        )
    assert found.holds is (True if good else None)
    assert len(record) == int(good)


def test_the_files_and_their_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that each file of the index is there, with its expected answer."""
    check = Check(
        "so", Method.SMT, lambda a=0: valid(reals("x"), lambda x: x * x >= a), {"1": {"a": 1}}
    )
    claim = stated("KSW-A", checks=(check,), obligations=(Obligation("it", "so"),))
    with ledger(monkeypatch, claim):
        assert main(["prove", "--smt2", str(tmp_path / "new")]) == 0
    (row,) = json.loads((tmp_path / "new" / "index.json").read_text(encoding="utf-8"))
    assert (row["claim"], row["z3"], row["cvc5"]) == ("KSW-A", "unsat", None)
    assert "; expected: unsat" in (tmp_path / "new" / row["file"]).read_text(encoding="utf-8")


def test_without_cvc5_the_command_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that it is a wrong usage, in one line."""

    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("proofs_check.second_solver.cvc5_answers.version", version)
    assert main(["prove", "KSW-T2", "--second", "cvc5"]) == 2
    assert "pip install 'touchstone-dp[cvc5]'" in capsys.readouterr().err


@pytest.mark.cvc5
@pytest.mark.parametrize(("formula", "said"), [(TRUE, "unsat"), (FALSE, "sat")])
def test_cvc5_decides(formula: SolverTerm, said: str) -> None:
    """It must hold of a true and of a false statement, and that effort is limited."""
    assert cvc5_answer(script(formula)) == said


@pytest.mark.cvc5
def test_a_wrong_answer_is_disputed() -> None:
    """It must hold in both directions."""
    rows = compare([problem(TRUE, holds=False), problem(FALSE, holds=True)]).problems
    assert [row.disagrees for row in rows] == [True, True]


@pytest.mark.cvc5
def test_a_dispute_makes_the_claim_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that it is named, and that the command fails."""
    claim = stated("KSW-A")
    monkeypatch.setattr(
        "proofs_check.second_solver.problems.ledger_problems",
        lambda chosen: iter([problem(FALSE, holds=True)]),
    )
    said, good = ask_second([claim])
    assert not good
    assert "the claim is UNKNOWN" in said
