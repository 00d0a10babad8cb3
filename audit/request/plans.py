"""What any request comes to once it is understood."""

from __future__ import annotations

from audit.request.error_plan import Planned
from audit.request.stability_plan import StabilityPlan

__all__ = ["AnyPlan"]

AnyPlan = Planned | StabilityPlan
"""An audit of privacy or of errors, or a test of a sensitivity."""
