"""The page of each claim has all that is known of it, and that of the errata has each."""

from __future__ import annotations

from collections import Counter

import pytest

from audit.report.ledger.claim_page import claim_pages
from audit.report.ledger.ledger_markdown import errata_page
from mechanisms.registry import MECHANISMS
from proofs_check.decide import ClaimResult
from proofs_check.evidence import level_of
from proofs_check.prove import rests_on
from proofs_check.registry import claims
from proofs_check.second_solver.agreement import stored
from tests.proofs_check.ledgers import all_as_registered


@pytest.fixture(scope="module")
def results() -> dict[str, ClaimResult]:
    """All claims, as registered."""
    return all_as_registered()


def test_the_page_of_errata_has_each(results: dict[str, ClaimResult]) -> None:
    """It must hold that all that is false as printed has its reason and its right form there."""
    wrong = [claim for claim in claims().values() if claim.is_erratum]
    page = errata_page([results[claim.id] for claim in wrong], results)
    sections = dict(part.split(": ", 1) for part in page.split("\n### ")[1:])
    assert list(sections) == [claim.id for claim in wrong]
    for claim in wrong:
        assert f"* Why it is wrong: {claim.why}\n" in sections[claim.id], claim.id
        assert f"* Right: {claim.right}" in sections[claim.id], claim.id


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
