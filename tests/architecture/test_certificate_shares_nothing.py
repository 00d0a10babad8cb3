"""What rechecks a certificate shares nothing with what makes it but words and exact numbers."""

from __future__ import annotations

from tests.architecture.imports import below, imports_of
from tests.architecture.rules import ENCLOSURES, VOCABULARY
from tests.architecture.sources import PACKAGES, modules

SHARED = (
    *VOCABULARY,
    *ENCLOSURES,
    "audit.certificate.certificate_form",
    "audit.files.bounded_json",
    "mechanisms.laws",
)
"""The vocabulary, exact number types, and the form and the file of a certificate."""

MODULES = {module.name: module for module in modules()}


def reached(start: str) -> set[str]:
    """All modules of ours that a module needs, itself among them; also inside functions."""
    found, open_names = set(), [start]
    while open_names:
        name = open_names.pop()
        if name in found:
            continue
        found.add(name)
        for item in imports_of(MODULES[name]):
            if below(item.name, PACKAGES):
                target = item.name if item.name in MODULES else item.name.rpartition(".")[0]
                if target in MODULES:
                    open_names.append(target)
    return found


def test_the_check_needs_no_code_of_the_proof() -> None:
    """It must hold of all that either of them imports, however far away."""
    checking, proving = (
        reached("audit.certificate.certificate_check"),
        reached("audit.exact.exact_audit"),
    )
    assert {
        "audit.certificate.restated_queries",
        "audit.certificate.restated_thresholds",
    } <= checking
    assert {"audit.exact.all_neighbors", "audit.exact.moves.noise_lemmas"} <= proving
    assert [name for name in checking & proving if not below(name, SHARED)] == []
    assert not any(name.startswith("audit.exact") for name in checking)


def test_the_check_of_totals_needs_no_engine() -> None:
    """It must hold: what adds up again uses the standard library, and words of errors."""
    adding = {name for name in reached("audit.certificate.accounts") if not below(name, SHARED)}
    assert adding == {
        "audit.certificate.account_steps",
        "audit.certificate.accounts",
        "audit.certificate.fixed_point",
    }
    direct = {item.name for name in adding for item in imports_of(MODULES[name])}
    assert not any(below(name, ("proofs_check", "flint", "numpy")) for name in direct)
    assert "proofs_check.composition.choice" in reached("audit.accounting.enclosed_total")


def test_the_walk_sees_far_imports() -> None:
    """It must hold that a module reached through three others is found."""
    assert "proofs_check.enclosure" in reached("audit.certificate.certificate_check")
    assert "audit.exact.symbolic.affine" in reached("audit.exact.exact_audit")
