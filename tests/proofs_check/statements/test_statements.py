"""One object, read by a solver, by balls, by sympy and by exact numbers, says one thing."""

from __future__ import annotations

import ast
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import proofs_check
from mechanisms.errors import InvalidArgument
from proofs_check.claim import Check, Claim, Finding, Method, Status, is_prose
from proofs_check.cover import cover
from proofs_check.identities import rearrange
from proofs_check.points import fails
from proofs_check.registry import claims
from proofs_check.smt import for_all
from proofs_check.solver import solve
from proofs_check.statements.decision import Decided, decided, statement_of
from proofs_check.statements.domain import Domain, Quantified
from proofs_check.statements.forms import Counterexample, Inequality, Private, Statement, sentence
from proofs_check.statements.notation import latex, text
from proofs_check.statements.readings import exactly_at
from proofs_check.statements.terms import (
    TERMS,
    Function,
    absolute,
    all_of,
    choose,
    implies,
    real_symbols,
    whole_symbols,
)

PAPERS = Path(next(iter(proofs_check.__path__))) / "papers"
x, y, eps = real_symbols("x y eps")
UNIT = Domain((x >= 0, x <= 1))
LEFT = 70
"""Checks that ask a solver among other things, or read its answers: plain functions still."""


def stated() -> dict[str, Quantified]:
    """All statements that checks decide, by claim and check."""
    return {
        f"{claim.id} {check.name}": made.quantified
        for claim in claims().values()
        for check in claim.checks
        if (made := statement_of(check)) is not None
    }


READ_WHOLE = 157
"""Claims whose sentence is read off the objects that are decided, every part of it."""


def test_most_sentences_are_read_off_what_is_decided() -> None:
    """It must hold that their number only grows."""
    whole = [
        claim.id
        for claim in claims().values()
        if claim.states and not any(map(is_prose, claim.states))
    ]
    assert len(whole) >= READ_WHOLE


@pytest.mark.parametrize(
    ("step", "least"),
    [
        (50, 30),
        pytest.param(10, 60, marks=pytest.mark.long),
        pytest.param(1, 800, marks=pytest.mark.slow),
    ],
)
def test_the_solver_reads_what_exact_numbers_read(step: int, least: int) -> None:
    """It must hold of every conclusion without exp, log and roots, at a rational point.

    z3 is given the point as equations, and must find the value that exact arithmetic finds.
    """
    compared = 0
    for name, quantified in [*stated().items()][::step]:
        rng = random.Random(crc32(name.encode()))
        point = {
            symbol: Fraction(rng.randint(1, 9), 1 if kind == "integer" else rng.randint(1, 4))
            for symbol, kind in quantified.domain.symbols.items()
        }
        for formula in (quantified.conclusion, *quantified.domain.relations):
            try:
                holds = exactly_at(formula, point)
            except (InvalidArgument, ZeroDivisionError):
                continue
            compared += 1
            found = for_all(
                quantified.domain.symbols, lambda *s, f=formula, p=point: implies(_at(s, p), f)
            )
            assert found.holds is holds, (name, text(formula), point)
    assert compared >= least


def _at(symbols: tuple[Any, ...], point: dict[str, Fraction]) -> Any:
    return all_of(*(symbol == point[symbol.name] for symbol in symbols))


def test_few_inequalities_are_without_an_object() -> None:
    """It must hold that their number only falls: what is decided is shown, with its domain."""
    checks = [check for claim in claims().values() for check in claim.checks]
    without = [c for c in checks if c.method is Method.SMT and statement_of(c) is None]
    assert len(without) <= LEFT


@pytest.mark.parametrize(
    ("term", "value", "printed", "tex"),
    [
        (absolute(x - 3) / 2, Fraction(5, 4), "|x - 3| / 2", r"\frac{\left|x - 3\right|}{2}"),
        (x**2 - x * x, 0, "x^2 - x^2", "x^{2} - x^{2}"),
        (-(x + 1) * 2, -3, "-(x + 1) 2", r"-\left(x + 1\right) \cdot 2"),
        (x - (x - 1), 1, "x - (x - 1)", r"x - \left(x - 1\right)"),
        (
            choose(x > 1, x, 2 * x),
            1,
            "(x if x > 1, else 2 x)",
            r"\begin{cases} x & \text{if } x > 1 \\ 2 x & \text{else} \end{cases}",
        ),
        (Function("k", lambda t: t + 1)(x), Fraction(3, 2), "k(x)", "k(x)"),
    ],
)
def test_terms_are_printed_as_built(term: Any, value: Any, printed: str, tex: str) -> None:
    """It must hold that text, LaTeX and value are of the same tree, at x = 1/2."""
    assert exactly_at(term, {"x": Fraction(1, 2)}) == value
    assert (text(term), latex(term)) == (printed, tex)


def test_formulas_have_no_truth_value() -> None:
    """It must hold that none is taken for true by mistake: in `if`, or in a chain."""
    with pytest.raises(TypeError, match="no truth value"):
        bool(x < y)
    with pytest.raises(TypeError, match="no truth value"):
        0 < x < 1  # noqa: B015


@pytest.mark.parametrize(
    ("by", "true", "false"),
    [
        (solve, Inequality(UNIT, x * x, "<=", x), Inequality(UNIT, 2 * x * x, "<=", x)),
        (
            lambda s: cover(s, box={"x": (0, 1)}),
            Inequality(UNIT, TERMS.exp(x), "<", 3 + 0 * x),
            Inequality(UNIT, TERMS.exp(x), "<", 2 + 0 * x),
        ),
        (
            lambda s: rearrange(s, box={"x": (0, 1)}),
            Inequality(UNIT, (x + 1) ** 2, "==", x * x + 2 * x + 1),
            Inequality(UNIT, (x + 1) ** 2, "==", x * x + 1),
        ),
        (
            fails,
            Counterexample(Inequality(UNIT, x, "<=", x * x), {"x": Fraction(1, 2)}),
            Counterexample(Inequality(UNIT, x, "<=", x * x), {"x": 2}),
        ),
    ],
)
def test_every_door_decides_both_ways(by: Any, true: Statement, false: Statement) -> None:
    """It must hold that each finds a true statement to hold, and its slight change to fail."""
    assert by(true).holds is True
    assert by(false).holds is False


def test_a_point_outside_of_the_domain_refutes_nothing() -> None:
    """It must hold although the print fails there too."""
    printed = Inequality(Domain((x >= 2,)), x, ">=", 2)
    found = fails(Counterexample(printed, {"x": 1}))
    assert (found.holds, found.detail) == (False, "x = 1 is not in the domain")


@pytest.mark.parametrize(
    "template", ["at most 3", "at most eps", "at most {left} / 2", "a factor of e^x", "{other}"]
)
def test_a_sentence_has_no_number_of_its_own(template: str) -> None:
    """It must hold that its numbers stand in braces, where its object puts them."""
    with pytest.raises(InvalidArgument, match="must"):
        sentence(template, {"left": x})
    assert sentence("at most {left}", {"left": 3 * x}) == "at most 3 x"


def test_the_sentence_of_privacy_follows_the_budget() -> None:
    """It must hold: no claim can say half of what was decided."""
    domain = Domain((eps > 0, x <= eps))
    made = [Private("It", "add-remove", domain, x, budget) for budget in (eps, eps / 2)]
    assert [m.words().split(" under")[0] for m in made] == [
        "It is eps-differentially private",
        "It is (eps / 2)-differentially private",
    ]
    assert [solve(m).holds for m in made] == [True, False]


def test_a_domain_speaks_of_all_symbols() -> None:
    """It must hold that no symbol of a conclusion is without a range."""
    with pytest.raises(InvalidArgument, match=r"does not speak of \['y'\]"):
        Quantified(UNIT, x <= y)


def test_a_claim_writes_nothing_that_its_object_says() -> None:
    """It must hold that a sentence by hand is refused, and what no check decides."""

    @decided(solve)
    def square() -> Inequality:
        return Inequality(UNIT, x * x, "<=", x, "A square is at most {right}.")

    def claim(**words: Any) -> Claim:
        checks = (Check("s", Method.SMT, square, {"m": {}}),)
        fields = {"states": (square,), "checks": checks, **words}
        return Claim(id="KSW-X", source="s", status=Status.PROVED, **fields)

    made = claim()
    assert (made.says, made.domain) == ("A square is at most x.", "0 <= x <= 1")
    assert [part.check for part in made.obligations] == ["square"]
    with pytest.raises(InvalidArgument, match="written by hand"):
        claim(says="A square is at most x / 2.")
    other = Decided(square.make, solve)
    with pytest.raises(InvalidArgument, match="none of its checks decides"):
        claim(states=(other,))


@cache
def called() -> list[tuple[str, str, frozenset[str | None]]]:
    """Calls in the papers' modules: where, what, and with which keywords."""
    return [
        (path.relative_to(PAPERS).as_posix(), node.func.id, frozenset(k.arg for k in node.keywords))
        for path in PAPERS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


def test_what_is_read_off_an_object_is_not_written_by_hand() -> None:
    """It must hold in the source: no claim with `states` has a literal sentence or formula."""
    read = [
        (path, names) for path, name, names in called() if name == "Claim" and "states" in names
    ]
    assert [path for path, names in read if {"says", "latex"} & names] == []
    assert len(read) >= 100


def test_an_undecided_sentence_is_no_statement() -> None:
    """It must hold that a check without an object has none."""
    assert statement_of(Check("s", Method.EXACT, lambda: Finding(holds=True), {"m": {}})) is None


def test_whole_numbers_are_divided_truly() -> None:
    """It must hold although the solver's own division rounds."""
    (n,) = whole_symbols("n")
    half = Inequality(Domain((n >= 1, n <= 1)), n / 2, "==", Fraction(1, 2))
    assert solve(half).holds is True


def test_only_doors_note_what_was_decided() -> None:
    """It must hold that a paper's module does so in one place: a box proof over an integral."""
    noting = {path for path, name, _ in called() if name == "note"}
    assert noting == {"sub/mean/bounded_mean_bound.py"}
