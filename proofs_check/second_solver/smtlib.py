"""Problems as SMT-LIB 2.6, so that any solver can be asked without our code.

A file asks for a counterexample: `unsat` says that the statement holds for all values. Whole powers
are written as products, since not every solver knows `^`. The logic is the smallest that z3's and
cvc5's procedures both do well with: with cvc5 1.4.2, problems that mix whole and real numbers end
in less than a second under QF_LIRA where they are linear, and some not in 20 s under QF_NIRA.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from fractions import Fraction

from mechanisms.errors import InvalidArgument
from proofs_check.second_solver.terms import Constant, SolverTerm, Tree, Variable, free_variables

__all__ = ["digest", "in_all_logics", "is_linear", "logic_of", "script", "whole_power"]

SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""Names that need no quotes; `L''` is not among them."""

FOLDED = {"+", "-", "*", "/", "and", "or", "not", "=>", "=", "distinct", "<=", "<", ">=", ">"}
"""Operations that SMT-LIB writes as z3 names them."""

RENAMED = {"if": "ite", "mod": "mod", "to_real": "to_real", "to_int": "to_int"}


def script(formula: Tree, comments: Sequence[str] = ()) -> str:
    """Write the question where a formula fails.

    Parameters
    ----------
    formula : Variable, Constant or SolverTerm
        What is to hold for all values of its variables.
    comments : sequence of str
        Lines to stand at its head.

    Examples
    --------
    >>> from proofs_check.second_solver.smtlib import script
    >>> from proofs_check.second_solver.terms import SolverTerm, Variable
    >>> x = Variable("x", "Real")
    >>> print(script(SolverTerm("=", "Bool", (x, x))), end="")
    (set-logic QF_LRA)
    (declare-const x Real)
    (assert (not (= x x)))
    (check-sat)
    """
    variables = free_variables(formula).values()
    lines = [f"; {line}" for text in comments for line in text.splitlines()]
    lines.append(f"(set-logic {logic_of(formula)})")
    lines += [f"(declare-const {_name(v.name)} {v.sort})" for v in variables]
    lines += [f"(assert (not {_text(formula)}))", "(check-sat)"]
    return "\n".join(lines) + "\n"


def in_all_logics(text: str) -> str:
    """Return a file with the logic that has everything."""
    return re.sub(r"^\(set-logic \w+\)$", "(set-logic ALL)", text, count=1, flags=re.MULTILINE)


def digest(formula: Tree) -> str:
    """Digest of a problem's text without comments."""
    return hashlib.sha256(script(formula).encode()).hexdigest()


def logic_of(formula: Tree) -> str:
    """Name the logic: linear or not, over reals, whole numbers, or both."""
    sorts = _sorts(formula)
    kinds = "IRA" if sorts == {"Int", "Real"} else "IA" if sorts == {"Int"} else "RA"
    if is_linear(formula):
        return f"QF_L{kinds}"
    return "ALL" if kinds == "IRA" else f"QF_N{kinds}"


def _sorts(tree: Tree) -> set[str]:
    own = {str(tree.sort)} - {"Bool"}
    return own.union(*map(_sorts, tree.parts)) if isinstance(tree, SolverTerm) else own


def is_linear(tree: Tree) -> bool:
    """Whether variables are multiplied by constants only."""
    if not isinstance(tree, SolverTerm):
        return True
    free = [part for part in tree.parts if free_variables(part)]
    match tree.operation:
        case "*":
            fits = len(free) <= 1
        case "/" | "mod":
            fits = not free_variables(tree.parts[1])
        case "^":
            fits = not free
        case _:
            fits = True
    return fits and all(map(is_linear, tree.parts))


def _text(tree: Tree) -> str:
    match tree:
        case Variable(name=name):
            return _name(name)
        case Constant():
            return _constant(tree)
        case SolverTerm(operation="^"):
            base, power = tree.parts
            return _power(base, power)
        case SolverTerm(operation="=>" | "or" | "and" | "+" | "*", parts=(only,)):
            return _text(only)
        case SolverTerm(operation=operation, parts=parts):
            word = operation if operation in FOLDED else RENAMED[operation]
            return f"({word} {' '.join(map(_text, parts))})"


def _power(base: Tree, power: Tree) -> str:
    degree = whole_power(power)
    one = "1" if base.sort == "Int" else "1.0"
    if degree < 2:
        return _text(base) if degree else one
    return f"(* {' '.join([_text(base)] * degree)})"


def whole_power(power: Tree) -> int:
    """Return a power that is a whole number.

    Raises
    ------
    InvalidArgument
        If it is another, or depends on a variable.
    """
    if isinstance(power, SolverTerm) and power.operation in ("to_real", "to_int"):
        return whole_power(power.parts[0])
    if not isinstance(power, Constant) or power.value.denominator > 1 or power.value < 0:
        msg = f"a power must be a whole number, got {power!r}"
        raise InvalidArgument(msg)
    return int(power.value)


def _constant(constant: Constant) -> str:
    value = constant.value
    if constant.sort == "Bool":
        return "true" if value else "false"
    return _number(value, ".0" if constant.sort == "Real" else "")


def _number(value: Fraction, ending: str) -> str:
    size = f"{abs(value.numerator)}{ending}"
    if value.denominator > 1:
        size = f"(/ {size} {value.denominator}{ending})"
    return size if value >= 0 else f"(- {size})"


def _name(name: str) -> str:
    return name if SIMPLE.fullmatch(name) else f"|{name}|"
