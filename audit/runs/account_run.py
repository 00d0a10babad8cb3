"""The run of a plan of an account."""

from __future__ import annotations

from dataclasses import replace

from audit.accounting.account_result import AccountResult
from audit.request.account_plan import AccountPlan

__all__ = ["run_account"]


def run_account(plan: AccountPlan) -> AccountResult:
    """Run the account of a plan; see `audit.accounting.enclosed_total.find_account`."""
    from audit.accounting.enclosed_total import find_account

    result = find_account(
        plan.target.name, plan.steps, plan.claim, profile=plan.profile, compare=plan.compare
    )
    return replace(result, asked=plan.without_sampler(), notes=(*result.notes, *plan.notes))
