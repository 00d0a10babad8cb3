"""What an audit from samples holds, as its report in JSON has it."""

from __future__ import annotations

from audit.documents.phrases import OTHERS
from audit.documents.shared_forms import SHARED
from audit.documents.typed_json import Codec
from audit.engine.privacy_sentences import severity_of
from audit.results.sampled_result import AuditResult, Detectable

__all__ = ["CODEC"]


def _severity(result: AuditResult) -> float | None:
    severity = severity_of(result)
    return None if severity is None else severity[1]


CODEC = Codec(
    SHARED,
    {
        AuditResult: {
            "limits_are": (lambda _: "strict", str),
            "severity": (_severity, float | None),
        },
        Detectable: {"others": (lambda _: f"{OTHERS}.", str)},
    },
)
"""Its own keys, without those of every kind of result."""
