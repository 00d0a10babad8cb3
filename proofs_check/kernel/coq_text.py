"""Formulas as propositions of Coq, over its real numbers R and whole numbers Z.

The text is made from the object that the solver decided, so that no statement is written twice. A
choice becomes `if` on a decision procedure of the standard library, an absolute value `Rabs` or
`Z.abs`, a floor `Int_part`. Division by zero has some value in Coq as it has in z3: what holds for
every value holds for Coq's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction

from mechanisms.errors import InvalidArgument
from proofs_check.second_solver.smtlib import whole_power
from proofs_check.second_solver.terms import Constant, SolverTerm, Tree, Variable, free_variables

__all__ = ["digest", "instance_words", "is_mixed", "is_whole", "statement"]

WORDS = """
R Z mod if then else let in match with end as at for fun fix cofix forall exists exists2 return
where using IF Prop Set Type
"""
RESERVED = frozenset(WORDS.split())
"""Names that mean something in a statement."""

RELATIONS = {"<=": "<=", "<": "<", ">=": ">=", ">": ">", "=": "="}
DECIDED = {
    ("<=", "Real"): "Rle_dec",
    ("<", "Real"): "Rlt_dec",
    (">=", "Real"): "Rge_dec",
    (">", "Real"): "Rgt_dec",
    ("=", "Real"): "Req_EM_T",
    ("<=", "Int"): "Z_le_dec",
    ("<", "Int"): "Z_lt_dec",
    (">=", "Int"): "Z_ge_dec",
    (">", "Int"): "Z_gt_dec",
    ("=", "Int"): "Z.eq_dec",
}
"""Decision procedures of the standard library."""


def statement(formula: Tree, *, fails: bool = False) -> str:
    """Write that a formula holds for all values of its variables, or that it does not.

    Examples
    --------
    >>> from proofs_check.kernel.coq_text import statement
    >>> from proofs_check.second_solver.terms import SolverTerm, Variable
    >>> x = Variable("x", "Real")
    >>> statement(SolverTerm("<=", "Bool", (x, SolverTerm("*", "Real", (x, x)))))
    'forall x : R, (x <= (x * x))%R'
    """
    binders = []
    for sort, letter in (("Real", "R"), ("Int", "Z")):
        names = [_name(v.name) for v in free_variables(formula).values() if v.sort == sort]
        if names:
            binders.append((" ".join(names), letter))
    body = _proposition(formula)
    if len(binders) == 1:
        body = f"forall {binders[0][0]} : {binders[0][1]}, {body}"
    elif binders:
        body = f"forall {' '.join(f'({names} : {letter})' for names, letter in binders)}, {body}"
    return f"~ ({body})" if fails else body


def digest(formula: Tree, *, fails: bool = False) -> str:
    """Digest of the statement's text."""
    return hashlib.sha256(statement(formula, fails=fails).encode()).hexdigest()


def instance_words(formula: Tree, point: Mapping[str, Fraction]) -> str:
    """Write the values of a point, in the order of the statement's binders."""
    variables = free_variables(formula).values()
    ordered = [v for sort in ("Real", "Int") for v in variables if v.sort == sort]
    return " ".join(
        f"({_constant(Constant(point[v.name], v.sort))})%{'R' if v.sort == 'Real' else 'Z'}"
        for v in ordered
    )


def is_whole(formula: Tree) -> bool:
    """Whether all numbers are whole."""
    return _sorts(formula) == {"Int"}


def is_mixed(formula: Tree) -> bool:
    """Whether there are whole and real numbers."""
    return _sorts(formula) == {"Int", "Real"}


def _sorts(tree: Tree) -> set[str]:
    own = {str(tree.sort)} - {"Bool"}
    return own.union(*map(_sorts, tree.parts)) if isinstance(tree, SolverTerm) else own


def _proposition(tree: Tree) -> str:
    match tree:
        case Constant(value=value):
            return "True" if value else "False"
        case SolverTerm(operation="and" | "or" as word, parts=parts):
            sign = " /\\ " if word == "and" else " \\/ "
            inside = sign.join(map(_proposition, parts))
            return f"({inside})" if parts else str(word == "and")
        case SolverTerm(operation="not", parts=(part,)):
            return f"(~ {_proposition(part)})"
        case SolverTerm(operation="=>", parts=(given, then)):
            return f"({_proposition(given)} -> {_proposition(then)})"
        case SolverTerm(operation="if", parts=(condition, yes, no)):
            test, one, other = map(_proposition, (condition, yes, no))
            return f"(({test} /\\ {one}) \\/ (~ {test} /\\ {other}))"
        case SolverTerm(operation="=", parts=(left, right)) if left.sort == "Bool":
            return f"({_proposition(left)} <-> {_proposition(right)})"
        case SolverTerm(operation="=" | "distinct" | "<=" | "<" | ">=" | ">" as word, parts=(a, b)):
            sign = "<>" if word == "distinct" else RELATIONS[word]
            return f"({_number(a)} {sign} {_number(b)})%{'R' if a.sort == 'Real' else 'Z'}"
    msg = f"no proposition of Coq for {tree!r}"
    raise InvalidArgument(msg)


def _number(tree: Tree) -> str:
    match tree:
        case Variable(name=name):
            return _name(name)
        case Constant():
            return _constant(tree)
        case SolverTerm(operation="if", parts=(condition, yes, no)):
            if _is_absolute(condition, yes, no):
                return f"({'Rabs' if tree.sort == 'Real' else 'Z.abs'} {_number(yes)})"
            return f"(if {_decision(condition)} then {_number(yes)} else {_number(no)})"
        case SolverTerm(operation="to_real", parts=(Constant() as whole,)):
            return _constant(whole)
        case SolverTerm(operation="to_real", parts=(part,)):
            return f"(IZR {_number(part)}%Z)"
        case SolverTerm(operation="to_int", parts=(part,)):
            return f"(Int_part {_number(part)}%R)"
        case SolverTerm(operation="-", parts=(part,)):
            return f"(- {_number(part)})"
        case SolverTerm(operation="^", parts=(base, power)):
            degree = whole_power(power)
            return f"({_number(base)} ^ {degree})"
        case SolverTerm(operation="mod", parts=(left, right)):
            return f"({_number(left)} mod {_number(right)})"
        case SolverTerm(operation="+" | "-" | "*" as sign, parts=parts):
            return f"({f' {sign} '.join(map(_number, parts))})"
        case SolverTerm(operation="/", sort="Real", parts=(left, right)):
            return f"({_number(left)} / {_number(right)})"
    msg = f"no number of Coq for {tree!r}"
    raise InvalidArgument(msg)


def _decision(tree: Tree) -> str:
    match tree:
        case SolverTerm(operation="and" | "or" as word, parts=(first, *rest)):
            if not rest:
                return _decision(first)
            others = _decision(SolverTerm(word, "Bool", tuple(rest)))
            return f"(sumbool_{word} _ _ _ _ {_decision(first)} {others})"
        case SolverTerm(operation="not", parts=(part,)):
            return f"(sumbool_not _ _ {_decision(part)})"
        case SolverTerm(operation=word, parts=(a, b)) if (word, a.sort) in DECIDED:
            scope = "R" if a.sort == "Real" else "Z"
            return f"({DECIDED[word, a.sort]} {_number(a)}%{scope} {_number(b)}%{scope})"
    msg = f"no decision procedure of Coq for {tree!r}"
    raise InvalidArgument(msg)


def _is_absolute(condition: Tree, yes: Tree, no: Tree) -> bool:
    match condition, no:
        case (
            SolverTerm(operation=">=", parts=(tested, Constant(value=zero))),
            SolverTerm(operation="-", parts=(opposite,)),
        ):
            return zero == 0 and tested == yes == opposite
    return False


def _constant(constant: Constant) -> str:
    value = constant.value
    size = str(abs(value.numerator))
    if value.denominator > 1:
        size = f"({size} / {value.denominator})"
    return size if value >= 0 else f"(- {size})"


def _name(name: str) -> str:
    return f"{name}_" if name in RESERVED else name
