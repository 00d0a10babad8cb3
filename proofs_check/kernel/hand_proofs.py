"""Problems of the ledger whose statement in Coq is proved by hand, in `proofs_check/coq`.

Their statements are written to `Statements.v` from the objects that z3 decided, so none is written
twice; the file that proves one ends with `Definition X_proved : X := ...`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from proofs_check.kernel.coq_text import statement
from proofs_check.second_solver.problems import LedgerProblem

__all__ = ["BY_HAND", "proved_by_hand", "statements_file"]

BY_HAND: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("KSW-T2", "noise_is_private"): "KSW_T2",
        ("KSW-D5p", "record_moves_the_level_by_one"): "KSW_D5p",
        ("PDP-T2", "amplification"): "PDP_T2",
        ("PDP-T10", "amplification"): "PDP_T10",
        ("PDP-T11", "amplification"): "PDP_T11",
        ("SUB-L3.3p", "mean_is_private"): "SUB_L3_3p",
    }
)
"""Name of the statement by id of the claim and name of the check."""

HEAD = """(* Written by `python -m proofs_check.kernel.statements` from what z3 decided. *)
From Touchstone Require Import Decide.
"""


def proved_by_hand(problem: LedgerProblem) -> str:
    """Return the name of the theorem that proves a problem; empty where there is none."""
    name = BY_HAND.get((problem.claim, problem.check))
    return f"{name}_proved" if name and problem.of == 1 else ""


def statements_file(problems: Sequence[LedgerProblem]) -> str:
    """Write `Statements.v`."""
    named = {BY_HAND[p.claim, p.check]: p for p in problems if proved_by_hand(p)}
    rows = [
        f"Definition {name} : Prop := {statement(named[name].formula)}."
        for name in BY_HAND.values()
        if name in named
    ]
    return "\n".join([HEAD, *rows]) + "\n"
