"""What an account came to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from audit.accounting.peers.comparison import PeerComparison
from audit.accounting.release_plan import AccountClaim, Step
from audit.results.base_result import VerdictResult
from audit.results.number_words import float_below
from audit.results.verdict import Limits, Verdict
from proofs_check.ends import Enclosed

if TYPE_CHECKING:
    from audit.certificate.certificate_form import Certificate

__all__ = ["AccountResult", "CurvePoint", "StepAlone"]


@final
@dataclass(frozen=True, slots=True)
class StepAlone:
    """One step without the others, how it was read, and what it loses."""

    step: Step
    convention: str
    epsilon: Enclosed


@final
@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Ends of delta at one epsilon."""

    epsilon: Fraction
    lower: Fraction
    upper: Fraction


@final
@dataclass(frozen=True, slots=True)
class AccountResult(VerdictResult):
    """Outcome of an account of composed privacy.

    Parameters
    ----------
    target : str
        Name of the plan.
    verdict : Verdict or None
        PROVED, REFUTED or INCONCLUSIVE; None of a total of which nothing was claimed.
    reason : str
        One sentence: why this verdict.
    claim : AccountClaim
        The total that was claimed, and for which neighbors.
    epsilon : Enclosed
        Ends of the total epsilon at the delta of the claim; None for infinity.
    delta : (Fraction, Fraction) or None
        Ends of the total delta at the epsilon of the claim.
    engine : str
        How they were found.
    is_attained : bool
        Whether two data sets lose as much as the lower end says; otherwise some mechanisms with
        these parts do.
    alone : tuple of StepAlone
        Each step without the others.
    profile : tuple of CurvePoint
        Ends of delta at other epsilons, where asked for.
    compared : tuple of PeerComparison
        What accountants of other libraries say, where asked for.
    is_last : bool
        Whether no finer nodes are tried.
    certificate : Certificate or None
        Of an upper end that was proved, for a program that adds it up again; None where none does.
    uncertified : str
        Why there is no certificate; empty where there is.
    seconds : float
        Wall time.
    not_tried : tuple of str
        What the verdict says nothing of.
    notes : tuple of str
        What else there is to know.
    asked : object
        What was asked, as in an `AuditResult`.
    """

    target: str
    verdict: Verdict | None
    reason: str
    claim: AccountClaim
    epsilon: Enclosed
    delta: tuple[Fraction, Fraction] | None = field(metadata={"form": "rounded"})
    engine: str
    is_attained: bool
    alone: tuple[StepAlone, ...] = field(metadata={"key": "steps"})
    profile: tuple[CurvePoint, ...] = ()
    compared: tuple[PeerComparison, ...] = ()
    is_last: bool = field(default=False, metadata={"kept": False})
    certificate: Certificate | None = field(default=None, metadata={"form": "certificate"})
    uncertified: str = ""
    seconds: float = field(default=0.0, metadata={"places": 3})
    not_tried: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    asked: Any = field(default=None, repr=False, compare=False, metadata={"kept": False})

    @classmethod
    def outcomes_known(cls) -> tuple[str, ...]:
        """Verdicts, and what a total without a claim is."""
        return *Verdict, "OK"

    @property
    def limits(self) -> Limits:
        """The lower end of the total epsilon, rounded down."""
        if self.epsilon.lower is None:
            return Limits.of(epsilon=math.inf)
        return Limits.of(epsilon=float_below(self.epsilon.lower))
