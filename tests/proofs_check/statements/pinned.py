"""What `python -m tests.proofs_check.statements.pinned` writes: the statements that are decided."""

from __future__ import annotations

from pathlib import Path

from proofs_check.registry import claims
from proofs_check.statements.decided import statement_of
from proofs_check.statements.notation import formula_text

__all__ = ["FILE", "written"]

FILE = Path(__file__).parents[1] / "data" / "statements.txt"


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
