"""Statements decided by z3: the implication from the domain is built here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofs_check import smt
from proofs_check.claim import Finding
from proofs_check.statements.forms import Statement
from proofs_check.statements.regions import narrowed, note
from proofs_check.statements.terms import (
    EXACT,
    Formula,
    Kind,
    Number,
    all_of,
    implies,
    read,
)

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
    found = smt.valid(symbols, _of(whole, symbols), rlimit=rlimit, polynomial=polynomial)
    if found.holds:
        note(quantified, part)
    return found


def find_point(symbols: Mapping[str, Kind], formula: Formula) -> str | None:
    """Return where a formula fails, in words: None if nowhere, "" if it was not decided."""
    found = smt.for_all(symbols, _of(formula, symbols), always=True)
    if found.holds:
        return None
    return ", ".join(f"{name} = {value}" for name, value in found.counterexample.items())


def _of(formula: Formula, symbols: Mapping[str, Kind]) -> Callable[..., Any]:
    """A formula as a function of z3 terms, in the order of the symbols."""

    def stated(*terms: Any) -> Any:
        values = dict(zip(symbols, terms, strict=True))
        return read(formula, WORDS, lambda symbol: values[symbol.name], _number)

    return stated


def _quotient(x: Any, y: Any) -> Any:
    """True division, of whole numbers too (z3 itself rounds those)."""
    return _real(x) / _real(y)


def _real(x: Any) -> Any:
    return smt.real(x) if hasattr(x, "is_int") and x.is_int() else x


def _number(number: Number) -> Any:
    return number if isinstance(number, int) else smt.exact(number)


WORDS: Mapping[str, Callable[..., Any]] = {
    **EXACT,
    "/": _quotient,
    "abs": smt.absolute,
    "floor": smt.floor,
    "min": lambda x, y: smt.choose(x <= y, x, y),
    "max": lambda x, y: smt.choose(x >= y, x, y),
    "choose": smt.choose,
    "and": smt.all_of,
    "or": smt.any_of,
    "not": smt.negate,
    "implies": smt.implies,
    "iff": lambda one, other: one == other,
}
"""The operators in z3's language."""
