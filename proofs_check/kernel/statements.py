"""Write `proofs_check/coq/Statements.v`: `python -m proofs_check.kernel.statements`."""

from __future__ import annotations

from proofs_check.kernel.coqc import SOURCES
from proofs_check.kernel.hand_proofs import BY_HAND, statements_file
from proofs_check.registry import find
from proofs_check.second_solver.problems import ledger_problems

__all__ = ["written"]


def written() -> str:
    """The file as it should be."""
    named = dict.fromkeys(claim for claim, _ in BY_HAND)
    return statements_file(list(ledger_problems([find(claim) for claim in named])))


if __name__ == "__main__":
    (SOURCES / "Statements.v").write_text(written(), encoding="utf-8")
