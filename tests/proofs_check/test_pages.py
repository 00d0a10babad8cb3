"""The pages in docs/reference are what `touchstone prove` writes, and each claim has a page.

What depends on a run (times, and the numbers that checks found) is compared by `.ci/run prove`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from audit.report.ledger.claim_page import claim_pages
from audit.report.ledger.markdown import FOUND, RUN, errata_page, ledger_page
from mechanisms.registry import MECHANISMS
from proofs_check.claim import Claim
from proofs_check.decide import CheckResult, ClaimResult
from proofs_check.evidence import level_of
from proofs_check.prove import rests_on
from proofs_check.registry import claims
from proofs_check.second_solver.agreement import stored

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


@pytest.fixture(scope="module")
def sections(results: dict[str, ClaimResult]) -> dict[str, dict[str, str]]:
    """Each claim's page, by section."""
    return {name: _sections(claim_pages([result], results)) for name, result in results.items()}


def _sections(page: str) -> dict[str, str]:
    parts = page.split("\n## ")
    return {part.partition("\n")[0]: part for part in parts}


def test_a_claims_page_has_all_that_is_known_of_it(sections: dict[str, dict[str, str]]) -> None:
    """It must hold of every claim: sentence, domain, level, steps, checks with their mutants."""
    for claim in claims().values():
        page, level = sections[claim.id], level_of(claim)
        sentence = page.get("Statement") or page["Printed"]
        assert claim.says in sentence, claim.id
        assert (claim.domain or "All values.") in page["Domain"], claim.id
        assert ("How it is known" in page) is (level is not None), claim.id
        known = page.get("How it is known", "")
        assert level is None or known.partition("\n\n")[2].startswith(level.value), claim.id
        assert known.count("* part: ") == len(claim.obligations), claim.id
        assert all(f"\n{n}. " in known for n in range(1, len(claim.steps) + 1)), claim.id
        for check in claim.checks:
            assert check.says in page["Checks"], (claim.id, check.name)
            assert all(mutant in page["Checks"] for mutant in check.mutants), claim.id


def test_a_claims_page_names_who_rests_on_it(sections: dict[str, dict[str, str]]) -> None:
    """It must hold of every pair of claims, and of every mechanism."""
    for claim in claims().values():
        for below in rests_on(claim):
            assert claim.id in sections[below]["Who rests on it"], (claim.id, below)
    for name, entry in MECHANISMS.items():
        for promise in entry.claims:
            assert name in sections[promise]["Who rests on it"], name
    assert any("Nothing." in page["Who rests on it"] for page in sections.values())


def test_a_claims_page_names_every_solver_file(sections: dict[str, dict[str, str]]) -> None:
    """It must hold that its problems, and no other claim's, are listed with the answers."""
    asked = Counter(row.claim for row in stored().problems)
    for name, page in sections.items():
        listed = page.get("Solver files", "").count("z3 unsat, cvc5 ")
        listed += page.get("Solver files", "").count("z3 sat, cvc5 ")
        assert listed == asked[name], name
