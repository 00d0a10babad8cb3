"""The language of the papers' modules: all that a statement is written and decided with.

One object is read three ways: by what decides it (z3, balls, sympy, exact numbers), in LaTeX, and
in words. A paper's module imports the language from here.
"""

from __future__ import annotations

from proofs_check.cover import cover
from proofs_check.identities import rearrange
from proofs_check.points import fails, refuted, right_digits
from proofs_check.smt import integers, reals, valid
from proofs_check.solver import for_all, solve
from proofs_check.statements.decision import decided
from proofs_check.statements.divergence import CONSTANT, Diverges
from proofs_check.statements.domain import Definition, Domain
from proofs_check.statements.enumeration import enumerated
from proofs_check.statements.forms import (
    Always,
    Counterexample,
    Inequality,
    Private,
    Sentence,
    always,
)
from proofs_check.statements.notation import text
from proofs_check.statements.regions import note
from proofs_check.statements.terms import (
    TERMS,
    Condition,
    Function,
    Quantity,
    Term,
    Unfolded,
    absolute,
    all_of,
    any_of,
    choose,
    floor,
    implies,
    largest,
    negate,
    real_symbols,
    smallest,
    whole_symbols,
)
from proofs_check.statements.values import ValuesAre, tabled

__all__ = [
    "CONSTANT",
    "TERMS",
    "Always",
    "Condition",
    "Counterexample",
    "Definition",
    "Diverges",
    "Domain",
    "Function",
    "Inequality",
    "Private",
    "Quantity",
    "Sentence",
    "Term",
    "Unfolded",
    "ValuesAre",
    "absolute",
    "all_of",
    "always",
    "any_of",
    "choose",
    "cover",
    "decided",
    "enumerated",
    "fails",
    "floor",
    "for_all",
    "implies",
    "integers",
    "largest",
    "negate",
    "note",
    "real_symbols",
    "reals",
    "rearrange",
    "refuted",
    "right_digits",
    "smallest",
    "solve",
    "tabled",
    "text",
    "valid",
    "whole_symbols",
]
