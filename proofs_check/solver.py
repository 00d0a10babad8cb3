"""Statements decided by z3: the implication from the domain is built here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from proofs_check import smt
from proofs_check.claim import Finding
from proofs_check.statements.decision import Decided
from proofs_check.statements.forms import Statement, always
from proofs_check.statements.regions import note
from proofs_check.statements.terms import Condition, Kind, Part, Term, all_of, implies

__all__ = ["find_point", "for_all", "solve"]


def solve(
    statement: Statement,
    *,
    case: tuple[Condition, ...] = (),
    rlimit: int = smt.RLIMIT,
    polynomial: bool = False,
    lemmas: Callable[..., Iterable[Condition]] | None = None,
) -> Finding:
    """Decide a statement on its domain, or on the part of it where a case holds.

    Parameters
    ----------
    statement : Statement
        Which.
    case : tuple of Condition
        What holds besides; of several cases that are decided apart, all must cover the domain.
    rlimit, polynomial, lemmas
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
    given = (*quantified.domain.relations, *case)
    conclusion = quantified.conclusion
    whole = implies(all_of(*given), conclusion) if given else conclusion
    symbols = quantified.domain.symbols
    found = smt.valid(
        symbols, lambda *_: whole, rlimit=rlimit, polynomial=polynomial, lemmas=lemmas
    )
    if found.holds:
        note(quantified, case)
    return found


def for_all(
    variables: Mapping[str, Kind],
    words: str = "",
    *,
    terms: Callable[[Mapping[str, Term]], Mapping[str, Part]] | None = None,
    by: Callable[..., Finding] | None = None,
    **options: Any,
) -> Callable[[Callable[..., Any]], Decided]:
    """Make a check of a function of the variables that returns a formula: it is what is decided.

    Parameters
    ----------
    variables : mapping of str to {"real", "integer"}
        Name and range of each; the function takes them by position, and mutants' keywords besides.
    words : str
        The sentence of the statement, where a claim states it: a template.
    terms : callable
        Of the variables by name: what the template names besides these.
    by : callable
        Decides it; `solve` if not given.
    **options
        Of that.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.smt import reals
    >>> from proofs_check.solver import for_all
    >>> from proofs_check.statements.terms import implies
    >>> @for_all(reals("x"))
    ... def squares(x, *, least=Fraction(1)):
    ...     return implies(x >= least, x * x >= x)
    >>> squares().holds, squares(least=Fraction(99, 100)).holds
    (True, False)
    """

    def made(formula: Callable[..., Any]) -> Decided:
        def make(**changed: Any) -> Statement:
            return always(variables, partial(formula, **changed), words, terms)

        return Decided(make, partial(by or solve, **options) if options else by or solve, formula)

    return made


def find_point(symbols: Mapping[str, Kind], formula: Condition) -> str | None:
    """Return where a formula fails, in words: None if nowhere, "" if it was not decided."""
    found = smt.for_all(symbols, lambda *_: formula, always=True)
    if found.holds:
        return None
    return ", ".join(f"{name} = {value}" for name, value in found.counterexample.items())
