"""What a survey holds, as its report in JSON has it."""

from __future__ import annotations

from audit.plain import SCHEMA_VERSION
from audit.surveys.result import SurveyResult
from audit.versions import versions

__all__ = ["record"]


def record(survey: SurveyResult) -> dict[str, object]:
    """Report of a survey as JSON has it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "survey",
        "library": survey.library,
        "of": survey.subject,
        "date": survey.date,
        "passed": survey.status == 0,
        "exit_status": int(survey.status),
        "interrupted": survey.interrupted,
        "planned": survey.planned,
        "false_alarm": survey.false_alarm,
        "share": survey.share,
        "sharing": survey.sharing,
        "budget_samples": survey.samples,
        "resolution": survey.resolution,
        "budget_seconds": survey.budget_seconds,
        "ideal": survey.ideal,
        "seconds": round(survey.seconds, 3),
        "seed": survey.seed,
        "rows": [
            row.record()
            | {"exit_status": int(survey.status_of(row)), "command": survey.repeat_of(row)}
            for row in survey.rows
        ],
        "command": survey.repeat,
        "versions": versions(),
    }
