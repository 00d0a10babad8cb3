"""Reports as JSON: what results and runs hold (their schema is `audit/report/schema.json`)."""

from __future__ import annotations

from audit.runs.result_kinds import record_of as result_document
from audit.suite.gate_record import record as gate_document
from audit.surveys.survey_record import record as survey_document

__all__ = ["gate_document", "result_document", "survey_document"]
