"""The solver's problems of the whole ledger, solved once for all tests of a process."""

from __future__ import annotations

from functools import cache

from proofs_check.registry import claims
from proofs_check.second_solver.problems import LedgerProblem, ledger_problems

__all__ = ["all_problems"]


@cache
def all_problems() -> tuple[LedgerProblem, ...]:
    """Every problem, in the order of the ledger."""
    return tuple(ledger_problems(claims().values()))
