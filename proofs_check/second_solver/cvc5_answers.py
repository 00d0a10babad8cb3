"""Answers of cvc5, a solver that shares no code with z3, to problems in SMT-LIB.

Effort is limited by cvc5's own count of steps and never by time. What it does not decide under the
logic of the file is asked once more under all logics, which have other procedures.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from mechanisms.errors import InvalidArgument
from proofs_check.second_solver.smtlib import in_all_logics

__all__ = ["RLIMIT", "RLIMIT_ALL", "cvc5_answer", "cvc5_version"]

RLIMIT = 2_000_000
"""Steps under the logic of the file. 374 of the ledger's 382 problems end with these (cvc5 1.4.2),
all but four of them in less than a second."""

RLIMIT_ALL = 500_000
"""Steps under all logics, which decide 6 of the other 8; the two that are left (PDP-E17, KSW-D5p)
take half a minute to end without an answer."""


def cvc5_version() -> str:
    """Return the version of cvc5.

    Raises
    ------
    InvalidArgument
        If it is not installed.
    """
    try:
        return version("cvc5")
    except PackageNotFoundError as exc:
        msg = "the second solver needs the package cvc5: pip install 'touchstone-dp[cvc5]'"
        raise InvalidArgument(msg) from exc


def cvc5_answer(text: str, *, rlimit: int = RLIMIT) -> str:
    """Ask cvc5.

    Parameters
    ----------
    text : str
        A file of SMT-LIB with one `check-sat`.
    rlimit : int
        Most steps under the logic of the file.

    Returns
    -------
    str
        "sat", "unsat" or "unknown".
    """
    first = _ask(text, rlimit)
    return first if first != "unknown" else _ask(in_all_logics(text), RLIMIT_ALL)


def _ask(text: str, rlimit: int) -> str:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit", str(rlimit))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    symbols = parser.getSymbolManager()
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += str(command.invoke(solver, symbols))
    words = said.split()
    return words[0] if words and words[0] in ("sat", "unsat") else "unknown"
