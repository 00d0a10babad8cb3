"""Readings of expressions: in another language, at a rational point, or with symbols replaced."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from mechanisms.errors import InvalidArgument
from proofs_check.statements.terms import Condition, Kind, Number, Part, Term

__all__ = ["EXACT", "evaluated", "exactly_at", "read", "replaced", "symbols_of"]


def read(
    part: Part,
    words: Mapping[str, Callable[..., Any]],
    symbol: Callable[[Term], Any],
    number: Callable[[Number], Any],
) -> Any:
    """Read an expression in another language, from the leaves up; a shared part is read once.

    Parameters
    ----------
    part : Part
        What is read.
    words : mapping of str to callable
        By operator, what it is there; a named function is what it stands for.
    symbol, number : callable
        What the leaves are there.

    Raises
    ------
    InvalidArgument
        If that language lacks an operator.
    """
    known: dict[int, Any] = {}

    def of(node: Part) -> Any:
        if not isinstance(node, Term | Condition):
            return number(node)
        if id(node) not in known:
            known[id(node)] = inner(node)
        return known[id(node)]

    def inner(node: Term | Condition) -> Any:
        if node.op == "symbol":
            assert isinstance(node, Term)
            return symbol(node)
        if node.op == "named":
            return of(node.parts[0])
        if node.op == "quantity" and "quantity" in words:
            assert isinstance(node, Term)
            return words["quantity"](node.means, *map(of, node.parts))
        if node.op not in words:
            msg = f"this language has no {node.op!r}"
            raise InvalidArgument(msg)
        if node.op in ("**", "root"):  # whose second part is a plain number
            return words[node.op](of(node.parts[0]), node.parts[1])
        return words[node.op](*map(of, node.parts))

    return of(part)


def symbols_of(*parts: Part) -> dict[str, Kind]:
    """Return the symbols of expressions, in the order of their first appearance."""
    found: dict[str, Kind] = {}
    waiting: list[Part] = [*reversed(parts)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Term) and node.op == "symbol":
            found.setdefault(node.name, node.kind)
        elif isinstance(node, Term | Condition):
            waiting += reversed(node.parts)
    return found


def evaluated(part: Part, values: Mapping[str, Any], functions: Any) -> Any:
    """Return the value of an expression with the functions of a closed form, such as `Balls`.

    Parameters
    ----------
    part : Part
        Without choices between balls, whose comparison does not decide.
    values : mapping of str to Ball
        By symbol.
    functions : Balls
        What exp, log, sqrt, root and mean_exp are.
    """

    def of(name: str) -> Callable[..., Any]:
        def applied(x: Any, *rest: Any) -> Any:
            inside = functions.rational(x) if isinstance(x, Fraction) else x
            return getattr(functions, name)(inside, *rest)

        return applied

    names = ("exp", "log", "sqrt", "root", "mean_exp")
    words = {**EXACT, "/": lambda x, y: x / y, **{name: of(name) for name in names}}
    return read(part, words, lambda symbol: values[symbol.name], Fraction)


def replaced(formula: Condition, values: Mapping[str, Term | Number]) -> Condition:
    """Return a formula with terms in place of some symbols."""
    known: dict[int, Part] = {}

    def of(node: Part) -> Part:
        if not isinstance(node, Term | Condition):
            return node
        if isinstance(node, Term) and node.op == "symbol":
            return values.get(node.name, node)
        if id(node) not in known:
            parts = tuple(map(of, node.parts))
            known[id(node)] = (
                Term(node.op, parts, node.name, means=node.means)
                if isinstance(node, Term)
                else Condition(node.op, parts)
            )
        return known[id(node)]

    found = of(formula)
    assert isinstance(found, Condition)
    return found


def _power(x: Any, exponent: int) -> Any:
    return reduce(operator.mul, [x] * exponent) if exponent else 1


EXACT: Mapping[str, Callable[..., Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: Fraction(x) / y,
    "%": lambda x, y: x % y,
    "**": _power,
    "neg": lambda x: -x,
    "abs": abs,
    "floor": math.floor,
    "min": min,
    "max": max,
    "choose": lambda condition, yes, no: yes if condition else no,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "not": lambda part: not part,
    "implies": lambda given, part: not given or part,
    "iff": lambda one, other: one is other,
}
"""The operators over Fractions and truth values."""


def exactly_at(part: Part, values: Mapping[str, Number]) -> Any:
    """Return the value of an expression at a rational point; there is no exp, log or sqrt.

    Examples
    --------
    >>> from proofs_check.statements.readings import exactly_at
    >>> from proofs_check.statements.terms import absolute, real_symbols
    >>> (x,) = real_symbols("x")
    >>> exactly_at(absolute(x - 2) / 3, {"x": 1})
    Fraction(1, 3)
    """
    return read(part, EXACT, lambda symbol: values[symbol.name], lambda number: number)
