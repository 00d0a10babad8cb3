"""The level of a claim's evidence follows from its checks and steps, and from what it rests on."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.claim import HAS_EVIDENCE, Claim, Obligation, Role, Status
from proofs_check.decide import CheckResult, conclude
from proofs_check.evidence import Evidence, Level, combine, level_of
from proofs_check.prove import conditions, evidence, foundations, prove
from proofs_check.registry import claims
from proofs_check.steps import ByCheck, ByClaim, ByDefinition, ByHand, Cited, Step
from tests.proofs_check.ledgers import fact, ledger, stated

README = Path(__file__).parents[2] / "README.md"
STEPS: dict[str, Step] = {
    "check": ByCheck("whole"),
    "piece": ByCheck("piece"),
    "claim": ByClaim("KSW-B", "So says B."),
    "definition": ByDefinition("KSW-D", "So it is defined."),
    "cited": Cited("Someone 1900", "Theorem 1", "So says someone."),
    "hand": ByHand("So it is."),
}
PARTS = {"decided": "whole", "undecided": ""}
kinds = st.sets(st.sampled_from(sorted(STEPS)))
parts = st.sets(st.sampled_from(sorted(PARTS)))


def built(steps: set[str], obligations: set[str], *, cases: str = "", **words: Any) -> Claim | None:
    """A claim of these parts, with the checks that they name; None if nothing argues for it."""
    named = {"whole"} if "check" in steps or "decided" in obligations else set()
    named |= {"piece"} if "piece" in steps else set()
    if not named:
        return None
    checks = tuple(fact(name, says=name, cases=cases) for name in sorted(named))
    return stated(
        "KSW-A",
        checks=checks,
        steps=tuple(STEPS[kind] for kind in sorted(steps)),
        obligations=tuple(Obligation(what, PARTS[what]) for what in sorted(obligations)),
        **words,
    )


def slow_level(steps: set[str], obligations: set[str], cases: str) -> Level:
    """The rules, one line each, the first that applies."""
    whole = "decided" in obligations
    for applies, level in (
        ("cited" in steps, Level.CITED),
        ("hand" in steps or "undecided" in obligations, Level.BY_HAND),
        (bool(cases), Level.ENUMERATED),
        ("claim" in steps or "piece" in steps or not whole, Level.PIECES),
        (True, Level.MACHINE),
    ):
        if applies:
            return level
    raise AssertionError


@given(kinds, parts, st.sampled_from(["", "three cases"]))
def test_the_level_is_that_of_the_rules(steps: set[str], obligations: set[str], cases: str) -> None:
    """It must hold of all combinations of steps, parts and checks."""
    claim = built(steps, obligations, cases=cases)
    if claim is not None:
        assert level_of(claim) is slow_level(steps, obligations, cases)


def test_a_step_by_hand_is_no_definition() -> None:
    """It must hold that a definition that lifts a claim is named: else there is no such step."""
    claim = built({"hand"}, {"decided"})
    assert claim is not None
    assert level_of(claim) is Level.BY_HAND
    with pytest.raises(InvalidArgument, match="needs `unfolds`"):
        replace(claim, steps=(ByDefinition("", "So it is."),))
    assert level_of(replace(claim, steps=(STEPS["definition"],))) is Level.MACHINE


@pytest.mark.parametrize("role", [Role.VALUE, Role.EXAMPLE])
def test_values_and_examples_lift_nothing(role: Role) -> None:
    """It must hold that a table, or its cases, is neither a part nor a step."""
    extra = fact("table", cases="two", role=role)
    claim = stated("KSW-A", checks=(fact(), extra), steps=(ByCheck("fact"),))
    assert level_of(claim) is Level.PIECES


def test_what_is_not_decided_has_no_level() -> None:
    """It must hold by status, and of what a run left UNKNOWN."""
    for status in (Status.DEFINITION, Status.OPEN, Status.MEASURED, Status.REMARK):
        assert level_of(stated("KSW-A", status)) is None
    assert combine(stated("KSW-A"), [], Status.UNKNOWN) is None
    assert level_of(stated("KSW-A", Status.CITED)) is Level.CITED


@pytest.mark.parametrize("own", ["decided", "hand", "cited"])
@pytest.mark.parametrize("below", ["decided", "hand", "cited"])
def test_a_claim_is_as_good_as_what_it_rests_on(
    monkeypatch: pytest.MonkeyPatch, own: str, below: str
) -> None:
    """It must hold of what is assumed, and of what a step argues with."""
    level = {"decided": Level.MACHINE, "hand": Level.BY_HAND, "cited": Level.CITED}
    words = {
        kind: {} if kind == "decided" else {"steps": (ByCheck("fact"), STEPS[kind])}
        for kind in level
    }
    last = stated("KSW-C", **words[below])
    middle = stated("KSW-B", steps=(ByCheck("fact"), ByClaim("KSW-C", "So says C.")))
    with ledger(monkeypatch, stated("KSW-A", assumes=("KSW-B",), **words[own]), middle, last):
        results = prove(list(claims().values()))
        found = evidence("KSW-A", results)
        worst = max(level[own], Level.PIECES, level[below], key=lambda one: one.rank)
        assert found is not None
        assert (found.level, found.own) == (worst, level[own])
        assert bool(found.rests_on) is (worst is not level[own])
        assert conditions("KSW-A", results) == (["KSW-C"] if below == "cited" else [])


def test_evidence_in_words() -> None:
    """It must hold that both levels are told where they differ, with what is below."""
    below = ("TRI-A", "TRI-B", "TRI-C", "TRI-D")
    assert Evidence(Level.MACHINE, Level.MACHINE).words() == "MACHINE"
    assert (
        Evidence(Level.CITED, Level.PIECES, below[:1]).words() == "PIECES (rests on TRI-A: CITED)"
    )
    assert ", ...: CITED" in Evidence(Level.CITED, Level.PIECES, below).words()


def decided(claim: Claim) -> list[CheckResult]:
    """Results as if all were as registered."""
    return [
        CheckResult(c.name, c.says, c.method, c.refutes, True, "", {"m": False}, 0.0)
        for c in claim.checks
    ]


def test_a_deleted_proof_is_noticed() -> None:
    """It must hold of each check of role `proof` of each claim: of its result, and of itself.

    Its claim is refused without it, as a step or a part of the statement names it; what is only
    defined, open or remarked has nothing to argue for, so there the lock tells
    (`test_each_check_and_mutant_is_locked`). Values and examples may go: they decide nothing, and
    say so.
    """
    unseen = []
    for claim in claims().values():
        results = decided(claim)
        assert conclude(claim, results).status is claim.status
        for k, check in enumerate(claim.checks):
            if check.role is not Role.PROOF:
                continue
            rest = conclude(claim, results[:k] + results[k + 1 :]).status
            left = claim.checks[:k] + claim.checks[k + 1 :]
            try:
                replace(claim, checks=left)
            except InvalidArgument:
                refused = True
            else:
                refused = False
            argued = claim.status in HAS_EVIDENCE or check.decide in claim.states
            if rest is not Status.UNKNOWN or (argued and not refused):
                unseen.append((claim.id, check.name))
    assert unseen == []


def test_the_first_part_of_what_rests_on_cited_work() -> None:
    """It must hold of claims that the ledger itself names as citations, near and far."""
    rests = {
        claim.id
        for claim in claims().values()
        if any(other.status is Status.CITED for other in foundations(claim))
    }
    assert {"TRI-T2.2.2", "TRI-P5.1.1", "TRI-T5.0.2", "TRI-T1.2.4", "TRI-LD.3.3"} <= rests
    for name in rests:
        found = evidence(name, {})
        assert found is None or found.level is Level.CITED, name


HOLDS = (Status.PROVED, Status.CORRECTED)


def readme_counts() -> str:
    """How the statements that hold, as printed or corrected, are known, as the README says it."""
    levels = [
        found.level
        for claim in claims().values()
        if claim.status in HOLDS and (found := evidence(claim.id, {})) is not None
    ]
    count = {level: levels.count(level) for level in Level}
    return (
        f"of {len(levels)} that hold {count[Level.MACHINE] + count[Level.KERNEL]} by machine "
        f"({count[Level.KERNEL]} of these by Coq's kernel too), "
        f"{count[Level.PIECES]} by checked steps, {count[Level.ENUMERATED]} on finite sets, "
        f"{count[Level.BY_HAND]} with steps by hand, {count[Level.CITED]} by cited theorems"
    )


def test_the_readme_says_how_statements_are_known() -> None:
    """It must hold that it counts by level of evidence, and nowhere by status alone."""
    text = README.read_text(encoding="utf-8")
    assert readme_counts() in text
    assert re.search(r"\d+ (PROVED|statements are proved)", text) is None


def test_levels_are_in_an_order() -> None:
    """It must hold that the worst of two is one of them, and KERNEL the best."""
    assert min(Level, key=lambda level: level.rank) is Level.KERNEL
    for one, two in product(Level, Level):
        assert max(one, two, key=lambda level: level.rank) in (one, two)
