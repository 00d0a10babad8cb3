"""How a claim is known: the level of its evidence, computed from its checks and its steps.

There is no field that states a level. A claim is only as good as what it rests on, so its level is
the worst of its own and of those of all claims that it assumes or argues with, near and far.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import final

from proofs_check.claim import HAS_EVIDENCE, Claim, Role, Status, is_prose
from proofs_check.kernel.acceptance import accepted_checks
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited

__all__ = ["Evidence", "Level", "combine", "level_of"]


@final
class Level(Enum):
    """How a claim is known, from the best to the worst."""

    KERNEL = "KERNEL"
    """As MACHINE, and each part is a theorem that the kernel of Coq accepts, its statement written
    from the object that the check decides."""
    MACHINE = "MACHINE"
    """Checks decide each part whole, on the domain of the statement; else only definitions."""
    PIECES = "PIECES"
    """Checks decide the pieces, and numbered steps put them together; none is by hand."""
    ENUMERATED = "ENUMERATED"
    """A check looks at finitely many cases, which are not all that the statement speaks of."""
    BY_HAND = "BY HAND"
    """Some step is prose."""
    CITED = "CITED"
    """Some step, or some claim below, is taken from other work."""

    @property
    def rank(self) -> int:
        """0 for the best."""
        return list(Level).index(self)


@final
@dataclass(frozen=True, slots=True)
class Evidence:
    """Level of a claim, with what it rests on.

    Parameters
    ----------
    level : Level
        The worst of its own and of what it rests on.
    own : Level
        Of its own checks and steps.
    rests_on : tuple of str
        Ids of the claims below that have the level, where it is worse than its own.
    """

    level: Level
    own: Level
    rests_on: tuple[str, ...] = ()

    def words(self) -> str:
        """Such as "PIECES (rests on TRI-TA.4.1: CITED)"."""
        if self.level is self.own:
            return self.level.value
        named = ", ".join(self.rests_on[:MOST_NAMED])
        more = ", ..." if len(self.rests_on) > MOST_NAMED else ""
        return f"{self.own.value} (rests on {named}{more}: {self.level.value})"


MOST_NAMED = 3
"""Ids in a line; `--format json` has all."""


def level_of(claim: Claim) -> Level | None:
    """Return the level of a claim's own checks and steps; none of what is not decided.

    The first that applies: a citation; a step by hand, or a part of the statement that no check
    decides; a check of finitely many cases; a step by another claim, or by a check that decides no
    part whole, or prose in the statement that no object says; else the machine alone, and a kernel
    besides where it accepts each part.
    """
    if claim.status not in HAS_EVIDENCE:
        return None
    if claim.status is Status.CITED or any(isinstance(step, Cited) for step in claim.steps):
        return Level.CITED
    deciding = {obligation.check for obligation in claim.obligations}
    if any(isinstance(step, ByHand) for step in claim.steps) or "" in deciding:
        return Level.BY_HAND
    if any(check.cases for check in claim.checks if check.role is Role.PROOF):
        return Level.ENUMERATED
    prose = any(map(is_prose, claim.states))
    pieces = (
        isinstance(step, ByClaim) or (isinstance(step, ByCheck) and step.check not in deciding)
        for step in claim.steps
    )
    if prose or any(pieces) or not deciding:
        return Level.PIECES
    accepted = accepted_checks().get(claim.id, frozenset())
    return Level.KERNEL if deciding <= accepted else Level.MACHINE


def combine(claim: Claim, below: Collection[Claim], status: Status) -> Evidence | None:
    """Return the evidence of a claim.

    Parameters
    ----------
    claim : Claim
        Which.
    below : collection of Claim
        All that it assumes or argues with, near and far.
    status : Status
        What a run found of the claim; what is UNKNOWN has no evidence.
    """
    own = level_of(claim)
    if own is None or status is Status.UNKNOWN:
        return None
    levels = {other.id: level for other in below if (level := level_of(other)) is not None}
    worst = max([own, *levels.values()], key=lambda level: level.rank)
    if worst is own:
        return Evidence(own, own)
    return Evidence(worst, own, tuple(name for name, level in levels.items() if level is worst))
