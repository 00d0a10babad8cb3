"""Claims that cannot be what they say are refused when they are stated."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from tests.table import over

found = st.sampled_from([True, False, None])


def check(*, refutes: bool = False, method: Method = Method.EXACT) -> Check:
    """A check that holds, with a mutant that does not."""
    return Check(
        "one is one",
        method,
        lambda one=1: exactly(one == 1, f"{one}"),
        mutants={"1.01 for 1": {"one": 1.01}},
        refutes=refutes,
    )


def claim(status: Status, *checks: Check, **words: Any) -> Claim:
    """A claim with little else than checks."""
    return Claim(
        id="KSW-X", source="here", says="so", latex="1", status=status, checks=checks, **words
    )


def test_a_check_needs_a_mutant() -> None:
    """It must hold that a check without one is refused."""
    with pytest.raises(InvalidArgument, match="at least one mutant, got none for 'empty'"):
        Check("empty", Method.EXACT, lambda: exactly(True), mutants={})


WRONG = {
    "proved by nothing": (Status.PROVED, (), {}),
    "proved by a counterexample": (Status.PROVED, (check(refutes=True),), {}),
    "refuted without one": (Status.REFUTED, (check(),), {"why": "w", "right": "r"}),
    "refuted without a reason": (Status.REFUTED, (check(refutes=True),), {}),
    "corrected without a refutation": (Status.CORRECTED, (check(),), {"why": "w", "right": "r"}),
    "proved by samples": (Status.PROVED, (check(method=Method.STATISTICAL),), {}),
    "registered as unknown": (Status.UNKNOWN, (check(),), {}),
}


@over(("status", "checks", "words"), WRONG.values())
def test_a_status_needs_its_checks(
    status: Status, checks: tuple[Check, ...], words: dict[str, Any]
) -> None:
    """It must hold that the checks fit the status, and that errors are explained."""
    with pytest.raises(InvalidArgument, match="KSW-X"):
        claim(status, *checks, **words)


def test_a_status_with_its_checks_is_accepted() -> None:
    """It must hold of each kind, and the paper is the prefix of the id."""
    words = {"why": "w", "right": "r"}
    assert claim(Status.PROVED, check()).paper == "KSW"
    assert claim(Status.REFUTED, check(refutes=True), **words).checks[0].refutes
    claim(Status.CORRECTED, check(), check(refutes=True), **words)
    claim(Status.CORRECTED, check(), errata=("KSW-ER1",), **words)
    for status in (Status.CITED, Status.ASYMPTOTIC, Status.OPEN, Status.DEFINITION):
        claim(status)


@given(st.lists(found))
def test_findings_are_joined_by_the_worst(parts: list[bool | None]) -> None:
    """It must hold that one failure fails all, and one that is not decided leaves all open."""
    joined = every(Finding(holds=part, detail=str(k)) for k, part in enumerate(parts))
    assert joined.holds is (False if False in parts else None if None in parts else True)
    if False in parts:
        assert joined.detail == str(parts.index(False))
