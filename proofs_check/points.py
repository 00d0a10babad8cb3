"""Points decided exactly: counterexamples, which lie in the print's domain, and printed numbers.

All numbers are Fractions; what needs exp, log or roots is compared by balls, and decides only where
the comparison is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial, update_wrapper
from inspect import Parameter, Signature, signature
from typing import Any

from proofs_check.claim import Finding
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less
from proofs_check.printed_values import as_printed
from proofs_check.statements.decision import Decided
from proofs_check.statements.forms import Counterexample, always
from proofs_check.statements.notation import text
from proofs_check.statements.readings import EXACT, read
from proofs_check.statements.regions import note
from proofs_check.statements.terms import Condition, Kind, Number, Part, Term
from proofs_check.statements.values import ValuesAre

__all__ = ["fails", "holds_at", "refuted", "right_digits"]

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
    if not all(holds_at(relation, counterexample.at) for relation in quantified.domain.relations):
        return Finding(holds=False, detail=f"{at} is not in the domain")
    if holds_at(quantified.conclusion, counterexample.at):
        return Finding(holds=False, detail=f"holds at {at}")
    note(quantified)
    return Finding(holds=True, detail=f"fails at {at}")


def refuted(
    variables: Mapping[str, Kind],
    words: str,
    *,
    at: Mapping[str, Number],
    terms: Callable[[Mapping[str, Term]], Mapping[str, Part]] | None = None,
) -> Callable[[Callable[..., Any]], Decided]:
    """Make a check of a function that returns what is printed: it fails at a point.

    Parameters
    ----------
    variables : mapping of str to {"real", "integer"}
        Name and range of each; the function takes them by position, and mutants' keywords besides.
    words : str
        The print: a template.
    at : mapping of str to (Fraction or int)
        The point; a mutant may replace a coordinate.
    terms : callable
        Of the variables by name: what the template names besides these.

    Examples
    --------
    >>> from proofs_check.points import refuted
    >>> from proofs_check.smt import reals
    >>> from proofs_check.statements.terms import implies
    >>> @refuted(reals("x"), "A square is no smaller than {right}.", at={"x": Fraction(1, 2)})
    ... def square(x):
    ...     return implies(x >= 0, x * x >= x)
    >>> square().holds, square(x=2).holds
    (True, False)
    """

    def made(formula: Callable[..., Any]) -> Decided:
        def make(**changed: Any) -> Counterexample:
            point = {name: changed.pop(name, value) for name, value in at.items()}
            printed = always(variables, partial(formula, **changed), words, terms)
            return Counterexample(printed, point)

        given = [Parameter(n, Parameter.KEYWORD_ONLY, default=value) for n, value in at.items()]
        kept = signature(formula).parameters.values()
        given += [p for p in kept if p.default is not Parameter.empty]
        update_wrapper(make, formula)
        make.__signature__ = Signature(given)  # type: ignore[attr-defined]
        return Decided(make, fails)

    return made


def right_digits(statement: ValuesAre) -> Finding:
    """Decide whether every printed decimal of a statement is right to its last digit.

    Examples
    --------
    >>> from proofs_check.points import right_digits
    >>> from proofs_check.statements.terms import TERMS
    >>> from proofs_check.statements.values import ValuesAre
    >>> right_digits(ValuesAre(((TERMS.exp(1), "2.7183"),), "Euler's number: {values}."))
    Finding(holds=True, detail='right to the last digit: e^1 2.7183')
    >>> right_digits(ValuesAre(((TERMS.exp(1), "2.7182"),), "Euler's number: {values}.")).holds
    False
    """
    found = as_printed(
        (text(term), printed, _ball(read(term, WORDS, lambda symbol: symbol, Fraction)))
        for term, printed in statement.values
    )
    if found.holds:
        note(statement.quantified)
    return found


def holds_at(formula: Condition, at: Mapping[str, Fraction | int]) -> bool:
    """Whether a formula holds at a point; exactly, or by balls that are far enough apart."""
    found: bool = read(formula, WORDS, lambda symbol: Fraction(at[symbol.name]), Fraction)
    return found


def _less(x: Any, y: Any) -> bool:
    """Whether x < y; a comparison of balls must be certain."""
    if not (isinstance(x, Ball) or isinstance(y, Ball)):
        return bool(x < y)
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
    "power": lambda x, exponent: NUMBERS.power(_ball(x), exponent),
    "quantity": lambda quantity, *arguments: quantity.of(*arguments),
}
"""The operators over Fractions and balls."""
