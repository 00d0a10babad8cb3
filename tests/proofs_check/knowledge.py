"""Write `proofs_check/knowledge.csv`: `python -m tests.proofs_check.knowledge`."""

from __future__ import annotations

from proofs_check.knowledge import FILE
from proofs_check.prove import evidence
from proofs_check.registry import claims

__all__ = ["written"]


def written() -> str:
    """The file as it should be: what is registered, and the level that follows from the ledger."""
    rows = ["id,status,level"]
    for name, claim in claims().items():
        found = evidence(name, {})
        rows.append(f"{name},{claim.status.value},{found.level.value if found else ''}")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
