"""What came of a survey of a library."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import final

from audit.results.base_result import Result
from audit.results.verdict import Verdict
from audit.suite.exit_status import Exit, worst
from audit.surveys.row import SurveyRow, status_of

__all__ = ["FALSE_ALARM", "RESOLUTION", "SurveyResult"]

FALSE_ALARM = 0.05
"""Of a survey: chosen. Its rows are read by people, who look at each refutation again; a gate,
whose red ends a build, has .001."""

RESOLUTION = 2.0
"""A violation may lie so far above its claim unseen: chosen. It takes a fifth of the draws of an
audit's (`audit.engine.budget`), and a survey is a first look at many calls."""


@final
@dataclass(frozen=True, slots=True)
class SurveyResult(Result):
    """A survey: a row for every public constructor of a library.

    Parameters
    ----------
    library, subject : str
        What was asked for, and library with its version.
    date : str
        Day on which it ended, YYYY-MM-DD.
    rows : tuple of SurveyRow
        In the order of the table; fewer than `planned` after an interruption.
    planned : int
        Number of rows.
    false_alarm, share : float
        Of the survey, and of each row from samples.
    sharing : int
        Rows that share the rate; those left out by a pattern count, so that a row has the same
        share alone.
    samples : int or None
        Draws that a row may take, where a number was asked for.
    resolution : float or None
        How far above its claim a violation may lie unseen; None for `RESOLUTION` where pairs are
        made, and that of every audit where they are not.
    budget_seconds, seconds : float
        Time given and used.
    seed : int
        Of the survey; each row's own is in the row.
    only : str
        The pattern of the names of rows; empty for all.
    table : str
        The user's own table; empty for none.
    ideal : bool
        Whether floating-point features were left out.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    library: str
    subject: str = field(metadata={"key": "of"})
    date: str
    rows: tuple[SurveyRow, ...]
    planned: int
    false_alarm: float
    share: float
    sharing: int
    samples: int | None = field(metadata={"key": "budget_samples"})
    resolution: float | None
    budget_seconds: float
    seconds: float = field(metadata={"places": 3})
    seed: int
    only: str = ""
    table: str = ""
    ideal: bool = False
    interrupted: bool = False

    @property
    def status(self) -> Exit:
        """The worst of all rows."""
        own = [self.status_of(row) for row in self.rows]
        return Exit.INTERRUPTED if self.interrupted else worst(own)

    def status_of(self, row: SurveyRow) -> Exit:
        """What one row is worth, beside the other readings of its call."""
        own = [one for one in self.rows if one.called == row.called]
        return status_of(row, sum(one.verdict == Verdict.REFUTED for one in own))

    @property
    def outcome(self) -> str:
        """The name of the exit status."""
        return self.status.name

    @property
    def was_run(self) -> bool:
        """A run made it."""
        return True

    @property
    def repeat(self) -> str:
        """The command that repeats it."""
        return self._command(self.only)

    def repeat_of(self, row: SurveyRow) -> str:
        """The command that repeats one row: alone it has the same share and the same seed."""
        return self._command(row.name)

    def _command(self, only: str) -> str:
        words = ["touchstone", "survey", self.library]
        for option, value in (("--only", only), ("--rows", self.table)):
            words += [option, value] if value else []
        words += ["--ideal"] if self.ideal else []
        words += [] if self.samples is None else ["--budget-samples", str(self.samples)]
        if self.resolution is not None:
            words += ["--resolution", f"{self.resolution:g}"]
        rate = [] if self.false_alarm == FALSE_ALARM else ["--false-alarm", f"{self.false_alarm!r}"]
        return shlex.join([*words, *rate, "--seed", str(self.seed)])

    @classmethod
    def outcomes_known(cls) -> tuple[str, ...]:
        """Names of the exit statuses."""
        return tuple(status.name for status in Exit)
