"""The only door to z3: statements about all real or whole numbers, decided or left open.

Effort is limited by z3's own count of steps (`rlimit`) and never by time, so that a loaded machine
changes no answer; and each problem is asked in a context of its own, since z3's search, and so its
count, depends on what was asked before in the same one. What z3 does not decide is UNKNOWN, and
never read as true. z3 looks at the count between steps, and one step on polynomials of high degree
can take long: a statement that is not decided within seconds should be split into cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, final

from mechanisms.errors import InvalidArgument
from proofs_check.claim import Finding
from proofs_check.solver_record import note_problem
from proofs_check.statements import terms
from proofs_check.statements.readings import EXACT, read
from proofs_check.statements.terms import (
    Condition,
    Kind,
    Number,
    Part,
    Term,
    absolute,
    all_of,
    any_of,
    choose,
    floor,
    implies,
    negate,
)

if TYPE_CHECKING:
    import z3

__all__ = [
    "Answer",
    "Kind",
    "Optimum",
    "absolute",
    "all_of",
    "any_of",
    "choose",
    "exact",
    "floor",
    "for_all",
    "implies",
    "integers",
    "maximum",
    "negate",
    "noting",
    "real",
    "reals",
    "valid",
]

RLIMIT = 50_000_000
"""Steps; some seconds."""

_NOTED: ContextVar[list[bool] | None] = ContextVar("noted", default=None)


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
    statement: Callable[..., Condition],
    *,
    rlimit: int = RLIMIT,
    polynomial: bool = False,
    lemmas: Callable[..., Iterable[Condition]] | None = None,
    always: bool = False,
) -> Answer:
    """Decide whether a statement holds for all values of its variables.

    Parameters
    ----------
    variables : mapping of str to {"real", "integer"}
        Name and range of each.
    statement : callable
        Of the variables, as terms in their order; returns a formula.
    rlimit : int
        Most steps.
    polynomial : bool
        Whether to use the procedure for polynomials over the reals from the start: often much
        faster on those, of no use with integers.
    lemmas : callable, optional
        Of the same terms: formulas that hold for all values, such as the sign of a product. Each
        is decided first, and then told to the solver; where one does not hold, nothing is decided.
    always : bool
        Whether to solve it even where problems are only noted (`noting`).

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
    values = {name: makers[kind](name) for name, kind in variables.items()}
    symbols = [terms.symbol(name, kind) for name, kind in variables.items()]
    formula = _in_z3(statement(*symbols), values)
    noted = _NOTED.get()
    if noted is not None and not always:
        noted.append(_is_closed(formula))
        return Answer(holds=True, counterexample={})
    told = [_in_z3(lemma, values) for lemma in lemmas(*symbols)] if lemmas else []
    if any(
        _decide({}, lemma, [], rlimit=rlimit, polynomial=polynomial).holds is not True
        for lemma in told
    ):
        return Answer(holds=None, counterexample={})
    answer = _decide(values, formula, told, rlimit=rlimit, polynomial=polynomial)
    note_problem(formula, answer.holds, answer.counterexample)
    return answer


def _decide(
    values: Mapping[str, z3.ArithRef],
    formula: z3.BoolRef,
    lemmas: Iterable[z3.BoolRef],
    *,
    rlimit: int,
    polynomial: bool,
) -> Answer:
    import z3

    alone = z3.Context()
    solver = z3.SolverFor("QF_NRA", alone) if polynomial else z3.Solver(ctx=alone)
    solver.set("rlimit", rlimit)
    solver.add(*(told.translate(alone) for told in (*lemmas, z3.Not(formula))))
    answer = solver.check()
    if answer == z3.unsat:
        return Answer(holds=True, counterexample={})
    if answer != z3.sat:
        return Answer(holds=None, counterexample={})
    model = solver.model()
    found = {
        name: _value(model.eval(z.translate(alone), model_completion=True))
        for name, z in values.items()
    }
    point = {name: value for name, value in found.items() if value is not None}
    return Answer(holds=False, counterexample=point if len(point) == len(found) else {})


@contextmanager
def noting() -> Iterator[list[bool]]:
    """Note of each problem whether rearrangement closes it; none is solved meanwhile.

    Examples
    --------
    >>> from proofs_check.smt import implies, noting, reals, valid
    >>> with noting() as closed:
    ...     _ = valid(reals("x"), lambda x: implies(x > 1, x + x == 2 * x))
    ...     _ = valid(reals("x"), lambda x: implies(x > 1, x > 0))
    >>> closed
    [True, False]
    """
    closed: list[bool] = []
    token = _NOTED.set(closed)
    try:
        yield closed
    finally:
        _NOTED.reset(token)


def _is_closed(formula: z3.BoolRef) -> bool:
    """Whether rearrangement alone shows a formula, or the conclusion of an implication."""
    import z3

    # one normal form for sums of monomials; then what is among the hypotheses word by word is true
    rearranged = z3.With("simplify", som=True, sort_sums=True)
    parts = [formula, formula.arg(1)] if z3.is_implies(formula) else [formula]
    tactic = z3.Then(rearranged, "propagate-values")
    return any(tactic(z3.Not(part)).as_expr().eq(z3.BoolVal(val=False)) for part in parts)


def reals(names: str) -> dict[str, Kind]:
    """Return the real variables of some names, separated by spaces."""
    return dict.fromkeys(names.split(), "real")


def integers(names: str) -> dict[str, Kind]:
    """Return the whole-number variables of some names, separated by spaces."""
    return dict.fromkeys(names.split(), "integer")


def valid(
    variables: Mapping[str, Kind],
    statement: Callable[..., Condition],
    *,
    rlimit: int = RLIMIT,
    polynomial: bool = False,
    lemmas: Callable[..., Iterable[z3.BoolRef]] | None = None,
) -> Finding:
    """Decide as `for_all`, and say what was found.

    Examples
    --------
    >>> from proofs_check.smt import integers, reals, valid
    >>> valid(reals("x"), lambda x: x * x >= 2 * x - 1)
    Finding(holds=True, detail='no counterexample over the reals')
    >>> valid(integers("n"), lambda n: n * n != 4).holds
    False
    """
    answer = for_all(variables, statement, rlimit=rlimit, polynomial=polynomial, lemmas=lemmas)
    kinds = {"real": "the reals", "integer": "the integers"}
    over = " and ".join(kinds[kind] for kind in dict.fromkeys(variables.values()))
    if answer.holds:
        return Finding(holds=True, detail=f"no counterexample over {over}")
    if answer.holds is None:
        return Finding(holds=None, detail=f"not decided in {rlimit} steps")
    at = ", ".join(f"{name} = {value}" for name, value in answer.counterexample.items())
    return Finding(holds=False, detail=f"fails at {at or 'an irrational point'}")


@final
@dataclass(frozen=True, slots=True)
class Optimum:
    """Largest value of a linear objective on a polytope.

    Parameters
    ----------
    value : Fraction
        The maximum, exactly.
    at : mapping of str to Fraction
        Where it is attained.
    """

    value: Fraction
    at: Mapping[str, Fraction]


def maximum(
    variables: Sequence[str],
    objective: Callable[..., Term],
    constraints: Callable[..., Iterable[Condition]],
    *,
    rlimit: int = RLIMIT,
) -> Optimum:
    """Solve a linear program over the rationals, exactly.

    Parameters
    ----------
    variables : sequence of str
        Names; each ranges over the reals.
    objective : callable
        Of terms; linear.
    constraints : callable
        Of the same terms; linear, not strict. Together they must bound the objective.
    rlimit : int
        Most steps.

    Raises
    ------
    InvalidArgument
        If there is no feasible point, or the objective has no maximum.
    ArithmeticError
        If the solver did not decide.

    Examples
    --------
    >>> from proofs_check.smt import maximum
    >>> maximum(["x", "y"], lambda x, y: x + y, lambda x, y: [2 * x + y <= 3, x >= 0, y <= 1]).value
    Fraction(2, 1)
    """
    import z3

    values = {name: z3.Real(name) for name in variables}
    symbols = [terms.symbol(name, "real") for name in variables]
    solver = z3.Optimize()
    solver.set("rlimit", rlimit)
    feasible = [_in_z3(constraint, values) for constraint in constraints(*symbols)]
    aim = _in_z3(objective(*symbols), values)
    solver.add(*feasible)
    handle = solver.maximize(aim)
    found = solver.check()
    if found == z3.unknown:
        msg = f"the linear program was not decided in {rlimit} steps"
        raise ArithmeticError(msg)
    value = _value(solver.upper(handle)) if found == z3.sat else None
    if value is None:
        reason = "no feasible point" if found == z3.unsat else "no maximum"
        msg = f"the linear program has {reason}"
        raise InvalidArgument(msg)
    model = solver.model()
    at = {
        name: _value(model.eval(z, model_completion=True)) or Fraction(0)
        for name, z in values.items()
    }
    none_better = z3.Implies(z3.And(*feasible), aim <= _number(value))
    note_problem(none_better, True, {})
    return Optimum(value, at)


def exact(value: Fraction | int) -> Fraction:
    """Return a number as a rational: a term takes it as it is."""
    return Fraction(value)


def real(term: Any) -> Any:
    """Return a term as it is: whole numbers are real ones where they meet these."""
    return term


def _in_z3(part: Part, symbols: Mapping[str, Any]) -> Any:
    """Read an expression in z3's language."""
    if not isinstance(part, Term | Condition):  # a statement of numbers alone
        return part
    return read(part, _words(), lambda symbol: symbols[symbol.name], _number)


@cache
def _words() -> Mapping[str, Callable[..., Any]]:
    """The operators in z3's language; minima, maxima and |x| are choices."""
    import z3

    def as_real(x: Any) -> Any:
        return z3.ToReal(x) if z3.is_expr(x) and z3.is_int(x) else x

    return {
        **EXACT,
        "/": lambda x, y: as_real(x) / as_real(y),  # z3 itself would round whole numbers
        "abs": lambda x: z3.If(x >= 0, x, -x),
        "floor": z3.ToInt,
        "min": lambda x, y: z3.If(x <= y, x, y),
        "max": lambda x, y: z3.If(x >= y, x, y),
        "choose": z3.If,
        "and": z3.And,
        "or": z3.Or,
        "not": z3.Not,
        "implies": z3.Implies,
        "iff": lambda one, other: one == other,
    }


def _number(number: Number) -> Any:
    import z3

    if isinstance(number, int):
        return number
    return z3.Q(number.numerator, number.denominator)


def _value(found: Any) -> Fraction | None:
    if hasattr(found, "as_fraction"):
        return Fraction(found.as_fraction())
    return Fraction(found.as_long()) if hasattr(found, "as_long") else None
