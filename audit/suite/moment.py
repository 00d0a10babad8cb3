"""The time, or the one of SOURCE_DATE_EPOCH (reproducible-builds.org)."""

from __future__ import annotations

import os
from datetime import UTC, datetime

__all__ = ["now", "today"]


def now() -> str:
    """Date and time in UTC, such as 2026-01-31T12:00:00Z."""
    return _moment().strftime("%Y-%m-%dT%H:%M:%SZ")


def today() -> str:
    """Date in UTC."""
    return _moment().date().isoformat()


def _moment() -> datetime:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
