"""The tracing auditor: epsilon from below by how much a release follows its records."""

from __future__ import annotations

from audit.tracing.auditor import TracingResult, trace

__all__ = ["TracingResult", "trace"]
