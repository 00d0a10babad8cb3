"""The only door to z3: statements about all real or whole numbers, decided or left open.

Effort is limited by z3's own count of steps (`rlimit`) and never by time, so that a loaded machine
changes no answer. What z3 does not decide is UNKNOWN, and never read as true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, final

from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    import z3

__all__ = ["Answer", "Kind", "absolute", "all_of", "exact", "for_all", "implies"]

RLIMIT = 50_000_000
"""Steps; some seconds."""

Kind = Literal["real", "integer"]
"""What a variable ranges over."""


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a statement holds for all values of its variables.

    Parameters
    ----------
    holds : bool or None
        None where it was not decided.
    counterexample : mapping of str to Fraction
        Values for which it fails, where `holds` is False and they are rational; else empty.
    """

    holds: bool | None
    counterexample: Mapping[str, Fraction]


def for_all(
    variables: Mapping[str, Kind],
    statement: Callable[..., z3.BoolRef],
    *,
    rlimit: int = RLIMIT,
) -> Answer:
    """Decide whether a statement holds for all values of its variables.

    Parameters
    ----------
    variables : mapping of str to {"real", "integer"}
        Name and range of each.
    statement : callable
        Of z3 terms, in the order of the variables; returns a z3 formula.
    rlimit : int
        Most steps.

    Returns
    -------
    Answer

    Raises
    ------
    InvalidArgument
        If a kind is unknown.

    Examples
    --------
    >>> from proofs_check.smt import for_all
    >>> for_all({"x": "real"}, lambda x: x * x >= 2 * x - 1).holds
    True
    >>> for_all({"n": "integer"}, lambda n: n * n != 4).holds
    False
    """
    import z3

    makers = {"real": z3.Real, "integer": z3.Int}
    for name, kind in variables.items():
        if kind not in makers:
            msg = f"kind must be 'real' or 'integer', got {kind!r} for {name}"
            raise InvalidArgument(msg)
    terms = {name: makers[kind](name) for name, kind in variables.items()}
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.add(z3.Not(statement(*terms.values())))
    found = solver.check()
    if found == z3.unsat:
        return Answer(holds=True, counterexample={})
    if found != z3.sat:
        return Answer(holds=None, counterexample={})
    model = solver.model()
    values = {name: _value(model.eval(term, model_completion=True)) for name, term in terms.items()}
    known = {name: value for name, value in values.items() if value is not None}
    return Answer(holds=False, counterexample=known if len(known) == len(values) else {})


def exact(value: Fraction | int) -> z3.ArithRef:
    """Write a rational as a z3 term."""
    import z3

    number = Fraction(value)
    return z3.Q(number.numerator, number.denominator)


def absolute(term: z3.ArithRef) -> z3.ArithRef:
    """Write |term|."""
    import z3

    return z3.If(term >= 0, term, -term)


def all_of(*formulas: z3.BoolRef) -> z3.BoolRef:
    """Write that all of some formulas hold."""
    import z3

    return z3.And(*formulas)


def implies(given: z3.BoolRef, formula: z3.BoolRef) -> z3.BoolRef:
    """Write that a formula holds where another one does."""
    import z3

    return z3.Implies(given, formula)


def _value(found: Any) -> Fraction | None:
    if hasattr(found, "as_fraction"):
        return Fraction(found.as_fraction())
    return Fraction(found.as_long()) if hasattr(found, "as_long") else None
