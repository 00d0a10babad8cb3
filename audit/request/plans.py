"""What any request comes to once it is understood."""

from __future__ import annotations

from audit.request.account_plan import AccountPlan
from audit.request.error_plan import Planned
from audit.request.stability_plan import StabilityPlan

__all__ = ["AnyPlan", "GatePlan"]

GatePlan = Planned | AccountPlan
"""What an entry of a gate comes to."""

AnyPlan = Planned | StabilityPlan | AccountPlan
"""An audit of privacy or of errors, a test of a sensitivity, or an account."""
