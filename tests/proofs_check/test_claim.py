"""Claims that cannot be what they say are refused when they are stated."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.claim import (
    HAS_EVIDENCE,
    Check,
    Claim,
    Finding,
    Method,
    Obligation,
    Role,
    Status,
    every,
    exactly,
)
from proofs_check.steps import ByCheck, ByClaim, ByDefinition, ByHand, Cited

found = st.sampled_from([True, False, None])


def check(*, refutes: bool = False, method: Method = Method.EXACT, **words: Any) -> Check:
    """A check that holds, with a mutant that does not."""
    return Check(
        "one is one",
        method,
        lambda one=1: exactly(one == 1, f"{one}"),
        mutants={"1.01 for 1": {"one": 1.01}},
        refutes=refutes,
        name="refutation" if refutes else "proof",
        **words,
    )


def claim(status: Status, *checks: Check, **words: Any) -> Claim:
    """A claim with little else than checks, each of a part of the statement."""
    if status in HAS_EVIDENCE and "steps" not in words:
        parts = [Obligation(c.name, c.name) for c in checks if c.role is Role.PROOF]
        words = {"obligations": tuple(parts), **words}
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
    "a definition that is false": (Status.DEFINITION, (), {"why": "w"}),
    "an O-statement that is false": (Status.ASYMPTOTIC, (), {"why": "w"}),
    "what is open, and false": (Status.OPEN, (), {"why": "w"}),
    "what is cited, and false": (Status.CITED, (), {"why": "w"}),
    "a remark that refutes": (Status.REMARK, (check(refutes=True),), {}),
}


@pytest.mark.parametrize(("status", "checks", "words"), WRONG.values())
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
    claim(Status.REMARK, check(), **words)


HAND = ByHand("By looking.")
ARGUMENTS: dict[str, tuple[Status, tuple[Check, ...], dict[str, Any], str]] = {
    "a check for nothing": (Status.PROVED, (check(),), {"steps": (HAND,)}, "names \\['proof'\\]"),
    "a check for no part": (Status.PROVED, (check(),), {"obligations": ()}, "names \\['proof'\\]"),
    "a step on no check": (
        Status.PROVED,
        (check(),),
        {"steps": (ByCheck("proof"), ByCheck("other", "So."))},
        "no check 'other'",
    ),
    "a step on a value": (
        Status.CITED,
        (check(role=Role.VALUE),),
        {"steps": (ByCheck("proof"),)},
        "no check 'proof' of role `proof`",
    ),
    "a part decided by an example": (
        Status.CITED,
        (check(role=Role.EXAMPLE),),
        {"obligations": (Obligation("it", "proof"),)},
        "no check 'proof' of role `proof`",
    ),
    "two steps of one text": (
        Status.PROVED,
        (check(),),
        {"steps": (ByCheck("proof"), ByHand("one is one"))},
        "two steps of one text",
    ),
    "two checks of one name": (Status.DEFINITION, (check(), check()), {}, "two checks of one name"),
    "an argument for a definition": (Status.DEFINITION, (), {"steps": (HAND,)}, "nothing to argue"),
    "an argument for a question": (Status.OPEN, (), {"steps": (HAND,)}, "nothing to argue"),
}


@pytest.mark.parametrize(("status", "checks", "words", "told"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_every_check_is_for_something_and_every_step_stands_on_something(
    status: Status, checks: tuple[Check, ...], words: dict[str, Any], told: str
) -> None:
    """It must hold that a claim is refused otherwise."""
    with pytest.raises(InvalidArgument, match=told):
        claim(status, *checks, **words)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ByDefinition("", "So."),
        lambda: ByCheck(""),
        lambda: ByClaim("", "So."),
        lambda: Cited("Someone 1900", "", "So."),
        lambda: ByHand(" "),
    ],
    ids=["definition", "check", "claim", "citation", "hand"],
)
def test_a_step_names_what_it_stands_on(make: Any) -> None:
    """It must hold, so a step by hand cannot pass for the unfolding of no definition."""
    with pytest.raises(InvalidArgument, match="a step of kind"):
        make()


@given(st.lists(found))
def test_findings_are_joined_by_the_worst(parts: list[bool | None]) -> None:
    """It must hold that one failure fails all, and one that is not decided leaves all open."""
    joined = every(Finding(holds=part, detail=str(k)) for k, part in enumerate(parts))
    assert joined.holds is (False if False in parts else None if None in parts else True)
    if False in parts:
        assert joined.detail == str(parts.index(False))
