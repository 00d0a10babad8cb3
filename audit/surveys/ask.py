"""A survey from the words of the command line or of Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audit.surveys.cases import scope_of
from audit.surveys.journal import seed_in
from audit.surveys.result import FALSE_ALARM, SurveyResult
from audit.surveys.run import SECONDS, SurveySettings, run_survey

__all__ = ["ask_survey"]


def ask_survey(
    library: str,
    *,
    fresh: int,
    seed: int | None = None,
    only: str | None = None,
    rows: str | None = None,
    false_alarm: float = FALSE_ALARM,
    budget_samples: int | None = None,
    budget_seconds: float = SECONDS,
    resolution: float | None = None,
    ideal: bool = False,
    resume: Path | None = None,
    on_row: Callable[[int, int, str], None] | None = None,
) -> SurveyResult:
    """Run a survey.

    Parameters
    ----------
    library : str
        A library that has a table, or a module.
    fresh : int
        The seed where none is given or kept.
    seed : int or None
        Of the survey; None for the one that is kept, or a fresh one.
    only : str or None
        Rows whose name holds this, or fits it as a pattern; None for all.
    rows : str or None
        A table of the user's.
    false_alarm, budget_samples, budget_seconds, resolution, ideal
        As of `audit.surveys.run.SurveySettings`.
    resume : Path or None
        Where rows are kept.
    on_row : callable or None
        As of `audit.surveys.run.run_survey`.

    Raises
    ------
    TouchstoneError
        If a word is out of its domain, or a table or the library cannot be read.
    """
    kept = seed_in(resume) if seed is None else seed
    settings = SurveySettings(
        fresh if kept is None else kept,
        float(false_alarm),
        budget_samples,
        float(budget_seconds),
        None if resolution is None else float(resolution),
        ideal,
        only or "",
        rows or "",
        resume,
    )
    settings.check()
    return run_survey(scope_of(library, rows), settings, on_row=on_row)
