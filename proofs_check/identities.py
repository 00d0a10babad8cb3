"""Equations decided by sympy: both sides are read into it, and their difference simplifies to 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from proofs_check import symbolic
from proofs_check.arithmetic import SYMBOLIC
from proofs_check.claim import Finding, every
from proofs_check.points import holds_at
from proofs_check.statements.domain import Domain
from proofs_check.statements.forms import Always, Inequality
from proofs_check.statements.notation import text
from proofs_check.statements.readings import EXACT, read
from proofs_check.statements.regions import note
from proofs_check.statements.terms import Condition, Number, Part, Term

__all__ = ["rearrange"]

Box = Mapping[str, tuple[Fraction | int, Fraction | int]]


def rearrange(statement: Inequality | Always, *, box: Box, ways: Any = ()) -> Finding:
    """Decide an equation, or several, by simplification: then both sides are one function.

    Parameters
    ----------
    statement : Inequality or Always
        With the sign "==" only.
    box : mapping of str to (lower, upper)
        For each symbol, from where random points are drawn; it lies in the domain.
    ways : tuple of callable
        As `symbolic.identical`.

    Examples
    --------
    >>> from proofs_check.identities import rearrange
    >>> from proofs_check.statements.domain import Domain
    >>> from proofs_check.statements.forms import Inequality
    >>> from proofs_check.statements.terms import real_symbols
    >>> (x,) = real_symbols("x")
    >>> square = Inequality(Domain((), free=(x,)), (x + 1) ** 2, "==", x * x + 2 * x + 1, "It is.")
    >>> rearrange(square, box={"x": (0, 1)}).holds
    True
    """
    quantified = statement.quantified
    equations = statement.conclusions if isinstance(statement, Always) else (quantified.conclusion,)
    outside = _outside(quantified.domain, box)
    if outside:
        return Finding(holds=None, detail=f"the points lie outside of the domain: {outside}")
    symbols = _symbols(quantified.domain)
    ranges = {symbols[name]: ends for name, ends in box.items()}
    found = every(_one(equation, symbols, ranges, ways) for equation in equations)
    if found.holds:
        note(quantified)
    return found


def _outside(domain: Domain, box: Box) -> str:
    """A relation of the domain that the middle of the box breaks; nothing if there is none.

    Where no such point is known, the domain may be empty, and an equation on it says nothing.
    """
    middle = {name: Fraction(low + high) / 2 for name, (low, high) in box.items()}
    at = {n: ceil(x) if domain.symbols[n] == "integer" else x for n, x in middle.items()}
    broken = [relation for relation in domain.given if not holds_at(relation, at)]
    return text(broken[0]) if broken else ""


def _one(equation: Condition, symbols: Mapping[str, Any], ranges: Any, ways: Any) -> Finding:
    if equation.op != "==":
        return Finding(holds=None, detail=f"no equation, but {equation.op}")
    left, right = (_read(side, symbols) for side in equation.parts)
    return symbolic.identical(left, right, ranges, ways=ways)


def _symbols(domain: Domain) -> dict[str, Any]:
    """Symbols of sympy; positive, or not negative, where the domain says so in so many words."""
    bounds = [
        (part.name, relation.op, Fraction(relation.parts[1]))
        for relation in domain.given
        if isinstance(part := relation.parts[0], Term)
        and not isinstance(relation.parts[1], Term | Condition)
    ]
    positive = {name for name, op, least in bounds if least >= 0 and op == ">"}
    positive |= {name for name, op, least in bounds if least > 0 and op == ">="}
    nonnegative = {name for name, op, least in bounds if op == ">=" and not least}
    return {
        name: symbolic.symbols(
            name,
            real=True,
            integer=kind == "integer" or None,
            positive=name in positive or None,
            nonnegative=name in nonnegative or None,
        )
        for name, kind in domain.symbols.items()
    }


def _read(part: Part, symbols: Mapping[str, Any]) -> Any:
    return read(part, WORDS, lambda symbol: symbols[symbol.name], _number)


def _number(number: Number) -> Any:
    exact = Fraction(number)
    return symbolic.Rational(exact.numerator, exact.denominator)


WORDS: Mapping[str, Callable[..., Any]] = {
    **EXACT,
    "/": lambda x, y: x / y,
    "abs": symbolic.Abs,
    "min": symbolic.Min,
    "max": symbolic.Max,
    "exp": SYMBOLIC.exp,
    "log": SYMBOLIC.log,
    "sqrt": SYMBOLIC.sqrt,
    "root": lambda x, degree: x ** symbolic.Rational(1, degree),
    "power": lambda x, exponent: x**exponent,
    "quantity": lambda quantity, *arguments: quantity.of(*arguments),
}
"""The operators in sympy's language."""
