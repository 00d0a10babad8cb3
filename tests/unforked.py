"""Calls of the API in the process of the test, so that it sees what they call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

__all__ = ["unforked"]


def unforked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `audit.audit` and the others work here until the end of the test."""

    def here(work: Callable[[], Any], **_: Any) -> Any:
        return work()

    for door in (
        "audit.request.call",
        "audit.testing",
        "audit.suite.gate_run",
        "audit.surveys.survey_run",
    ):
        monkeypatch.setattr(f"{door}.separately", here)
