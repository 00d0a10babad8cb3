"""One row of a survey: plain values, so that it is kept in a file and read again as it was."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, final

from audit.results.verdict import Verdict
from audit.suite.exit_status import Exit
from mechanisms.errors import InvalidData

__all__ = ["ERROR", "NOT_AUDITED", "SurveyRow", "row_from", "status_of"]

NOT_AUDITED = "NOT AUDITED"
"""Verdict of a constructor without a call; `reason` says why."""

ERROR = "ERROR"
"""Of a call whose audit ended in an error."""


@final
@dataclass(frozen=True, slots=True)
class SurveyRow:
    """What came of one call of a library, or why nothing was called."""

    name: str
    """The call, and the relation where several are read."""
    constructor: str
    """Of which public constructor."""
    kind: str
    """One of "audit" from samples, "sensitivity" without noise, or "none"."""
    verdict: str
    """A `Verdict`, or NOT AUDITED or ERROR."""
    reason: str
    """Why, in a sentence."""
    call: str = ""
    """The expression that was called."""
    claim: str = ""
    relation: str = ""
    unit: str = ""
    source: str = ""
    """What was audited: its promise, which data sets are neighbors, what a unit is, and where this
    was read."""
    relations: int = 1
    """Relations under which the call is audited: more than one where the library leaves it open."""
    evidence: str = ""
    """What is surely exceeded, in a few words."""
    event: str = ""
    pair: str = ""
    """Of the witness."""
    is_confirmed: bool = False
    """Whether fresh draws alone, or fresh processes, break the claim."""
    samples: int = 0
    pairs: int = 0
    """Draws, and pairs of data sets."""
    seconds: float = 0.0
    """Wall time."""
    draw_seconds: float = 0.0
    """Of one draw, or call."""
    seed: int = 0
    """Of the row."""
    share: float = 0.0
    """Of the false-alarm rate; 0 where a refutation is exact."""
    not_tried: tuple[str, ...] = ()
    """What the verdict says nothing of."""
    notes: tuple[str, ...] = ()
    """What else there is to know."""
    detectable: str = ""
    """The smallest loss of an event of probability 0.1 that would have been seen; empty where
    nothing is known of it."""

    @property
    def called(self) -> str:
        """The name of the call in its table: without the relation, where several are read."""
        return self.name.removesuffix(f" ({self.relation})")

    @property
    def was_audited(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict in tuple(Verdict)

    def record(self) -> dict[str, object]:
        """As JSON has it."""
        lists = {"not_tried": list(self.not_tried), "notes": list(self.notes)}
        return asdict(self) | lists


def row_from(record: Any) -> SurveyRow:
    """Read a row again.

    Raises InvalidData if it is none.
    """
    known = [part.name for part in fields(SurveyRow)]
    if not isinstance(record, dict) or sorted(record) != sorted(known):
        msg = f"a row of a survey has the keys {', '.join(known)}"
        raise InvalidData(msg)
    lists = {name: tuple(record[name]) for name in ("not_tried", "notes")}
    return SurveyRow(**{**record, **lists})


def status_of(row: SurveyRow, refuted: int = 1) -> Exit:
    """What a row is worth as an exit status.

    A library that leaves the relation open has broken its promise where no reading of it holds: one
    reading alone that is refuted is an open question. `refuted`: readings of the call that are.
    """
    match row.verdict:
        case Verdict.REFUTED:
            return Exit.REFUTED if refuted >= row.relations else Exit.INCONCLUSIVE
        case Verdict.INCONCLUSIVE:
            return Exit.INCONCLUSIVE
        case _ if row.verdict == ERROR:
            return Exit.INTERNAL
        case _:
            return Exit.OK
