"""Who checks the checker: what a second solver and a proof kernel say of the ledger's problems."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from proofs_check.claim import Claim

__all__ = ["ask_again", "ask_second", "write_problems"]


def ask_second(chosen: Sequence[Claim]) -> tuple[str, bool]:
    """Ask cvc5 each problem of claims; return what to say, and whether it never disagrees.

    Raises InvalidArgument if cvc5 is not installed.
    """
    from proofs_check.second_solver.comparison import compare
    from proofs_check.second_solver.problems import ledger_problems

    found = compare(ledger_problems(chosen))
    lines = [
        f"{row.claim}: {row.check}, problem {row.number}: z3 says {row.z3}, cvc5 {row.cvc5}"
        + ("; the claim is UNKNOWN" if row.disagrees else "")
        for row in found.problems
        if not row.agrees
    ]
    text = "".join(f"{line}\n" for line in [*lines, found.words()])
    return text, not any(row.disagrees for row in found.problems)


def write_problems(chosen: Sequence[Claim], folder: str) -> str:
    """Write the problems of claims as files of SMT-LIB; return what to say."""
    from proofs_check.second_solver.agreement import stored
    from proofs_check.second_solver.comparison import write_files
    from proofs_check.second_solver.problems import ledger_problems

    problems = list(ledger_problems(chosen))
    try:
        write_files(problems, Path(folder), {row.digest: row.cvc5 for row in stored().problems})
    except OSError as exc:
        msg = f"cannot write to --smt2 {folder!r}: {exc.strerror}"
        raise InvalidArgument(msg) from exc
    return f"{len(problems)} problems in {folder}, their answers in index.json\n"


def ask_again(chosen: Sequence[Claim]) -> tuple[str, bool]:
    """Ask Coq for what it accepts of claims; return what to say, and whether it accepts it again.

    Raises InvalidArgument if there is no `coqc`.
    """
    from proofs_check.kernel.acceptance import stored
    from proofs_check.kernel.automatic import accept
    from proofs_check.kernel.coq_text import digest
    from proofs_check.kernel.coqc import coq_version, is_installed
    from proofs_check.kernel.library import compile_library
    from proofs_check.second_solver.problems import ledger_problems

    if not is_installed():
        msg = "--kernel coq needs coqc (Debian: coq libcoq-interval libcoq-coquelicot coinor-csdp)"
        raise InvalidArgument(msg)
    known = {row.digest: row.by for row in stored().problems if row.by}
    accepted, asked, refused = 0, 0, []
    with tempfile.TemporaryDirectory() as name:
        library = Path(name) / "library"
        library.mkdir()
        compile_library(library)
        for problem in ledger_problems(chosen):
            asked += 1
            by = known.get(digest(problem.formula, fails=problem.holds is False), "")
            if by.endswith("_proved") or (by and accept(problem, Path(name), library, first=by)):
                accepted += 1
            elif by:
                refused.append(f"{problem.claim}: {problem.check} is not accepted again\n")
    words = f"the kernel of Coq {coq_version()} accepts {accepted} of {asked} problems\n"
    return "".join(refused) + words, not refused
