"""Counterexamples decided exactly: the point lies in the print's domain, and the print fails there.

All numbers are Fractions; what needs exp, log or roots is compared by balls, and decides only where
the comparison is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from proofs_check.claim import Finding
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less
from proofs_check.statements.forms import Counterexample
from proofs_check.statements.readings import EXACT, read
from proofs_check.statements.regions import note
from proofs_check.statements.terms import Condition

__all__ = ["fails"]

BITS = 128
"""Working precision; what it does not decide is not decided."""


def fails(counterexample: Counterexample) -> Finding:
    """Decide whether a printed statement fails at a point of its domain.

    Examples
    --------
    >>> from proofs_check.points import fails
    >>> from proofs_check.statements.domain import Domain
    >>> from proofs_check.statements.forms import Counterexample, Inequality
    >>> from proofs_check.statements.terms import real_symbols
    >>> (x,) = real_symbols("x")
    >>> printed = Inequality(Domain((x >= 0,)), x * x, ">=", x, "A square is no smaller.")
    >>> fails(Counterexample(printed, {"x": Fraction(1, 2)})).holds
    True
    >>> fails(Counterexample(printed, {"x": 2})).holds
    False
    """
    try:
        return _decide(counterexample)
    except Undecided as exc:
        return Finding(holds=None, detail=str(exc))


def _decide(counterexample: Counterexample) -> Finding:
    quantified, at = counterexample.quantified, counterexample.point()
    if not all(_holds(relation, counterexample.at) for relation in quantified.domain.relations):
        return Finding(holds=False, detail=f"{at} is not in the domain")
    if _holds(quantified.conclusion, counterexample.at):
        return Finding(holds=False, detail=f"holds at {at}")
    note(quantified)
    return Finding(holds=True, detail=f"fails at {at}")


def _holds(formula: Condition, at: Mapping[str, Fraction | int]) -> bool:
    found: bool = read(formula, WORDS, lambda symbol: Fraction(at[symbol.name]), Fraction)
    return found


def _less(x: Any, y: Any) -> bool:
    """Whether x < y; a comparison of balls must be certain."""
    found = certainly_less(x, y)
    if found is None:
        msg = "a comparison of enclosed numbers was not decided"
        raise Undecided(msg)
    return found


def _equal(x: Any, y: Any) -> bool:
    if isinstance(x, Ball) or isinstance(y, Ball):
        return not (_less(x, y) or _less(y, x))
    return bool(x == y)


def _ball(x: Any) -> Ball:
    return x if isinstance(x, Ball) else NUMBERS.rational(Fraction(x))


NUMBERS = Balls(BITS)
WORDS: Mapping[str, Callable[..., Any]] = {
    **EXACT,
    "/": lambda x, y: x / y,
    "exp": lambda x: NUMBERS.exp(_ball(x)),
    "log": lambda x: NUMBERS.log(_ball(x)),
    "sqrt": lambda x: NUMBERS.sqrt(_ball(x)),
    "root": lambda x, degree: NUMBERS.root(_ball(x), degree),
    "min": lambda x, y: x if _less(x, y) else y,
    "max": lambda x, y: y if _less(x, y) else x,
    "<": _less,
    "<=": lambda x, y: not _less(y, x),
    ">": lambda x, y: _less(y, x),
    ">=": lambda x, y: not _less(x, y),
    "==": _equal,
    "!=": lambda x, y: not _equal(x, y),
}
"""The operators over Fractions and balls."""
