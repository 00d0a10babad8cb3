"""What an audit says: verdict, witness, power statement, result."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from audit.results.base_result import VerdictResult
from audit.results.control_flow import ControlFlow
from audit.results.refutation import Witness
from audit.results.screened_pairs import Screening
from audit.results.verdict import Hint, Limits, Verdict
from mechanisms.claims import Order, PrivacyClaim

__all__ = ["AuditResult", "Detectable", "ExactBounds", "Upper", "WiderClass"]


@final
@dataclass(frozen=True, slots=True)
class WiderClass:
    """What a run would have found of events that are no single value, tail or interval.

    Parameters
    ----------
    mass : float
        Event probability under the likelier data set, beyond the claimed delta.
    epsilon : float
        Smallest true epsilon of such an event that would have been found with probability 0.9.
    shapes : tuple of str
        The shapes of events for which this was measured, and for no others.
    """

    mass: float
    epsilon: float
    shapes: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Detectable:
    """The power statement of a run that found nothing.

    Parameters
    ----------
    masses : tuple of float
        Event probabilities under the likelier data set, beyond the claimed delta.
    epsilons : tuple of float
        For each mass the smallest true epsilon whose event would have been found with
        probability 0.9 at the sample size used; `inf` where none would.
    draws : int
        Draws of each arm on the least-sampled pair: what the statement is computed from.
    pairs : int
        Number of pairs tried; the statement is relative to them.
    limit : float
        Largest value at mass 0.1 that still counts as CONSISTENT.
    classes : tuple of tuple of str
        For each mass the kinds of events of one coordinate that it holds for; of others nothing
        is said, but what `wider` says.
    user : int or None
        Of a personalized claim, whose budget it is about, counted from 1: the one closest to its
        limit.
    wider : tuple of WiderClass
        The same of further shapes of events, at the masses at which it was measured; CONSISTENT
        does not depend on it.
    """

    masses: tuple[float, ...]
    epsilons: tuple[float, ...]
    draws: int
    pairs: int
    limit: float
    classes: tuple[tuple[str, ...], ...]
    user: int | None = None
    wider: tuple[WiderClass, ...] = ()

    @property
    def at_tenth(self) -> float:
        """Smallest detectable epsilon of an event of probability 0.1, which `limit` is about."""
        return self.epsilons[self.masses.index(0.1)]


@final
@dataclass(frozen=True, slots=True)
class Upper:
    """Upper confidence limits on the loss of the learned events, from draws kept for them.

    Relative to these events on these pairs: a loss elsewhere is not limited by it.

    Parameters
    ----------
    masses : tuple of float
        Event probabilities under the likelier data set, beyond the claimed delta.
    epsilons : tuple of float
        For each mass the largest limit over the events of at least this probability: upper limits
        on epsilon at the claimed delta; `inf` where an event was not seen on the other side.
    events : int
        Events of all pairs and both directions; the limits hold for all of them together.
    draws : int
        Draws of each arm and pair, made after the events were chosen.
    pairs : int
        Number of pairs tried.
    """

    masses: tuple[float, ...]
    epsilons: tuple[float, ...]
    events: int
    draws: int
    pairs: int


@final
@dataclass(frozen=True, slots=True)
class ExactBounds:
    """What is known of the largest privacy loss without a sample.

    Parameters
    ----------
    attained : Fraction or None
        Loss of a pair of neighbors, exactly, in what the release is a function of; None where it
        is not rational.
    proved : Fraction
        No neighbors lose more, whatever function of it is released.
    about : str
        Of which output.
    lemma : str
        Id of what proves it.
    """

    attained: Fraction | None
    proved: Fraction
    about: str
    lemma: str


@final
@dataclass(frozen=True, slots=True)
class AuditResult(VerdictResult):
    """Outcome of one audit.

    Parameters
    ----------
    target : str
        Name as the user gave it.
    verdict : Verdict
        The answer.
    claim : PrivacyClaim
        What was audited.
    order : Order
        How the data were read.
    false_alarm : float
        Probability of REFUTED although the claim holds: this audit's share.
    samples : int
        Draws of all arms and pairs together, a witness's fresh draws (and what
        shrinking it took) among them.
    witness_samples : int
        Those of them that a witness took, shrinking its pair included.
    planned : int or None
        Draws that the run could have made.
    stopped_by_time : bool
        Whether time ended the run, or the shrinking of its witness: it is then not reproducible.
    seconds : float
        Wall time.
    seed : int
        Seed of the run.
    reproducible : bool
        Whether the same seed and `--budget-samples` repeat the run exactly.
    ideal : bool
        Whether floating-point features were left out.
    pairs : int
        Number of neighboring pairs tried.
    limits : Limits
        Lower confidence limits by name (`audit.levels`), at the share each, not jointly: the
        smallest epsilon (at the claimed delta) and the smallest delta (at the claimed epsilon) that
        could be true; mu, rho, the epsilon of a Renyi claim at the claimed order; the smallest
        factor on all budgets of a personalized claim. Of a trade-off curve there is none.
    reason : str
        One sentence: why this verdict.
    witness : Witness or None
        With REFUTED only.
    detectable : Detectable or None
        With CONSISTENT and, where the run came that far, INCONCLUSIVE.
    upper : Upper or None
        Beside `detectable`, for pure and approximate claims; the verdict does not depend on it.
    notes : tuple of str
        What the run could not have seen, and how to repeat it.
    not_tried : tuple of str
        What of the claim's domain was not tried (`audit.pairs.coverage`).
    stopped_by : str
        "refuted", "samples", "seconds" or "failure".
    repeat_samples : int or None
        The budget of samples that repeats a run which time stopped.
    profile : tuple of (epsilon, delta_lower) or None
        Lower confidence band of the privacy profile, on request: all its points hold jointly.
    exact : ExactBounds or None
        What the mechanism's stated law proves; of mechanisms that state one.
    night : tuple of float or None
        Logarithms of the run's e-values over the grid of nested claims, where its wealth is
        carried over nights.
    rejected : tuple of bool or None
        Points of the grid that are refuted, tonight or before.
    first_draws : int or None
        Draws of each arm of a pair that were only learned from, of the pair that had most; None
        where there were none.
    seconds_per_draw : float or None
        Wall time of one of them, as it was measured to choose their number; None where that was
        given. Results that differ in it alone are equal.
    first_by_time : int or None
        How many there were to be, where the clock chose it.
    mode : str
        "sequential" or "bound".
    screening : Screening or None
        How pairs were found before the first bet; None where none were looked for.
    control_flow : ControlFlow or None
        How the target asked its generator for numbers on both data sets of a pair; None where it
        was not compared.
    warnings : tuple of Hint
        What to check first, or what would give a verdict: the most important first.
    deterministic : bool
        Whether each data set gave one answer in all draws that are kept, at least 16: of the
        witness, or of all pairs.
    cause : str
        Of a run that could not tell: "draws" where they were too few, "time" where it was up
        before, "fails"; empty for other reasons.
    asked : object
        What was asked, as `audit.report.present` reads it; None where no run made the result.
    """

    target: str
    verdict: Verdict
    claim: PrivacyClaim
    order: Order
    false_alarm: float
    samples: int
    seconds: float = field(metadata={"places": 3})
    seed: int
    reproducible: bool
    ideal: bool
    pairs: int
    limits: Limits
    reason: str
    witness: Witness | None = None
    detectable: Detectable | None = None
    upper: Upper | None = None
    notes: tuple[str, ...] = field(default=())
    not_tried: tuple[str, ...] = ()
    stopped_by: str = "samples"
    repeat_samples: int | None = None
    profile: tuple[tuple[float, float], ...] | None = field(
        default=None, metadata={"columns": ("epsilon", "delta_lower")}
    )
    exact: ExactBounds | None = None
    night: tuple[float, ...] | None = field(default=None, metadata={"kept": False})
    rejected: tuple[bool, ...] | None = field(default=None, metadata={"kept": False})
    first_draws: int | None = None
    seconds_per_draw: float | None = field(
        default=None, repr=False, compare=False, metadata={"digits": 3}
    )
    first_by_time: int | None = None
    witness_samples: int = 0
    planned: int | None = field(default=None, metadata={"key": "budget_samples"})
    stopped_by_time: bool = False
    mode: str = "sequential"
    screening: Screening | None = None
    control_flow: ControlFlow | None = None
    warnings: tuple[Hint, ...] = ()
    deterministic: bool = False
    cause: str = ""
    asked: Any = field(default=None, repr=False, compare=False, metadata={"kept": False})
