"""What a survey holds, as its report in JSON has it, and the survey again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.documents.typed_json import Codec, Unlike
from audit.files.plain import SCHEMA_VERSION
from audit.results.versions import versions
from audit.runs.result_kinds import check_version
from audit.surveys.row import SurveyRow
from audit.surveys.survey_result import SurveyResult

__all__ = ["read", "record_of_survey"]

CODEC = Codec(
    computed={
        SurveyResult: {
            "passed": (lambda survey: survey.status == 0, bool),
            "exit_status": (lambda survey: int(survey.status), int),
            "command": (lambda survey: survey.repeat, str),
        }
    }
)


def record_of_survey(survey: SurveyResult) -> dict[str, object]:
    """Report of a survey as JSON has it."""
    rows = [
        CODEC.write(SurveyRow, row)
        | {"exit_status": int(survey.status_of(row)), "command": survey.repeat_of(row)}
        for row in survey.rows
    ]
    found = CODEC.write(SurveyResult, survey) | {"rows": rows}
    return {"schema_version": SCHEMA_VERSION, "kind": "survey", **found, "versions": versions()}


def read(record: Mapping[str, Any]) -> SurveyResult:
    """The survey of a report; raises Unlike if this version did not write it."""
    check_version(record)
    survey: SurveyResult = CODEC.read(SurveyResult, record, "the report")
    kinds = {row.kind for row in survey.rows}
    if not kinds <= {"audit", "sensitivity", "none"}:
        msg = f"a row of a survey is of another kind: {', '.join(sorted(kinds)):.100}"
        raise Unlike(msg)
    return survey
