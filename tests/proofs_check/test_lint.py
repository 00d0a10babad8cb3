"""Checks that cannot fail are named."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from audit.cli import main
from proofs_check.claim import Check, Finding, Method, Obligation
from proofs_check.lint import ALLOWED, idle_checks, is_idle
from proofs_check.registry import claims, select
from proofs_check.smt import all_of, exact, implies, noting, reals, valid
from tests.proofs_check.ledgers import ledger, stated
from tests.proofs_check.problems import SOME

Statement = Callable[..., Any]
IDLE: dict[str, Statement] = {
    "one expression rearranged": lambda x, y: implies(x > 0, 2 * (x + y) == 2 * x + 2 * y),
    "hypothesis and conclusion": lambda x, y: implies(x * y + x >= 1, x * (y + 1) >= 1),
    "without hypotheses": lambda x, y: x + y >= y + x,
}
REAL: dict[str, Statement] = {
    "a hypothesis is needed": lambda x, y: implies(all_of(x >= 1, y >= 1), x * y >= 1),
    "a square": lambda x, y: x * x + y * y >= 2 * x * y,
}


def check(statement: Statement) -> Check:
    """A check of a statement on two numbers, with a mutant."""

    def decide(shift: Fraction = Fraction(0)) -> Finding:
        return valid(reals("x y"), lambda x, y: statement(x + exact(shift), y))

    return Check("so", Method.SMT, decide, {"moved": {"shift": Fraction(1, 100)}}, name="so")


@pytest.mark.parametrize("name", [*IDLE, *REAL])
def test_what_simplification_closes_is_idle(name: str) -> None:
    """It must hold of tautologies, and of nothing that needs a hypothesis or a solver."""
    found = is_idle(check((IDLE | REAL)[name]))
    assert found is (name in IDLE)


def test_nothing_is_solved_meanwhile_and_everything_afterwards() -> None:
    """It must hold that a false statement is noted as open, and is refuted again after that."""
    with noting() as closed:
        assert valid(reals("x"), lambda x: x > 0).holds is True
    assert closed == [False]
    assert valid(reals("x"), lambda x: x > 0).holds is False


@pytest.mark.parametrize("names", [SOME, pytest.param((), marks=pytest.mark.long)])
def test_no_check_of_the_ledger_is_idle(names: tuple[str, ...]) -> None:
    """It must hold but for those that are listed with a reason, and each of these is one."""
    assert idle_checks(select(names)) == []
    for (name, wanted), reason in ALLOWED.items():
        (listed,) = [c for c in claims()[name].checks if c.name == wanted]
        assert reason
        assert is_idle(listed)


@pytest.mark.parametrize(("kinds", "status"), [(IDLE, 1), (REAL, 0)])
def test_the_command_names_them(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kinds: dict[str, Statement],
    status: int,
) -> None:
    """It must hold that the exit status says whether there is one."""
    one = check(next(iter(kinds.values())))
    parts = (Obligation("it", "so"),)
    with ledger(monkeypatch, stated("KSW-A", checks=(one,), obligations=parts)):
        assert main(["prove", "--lint"]) == status
    out = capsys.readouterr().out
    assert ("KSW-A: so holds by rearrangement alone" in out) is bool(status)
    assert out.endswith(f"{status} of 1 solver checks cannot fail\n")
