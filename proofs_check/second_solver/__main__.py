"""Ask cvc5 every problem of the ledger, and write what it answers to `agreement.json`."""

from __future__ import annotations

from proofs_check.registry import claims
from proofs_check.second_solver.agreement import FILE
from proofs_check.second_solver.comparison import compare
from proofs_check.second_solver.problems import ledger_problems

__all__ = ["main"]


def main() -> None:
    """Ask, and write."""
    FILE.write_text(compare(ledger_problems(claims().values())).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
