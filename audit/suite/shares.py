"""The false-alarm rate of a gate, split over what can raise a false alarm.

A false alarm is a REFUTED of a claim that holds, where CONSISTENT was expected. Audits of privacy
by samples can raise one, and so can exact tests of errors; each gets the same part of the run's
rate, so by the union bound the run is red by a false alarm with at most that rate. Three kinds of
audit take no part of it:

* Proofs draw nothing.
* Student's t never refutes: an audit of errors with no other test cannot.
* A positive control must be refuted, so its REFUTED is no alarm. What can go wrong is that it
  passes although its claim holds. Each control has the run's whole rate to itself, as a level of
  its own: with at most that probability it passes by chance.

What else can turn a run red, such as an error or a value worse than in the baseline, has no rate.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.request.configuration import Config
from audit.request.configured_audits import Entry
from audit.request.error_plan import UtilityPlan
from audit.request.plans import GatePlan
from audit.utility.estimates import by_student, ends_of

__all__ = ["level_of", "may_alarm", "share_of", "sharing"]

ENDS_OF_STUDENT = 2
"""A bias without a stated moment is tested from both sides, by Student's t."""


def may_alarm(entry: Entry, plan: GatePlan | None = None) -> bool:
    """Whether an audit can be refuted by chance where that is an alarm; in doubt it can."""
    if entry.expect != "consistent" or entry.request.mode == "exact":
        return False
    if not isinstance(plan, UtilityPlan):
        return True
    return any(ends_of(case) > ENDS_OF_STUDENT * by_student(case) for case in plan.cases)


def sharing(config: Config, plans: Sequence[GatePlan]) -> int:
    """Number of audits that share the rate."""
    if config.shared_by is not None:
        return config.shared_by
    return sum(map(may_alarm, config.entries, plans))


def share_of(config: Config, plans: Sequence[GatePlan]) -> float:
    """False-alarm rate of each audit that can raise a false alarm."""
    return config.false_alarm / (sharing(config, plans) or 1)


def level_of(entry: Entry, config: Config, share: float) -> float:
    """Level at which an audit is run: its share, or of a control the whole rate."""
    return config.false_alarm if entry.expect == "refuted" else share
