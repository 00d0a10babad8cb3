"""Which of the ledger's problems Coq's kernel accepts, stored with digests of their statements.

`acceptance.json` has a row for each problem that the solver gets: claim, check, place, digest of
its statement in Coq, and by what it was proved: a tactic, the name of a theorem of
`proofs_check/coq`, or nothing. `python -m proofs_check.kernel` asks Coq for what has changed and
writes it; a test compares the digests with those of the ledger as it is.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import final

__all__ = ["FILE", "Acceptance", "Exported", "accepted_checks", "stored"]

FILE = Path(__file__).with_name("acceptance.json")
"""The rows."""


@final
@dataclass(frozen=True, slots=True)
class Exported:
    """A problem as a statement of Coq.

    Parameters
    ----------
    claim, check : str
        Id of the claim, and name of its check.
    number : int
        Place among the problems of the check.
    digest : str
        Of the statement.
    by : str
        The tactic or theorem that proves it; empty where none does.
    alone : bool
        Whether the check is decided by its problems, and computes nothing besides.
    """

    claim: str
    check: str
    number: int
    digest: str
    by: str
    alone: bool


@final
@dataclass(frozen=True, slots=True)
class Acceptance:
    """What Coq's kernel said of many problems.

    Parameters
    ----------
    version : str
        Of Coq.
    problems : sequence of Exported
        In the order of the ledger.
    """

    version: str
    problems: Sequence[Exported]

    def among(self, claims: Collection[str]) -> Acceptance:
        """Return what there is of some claims."""
        return Acceptance(self.version, tuple(r for r in self.problems if r.claim in claims))

    def words(self) -> str:
        """Say how many are accepted, and by what."""
        accepted = [row for row in self.problems if row.by]
        hand = sum(row.by.endswith("_proved") for row in accepted)
        different = len({row.digest for row in self.problems})
        return (
            f"the kernel of Coq {self.version} accepts {len(accepted)} of {len(self.problems)} "
            f"problems ({different} different statements): {len(accepted) - hand} by tactics "
            f"alone, {hand} by a proof written by hand"
        )

    def checks(self) -> Mapping[str, frozenset[str]]:
        """Return by claim the names of the checks that are accepted whole."""
        good: dict[tuple[str, str], bool] = defaultdict(lambda: True)
        for row in self.problems:
            good[row.claim, row.check] &= bool(row.by) and row.alone
        by_claim: dict[str, set[str]] = defaultdict(set)
        for (claim, check), whole in good.items():
            if whole:
                by_claim[claim].add(check)
        return {claim: frozenset(names) for claim, names in by_claim.items()}

    def text(self) -> str:
        """Write it as JSON, a line for each problem."""
        rows = ",\n".join(f"  {json.dumps(astuple(row))}" for row in self.problems)
        return f'{{"coq": {json.dumps(self.version)}, "problems": [\n{rows}\n]}}\n'


@cache
def stored() -> Acceptance:
    """Return what is stored."""
    read = json.loads(FILE.read_text(encoding="utf-8"))
    return Acceptance(read["coq"], tuple(Exported(*row) for row in read["problems"]))


@cache
def accepted_checks() -> Mapping[str, frozenset[str]]:
    """Return by claim the names of the checks that are stored as accepted whole."""
    return stored().checks()
