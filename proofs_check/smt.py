"""The only door to z3: statements about all real or whole numbers, decided or left open.

Effort is limited by z3's own count of steps (`rlimit`) and never by time, so that a loaded machine
changes no answer. What z3 does not decide is UNKNOWN, and never read as true. z3 looks at the count
between steps, and one step on polynomials of high degree can take long: a statement that is not
decided within seconds should be split into cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, final

from mechanisms.errors import InvalidArgument
from proofs_check.claim import Finding
from proofs_check.solver_record import note_problem

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
    polynomial: bool = False,
    lemmas: Callable[..., Iterable[z3.BoolRef]] | None = None,
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
    polynomial : bool
        Whether to use the procedure for polynomials over the reals from the start: often much
        faster on those, of no use with integers.
    lemmas : callable, optional
        Of the same terms: formulas that hold for all values, such as the sign of a product. Each
        is decided first, and then told to the solver; where one does not hold, nothing is decided.

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
    formula = statement(*terms.values())
    noted = _NOTED.get()
    if noted is not None:
        noted.append(_is_closed(formula))
        return Answer(holds=True, counterexample={})
    told = [*lemmas(*terms.values())] if lemmas else []
    if any(
        _decide({}, lemma, [], rlimit=rlimit, polynomial=polynomial).holds is not True
        for lemma in told
    ):
        return Answer(holds=None, counterexample={})
    answer = _decide(terms, formula, told, rlimit=rlimit, polynomial=polynomial)
    note_problem(formula, answer.holds, answer.counterexample)
    return answer


def _decide(
    terms: Mapping[str, z3.ArithRef],
    formula: z3.BoolRef,
    lemmas: Iterable[z3.BoolRef],
    *,
    rlimit: int,
    polynomial: bool,
) -> Answer:
    import z3

    solver = z3.SolverFor("QF_NRA") if polynomial else z3.Solver()
    solver.set("rlimit", rlimit)
    solver.add(*lemmas, z3.Not(formula))
    found = solver.check()
    if found == z3.unsat:
        return Answer(holds=True, counterexample={})
    if found != z3.sat:
        return Answer(holds=None, counterexample={})
    model = solver.model()
    values = {name: _value(model.eval(term, model_completion=True)) for name, term in terms.items()}
    known = {name: value for name, value in values.items() if value is not None}
    return Answer(holds=False, counterexample=known if len(known) == len(values) else {})


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
    statement: Callable[..., z3.BoolRef],
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
    objective: Callable[..., z3.ArithRef],
    constraints: Callable[..., Iterable[z3.BoolRef]],
    *,
    rlimit: int = RLIMIT,
) -> Optimum:
    """Solve a linear program over the rationals, exactly.

    Parameters
    ----------
    variables : sequence of str
        Names; each ranges over the reals.
    objective : callable
        Of the z3 terms; linear.
    constraints : callable
        Of the z3 terms; linear, not strict. Together they must bound the objective.
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

    terms = [z3.Real(name) for name in variables]
    solver = z3.Optimize()
    solver.set("rlimit", rlimit)
    feasible = [*constraints(*terms)]
    solver.add(*feasible)
    handle = solver.maximize(objective(*terms))
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
        name: _value(model.eval(term, model_completion=True)) or Fraction(0)
        for name, term in zip(variables, terms, strict=True)
    }
    none_better = z3.Implies(z3.And(*feasible), objective(*terms) <= exact(value))
    note_problem(none_better, True, {})
    return Optimum(value, at)


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


def any_of(*formulas: z3.BoolRef) -> z3.BoolRef:
    """Write that at least one of some formulas holds."""
    import z3

    return z3.Or(*formulas)


def negate(formula: z3.BoolRef) -> z3.BoolRef:
    """Write that a formula does not hold."""
    import z3

    return z3.Not(formula)


def choose(condition: z3.BoolRef, yes: z3.ArithRef, no: z3.ArithRef) -> z3.ArithRef:
    """Write `yes` where a condition holds, and `no` elsewhere."""
    import z3

    return z3.If(condition, yes, no)


def real(term: z3.ArithRef) -> z3.ArithRef:
    """Read an integer term as a real one."""
    import z3

    return z3.ToReal(term)


def floor(term: z3.ArithRef) -> z3.ArithRef:
    """Write the largest integer that is at most a real term, as an integer term."""
    import z3

    return z3.ToInt(term)


def _value(found: Any) -> Fraction | None:
    if hasattr(found, "as_fraction"):
        return Fraction(found.as_fraction())
    return Fraction(found.as_long()) if hasattr(found, "as_long") else None
