"""The solver's problems of the ledger, solved once for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

import pytest

from proofs_check.kernel.acceptance import Exported
from proofs_check.registry import claims, find
from proofs_check.second_solver.agreement import Compared
from proofs_check.second_solver.problems import LedgerProblem, ledger_problems

__all__ = ["SOME", "SOME_OR_ALL", "Problems", "all_problems", "rows_of", "some_problems"]

Problems = Callable[[], tuple[LedgerProblem, ...]]
Row = TypeVar("Row", Compared, Exported)

SOME = (
    *("KSW-D3", "KSW-ER8", "KSW-T2", "SUB-C5.3a", "SUB-T3.7"),
    *("PDP-E25s", "PDP-T12", "TRI-E1.3", "TRI-LC.4.1", "ENG-T3"),
)
"""Claims whose problems are solved in a few hundredths of a second each; all take 8 s."""


@cache
def all_problems() -> tuple[LedgerProblem, ...]:
    """Every problem, in the order of the ledger."""
    return tuple(ledger_problems(claims().values()))


@cache
def some_problems() -> tuple[LedgerProblem, ...]:
    """Those of some claims, of each paper."""
    return tuple(ledger_problems(map(find, SOME)))


SOME_OR_ALL = pytest.mark.parametrize(
    "problems",
    [
        pytest.param(some_problems, id="some"),
        pytest.param(all_problems, id="all", marks=pytest.mark.long),
    ],
)
"""What must hold of every problem is tried of some by default."""


def rows_of(problems: Problems, stored: Iterable[Row]) -> list[Row]:
    """What is stored of the claims that the problems are of, of all if they are all."""
    return [row for row in stored if problems is all_problems or row.claim in SOME]
