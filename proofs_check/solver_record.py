"""A record of what the solver's door was asked, and of its answers, for those who ask again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

__all__ = ["Problem", "note_problem", "recording"]

_RECORDED: ContextVar[list[Problem] | None] = ContextVar("recorded", default=None)


@final
@dataclass(frozen=True, slots=True)
class Problem:
    """A statement as z3 got it, and its answer.

    Parameters
    ----------
    formula : z3.BoolRef
        What is to hold for all values of its variables.
    holds : bool or None
        What z3 answered.
    point : mapping of str to Fraction
        Where it fails, by z3; empty where it holds, or fails at an irrational point.
    """

    formula: Any
    holds: bool | None
    point: Mapping[str, Fraction]


def note_problem(formula: Any, holds: bool | None, point: Mapping[str, Fraction]) -> None:
    """Add a problem to the record, if one is kept."""
    recorded = _RECORDED.get()
    if recorded is not None:
        recorded.append(Problem(formula, holds, point))


@contextmanager
def recording() -> Iterator[list[Problem]]:
    """Keep a record of each problem with z3's answer; all are solved as ever.

    Of a linear program it holds that no feasible point is better.

    Examples
    --------
    >>> from proofs_check.smt import reals, valid
    >>> from proofs_check.solver_record import recording
    >>> with recording() as problems:
    ...     _ = valid(reals("x"), lambda x: x * x >= 2 * x - 1)
    >>> [problem.holds for problem in problems]
    [True]
    """
    recorded: list[Problem] = []
    token = _RECORDED.set(recorded)
    try:
        yield recorded
    finally:
        _RECORDED.reset(token)
