"""Exit statuses: what scripts rely on."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.accounting.account_result import AccountResult
    from audit.results.exact_result import ExactResult
    from audit.results.sampled_result import AuditResult
    from audit.stability.sensitivity_result import SensitivityResult
    from audit.utility.error_result import UtilityResult

__all__ = ["Exit", "Interrupted", "of_audit", "worst"]


class Interrupted(Exception):
    """Ctrl-C in the middle of a run; the message says what was done so far."""


class Exit(IntEnum):
    """Exit status of every command."""

    OK = 0
    """As expected: nothing was refuted, but for positive controls, which were."""
    REFUTED = 1
    """Refuted, or a positive control that was not."""
    USAGE = 2
    """Wrong usage, data or configuration: one line says what."""
    INCONCLUSIVE = 3
    """The run could not tell."""
    INTERNAL = 4
    """An internal error: nothing is said of the claim."""
    INTERRUPTED = 130
    """Ended from outside."""


_WORST_FIRST = (
    Exit.INTERRUPTED,
    Exit.INTERNAL,
    Exit.USAGE,
    Exit.REFUTED,
    Exit.INCONCLUSIVE,
    Exit.OK,
)


def worst(statuses: Iterable[Exit]) -> Exit:
    """The status that stands for several."""
    return min(statuses, key=_WORST_FIRST.index, default=Exit.OK)


def of_audit(
    result: AuditResult | ExactResult | UtilityResult | SensitivityResult | AccountResult,
    *,
    expect: str = "consistent",
    inconclusive_ok: bool = False,
) -> Exit:
    """Status of one audit.

    `result`: its outcome. `expect`, {"consistent", "refuted"}: a positive control passes only if
    REFUTED. `inconclusive_ok`: whether INCONCLUSIVE counts as a pass; not for a positive control.
    """
    from audit.results.verdict import Verdict

    if expect == "refuted":
        return Exit.OK if result.verdict is Verdict.REFUTED else Exit.REFUTED
    match result.verdict:
        case Verdict.REFUTED:
            return Exit.REFUTED
        case Verdict.INCONCLUSIVE:
            return Exit.OK if inconclusive_ok else Exit.INCONCLUSIVE
        case Verdict.CONSISTENT | Verdict.PROVED | None:
            return Exit.OK
