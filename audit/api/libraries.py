"""A whole library at once: `audit.survey`, what `touchstone survey` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from audit.levels.word import Kind
from audit.request.call import apart, in_python
from audit.request.keywords import Real
from audit.request.request import DETECTABLE
from audit.request.word_values import check_file, check_kind, checked
from audit.runs.session import fresh_seed
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

if TYPE_CHECKING:
    from audit.surveys.survey_result import SurveyResult

__all__ = ["survey"]


@apart
def survey(
    library: str,
    /,
    *,
    only: str | None = None,
    rows: str | Path | None = None,
    false_alarm: Real | None = None,
    budget_samples: int | None = None,
    budget_seconds: Real | None = None,
    resolution: Real | None = None,
    ideal: bool = False,
    seed: int | None = None,
    resume: str | Path | None = None,
) -> SurveyResult:
    """Audit a whole library: every public constructor has a row, or a reason why not.

    Parameters
    ----------
    library : str
        "opendp", "diffprivlib", "pydp", or a module.
    only : str or None
        Rows whose name holds this, or fits it as a pattern; the name of one row is that row alone.
    rows : str, Path or None
        A table of your own calls, as TOML.
    false_alarm : float or None
        Probability that any row is REFUTED although every claim holds; None for 0.05.
    budget_samples : int or None
        Draws of each row; None for what its power statement needs.
    budget_seconds : float or None
        Cap of the wall time of all rows; None for 600.
    resolution : float or None
        How far above its claim a violation may lie unseen; None for 2 where pairs are made.
    ideal : bool
        Leave floating-point features out.
    seed : int or None
        Of the survey; None for a fresh one.
    resume : str, Path or None
        Keep every row that is done in this file, and go on from there if it exists.

    Raises
    ------
    TouchstoneError
        If there is no such library, or a word is out of its domain.

    Examples
    --------
    >>> import audit
    >>> result = audit.survey("mechanisms.corpus.sums", seed=1)
    >>> result.rows[0].verdict
    'NOT AUDITED'
    """
    from audit.surveys.survey_run import ask_survey

    given = {
        "false_alarm": false_alarm,
        "budget_samples": budget_samples,
        "budget_seconds": budget_seconds,
        "resolution": resolution,
        "ideal": ideal,
        "seed": seed,
        "resume": resume,
    }
    with in_python():
        if not isinstance(cast("object", library), str):
            msg = f"library must be text, got library={shown(library)}"
            raise InvalidArgument(msg)
        check_kind(Kind.TEXT, library=library, only=only, rows=rows)
        if rows is not None:
            check_file("rows", str(rows))
        words = checked("survey", given, tuple(given))
        if words.get("budget_samples") == DETECTABLE:  # what a row has where nothing is said
            del words["budget_samples"]
        if "resume" in words:
            words["resume"] = Path(words["resume"])
        return ask_survey(
            library,
            fresh=fresh_seed(),
            only=only,
            rows=None if rows is None else str(rows),
            **words,
        )
