"""What a check leaves out of its statement's domain is told, and decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit.cli import main
from mechanisms.errors import InvalidArgument
from proofs_check import prove
from proofs_check.claim import Check, Status
from proofs_check.coverage import covered, covering, total
from proofs_check.decide import CheckResult, conclude, run_check
from proofs_check.registry import claims, find
from proofs_check.smt import for_all
from proofs_check.solver import solve
from proofs_check.statements.decision import Decided
from proofs_check.statements.domain import Definition, Domain, Quantified
from proofs_check.statements.enumeration import Enumerated
from proofs_check.statements.forms import Inequality
from proofs_check.statements.regions import Region, narrowing, recording
from proofs_check.statements.terms import (
    Condition,
    all_of,
    floor,
    negate,
    real_symbols,
    symbol,
    whole_symbols,
)
from proofs_check.store import VARIABLE
from tests.mutations.domains import FALSE_SENTENCES, NARROWINGS, FewerCases, Narrowing

x, y = real_symbols("x y")
(n,) = whole_symbols("n")
FEW = 5
"""Domains that the solver's language cannot say."""
UNIT = Quantified(Domain((x >= 0, x <= 1)), x * x <= x)


@pytest.mark.parametrize(
    ("cases", "holds"),
    [
        ([()], True),
        ([(2 * x <= 1,), (2 * x >= 1,)], True),
        ([(2 * x < 1,), (2 * x > 1,)], None),
        ([(2 * x >= 1,)], None),
        ([], None),
    ],
)
def test_regions_must_cover_the_domain(
    cases: list[tuple[Condition, ...]], holds: bool | None
) -> None:
    """It must hold that one point that no case has leaves the statement undecided."""
    assert covered(UNIT, [Region(UNIT, case) for case in cases]).holds is holds


def test_a_region_of_another_statement_covers_nothing() -> None:
    """It must hold even of a copy: only the object that the claim prints counts."""
    copy = Quantified(UNIT.domain, UNIT.conclusion)
    assert covered(UNIT, [Region(copy, ())]).holds is None
    assert covered(copy, [Region(copy, ())]).holds is True


def test_what_is_defined_must_have_a_value() -> None:
    """It must hold at every point: else the points without one would be left out in silence."""
    below = {n: Definition(all_of(n <= x, x < n + 1), floor(x), "the whole part of x")}
    assert total(Domain((), (x,), below)).holds is True
    wrong = {n: Definition(all_of(n <= x, x < n), floor(x), "nothing")}
    found = total(Domain((), (x,), wrong))
    assert found.holds is None
    assert "n has no value" in found.detail


def test_a_door_notes_only_what_holds() -> None:
    """It must hold that a statement that fails covers nothing."""
    true = Inequality(UNIT.domain, x * x, "<=", x)
    false = Inequality(UNIT.domain, x * x, ">=", x)
    with recording() as regions:
        assert solve(true, case=(2 * x >= 1,)).holds is True
        assert solve(false).holds is False
    assert [(region.of is true.quantified, len(region.case)) for region in regions] == [(True, 1)]


HEAVY = "SUB-L3.3b"
"""A proof of thousands of boxes, which takes seconds; the other rows take the same way."""


@pytest.mark.parametrize(
    "slip",
    [pytest.param(s, marks=[pytest.mark.slow] * (s.claim == HEAVY)) for s in NARROWINGS],
    ids=lambda s: f"{s.claim}, {s.words}",
)
def test_a_narrowed_hypothesis_is_told(
    slip: Narrowing | FewerCases,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """It must hold that the claim is UNKNOWN, the point is printed, and the run ends with 1."""
    # what is found of the changed claim is kept as the claim's: no other test may read it
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    _others_hold(slip, monkeypatch)
    assert _run(slip.claim, capsys)[0] == 0
    if isinstance(slip, FewerCases):
        check = next(c for c in find(slip.claim).checks if c.name == slip.check)
        kept = check.decide
        object.__setattr__(check, "decide", slip.decided())
        status, told = _run(slip.claim, capsys)
        object.__setattr__(check, "decide", kept)
    else:
        with narrowing(slip.decided().statement.quantified, slip.case()):
            status, told = _run(slip.claim, capsys)
    assert status == 1
    assert told.startswith("UNKNOWN")
    assert "not covered" in told


def _others_hold(slip: Narrowing | FewerCases, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all other checks be as registered: they are run elsewhere, and take long."""
    run = prove._run_one

    def one(claim: str, index: int) -> tuple[tuple[str, int], CheckResult]:
        check = find(claim).checks[index]
        if (claim, check.name) == (slip.claim, slip.check):
            return run(claim, index)
        told = dict.fromkeys(check.mutants, False)
        return (claim, index), CheckResult(
            check.name, check.says, check.method, check.refutes, True, "", told, 0.0
        )

    monkeypatch.setattr(prove, "_run_one", one)


def _run(claim: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main(["prove", claim, "--jobs", "1", "--fresh"])
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("step", "least"),
    [
        (75, 15),
        pytest.param(10, 80, marks=pytest.mark.long),
        pytest.param(1, 1100, marks=pytest.mark.slow),
    ],
)
def test_every_half_of_a_domain_is_too_little(step: int, least: int) -> None:
    """It must hold of each symbol of each statement that is decided: its lower or upper half.

    A half is what lies on one side of a point of the domain, and leaves something on the other.
    Of a few domains, with exp or with quantities, the solver that finds the point knows nothing.
    """
    halves, unknown = 0, 0
    for decided in _decided()[::step]:
        quantified = decided.statement.quantified
        try:
            found_halves = list(_halves(quantified))
        except InvalidArgument:
            unknown += 1
            continue
        for half in found_halves:
            halves += 1
            found = covering(decided, [Region(quantified, (half,))])
            assert found.holds is None, (decided, half)
    assert halves >= least
    assert unknown <= FEW


def _decided() -> list[Decided]:
    found = {
        id(check.decide): check.decide
        for claim in claims().values()
        for check in claim.checks
        if isinstance(check.decide, Decided)
    }
    return list(found.values())


def _halves(quantified: Quantified) -> Iterator[Condition]:
    """For each symbol a side of a point, if the domain has points beyond it."""
    domain = quantified.domain
    inside = all_of(*domain.relations) if domain.relations else x == x
    symbols = dict(domain.symbols) if domain.relations else {**domain.symbols, "x": "real"}
    at = for_all(symbols, lambda *_: negate(inside), always=True).counterexample
    for name, kind in domain.symbols.items():
        if name not in at:
            continue
        point, middle = symbol(name, kind), at[name]
        for half in (point <= middle, point >= middle):
            if for_all(symbols, lambda *_, h=half: _implied(inside, h), always=True).holds is False:
                yield half
                break


def _implied(given: Condition, half: Condition) -> Condition:
    return negate(all_of(given, negate(half)))


@pytest.mark.parametrize(("claim", "name", "share", "words"), FALSE_SENTENCES)
def test_a_false_sentence_fails_its_check(claim: str, name: str, share: object, words: str) -> None:
    """It must hold that the sentence follows the object, and that the object is then refuted."""
    check = next(c for c in find(claim).checks if c.name == name)
    assert isinstance(check.decide, Decided)
    made = check.decide.make(share=share)
    assert f"({words})-differentially private" in made.words()
    assert solve(made, polynomial=claim.startswith("SUB")).holds is False
    assert check.decide().holds is True


def test_an_enumeration_must_use_up_its_cases() -> None:
    """It must hold that one case too few is told; a case that fails ends it at once."""
    whole = find("SUB-T4.3s").checks[0]
    assert isinstance(whole.decide, Enumerated)
    few = FewerCases("SUB-T4.3s", whole.name, whole.decide.size - 1).decided()
    assert few().holds is None
    assert whole.decide().holds is True
    assert whole.decide(most=2).holds is False


def test_an_error_in_a_door_decides_nothing() -> None:
    """It must hold that a check whose coverage cannot be decided is not believed."""
    kept = find("KSW-T2").checks[0]
    assert isinstance(kept.decide, Decided)

    def broken(_: object) -> object:
        msg = "no witness"
        raise ArithmeticError(msg)

    wrong = Decided(kept.decide.make, broken)  # type: ignore[arg-type]
    result = run_check(Check("s", kept.method, wrong, {"m": {}}, name="c"))
    assert (result.holds, result.detail) == (None, "ArithmeticError: no witness")
    assert conclude(find("KSW-T2"), [replace(result, name=kept.name)]).status is Status.UNKNOWN
