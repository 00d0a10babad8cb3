"""What rechecks a certificate shares nothing with what makes it but words and exact numbers."""

from __future__ import annotations

from tests.architecture.imports import below, imports
from tests.architecture.rules import ALL_OURS, ENCLOSURES, VOCABULARY
from tests.architecture.sources import modules

SHARED = (
    *VOCABULARY,
    *ENCLOSURES,
    "audit.certificate.document",
    "audit.bounded_json",
    "mechanisms.laws",
)
"""The vocabulary, exact number types, and the form and the file of a certificate."""

PRESENTED = "audit.result"
"""A result shows itself by way of the reports, which read every kind of result, proofs too; what is
proved or checked does not need it."""

TREES = {module.name: module for module in modules()}


def reached(start: str) -> set[str]:
    """All modules of ours that a module needs, itself among them; also inside functions."""
    found, open_names = set(), [start]
    while open_names:
        name = open_names.pop()
        if name in found:
            continue
        found.add(name)
        module = TREES[name]
        for item in imports(module.tree(), name, is_package=module.is_package):
            if below(item.name, ALL_OURS) and not (name == PRESENTED and item.inside):
                target = item.name if item.name in TREES else item.name.rpartition(".")[0]
                if target in TREES:
                    open_names.append(target)
    return found


def test_the_check_needs_no_code_of_the_proof() -> None:
    """It must hold of all that either of them imports, however far away."""
    checking, proving = reached("audit.certificate.verify"), reached("audit.exact.audit")
    assert {"audit.certificate.queries", "audit.certificate.thresholds"} <= checking
    assert {"audit.exact.neighbors", "audit.exact.moves.hourglass"} <= proving
    assert [name for name in checking & proving if not below(name, SHARED)] == []
    assert not any(name.startswith("audit.exact") for name in checking)


def test_the_walk_sees_far_imports() -> None:
    """It must hold that a module reached through three others is found."""
    assert "proofs_check.enclosure" in reached("audit.certificate.verify")
    assert "audit.exact.symbolic.region" in reached("audit.exact.audit")
