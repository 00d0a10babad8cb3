"""Every problem that a check of the ledger gives to z3, by name: claim, check and place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from proofs_check.claim import Check, Claim, Finding, Method
from proofs_check.second_solver.agreement import file_name
from proofs_check.second_solver.smtlib import digest, script
from proofs_check.second_solver.terms import Tree, read_formula
from proofs_check.solver_record import recording
from proofs_check.store import versions

__all__ = ["SOLVED", "LedgerProblem", "ledger_problems"]

SOLVED = (Method.SMT, Method.LINEAR_PROGRAM)
"""Methods that ask z3."""


@final
@dataclass(frozen=True, slots=True)
class LedgerProblem:
    """One problem of one check.

    Parameters
    ----------
    claim : str
        Id of the claim.
    check : str
        Name of the check.
    number : int
        Place among the problems of the check, from 1.
    of : int
        How many the check has.
    formula : Variable, Constant or Term
        What is to hold for all values of its variables.
    holds : bool or None
        What z3 answered.
    point : mapping of str to Fraction
        Where it fails, by z3; empty where it holds.
    alone : bool
        Whether the check found what z3 answered, and computes nothing besides.
    """

    claim: str
    check: str
    number: int
    of: int
    formula: Tree
    holds: bool | None
    point: Mapping[str, Fraction]
    alone: bool

    @property
    def answer(self) -> str:
        """What a solver says of the negation: "unsat" where the statement holds."""
        return {True: "unsat", False: "sat", None: "unknown"}[self.holds]

    @property
    def digest(self) -> str:
        """Digest of the problem."""
        return digest(self.formula)

    @property
    def file(self) -> str:
        """Name of its file."""
        return file_name(self.claim, self.check, self.number)

    def smtlib(self) -> str:
        """Write it with its expected answer."""
        z3 = versions()["z3-solver"]
        head = (f"{self.claim}: {self.check}, {self.number} of {self.of}",)
        return script(self.formula, (*head, f"expected: {self.answer} (z3 {z3})"))


def ledger_problems(chosen: Iterable[Claim]) -> Iterator[LedgerProblem]:
    """Run the solver's checks of claims, and return what they asked."""
    for claim in chosen:
        for check in claim.checks:
            if check.method in SOLVED:
                yield from _problems(claim, check)


def _problems(claim: Claim, check: Check) -> Iterator[LedgerProblem]:
    with recording() as record:
        finding = check.decide()
    for number, problem in enumerate(record, 1):
        yield LedgerProblem(
            claim=claim.id,
            check=check.name,
            number=number,
            of=len(record),
            formula=read_formula(problem.formula),
            holds=problem.holds,
            point=problem.point,
            alone=_is_alone(finding, [problem.holds for problem in record]),
        )


def _is_alone(finding: Finding, answers: list[bool | None]) -> bool:
    """Whether a finding is the door's own words for its answers (`smt.valid`, joined or not)."""
    said = finding.detail.split("; ")
    own = [text for text in said if text.startswith("no counterexample over the ")]
    return finding.holds is True and all(answers) and len(own) == len(said) == len(answers)
