"""What a second solver answered to every problem of the ledger, stored with digests.

`agreement.json` has a row for each problem: claim, check, place, digest of the problem, z3's answer
and cvc5's. `python -m proofs_check.second_solver` asks anew and writes it; an answer counts
for the problem with its digest and for no other, and a test compares the digests with those of the
ledger as it is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import final
from urllib.parse import quote

__all__ = ["FILE", "Agreement", "Compared", "file_name", "stored"]

FILE = Path(__file__).with_name("agreement.json")
"""The rows."""


@final
@dataclass(frozen=True, slots=True)
class Compared:
    """Two answers to one problem: "unsat" (the statement holds), "sat" or "unknown"."""

    claim: str
    check: str
    number: int
    digest: str
    z3: str
    cvc5: str

    @property
    def agrees(self) -> bool:
        """Whether both decided, and alike."""
        return self.z3 == self.cvc5 != "unknown"

    @property
    def disagrees(self) -> bool:
        """Whether both decided, and not alike."""
        return self.z3 != self.cvc5 and "unknown" not in (self.z3, self.cvc5)


@final
@dataclass(frozen=True, slots=True)
class Agreement:
    """Answers of both solvers to many problems.

    Parameters
    ----------
    versions : mapping of str to str
        Of both solvers.
    problems : sequence of Compared
        In the order of the ledger.
    """

    versions: Mapping[str, str]
    problems: Sequence[Compared]

    def among(self, claims: Collection[str]) -> Agreement:
        """Return what there is of some claims."""
        return Agreement(self.versions, tuple(r for r in self.problems if r.claim in claims))

    def words(self) -> str:
        """Say how many agree."""
        agreed = [row for row in self.problems if row.agrees]
        open_ones = [row for row in self.problems if not row.agrees and not row.disagrees]
        unlike = [row for row in self.problems if row.disagrees]
        false = sum(row.z3 == "sat" for row in agreed)
        who = " and ".join(f"{name} {version}" for name, version in self.versions.items())
        return (
            f"{who} agree on {len(agreed)} of {len(self.problems)} problems "
            f"({len(agreed) - false} statements hold, {false} fail as they should)"
            f"; {_named('not decided by cvc5', open_ones)}; {_named('disputed', unlike)}"
        )

    def text(self) -> str:
        """Write it as JSON, a line for each problem."""
        rows = ",\n".join(f"  {json.dumps(astuple(row))}" for row in self.problems)
        head = json.dumps(dict(self.versions))
        return f'{{"versions": {head}, "problems": [\n{rows}\n]}}\n'


def _named(words: str, rows: Sequence[Compared]) -> str:
    names = ", ".join(dict.fromkeys(row.claim for row in rows))
    return f"{len(rows)} {words}" + (f" ({names})" if names else "")


def file_name(claim: str, check: str, number: int) -> str:
    """Return the name of a problem's SMT-LIB file, which `touchstone prove --smt2 DIR` writes."""
    named = quote(check[:40].replace(" ", "-").rstrip("."), safe="")
    return f"{quote(claim, safe='')}.{named}.{number}.smt2"


@cache
def stored() -> Agreement:
    """Return what is stored."""
    read = json.loads(FILE.read_text(encoding="utf-8"))
    return Agreement(read["versions"], tuple(Compared(*row) for row in read["problems"]))
