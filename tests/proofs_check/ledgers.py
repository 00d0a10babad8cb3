"""Small ledgers for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from proofs_check import registry
from proofs_check.claim import (
    HAS_EVIDENCE,
    Check,
    Claim,
    Finding,
    Method,
    Obligation,
    Role,
    Status,
)
from proofs_check.decide import CheckResult, ClaimResult
from proofs_check.registry import claims

HERE = "proofs_check.claim"
"""A module of ours that stands for the one which states the claims."""


def fact(
    name: str = "fact",
    *,
    holds: bool | None = True,
    mutant: bool | None = False,
    refutes: bool = False,
    says: str = "so it is",
    **words: Any,
) -> Check:
    """A check that finds what it is told."""
    return Check(
        says,
        Method.EXACT,
        lambda wrong=False: Finding(holds=mutant if wrong else holds, detail="looked"),
        mutants={"not so": {"wrong": True}},
        refutes=refutes,
        name=name,
        **words,
    )


def stated(identifier: str, status: Status = Status.PROVED, **words: Any) -> Claim:
    """A claim whose checks show its status, unless `checks` says otherwise."""
    checks = {
        Status.PROVED: (fact(),),
        Status.REFUTED: (fact(refutes=True),),
        Status.CORRECTED: (fact(),),
    }
    words = {"checks": checks.get(status, ()), **words}
    if status in HAS_EVIDENCE and not {"obligations", "steps"} & set(words):
        proofs = [check for check in words["checks"] if check.role is Role.PROOF]
        words["obligations"] = tuple(Obligation("it", check.name) for check in proofs)
    if status in (Status.REFUTED, Status.CORRECTED):
        words = {"why": "a slip", "right": "so", **words}
    return Claim(
        id=identifier,
        source="Theorem 1",
        says="One is one.",
        latex="1 = 1",
        status=status,
        **words,
    )


def as_registered(claim: Claim) -> ClaimResult:
    """The result of a run in which everything is as registered."""
    checks = tuple(
        CheckResult(
            c.name, c.says, c.method, c.refutes, True, "", dict.fromkeys(c.mutants, False), 0.0
        )
        for c in claim.checks
    )
    return ClaimResult(claim.id, claim.status, claim.status, checks)


def all_as_registered() -> dict[str, ClaimResult]:
    """Results of all claims, each as registered."""
    return {name: as_registered(claim) for name, claim in claims().items()}


@contextmanager
def ledger(monkeypatch: pytest.MonkeyPatch, *claims: Claim) -> Iterator[None]:
    """Put some claims in the place of all."""
    monkeypatch.setattr(registry, "_by_module", lambda: {HERE: claims})
    registry.claims.cache_clear()
    try:
        yield
    finally:
        registry.claims.cache_clear()
        monkeypatch.undo()
        registry.claims.cache_clear()
