"""What Coq's kernel accepts is stored for the ledger as it is, and lifts whole claims only."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from audit.cli import main
from proofs_check.claim import Obligation, Status
from proofs_check.evidence import Level, level_of
from proofs_check.kernel import acceptance
from proofs_check.kernel.acceptance import Acceptance, Exported, stored
from proofs_check.kernel.automatic import CAPS, accept
from proofs_check.kernel.coq_text import digest
from proofs_check.kernel.coqc import SOURCES, compile_file
from proofs_check.knowledge import known
from proofs_check.registry import claims
from proofs_check.second_solver.problems import LedgerProblem
from proofs_check.second_solver.terms import read_formula
from proofs_check.smt import all_of, implies, reals, valid
from proofs_check.solver_record import recording
from proofs_check.steps import ByHand
from tests.proofs_check.ledgers import fact, stated
from tests.proofs_check.problems import SOME_OR_ALL, Problems, rows_of

LEAST_ACCEPTED = 284
"""As many were accepted by tactics alone when they were tried first."""


def row(check: str, number: int = 1, *, by: str = "polynomial", alone: bool = True) -> Exported:
    """What is stored of one problem."""
    return Exported("KSW-A", check, number, "0", by, alone)


@SOME_OR_ALL
def test_what_is_stored_is_of_the_ledger_as_it_is(problems: Problems) -> None:
    """It must hold of every problem (`python -m proofs_check.kernel` asks Coq for what changed)."""
    asked = [
        (p.claim, p.check, p.number, digest(p.formula, fails=p.holds is False), p.alone)
        for p in problems()
    ]
    rows = rows_of(problems, stored().problems)
    assert [(r.claim, r.check, r.number, r.digest, r.alone) for r in rows] == asked


def test_most_problems_are_accepted() -> None:
    """It must hold that the count is that of the rows, and that tactics have names."""
    accepted = [r for r in stored().problems if r.by]
    assert len(accepted) >= LEAST_ACCEPTED
    assert f"accepts {len(accepted)} of {len(stored().problems)} problems" in stored().words()
    assert {r.by for r in accepted if not r.by.endswith("_proved")} <= set(CAPS)


@pytest.mark.parametrize(
    ("rows", "whole"),
    [
        ([row("so")], True),
        ([row("so"), row("so", 2)], True),
        ([row("so"), row("so", 2, by="")], False),
        ([row("so", alone=False)], False),
        ([row("other")], False),
        ([], False),
    ],
)
def test_a_claim_is_lifted_by_whole_checks_only(
    monkeypatch: pytest.MonkeyPatch, rows: list[Exported], whole: bool
) -> None:
    """It must hold that each problem of each check that decides a part is accepted."""
    checks = Acceptance("8.16.1", tuple(rows)).checks()
    assert checks == ({"KSW-A": {"so"}} if whole else checks)
    monkeypatch.setattr("proofs_check.evidence.accepted_checks", lambda: checks)
    claim = stated("KSW-A", checks=(fact("so"),))
    assert level_of(claim) is (Level.KERNEL if whole else Level.MACHINE)


def test_an_accepted_check_does_not_lift_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of a second part, of a step by hand, and of what is not decided."""
    accepted = {"KSW-A": frozenset({"so"})}
    monkeypatch.setattr("proofs_check.evidence.accepted_checks", lambda: accepted)
    two = stated("KSW-A", checks=(fact("so"), fact("also")))
    assert level_of(two) is Level.MACHINE
    prose = stated(
        "KSW-A", checks=(fact("so"),), obligations=(Obligation("it", "so"),), steps=(ByHand("So."),)
    )
    assert level_of(prose) is Level.BY_HAND
    assert level_of(stated("KSW-A", Status.OPEN)) is None


def test_the_release_of_means_is_checked_by_a_kernel() -> None:
    """It must hold of the hourglass, on the line and on the grid, and of no claim with prose."""
    assert known()["KSW-T2"] == "PROVED, KERNEL"
    assert known()["KSW-D5p"] == "PROVED, KERNEL"
    lifted = [claim for claim in claims().values() if level_of(claim) is Level.KERNEL]
    assert not any(isinstance(step, ByHand) for claim in lifted for step in claim.steps)
    assert set(acceptance.accepted_checks()) >= {claim.id for claim in lifted}


def test_without_coq_the_command_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that it is a wrong usage, in one line."""
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert main(["prove", "KSW-T2", "--kernel", "coq"]) == 2
    assert "coinor-csdp" in capsys.readouterr().err


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tactics, compiled."""
    folder = tmp_path_factory.mktemp("library")
    shutil.copy(SOURCES / "Decide.v", folder)
    found = compile_file(folder / "Decide.v", folder, seconds=600)
    assert found.accepted, found.said
    return folder


def product(least: int, *, holds: bool = True) -> LedgerProblem:
    """The statement that x y >= least where x >= 1 and y >= 1."""
    with recording() as record:
        valid(reals("x y"), lambda x, y: implies(all_of(x >= 1, y >= 1), x * y >= least))
    (only,) = record
    tree, point = read_formula(only.formula), only.point
    return LedgerProblem("KSW-A", "so", 1, 1, tree, holds, point, True)


@pytest.mark.kernel
def test_coq_accepts_what_is_true_and_nothing_else(tmp_path: Path, library: Path) -> None:
    """It must hold of a statement and of its slightly wrong form, and of the latter's point."""
    assert accept(product(1), tmp_path, library) == "polynomial"
    assert accept(product(2), tmp_path, library, first="polynomial") == ""
    assert accept(product(2, holds=False), tmp_path, library, first="polynomial") == "polynomial"
