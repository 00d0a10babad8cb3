"""The expressions of statements: a tree that solvers, enclosures and printers read alike.

A term is built by the operators of Python and by the functions below, from symbols and exact
numbers. Nothing is simplified, so what is printed is what is decided. Comparing two terms makes a
formula, and a formula has no truth value of its own: `if x < y` is an error, not a choice.

Examples
--------
>>> from proofs_check.statements.terms import absolute, real_symbols
>>> x, y = real_symbols("x y")
>>> (absolute(x - y) <= 2).op
'<='
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from inspect import signature
from typing import Any, Literal, TypeAlias, final

from mechanisms.errors import InvalidArgument

__all__ = [
    "TERMS",
    "Condition",
    "Function",
    "Kind",
    "Number",
    "Part",
    "Quantity",
    "Term",
    "Unfolded",
    "absolute",
    "all_of",
    "any_of",
    "choose",
    "floor",
    "implies",
    "largest",
    "negate",
    "real_symbols",
    "smallest",
    "symbol",
    "whole_symbols",
]

Kind: TypeAlias = Literal["real", "integer"]
"""What a symbol ranges over."""

Number: TypeAlias = Fraction | int
"""An exact number."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""What a symbol may be called: every solver's language has such names."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A number that depends on symbols.

    Parameters
    ----------
    op : str
        An operator, the name of a function, "symbol", or "named" (a function of its own, whose
        first part is what it stands for).
    parts : tuple of Part
        What it is applied to.
    name : str
        Of a symbol or a named function.
    kind : {"real", "integer"}
        Of a symbol.
    means : Function, Quantity or None
        Of a named function or a quantity: which.
    """

    op: str
    parts: tuple[Part, ...] = ()
    name: str = ""
    kind: Kind = "real"
    means: Function | Quantity | None = None

    def __add__(self, other: Term | Number) -> Term:
        if not isinstance(other, Term) and other == 0:
            return self
        return Term("+", (self, other))

    def __radd__(self, other: Number) -> Term:
        return self if other == 0 else Term("+", (other, self))

    def __sub__(self, other: Term | Number) -> Term:
        return Term("-", (self, other))

    def __rsub__(self, other: Number) -> Term:
        return Term("-", (other, self))

    def __mul__(self, other: Term | Number) -> Term:
        if not isinstance(other, Term) and other == 1:
            return self
        return Term("*", (self, other))

    def __rmul__(self, other: Number) -> Term:
        return self if other == 1 else Term("*", (other, self))

    def __truediv__(self, other: Term | Number) -> Term:
        return Term("/", (self, other))

    def __rtruediv__(self, other: Number) -> Term:
        return Term("/", (other, self))

    def __mod__(self, other: int) -> Term:
        return Term("%", (self, other))

    def __pow__(self, other: Term | Number) -> Term:
        if not isinstance(other, int):
            return Term("power", (self, other))
        if other < 0:
            return Term("/", (1, self**-other))
        return Term("**", (self, other))

    def __rpow__(self, other: Number) -> Term:
        return Term("power", (other, self))

    def __neg__(self) -> Term:
        return Term("neg", (self,))

    def __abs__(self) -> Term:
        return Term("abs", (self,))

    def __lt__(self, other: Term | Number) -> Condition:
        return Condition("<", (self, other))

    def __le__(self, other: Term | Number) -> Condition:
        return Condition("<=", (self, other))

    def __gt__(self, other: Term | Number) -> Condition:
        return Condition(">", (self, other))

    def __ge__(self, other: Term | Number) -> Condition:
        return Condition(">=", (self, other))

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return Condition("==", (self, other))  # type: ignore[arg-type]

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return Condition("!=", (self, other))  # type: ignore[arg-type]

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        msg = "a term has no truth value"
        raise TypeError(msg)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """What holds or not, depending on symbols.

    Parameters
    ----------
    op : str
        A comparison, "and", "or", "not", "implies" or "iff".
    parts : tuple of Part
        What it is applied to.
    """

    op: str
    parts: tuple[Part, ...]

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return Condition("iff", (self, other))  # type: ignore[arg-type]

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        msg = "a formula has no truth value: use all_of, any_of, implies or choose"
        raise TypeError(msg)


Part: TypeAlias = Term | Condition | Number
"""What a term or formula may be made of."""


def real_symbols(names: str) -> tuple[Term, ...]:
    """Return the real symbols of some names, separated by spaces."""
    return tuple(symbol(name, "real") for name in names.split())


def whole_symbols(names: str) -> tuple[Term, ...]:
    """Return the whole-number symbols of some names, separated by spaces."""
    return tuple(symbol(name, "integer") for name in names.split())


def symbol(name: str, kind: Kind) -> Term:
    """Return the symbol of a name."""
    if not NAME.fullmatch(name):
        msg = f"a symbol's name must be letters, digits and underscores, got {name!r}"
        raise InvalidArgument(msg)
    return Term("symbol", (), name, kind)


def absolute(x: Term) -> Term:
    """Write |x|."""
    return Term("abs", (x,))


def floor(x: Term) -> Term:
    """Write the largest whole number that is at most x."""
    return Term("floor", (x,))


def smallest(x: Term | Number, y: Term | Number) -> Term:
    """Write the smaller one."""
    return Term("min", (x, y))


def largest(x: Term | Number, y: Term | Number) -> Term:
    """Write the larger one."""
    return Term("max", (x, y))


def choose(condition: Condition, yes: Any, no: Any) -> Any:
    """Write `yes` where a condition holds, and `no` elsewhere: two terms or two formulas."""
    made = Condition if isinstance(yes, Condition) else Term
    return made("choose", (condition, yes, no))


def all_of(*formulas: Condition) -> Condition:
    """Write that all of some formulas hold."""
    return Condition("and", formulas)


def any_of(*formulas: Condition) -> Condition:
    """Write that at least one of some formulas holds."""
    return Condition("or", formulas)


def negate(formula: Condition) -> Condition:
    """Write that a formula does not hold."""
    return Condition("not", (formula,))


def implies(given: Condition, formula: Condition) -> Condition:
    """Write that a formula holds where another one does."""
    return Condition("implies", (given, formula))


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function with a name: `k(t, s)` is printed so, with what it stands for beside it.

    Parameters
    ----------
    name : str
        As printed.
    of : callable
        What it stands for, of its arguments.
    short : bool
        Whether it is printed without its arguments, as `y`.
    """

    name: str
    of: Callable[..., Term]
    short: bool = False

    def __call__(self, *arguments: Term | Number) -> Term:
        """Apply it."""
        return Term("named", (self.of(*arguments), *arguments), self.name, means=self)

    def general(self) -> tuple[Term, Term]:
        """The function of symbols called as its parameters are, and what it stands for."""
        symbols = real_symbols(" ".join(signature(self.of).parameters))
        return self(*symbols), self.of(*symbols)


@final
@dataclass(frozen=True, slots=True)
class Unfolded:
    """A function that a statement only names: its values are enclosed elsewhere, never solved for.

    Parameters
    ----------
    name : str
        As printed.
    """

    name: str

    def __call__(self, *arguments: Term | Number) -> Term:
        """Apply it."""
        return Term("opaque", arguments, self.name)


@final
@dataclass(frozen=True, slots=True)
class Quantity:
    """What no closed form of the language says: an integral, a sum, a law; computed at its door.

    Parameters
    ----------
    name : str
        In a sentence, such as "E |Z|".
    tex : str
        In a formula.
    of : callable
        Computes it: of symbols for an identity, of numbers for values and counterexamples.
    """

    name: str
    tex: str
    of: Callable[..., Any]

    def __call__(self, *arguments: Term | Number) -> Term:
        """Name it at some values of what it depends on."""
        return Term("quantity", arguments, self.name, means=self)


@final
class TermFunctions:
    """The functions of closed forms (`numbers`), over terms."""

    def exp(self, x: Term | Number) -> Term:
        """Write e^x."""
        return Term("exp", (x,))

    def log(self, x: Term | Number) -> Term:
        """Write the natural logarithm."""
        return Term("log", (x,))

    def sqrt(self, x: Term | Number) -> Term:
        """Write the square root."""
        return Term("sqrt", (x,))

    def root(self, x: Term | Number, degree: int) -> Term:
        """Write a root."""
        return Term("root", (x, degree))

    def mean_exp(self, x: Term | Number) -> Term:
        """Write the mean of e^y over y between 0 and x."""
        return Term("mean_exp", (x,))

    def rational(self, value: Fraction) -> Fraction:
        """Return an exact number as it is."""
        return value


TERMS = TermFunctions()
"""What a closed form runs over to become a term."""
