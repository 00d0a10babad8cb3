"""The two pages in docs/reference are what `touchstone prove` writes.

What depends on a run (times, and the numbers that checks found) is compared by `.ci/run prove`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.report.ledger.markdown import FOUND, RUN, errata_page, ledger_page
from proofs_check.claim import Claim
from proofs_check.decide import CheckResult, ClaimResult
from proofs_check.registry import claims

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def as_registered(claim: Claim) -> ClaimResult:
    """The result of a run in which everything is as registered."""
    checks = tuple(
        CheckResult(
            c.name, c.says, c.method, c.refutes, True, "", dict.fromkeys(c.mutants, False), 0.0
        )
        for c in claim.checks
    )
    return ClaimResult(claim.id, claim.status, claim.status, checks)


def stable(page: str) -> list[str]:
    """Lines that do not depend on a run."""
    return [line for line in page.splitlines() if not line.startswith((FOUND, RUN))]


@pytest.fixture(scope="module")
def results() -> dict[str, ClaimResult]:
    """All claims, as registered."""
    return {name: as_registered(claim) for name, claim in claims().items()}


def test_the_ledgers_page_is_fresh(results: dict[str, ClaimResult]) -> None:
    """It must hold of every line that does not depend on a run."""
    page = (REFERENCE / "ledger.md").read_text(encoding="utf-8")
    assert stable(page) == stable(ledger_page(list(results.values()), results))


def test_the_page_of_errata_is_fresh(results: dict[str, ClaimResult]) -> None:
    """It must hold of every line that does not depend on a run."""
    wrong = [result for name, result in results.items() if claims()[name].is_erratum]
    page = (REFERENCE / "errata.md").read_text(encoding="utf-8")
    assert stable(page) == stable(errata_page(wrong, results))


@pytest.mark.parametrize("name", ["ledger.md", "errata.md"])
def test_the_pages_hold_no_failure(name: str) -> None:
    """It must hold that all that was found when they were written is as registered."""
    page = (REFERENCE / name).read_text(encoding="utf-8")
    found = [line for line in page.splitlines() if line.startswith(FOUND)]
    assert len(found) >= 100
    good = tuple(FOUND + word for word in ("holds", "the print fails"))
    assert [line for line in found if not line.startswith(good)] == []
    assert "NOT REFUTED" not in page
