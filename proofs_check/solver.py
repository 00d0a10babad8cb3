"""Statements decided by z3: the implication from the domain is built here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from proofs_check import smt
from proofs_check.claim import Finding
from proofs_check.statements.forms import Statement
from proofs_check.statements.regions import narrowed, note
from proofs_check.statements.terms import Formula, Kind, all_of, implies

__all__ = ["find_point", "solve"]


def solve(
    statement: Statement,
    *,
    case: tuple[Formula, ...] = (),
    rlimit: int = smt.RLIMIT,
    polynomial: bool = False,
) -> Finding:
    """Decide a statement on its domain, or on the part of it where a case holds.

    Parameters
    ----------
    statement : Statement
        Which.
    case : tuple of Formula
        What holds besides; of several cases that are decided apart, all must cover the domain.
    rlimit, polynomial
        As `smt.for_all`.

    Examples
    --------
    >>> from proofs_check.solver import solve
    >>> from proofs_check.statements.domain import Domain
    >>> from proofs_check.statements.forms import Inequality
    >>> from proofs_check.statements.terms import real_symbols
    >>> (x,) = real_symbols("x")
    >>> solve(Inequality(Domain((x >= 1,)), x * x, ">=", x, "A square is no smaller.")).holds
    True
    """
    quantified = statement.quantified
    part = (*case, *narrowed())
    given = (*quantified.domain.relations, *part)
    conclusion = quantified.conclusion
    whole = implies(all_of(*given), conclusion) if given else conclusion
    symbols = quantified.domain.symbols
    found = smt.valid(symbols, lambda *_: whole, rlimit=rlimit, polynomial=polynomial)
    if found.holds:
        note(quantified, part)
    return found


def find_point(symbols: Mapping[str, Kind], formula: Formula) -> str | None:
    """Return where a formula fails, in words: None if nowhere, "" if it was not decided."""
    found = smt.for_all(symbols, lambda *_: formula, always=True)
    if found.holds:
        return None
    return ", ".join(f"{name} = {value}" for name, value in found.counterexample.items())
