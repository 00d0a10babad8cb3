"""What is told at a function is the check that would be written out, and nothing told is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from mechanisms.errors import InvalidArgument
from proofs_check.checks import (
    CHECKS,
    MUTANTS,
    checks_of,
    confirms,
    encloses,
    mutant,
    parts_of,
    proves,
    refutes,
    reworded,
)
from proofs_check.claim import Check, Finding, Method, Obligation, Role, exactly
from proofs_check.language import enumerated
from proofs_check.registry import claims

Verb = Callable[..., Callable[[Any], Any]]
VERBS: Mapping[Role, Verb] = {Role.PROOF: proves, Role.VALUE: encloses, Role.EXAMPLE: confirms}


def adds_up() -> Callable[..., Finding]:
    """A new function each time: it is one check only."""

    def sum_is_four(first: int = 2, second: int = 2) -> Finding:
        return exactly(first + second == 4)

    return sum_is_four


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("refuting", [False, True])
def test_a_told_check_is_the_written_one(role: Role, refuting: bool) -> None:
    """It must hold that words, method, role, mutants and their order are those of a `Check`."""
    verb = (lambda says, method: refutes(says, method, role=role)) if refuting else VERBS[role]
    function = adds_up()
    told = verb("Four.", Method.EXACT)(
        mutant("one of them", first=1)(mutant("three", first=3, second=3)(function))
    )
    mutants = {"one of them": {"first": 1}, "three": {"first": 3, "second": 3}}
    written = Check("Four.", Method.EXACT, function, mutants, refutes=refuting, role=role)
    (check,) = checks_of(told)
    assert told is function
    assert check == written
    assert list(check.mutants) == list(mutants)
    assert checks_of(written, told) == (written, written)
    assert written != Check("Four.", Method.EXACT, function, {"three": {}}, refutes, role)


def test_cases_are_those_of_what_is_enumerated() -> None:
    """It must hold that the number of cases is read off the function, and words given count."""

    @proves("Small.", Method.EXACT)
    @mutant("below 3", end=3)
    @enumerated("numbers", lambda: iter(range(4)))
    def below_the_end(cases: Iterable[int], end: int = 4) -> Finding:
        return exactly(all(case < end for case in cases))

    told = proves("Four.", Method.EXACT, cases="a pair")(mutant("one", first=1)(adds_up()))
    assert [check.cases for check in checks_of(below_the_end, told)] == ["4 numbers", "a pair"]


def test_other_words_change_nothing_else() -> None:
    """It must hold that a check in other words decides the same, with the same mutants."""
    function = proves("Four.", Method.EXACT)(mutant("one", first=1)(adds_up()))
    (own,) = checks_of(function)
    other = reworded(function, "Two and two.")
    assert (other.says, own.says) == ("Two and two.", "Four.")
    assert (other.decide, other.mutants, other.name) == (own.decide, own.mutants, own.name)


def test_a_part_is_named_as_its_check() -> None:
    """It must hold that a part has the name of its check, and one written out stays itself."""
    function = proves("Four.", Method.EXACT)(mutant("one", first=1)(adds_up()))
    other = Obligation("the rest")
    assert parts_of(function, other) == (Obligation("sum is four", "sum_is_four"), other)


WRONG: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "without mutants": (proves("Four.", Method.EXACT), "at least one mutant"),
    "told twice": (
        lambda f: proves("4.", Method.EXACT)(
            proves("Four.", Method.EXACT)(mutant("one", first=1)(f))
        ),
        "one check, got '4.' beside 'Four.'",
    ),
    "a mutant above": (
        lambda f: mutant("two", first=2)(proves("Four.", Method.EXACT)(mutant("one", first=1)(f))),
        "below its check, and once, got 'two'",
    ),
    "a mutant twice": (
        lambda f: mutant("one", first=1)(mutant("one", first=0)(f)),
        "below its check, and once, got 'one'",
    ),
    "listed, never told": (checks_of, "no check is told at 'sum_is_four'"),
    "a part, never told": (parts_of, "no check is told at 'sum_is_four'"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_told_wrongly_is_refused(wrong: str) -> None:
    """It must hold that nothing is told without mutants, twice, or in another order."""
    tell, message = WRONG[wrong]
    with pytest.raises(InvalidArgument, match=message):
        tell(adds_up())


def lost(listed: Iterable[Check]) -> set[str]:
    """Names of the functions of papers that are told to be checks, and of which none is listed."""
    run = {check.decide for check in listed}
    papers = {f for f in {*CHECKS, *MUTANTS} if f.__module__.startswith("proofs_check.papers.")}
    return {f"{f.__module__}:{f.__name__}" for f in papers - run}


def test_every_check_that_is_told_is_run() -> None:
    """It must hold that some claim lists each check of the papers; one forgotten is noticed."""
    listed = [check for claim in claims().values() for check in claim.checks]
    assert lost(listed) == set()
    told = next(check for check in listed if check.decide in CHECKS)
    assert lost(check for check in listed if check.decide is not told.decide)
