"""The status of a claim is what its checks show, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.claim import Check, Claim, Finding, Method, Obligation, Status
from proofs_check.decide import CheckResult, conclude, run_check

WORDS = {"why": "w", "right": "r"}
outcomes = st.sampled_from([True, False, None])


def told(holds: bool | None, mutant: bool | None = False, *, refutes: bool = False) -> CheckResult:
    """The result of a check, by what it found of the claim and of its mutant."""
    return CheckResult(
        "r" if refutes else "p", "s", Method.EXACT, refutes, holds, "", {"m": mutant}, 0.0
    )


def registered(status: Status, **words: Any) -> Claim:
    """A claim with the checks that its status needs."""
    proof = Check("p", Method.EXACT, lambda: Finding(holds=True), {"m": {}})
    refutation = Check("r", Method.EXACT, lambda: Finding(holds=True), {"m": {}}, refutes=True)
    checks = {
        Status.PROVED: (proof,),
        Status.REFUTED: (refutation,),
        Status.CORRECTED: (proof, refutation),
    }.get(status, ())
    words |= WORDS if status in (Status.REFUTED, Status.CORRECTED) else {}
    parts = tuple(Obligation(check.name, check.name) for check in checks)
    return Claim(
        id="KSW-X",
        source="",
        says="",
        latex="",
        status=status,
        checks=checks,
        obligations=parts,
        **words,
    )


@given(st.lists(st.tuples(outcomes, outcomes), min_size=1))
def test_proved_needs_every_check_and_every_mutant(
    found: list[tuple[bool | None, bool | None]],
) -> None:
    """It must hold that a claim is PROVED only if all checks hold and no mutant passes."""
    result = conclude(registered(Status.PROVED), [told(*pair) for pair in found])
    if all(pair == (True, False) for pair in found):
        assert result.status is Status.PROVED
    else:
        assert result.status is Status.UNKNOWN
    assert result.as_registered is (result.status is Status.PROVED)


@given(st.lists(st.tuples(outcomes, outcomes), min_size=1))
def test_refuted_needs_every_counterexample(
    found: list[tuple[bool | None, bool | None]],
) -> None:
    """It must hold that a counterexample that does not stand refutes nothing."""
    results = [told(*pair, refutes=True) for pair in found]
    status = conclude(registered(Status.REFUTED), results).status
    stands = all(pair == (True, False) for pair in found)
    assert status is (Status.REFUTED if stands else Status.UNKNOWN)


STATUS_BY_CHECKS = [
    (Status.CORRECTED, [told(True), told(True, refutes=True)], Status.CORRECTED),
    (Status.CORRECTED, [told(True), told(False, refutes=True)], Status.UNKNOWN),
    (Status.CORRECTED, [told(False), told(True, refutes=True)], Status.UNKNOWN),
    (Status.PROVED, [told(True), told(True, refutes=True)], Status.REFUTED),
    (Status.DEFINITION, [], Status.DEFINITION),
    (Status.OPEN, [told(True)], Status.OPEN),
    (Status.OPEN, [told(True, None)], Status.UNKNOWN),
    (Status.CITED, [told(False)], Status.UNKNOWN),
    (Status.PROVED, [], Status.UNKNOWN),
]


def test_the_status_follows_from_the_checks(subtests: pytest.Subtests) -> None:
    """It must hold of proofs and counterexamples together."""
    for status, results, expected in STATUS_BY_CHECKS:
        with subtests.test(status=status, results=results, expected=expected):
            assert conclude(registered(status), results).status is expected


FAULTS = {
    "a proof fails": told(False),
    "a proof is not decided": told(None),
    "a counterexample does not stand": told(False, refutes=True),
    "a counterexample is not decided": told(None, refutes=True),
    "a mutant passes": told(True, True),
    "a mutant is not decided": told(True, None),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("status", [s for s in Status if s is not Status.UNKNOWN])
def test_no_status_stands_beside_a_check_that_does_not(status: Status, fault: str) -> None:
    """It must hold of every status, so a false right form does not pass for a refutation."""
    claim = registered(status)
    good = [told(True, refutes=check.refutes) for check in claim.checks]
    assert conclude(claim, good).status is status
    assert conclude(claim, [*good, FAULTS[fault]]).status is Status.UNKNOWN


def test_a_check_is_run_with_each_mutant() -> None:
    """It must hold that the result has what was found of all of them."""
    check = Check(
        "two is even",
        Method.EXACT,
        lambda n=2: Finding(holds=n % 2 == 0, detail=f"{n} leaves {n % 2}"),
        mutants={"three": {"n": 3}, "four": {"n": 4}},
    )
    result = run_check(check)
    assert (result.holds, result.detail) == (True, "2 leaves 0")
    assert dict(result.mutants) == {"three": False, "four": True}
    assert not result.decided
    assert result.seconds > 0


def test_a_check_that_stops_with_an_error_is_not_decided() -> None:
    """It must hold that the error is told, and neither the claim nor the mutant counts."""

    def stops(divisor: int = 0) -> Finding:
        return Finding(holds=1 // divisor == 1)

    result = run_check(Check("s", Method.EXACT, stops, {"one": {"divisor": 1}}))
    assert (result.holds, dict(result.mutants)) == (None, {"one": True})
    assert result.detail == "ZeroDivisionError: integer division or modulo by zero"
