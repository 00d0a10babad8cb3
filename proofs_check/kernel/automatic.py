"""A problem of the ledger as a file of Coq, proved by tactics alone where they suffice.

Each problem is a file of its own: its statement is written from the object that z3 decided, and one
line of tactics follows. What the tactics find is checked by the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from proofs_check.kernel.coq_text import instance_words, is_mixed, is_whole, statement
from proofs_check.kernel.coqc import compile_file
from proofs_check.second_solver.problems import LedgerProblem
from proofs_check.second_solver.smtlib import is_linear

__all__ = ["CAPS", "accept", "theorem_file"]

CAPS: Mapping[str, int] = MappingProxyType(
    {"whole": 40, "mixed": 60, "polynomial": 40, "squares2": 12, "squares3": 20}
)
"""Seconds by closing tactic of `coq/Decide.v`. For the first three, about twice what the longest
took that they closed (Coq 8.16.1 on a busy core: `polynomial` 20 s and in the median 2 s, `mixed`
33 s); `squares2` and `squares3` closed 33 problems so, and longer ones were not tried."""


def accept(problem: LedgerProblem, folder: Path, library: Path, first: str = "") -> str:
    """Return the tactic by which Coq accepts a problem's statement; none if it is empty.

    Parameters
    ----------
    problem : LedgerProblem
        Which.
    folder : Path
        Where its file is written.
    library : Path
        Where `Decide.v` is compiled.
    first : str
        The tactic that closed it before, which is tried alone and with five times its cap.
    """
    for tactic in (first,) if first else _tactics(problem):
        text = theorem_file(problem, tactic)
        if text is None:
            return ""
        path = folder / "Problem.v"
        path.write_text(text, encoding="utf-8")
        cap = CAPS[tactic] * (5 if first else 1)
        if compile_file(path, library, seconds=cap).accepted:
            return tactic
    return ""


def theorem_file(problem: LedgerProblem, tactic: str) -> str | None:
    """Write a file with the statement and its proof; None where there is nothing to state."""
    fails = problem.holds is False
    if problem.holds is None or (fails and not problem.point):
        return None
    proof = f"by_cases {tactic}."
    if fails:
        proof = f"intro H; specialize (H {instance_words(problem.formula, problem.point)}); "
        proof += f"revert H; at_point {tactic}."
    words = f"{problem.claim}: {problem.check}, {problem.number} of {problem.of}"
    return (
        "From Touchstone Require Import Decide.\n"
        f"(* {words} *)\n"
        f"Theorem statement : {statement(problem.formula, fails=fails)}.\n"
        f"Proof. {proof} Qed.\n"
    )


def _tactics(problem: LedgerProblem) -> tuple[str, ...]:
    if is_whole(problem.formula):
        return ("whole",)
    if is_mixed(problem.formula):
        return ("mixed",)
    if is_linear(problem.formula):
        return ("polynomial",)
    return ("polynomial", "squares2", "squares3")
