"""What a gate shows while it runs: how far it is, what is not as expected, and the time left.

The time left is the time so far, times the work that remains over the work that is done. The work
of an audit is its kind's usual share of the reference suite's time (measured once; only the ratios
matter): a control ends early, a consistent audit makes all its draws, a stored proof is read.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from audit.request.configuration import Config
    from audit.request.configured_audits import Entry
    from audit.suite.gate_outcome import Outcome
    from audit.suite.ledger_claims import ProofOutcome
    from audit.suite.stored_tables import TableOutcome

__all__ = ["GateProgress"]

CONTROL, CONSISTENT, EXACT, ERRORS, CLAIM, TABLE = 0.5, 3.0, 0.5, 1.0, 0.1, 0.5
"""Work of each kind, in usual seconds."""


@final
@dataclass(slots=True)
class GateProgress:
    """How far a run is."""

    work: list[float]
    """Of what remains, in the order in which it is done."""
    total: int
    count: int = 0
    done: float = 0.0
    wrong: list[str] = field(default_factory=list)
    """Names of what is not as expected."""
    started: float = field(default_factory=lambda: time.monotonic())
    """On the clock of `time.monotonic`."""

    @classmethod
    def of(cls, config: Config) -> GateProgress:
        """At the beginning of a run."""
        work = [
            *map(_work, config.entries),
            *(CLAIM for _ in config.proofs),
            *(TABLE for _ in config.tables),
        ]
        return cls(work, len(work))

    def add(self, one: Outcome | ProofOutcome | TableOutcome) -> None:
        """Count what is done."""
        self.done += self.work[self.count]
        self.count += 1
        if one.status != 0:
            self.wrong.append(one.name)

    def words(self) -> str:
        """A line."""
        text = f"running {min(self.count + 1, self.total)} of {self.total}"
        if self.count:
            left = sum(self.work[self.count :])
            seconds = (time.monotonic() - self.started) * left / self.done
            text += f", about {_duration(seconds)} left"
        if self.wrong:
            text += f"; {len(self.wrong)} not as expected: {self.wrong[-1]}"
        return text


def _work(entry: Entry) -> float:
    if entry.request.mode == "exact":
        return EXACT
    if entry.expect == "refuted":
        return CONTROL
    return CONSISTENT if entry.request.utility is None else ERRORS


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
