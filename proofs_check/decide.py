"""Run the checks of a claim, and read its status off what they find.

A status is never taken from the registry: PROVED, REFUTED and CORRECTED are what the checks show,
and a check that cannot refute its own mutants shows nothing; nor does one that decided its
statement on a part of its domain only. A check that fails decides nothing
either, whatever the claim is registered as: what fails may be the right form of an erratum. Nor
does a claim of which a check is not among the results.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from proofs_check.claim import Check, Claim, Finding, Method, Status
from proofs_check.coverage import covering
from proofs_check.statements.decision import Decided
from proofs_check.statements.regions import recording

__all__ = ["CheckResult", "ClaimResult", "conclude", "run_check"]

DECIDED_BY_KIND = (
    Status.CITED,
    Status.ASYMPTOTIC,
    Status.OPEN,
    Status.DEFINITION,
    Status.MEASURED,
    Status.REMARK,
)
"""What a claim is by its kind, as long as its checks hold."""


@final
@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found, and whether it told its mutants from the claim.

    Parameters
    ----------
    name : str
        Of the check.
    says : str
        What was decided.
    method : Method
        How.
    refutes : bool
        Whether it holds a counterexample to the print.
    holds : bool or None
        What was found; None where the method did not decide.
    detail : str
        Numbers, for the reader.
    mutants : mapping of str to (bool or None)
        By description, what the same check found of each mutant: must be False.
    seconds : float
        Time of the check and its mutants.
    """

    name: str
    says: str
    method: Method
    refutes: bool
    holds: bool | None
    detail: str
    mutants: Mapping[str, bool | None]
    seconds: float

    @property
    def decided(self) -> bool:
        """Whether it holds, and fails for each mutant."""
        return self.holds is True and all(found is False for found in self.mutants.values())


@final
@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What is known of a claim after its checks.

    Parameters
    ----------
    id : str
        Of the claim.
    status : Status
        What the checks show.
    expected : Status
        What the registry says.
    checks : tuple of CheckResult
        One for each check of the claim.
    """

    id: str
    status: Status
    expected: Status
    checks: tuple[CheckResult, ...]

    @property
    def as_registered(self) -> bool:
        """Whether the checks show what the registry says."""
        return self.status is self.expected

    @property
    def seconds(self) -> float:
        """Time of all checks."""
        return sum(check.seconds for check in self.checks)


def run_check(check: Check) -> CheckResult:
    """Run a check and its mutants."""
    started = time.perf_counter()
    finding = _decide_whole(check)
    mutants = {words: _decide(check, changed).holds for words, changed in check.mutants.items()}
    return CheckResult(
        name=check.name,
        says=check.says,
        method=check.method,
        refutes=check.refutes,
        holds=finding.holds,
        detail=finding.detail,
        mutants=mutants,
        seconds=time.perf_counter() - started,
    )


def conclude(claim: Claim, results: Sequence[CheckResult]) -> ClaimResult:
    """Read the status of a claim off the results of its checks.

    A print that is false but for its errata (claims of their own) counts as CORRECTED if the right
    form is proved; that the errata are REFUTED is shown by their own checks.
    """
    return ClaimResult(claim.id, _status(claim, results), claim.status, tuple(results))


def _status(claim: Claim, results: Sequence[CheckResult]) -> Status:
    proofs = [result for result in results if not result.refutes]
    refutations = [result for result in results if result.refutes]
    if not all(result.decided for result in results):
        return Status.UNKNOWN
    if {check.name for check in claim.checks} - {result.name for result in results}:
        return Status.UNKNOWN
    if claim.status in DECIDED_BY_KIND:
        return claim.status
    if refutations and not (proofs and claim.status is Status.CORRECTED):
        return Status.REFUTED
    if not proofs:
        return Status.UNKNOWN
    return Status.CORRECTED if refutations or claim.errata else Status.PROVED


def _decide_whole(check: Check) -> Finding:
    """Decide a check; of a statement, only if it was decided on all of its domain."""
    with recording() as regions:
        finding = _decide(check, {})
    if not (finding.holds and isinstance(check.decide, Decided)):
        return finding
    try:
        whole = covering(check.decide, regions)
    except Exception as exc:  # noqa: BLE001 - as below
        return Finding(holds=None, detail=f"{type(exc).__name__}: {exc}")
    return finding if whole.holds else whole


def _decide(check: Check, changed: Mapping[str, object]) -> Finding:
    """Decide a check; one that stops with an error has not decided."""
    try:
        return check.decide(**changed)
    except Exception as exc:  # noqa: BLE001 - a check's own error must not end the run
        return Finding(holds=None, detail=f"{type(exc).__name__}: {exc}")
