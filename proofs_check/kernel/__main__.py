"""Ask Coq for every problem of the ledger that has changed, and write `acceptance.json`.

`--all` asks again for what was accepted before, by the tactic that closed it, and ends with 1 if
one is not accepted again; `--rest` tries again what was not accepted.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from proofs_check.kernel.acceptance import FILE, Acceptance, Exported, stored
from proofs_check.kernel.automatic import accept
from proofs_check.kernel.coq_text import digest
from proofs_check.kernel.coqc import SOURCES, compile_file, coq_version
from proofs_check.kernel.hand_proofs import proved_by_hand
from proofs_check.registry import claims
from proofs_check.second_solver.problems import LedgerProblem, ledger_problems

__all__ = ["main"]


def main() -> int:
    """Read the command line, run, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m proofs_check.kernel")
    parser.add_argument("--all", action="store_true", help="Ask again for what was accepted.")
    parser.add_argument("--rest", action="store_true", help="Try again what was not accepted.")
    asked = parser.parse_args()
    known = {row.digest: row.by for row in stored().problems} if FILE.exists() else {}
    problems = list(ledger_problems(claims().values()))
    rows = [_row(problem, known) for problem in problems]
    lost = 0
    with tempfile.TemporaryDirectory() as name:
        library = Path(name) / "library"
        library.mkdir()
        shutil.copy(SOURCES / "Decide.v", library)
        compile_file(library / "Decide.v", library, seconds=300)
        for place, (problem, row) in enumerate(zip(problems, rows, strict=True)):
            new = row.digest not in known or (asked.rest and not row.by)
            if row.by.endswith("_proved") or not (new or (asked.all and row.by)):
                continue
            by = accept(problem, Path(name), library, first=row.by)
            lost += bool(row.by) and not by
            rows[place] = replace(row, by=by)
            print(f"{place + 1} of {len(rows)}: {row.claim}, {row.check}: {by}", flush=True)  # noqa: T201
            _write(rows)
    _write(rows)
    return 1 if lost else 0


def _row(problem: LedgerProblem, known: dict[str, str]) -> Exported:
    key = digest(problem.formula, fails=problem.holds is False)
    by = proved_by_hand(problem) or known.get(key, "")
    return Exported(problem.claim, problem.check, problem.number, key, by, problem.alone)


def _write(rows: Sequence[Exported]) -> None:
    FILE.write_text(Acceptance(coq_version(), rows).text(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
