"""Both solvers asked: every problem that z3 was asked, and the files with their answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from proofs_check.second_solver.agreement import Agreement, Compared
from proofs_check.second_solver.cvc5_answers import cvc5_answer, cvc5_version
from proofs_check.second_solver.problems import LedgerProblem
from proofs_check.store import versions

__all__ = ["compare", "write_files"]


def compare(problems: Iterable[LedgerProblem]) -> Agreement:
    """Ask cvc5 each problem that z3 was asked.

    Raises
    ------
    InvalidArgument
        If cvc5 is not installed.
    """
    solvers = {"z3": versions()["z3-solver"], "cvc5": cvc5_version()}
    rows = [
        Compared(p.claim, p.check, p.number, p.digest, p.answer, cvc5_answer(p.smtlib()))
        for p in problems
    ]
    return Agreement(solvers, rows)


def write_files(problems: Sequence[LedgerProblem], folder: Path, known: Mapping[str, str]) -> None:
    """Write a file of SMT-LIB for each problem, and an index with the answers.

    Parameters
    ----------
    problems : sequence of LedgerProblem
        Which.
    folder : Path
        Made where it is missing.
    known : mapping of str to str
        Answers of cvc5 by digest.
    """
    folder.mkdir(parents=True, exist_ok=True)
    index = [
        {
            "file": problem.file,
            "claim": problem.claim,
            "check": problem.check,
            "number": problem.number,
            "digest": problem.digest,
            "z3": problem.answer,
            "cvc5": known.get(problem.digest),
        }
        for problem in problems
    ]
    for problem in problems:
        (folder / problem.file).write_text(problem.smtlib(), encoding="utf-8")
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
