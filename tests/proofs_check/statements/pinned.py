"""What `python -m tests.proofs_check.statements.pinned` writes: what is decided, and all checks."""

from __future__ import annotations

from pathlib import Path

from proofs_check.registry import claims
from proofs_check.statements.decision import statement_of
from proofs_check.statements.notation import formula_text

__all__ = ["CHECKS", "FILE", "checks", "written"]

FILE = Path(__file__).parents[1] / "data" / "statements.txt"


CHECKS = FILE.with_name("checks.txt")


def checks() -> str:
    """A line for each check: claim, check, method, role, and its mutants."""
    rows = [
        f"{claim.id} | {check.name} | {check.method.name} | {check.role.value}"
        f"{' | refutes' if check.refutes else ''} | {'; '.join(check.mutants)}"
        for claim in claims().values()
        for check in claim.checks
    ]
    return "\n".join(rows) + "\n"


def written() -> str:
    """A line for each statement that a check decides: claim, check, domain, conclusion."""
    rows = []
    for claim in claims().values():
        for check in claim.checks:
            made = statement_of(check)
            if made is not None:
                conclusion = formula_text(made.quantified.conclusion)
                rows.append(f"{claim.id} | {check.name} | {made.domain_words()} | {conclusion}")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
    CHECKS.write_text(checks(), encoding="utf-8")
