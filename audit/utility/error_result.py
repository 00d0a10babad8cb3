"""What a utility audit says: estimates with intervals, tests of claims, power, verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from audit.results.base_result import VerdictResult
from audit.results.verdict import Limits, Verdict
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

METHODS = {
    "bet": "exact for any law of the errors, at any time of stopping (bets on what is never below "
    "0)",
    "second moment": "exact for any law whose mean fourth power of the error (of a mean absolute "
    "error: mean square) is at most what the claim states",
    "claimed error": "exact for any law whose mean squared error is at most the claimed one "
    "(Catoni)",
    "symmetry": "exact for any law that is symmetric about its center, as the claim states (signs "
    "of the errors are fair coins)",
    "Student's t": "approximate (Student's t): right in the limit of many draws, for errors of "
    "finite variance and none that are large and rarer than one in so many draws",
    "binomial": "exact (Clopper and Pearson)",
    "sum of limits": "as good as the limits of mean square and bias that it is made of",
    "cdf band": "exact for any law on a line (Dvoretzky, Kiefer, Wolfowitz, Massart)",
    "relative entropy": "exact for any probabilities of cells (Agrawal)",
}
"""What each kind of limit assumes."""


@final
@dataclass(frozen=True, slots=True)
class Interval:
    """Confidence limits; each end by itself is wrong with probability at most `error`."""

    lower: float
    upper: float
    """The ends."""
    lower_method: str
    upper_method: str
    """Names in `METHODS`."""
    error: float = field(metadata={"key": "error_of_each_end"})
    """Of each end."""


@final
@dataclass(frozen=True, slots=True)
class Estimate:
    """One quantity on one data set."""

    quantity: str
    """One of "bias", "variance", "mse", "mae" or "miss"."""
    value: float
    """Estimate."""
    interval: Interval = field(metadata={"flat": True})
    """Beside it."""
    claims: tuple[UtilityClaim, ...] = ()
    """What is promised of it."""
    refuted: tuple[UtilityClaim, ...] = ()
    """Those of them that the interval excludes, by a test that is exact."""
    excluded_approximately: tuple[UtilityClaim, ...] = ()
    """Those that it excludes by Student's t, which is approximate and refutes nothing."""


@final
@dataclass(frozen=True, slots=True)
class Fit:
    """Draws beside a stated law."""

    words: str = field(metadata={"key": "distribution"})
    """What has the law."""
    by: str
    """It is "cdf band" or "relative entropy"."""
    distance: float
    limit: float
    """Seen, and what the stated law reaches with probability at most the error."""

    @property
    def refuted(self) -> bool:
        """Whether the draws do not have the law."""
        return self.distance >= self.limit


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """What would have been seen with probability 0.9 on one data set, at the draws made."""

    bias: float | None
    """Smallest absolute bias, in the unit of the data; None where none is claimed."""
    bias_scaled: float | None = field(metadata={"key": "bias_in_root_mean_squares"})
    """Its excess over the claimed one, in root mean squared errors."""
    factors: tuple[tuple[str, float], ...] = field(metadata={"mapping": True})
    """Smallest true mean square, mean absolute error or probability of a miss, as a multiple of the
    claimed one; the errors then have the shape that was seen."""
    small_factors: tuple[tuple[str, float], ...] = field(
        metadata={"mapping": True, "key": "factors_below_1"}
    )
    """Largest such multiple below 1, of a claim of equality."""
    distance: float | None
    """Of another law, in cdf; None where no law is stated."""


@final
@dataclass(frozen=True, slots=True)
class CaseResult:
    """One data set, or one law of records."""

    label: str
    """In words."""
    count: int | None = field(metadata={"key": "records"})
    """Number of records; None for the draws of a noise law."""
    draws: int
    """Tested draws; the pilot's come on top."""
    failures: int
    """Draws that are no finite number, among these."""
    truth: Truth
    """What is estimated."""
    estimates: tuple[Estimate, ...] = ()
    """Quantities; none if nothing could be estimated."""
    fits: tuple[Fit, ...] = ()
    """Comparisons with stated laws."""
    seen: Seen | None = None
    """Power."""
    undecided: bool = False
    """Whether the run stopped, at a refuted claim of this case or another, before it had the draws
    that the case needs: its claims that are not refuted are not decided."""


@final
@dataclass(frozen=True, slots=True)
class UtilityWitness:
    """Where a claim fails."""

    case: str
    """Label of the data set or law."""
    data: Any
    """The records; None for a law."""
    says: str
    """What was claimed and what was seen."""
    draws: int
    """Draws behind it."""
    rerun: str
    """Python source that repeats the finding on fresh draws."""


@final
@dataclass(frozen=True, slots=True)
class UtilityResult(VerdictResult):
    """Outcome of one utility audit.

    Parameters
    ----------
    target : str
        Name as the user gave it.
    verdict : Verdict
        REFUTED, CONSISTENT or INCONCLUSIVE.
    reason : str
        One sentence: why this verdict.
    cases : tuple of CaseResult
        In their order.
    false_alarm : float
        Probability of REFUTED although every claim holds: this audit's share.
    ends : int
        Tests of one side over which it is shared equally.
    resolution : float
        Excess that must have been seen for CONSISTENT.
    samples : int
        Draws, the pilots' among them.
    seconds : float
        Wall time.
    seed : int
        Of the run.
    reproducible : bool
        Whether seed and `--budget-samples` repeat it exactly.
    stopped_by : {"samples", "seconds", "failure", "refuted"}
        What ended it.
    repeat_samples : int or None
        The budget of samples that repeats a run which time stopped.
    witness : UtilityWitness or None
        With REFUTED.
    not_tried : tuple of str
        What the verdict says nothing of.
    notes : tuple of str
        What else there is to know.
    asked : object
        What was asked, as in an `AuditResult`.
    """

    target: str
    verdict: Verdict
    reason: str
    cases: tuple[CaseResult, ...]
    false_alarm: float
    ends: int = field(metadata={"key": "tests"})
    resolution: float
    samples: int
    seconds: float = field(metadata={"places": 3})
    seed: int
    reproducible: bool
    stopped_by: str = "samples"
    repeat_samples: int | None = field(default=None, metadata={"kept": False})
    witness: UtilityWitness | None = None
    not_tried: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    asked: Any = field(default=None, repr=False, compare=False, metadata={"kept": False})

    @property
    def claims(self) -> tuple[UtilityClaim, ...]:
        """What was claimed, in the order of the cases."""
        return tuple(claim for c in self.cases for e in c.estimates for claim in e.claims)

    @property
    def limits(self) -> Limits:
        """Lower confidence limits by quantity and case, such as "mse, 10 records at low".

        That of a bias is on its size, and 0 where the interval holds 0.
        """
        return Limits(
            tuple(
                (f"{estimate.quantity}, {case.label}", _lower(estimate))
                for case in self.cases
                for estimate in case.estimates
            )
        )

    @property
    def claim(self) -> str:
        """The claims in a few words, each kind once."""
        kinds = {
            ("unbiased" if claim.bound == 0 else "bias")
            if claim.quantity is Quantity.BIAS
            else {"mse": "MSE", "mae": "MAE", "miss": "misses"}[claim.quantity]
            for case in self.cases
            for estimate in case.estimates
            for claim in estimate.claims
        }
        law = {"law"} if any(case.fits for case in self.cases) else set()
        return ", ".join(sorted(kinds | law, key=str.lower)) or "utility"


def _lower(estimate: Estimate) -> float:
    """What the quantity surely exceeds; of a bias, its size."""
    ends = estimate.interval
    return max(0.0, ends.lower, -ends.upper if estimate.quantity == Quantity.BIAS else 0.0)


def loses_the_mean(result: CaseResult, *, given_success: bool) -> bool:
    """Whether draws that are no finite number break a claim of a mean; a miss they are, no more.

    `result`: of a case. `given_success`: whether its claims leave such draws out.
    """
    of_means = any(one.claims for one in result.estimates if one.quantity != Quantity.MISS)
    return result.failures > 0 and of_means and not given_success


def claim_words(claim: UtilityClaim, number: str) -> str:
    """A claim in words, its bound written by the caller."""
    if claim.quantity is Quantity.BIAS:
        return "unbiased" if claim.bound == 0 else f"bias at most {number}"
    name = {"mse": "MSE", "mae": "MAE", "miss": "chance of a miss"}[claim.quantity]
    relation = "=" if claim.exactly else "at most"
    return f"{name} {relation} {number}"
