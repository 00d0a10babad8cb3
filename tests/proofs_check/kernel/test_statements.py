"""Statements in Coq are written from the objects that the solver decides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import z3

from mechanisms.errors import InvalidArgument
from proofs_check.kernel.automatic import theorem_file
from proofs_check.kernel.coq_text import digest, instance_words, is_mixed, is_whole, statement
from proofs_check.kernel.coqc import SOURCES
from proofs_check.kernel.hand_proofs import BY_HAND, proved_by_hand
from proofs_check.kernel.statements import written
from proofs_check.second_solver.problems import LedgerProblem
from proofs_check.second_solver.terms import SolverTerm, Variable, read_formula
from tests.proofs_check.problems import SOME_OR_ALL, Problems, all_problems

X, Y, N, M = z3.Real("x"), z3.Real("y"), z3.Int("n"), z3.Int("m")
WRITTEN = {
    "forall x : R, ((Rabs x) >= 0)%R": z3.If(X >= 0, X, -X) >= 0,
    "forall n : Z, ((Z.abs n) >= 0)%Z": z3.If(N >= 0, N, -N) >= 0,
    "forall x : R, ((x ^ 3) >= (x / 3))%R": X**3 >= X / 3,
    "forall x y : R, ((x > y)%R -> (y < x)%R)": z3.Implies(X > Y, Y < X),
    "forall (x : R) (n : Z), ((IZR n%Z) >= x)%R": z3.ToReal(N) >= X,
    "forall x : R, ((Int_part x%R) <= 2)%Z": z3.ToInt(X) <= 2,
    "forall x : R, ((if (Rle_dec x%R 1%R) then x else (- 2)) <= 1)%R": z3.If(X <= 1, X, -2) <= 1,
    "forall x y : R, (~ ((x < 0)%R /\\ (y <> x)%R))": z3.Not(z3.And(X < 0, Y != X)),
    "forall R_ : R, (R_ < 1)%R": z3.Real("R") < 1,
    "forall x y : R, (((x < 0)%R /\\ (y < 0)%R) \\/ (~ (x < 0)%R /\\ (y > 1)%R))": z3.If(
        X < 0, Y < 0, Y > 1
    ),
}


def problem(formula: z3.BoolRef, *, holds: bool | None = True) -> LedgerProblem:
    """A problem with an answer of z3."""
    return LedgerProblem("KSW-A", "so", 1, 1, read_formula(formula), holds, {}, True)


@pytest.mark.parametrize("text", WRITTEN)
def test_operations_are_written_with_their_meaning(text: str) -> None:
    """It must hold of each that the ledger uses; a word that Coq reserves is renamed."""
    assert statement(read_formula(WRITTEN[text])) == text


def test_what_is_no_absolute_value_is_a_choice() -> None:
    """It must hold of a choice with one sign changed."""
    for choice in ((X >= 0, X, -Y), (X >= 1, X, -X), (X > 0, X, -X), (Y >= 0, X, -X)):
        assert "Rabs" not in statement(read_formula(z3.If(*choice) > 1))


@SOME_OR_ALL
def test_every_problem_has_a_statement(problems: Problems) -> None:
    """It must hold of the whole ledger, and equal statements have equal digests only."""
    texts = {statement(p.formula, fails=p.holds is False) for p in problems()}
    digests = {digest(p.formula, fails=p.holds is False) for p in problems()}
    assert len(texts) == len(digests) > (300 if problems is all_problems else 10)
    x = Variable("x", "Real")
    assert digest(SolverTerm("<", "Bool", (x, x))) != digest(SolverTerm("<=", "Bool", (x, x)))


def test_what_has_no_meaning_in_coq_is_refused() -> None:
    """It must hold of an operation that no writer knows."""
    with pytest.raises(InvalidArgument):
        statement(SolverTerm("sin", "Bool", (Variable("x", "Real"),)))


def test_a_counterexample_is_stated_at_its_point() -> None:
    """It must hold that the values stand in the order of the binders, reals first."""
    tree = read_formula(z3.ToReal(N) < X)
    assert instance_words(tree, {"n": Fraction(2), "x": Fraction(-1, 3)}) == "((- (1 / 3)))%R (2)%Z"
    failing = replace(problem(X > 0, holds=False), point={"x": Fraction(-1)})
    text = theorem_file(failing, "polynomial")
    assert text is not None
    assert "Theorem statement : ~ (forall x : R, (x > 0)%R)." in text
    assert theorem_file(problem(X > 0, holds=False), "polynomial") is None
    assert theorem_file(problem(X > 0, holds=None), "polynomial") is None


def test_kinds_of_numbers() -> None:
    """It must hold of whole, mixed and real problems."""
    kinds = [
        (is_whole(t), is_mixed(t)) for t in map(read_formula, (N > 0, z3.ToReal(N) > X, X > 0))
    ]
    assert kinds == [(True, False), (False, True), (False, False)]


def test_no_statement_is_written_twice() -> None:
    """It must hold that the claims' objects give `Statements.v`, and that each has a proof.

    `python -m proofs_check.kernel.statements` writes it.
    """
    text = (SOURCES / "Statements.v").read_text(encoding="utf-8")
    assert text == written()
    proofs = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.v"))
    for name in BY_HAND.values():
        assert f"Definition {name} : Prop :=" in text
        assert f"Definition {name}_proved : Statements.{name}" in proofs


@pytest.mark.long
def test_each_proof_by_hand_is_of_a_problem() -> None:
    """It must hold that what is proved by hand is what the solver is asked, and nothing else."""
    named = {proved_by_hand(p) for p in all_problems()} - {""}
    assert named == {f"{name}_proved" for name in BY_HAND.values()}
