"""`touchstone audit TARGET --utility`: its options, and its run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audit.cli.options import followed
from audit.session import fresh_seed

if TYPE_CHECKING:
    from audit.request.errors import UtilityAsked
    from audit.request.request import Request
    from audit.suite.exits import Exit

__all__ = ["read_utility", "run_utility_command"]


def read_utility(options: dict[str, Any]) -> UtilityAsked | None:
    """Take these options out of all others; None for an audit of privacy."""
    from audit.request.errors import asked_of

    options["n"] = options.pop("count")
    return asked_of(options, dash="--")


def run_utility_command(
    asked: Request,
    settings: dict[str, Any],
    told: dict[str, Any],
) -> Exit:
    """Run a utility audit and write its reports.

    `settings`: seed, false-alarm rate and seconds; None for what is used then. `told`: where the
    reports go; see `audit.cli.reporting.report_audit`.
    """
    from audit.cli.reporting import report_audit
    from audit.request.error_plan import plan_utility
    from audit.run_errors import run_utility

    plan = plan_utility(asked, stated_in="command line")
    settings = {"seed": fresh_seed()} | {k: v for k, v in settings.items() if v is not None}
    with followed(asked.target, "draws", lambda: f" (seed {settings['seed']})") as progress:
        result = run_utility(plan, progress=progress, **settings)
    return report_audit(result, plan, **told)
