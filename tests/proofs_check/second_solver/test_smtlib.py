"""Problems as SMT-LIB say what z3 was asked, whole and nothing else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import z3

from mechanisms.errors import InvalidArgument
from proofs_check.second_solver.smtlib import digest, in_all_logics, logic_of, script
from proofs_check.second_solver.terms import (
    Constant,
    SolverTerm,
    Variable,
    free_variables,
    read_formula,
)
from tests.proofs_check.problems import SOME_OR_ALL, Problems, all_problems

X, Y, N, M = z3.Real("x"), z3.Real("y"), z3.Int("n"), z3.Int("m")
WRITTEN = {
    "power": (X**3 > 0, "(assert (not (> (* x x x) 0.0)))"),
    "fraction": (z3.Q(1, 3) >= X, "(/ 1.0 3.0)"),
    "negative": (X >= -2, "(>= x (- 2.0))"),
    "choice": (z3.If(X >= 0, X, -X) >= 0, "(>= (ite (>= x 0.0) x (- x)) 0.0)"),
    "floor": (z3.ToInt(X) <= 3, "(<= (to_int x) 3)"),
    "quoted name": (z3.Real("L''") > 0, "(declare-const |L''| Real)"),
}
LOGICS = {
    "QF_LRA": 2 * X + Y > 1,
    "QF_NRA": X * Y > 1,
    "QF_LIA": N + M > 1,
    "QF_NIA": N * M > 1,
    "QF_LIRA": z3.ToReal(N) < X,
    "ALL": z3.ToReal(N) < X * Y,
}
SOLVED_AGAIN = 20_000_000
"""Steps of z3 for a problem that is read back: of the ledger's all but a few end with a tenth."""


def answer(text: str) -> str:
    """What z3 says of a file."""
    solver = z3.Solver()
    solver.set("rlimit", SOLVED_AGAIN)
    solver.add(z3.parse_smt2_string(text))
    return str(solver.check())


@pytest.mark.parametrize("name", WRITTEN)
def test_operations_are_written_in_full(name: str) -> None:
    """It must hold of what solvers do not share: powers, fractions, signs, choices, names."""
    formula, words = WRITTEN[name]
    assert words in script(read_formula(formula))


@pytest.mark.parametrize("logic", LOGICS)
def test_the_logic_is_the_smallest(logic: str) -> None:
    """It must hold of linear and other problems, over reals, whole numbers, and both."""
    tree = read_formula(LOGICS[logic])
    assert logic_of(tree) == logic
    assert "(set-logic ALL)" in in_all_logics(script(tree))


@pytest.mark.parametrize("formula", [X ** z3.Q(1, 2) > 0, X**Y > 0, X**-1 > 0, N / M > 0, N**2 > 0])
def test_what_has_no_meaning_here_is_refused(formula: z3.BoolRef) -> None:
    """It must hold of roots, free exponents, and what no claim uses of whole numbers."""
    with pytest.raises(InvalidArgument):
        script(read_formula(formula))


@SOME_OR_ALL
def test_every_problem_reads_back_as_what_was_asked(problems: Problems) -> None:
    """It must hold that the file of each has exactly z3's variables, and no other meaning.

    z3 reads the file and decides that it cannot differ from the problem; a file in which one
    relation is turned is noticed.
    """
    linear = [p for p in problems() if logic_of(p.formula) in ("QF_LRA", "QF_LIA")]
    assert len(linear) >= (100 if problems is all_problems else 5)
    for problem in linear:
        assert answer(problem.smtlib()) == problem.answer, problem.file
    turned = replace(linear[0], formula=SolverTerm("not", "Bool", (linear[0].formula,)))
    assert answer(turned.smtlib()) != linear[0].answer


@SOME_OR_ALL
def test_files_have_names_of_their_own(problems: Problems) -> None:
    """It must hold that no problem overwrites another, and none leaves the folder."""
    names = [problem.file for problem in problems()]
    assert problems is not all_problems or len(names) >= 370
    assert len(set(names)) == len(names)
    assert not any("/" in name for name in names)


def test_a_digest_is_of_the_problem_alone() -> None:
    """It must hold that comments do not count, and that each sign does."""
    x = Variable("x", "Real")
    zero = Constant(Fraction(0), "Real")
    below, at_most = (SolverTerm(sign, "Bool", (x, zero)) for sign in ("<", "<="))
    assert digest(below) != digest(at_most)
    assert script(below, ["a comment\nof two lines"]).endswith(script(below))
    assert list(free_variables(below)) == ["x"]
