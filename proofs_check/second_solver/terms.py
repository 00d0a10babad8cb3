"""Formulas that belong to no solver: trees of a few operations over real and whole numbers.

A formula of z3 is read once, here; the writers (SMT-LIB, Coq) know only these trees. An operation
that is not in the table is refused, so that nothing is written with a meaning that was guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, final

from mechanisms.errors import InvalidArgument

__all__ = ["Constant", "SolverTerm", "Sort", "Variable", "free_variables", "read_formula"]

Sort = Literal["Real", "Int", "Bool"]
"""Of a term."""

WORDS = "and or not => = distinct <= < >= > + - * / ^ if mod to_real to_int"
OPERATIONS = frozenset(WORDS.split())
"""Names as z3 has them; `to_int` is the floor, and `-` of one argument the opposite."""


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """A number that ranges over a sort."""

    name: str
    sort: Sort


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A rational number, or a truth value (0 or 1)."""

    value: Fraction
    sort: Sort


@final
@dataclass(frozen=True, slots=True)
class SolverTerm:
    """An operation of `OPERATIONS` on terms."""

    operation: str
    sort: Sort
    parts: tuple[Tree, ...]


Tree: TypeAlias = Variable | Constant | SolverTerm
"""A formula, or a number in one."""


def read_formula(expression: Any) -> Tree:
    """Read an expression of z3.

    Raises
    ------
    InvalidArgument
        If an operation has no meaning here.

    Examples
    --------
    >>> import z3
    >>> from proofs_check.second_solver.terms import read_formula
    >>> read_formula(z3.Real("x") < 1).operation
    '<'
    """
    sort: Sort = expression.sort().name()
    parts = tuple(read_formula(part) for part in expression.children())
    name = expression.decl().name()
    if hasattr(expression, "as_fraction"):
        return Constant(Fraction(expression.as_fraction()), sort)
    if hasattr(expression, "as_long"):
        return Constant(Fraction(expression.as_long()), sort)
    if not parts and name in ("true", "false"):
        return Constant(Fraction(name == "true"), sort)
    if not parts:
        return Variable(name, sort)
    if name not in OPERATIONS or sort not in ("Real", "Int", "Bool"):
        msg = f"no writer knows the operation {name!r} of sort {sort}"
        raise InvalidArgument(msg)
    return SolverTerm(name, sort, parts)


def free_variables(tree: Tree) -> dict[str, Variable]:
    """Return the variables of a tree by name, in the order in which they appear."""
    found: dict[str, Variable] = {}
    _visit(tree, lambda part: found.setdefault(part.name, part))
    return found


def _visit(tree: Tree, note: Callable[[Variable], object]) -> None:
    match tree:
        case Variable():
            note(tree)
        case SolverTerm(parts=parts):
            for part in parts:
                _visit(part, note)
        case Constant():
            pass
