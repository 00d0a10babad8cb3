"""The plan of an audit with the pairs that screening finds, and what a report says of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from audit.pairs.coverage import coverage
from audit.request.privacy_plan import PrivacyPlan
from audit.results.number_words import number, plural
from audit.results.screened_pairs import Screening
from audit.targets.domain import steps
from audit.targets.record_keys import size_of
from mechanisms.claims import Order, Relation

if TYPE_CHECKING:
    from audit.draws.run_log import RunLog
    from audit.draws.settings import Settings
    from audit.draws.supervisor import Care
    from audit.results.refutation import Witness
    from audit.results.sampled_result import AuditResult
    from audit.screening.choice import Choice
    from audit.targets.target import Target

__all__ = [
    "begin_log",
    "goes_by_clock",
    "is_reordered",
    "screened",
    "screening_notes",
    "screening_words",
    "with_domain",
    "with_flow",
]

ASKED = "first list of pairs"
"""Word of the identity of a saved audit whose pairs were screened."""


def screened(
    plan: PrivacyPlan,
    *,
    seed: int,
    samples: int,
    seconds: float,
    care: Care | None,
    log: RunLog,
) -> tuple[PrivacyPlan, Choice]:
    """Find pairs worth betting on, where pairs are made and not all given.

    Parameters
    ----------
    plan : PrivacyPlan
        Understood, with the pairs that are made without asking the target.
    seed : int
        Of the run.
    samples, seconds
        What the run may take.
    care : Care or None
        How its target is looked after.
    log : RunLog
        Of the run: all its sessions find the same pairs, and a screening that was interrupted goes
        on.

    Returns
    -------
    PrivacyPlan
        With the pairs that were found among its own.
    Choice
        What was found, and why nothing was looked for.
    """
    from audit.screening.choice import Choice, ScreenBudget, beside, obstacle, screen

    request = plan.request
    if not any(pair.generated for pair in plan.pairs):
        return plan, Choice()
    if request.screen == 0:
        return plan, Choice(why_not="--screen 0")
    why_not = obstacle(plan.target, plan.claim, plan.domain, care)
    if why_not or care is None:
        return plan, Choice(why_not=why_not)
    budget = ScreenBudget(samples, seconds, request.screen)
    made = [pair for pair in plan.pairs if pair.generated]
    asked = (plan.target, plan.claim, plan.domain, made, budget)
    try:
        choice = screen(*asked, seed=seed, care=care, log=log)
    except KeyboardInterrupt:
        log.pause()
        raise
    given = tuple(pair for pair in plan.pairs if not pair.generated)
    return replace(plan, pairs=(*given, *beside(choice, made))), choice


def begin_log(log: RunLog, plan: PrivacyPlan, settings: Settings) -> None:
    """Begin the log of an audit whose pairs are not known yet, or go on where its file ends.

    The identity says what the pairs are chosen from. Raises InvalidArgument as `RunLog.open` does.
    """
    from audit.engine.identity import identity_of
    from audit.targets.file_state import check_as_written

    log.restart()
    if log.path is None:
        return
    mode = plan.request.mode
    said = identity_of(plan.target, plan.claim, plan.pairs, settings, mode=mode)
    most = "not given" if plan.request.screen is None else str(plan.request.screen)
    log.open(said | {ASKED: said.pop("pairs"), "--screen": most})
    check_as_written(plan.target.name)


def screening_words(choice: Choice, pairs: int) -> tuple[str, bool]:
    """What was looked at, in words, and whether anything was."""
    told = choice.told
    if told is None:
        return (f"pairs that are not worst cases: not screened ({choice.why_not})", False)
    looked = f"{plural(told.pairs, 'pair')} screened with {plural(told.calls, 'call')}"
    if told.stopped_by_time and not told.chosen:
        cut = f"screening was cut by time after {plural(told.pairs, 'pair')}"
        return (f"pairs that are not worst cases: none was chosen ({cut})", False)
    return f"pairs: {looked}, {pairs:,} bet on", True


def with_domain(plan: PrivacyPlan, choice: Choice, result: AuditResult) -> AuditResult:
    """Say what of the domain was not tried, and what a refutation leaves out to look behind it."""
    pairs = [(pair.data, pair.neighbor) for pair in plan.pairs]
    made = any(pair.generated for pair in plan.pairs)
    looked = screening_words(choice, len(pairs)) if made else None
    told = coverage(plan.domain, pairs, made=made, ideal=result.ideal, screening=looked)
    behind = _behind(plan, result.witness, made=made)
    return replace(result, not_tried=(*told.not_tried.values(), *behind))


def _behind(plan: PrivacyPlan, witness: Witness | None, *, made: bool) -> tuple[str, ...]:
    """What another run may leave out, to see what is behind the fault that was found first."""
    if witness is None or not made:
        return ()
    sides, domain = (witness.data, witness.neighbor), plan.domain
    options = {
        "--order fixed": is_reordered(plan, witness),
        "--min-size 1": (
            0 in map(size_of, sides)
            and domain.relation is Relation.ADD_REMOVE
            and domain.min_size == 0
        ),
        "--domain declared": bool(domain.strange(*sides)),
    }
    told = " ".join(option for option, holds in options.items() if holds)
    return (f"what is behind this counterexample ({told} leaves it out)",) if told else ()


def is_reordered(plan: PrivacyPlan, witness: Witness) -> bool:
    """Whether the data sets of a witness are one, but for the order that is read as none."""
    if plan.domain.order is not Order.FREE or plan.domain.listed:
        return False
    return steps(witness.data, witness.neighbor, Order.FREE) == (0, 0)


def screening_notes(told: Screening | None) -> tuple[str, ...]:
    """Which pairs were found, and what else a reader should know."""
    if told is None:
        return ()
    notes = []
    if told.chosen:
        found = "; ".join(
            f"{one.pair} (score {number(one.score)}: {one.why or 'nothing'})" for one in told.chosen
        )
        of = f"{plural(len(told.chosen), 'pair')} of {told.pairs:,}"
        notes.append(f"screening chose {of}, with {plural(told.calls, 'call')}: {found}")
    if told.sized_by_clock is not None:
        notes.append(
            f"draws are slow: the time cap paid for screening {told.sized_by_clock} candidates, so "
            "another machine may screen others; more --budget-seconds pay for more"
        )
    if told.stopped_by_time:
        looked = "it chose nothing" if not told.chosen else "another machine may choose other pairs"
        notes.append(f"screening was cut by time after {plural(told.pairs, 'pair')}: {looked}")
    return tuple(notes)


def goes_by_clock(told: Screening | None) -> bool:
    """Whether another machine may have screened other pairs."""
    return told is not None and (told.stopped_by_time or told.sized_by_clock is not None)


def with_flow(
    plan: PrivacyPlan, result: AuditResult, target: Target, deadline: float
) -> AuditResult:
    """Put the control flow beside a result: of its witness, or else of its first pairs."""
    from audit.pairs.worst_cases import Pair
    from audit.screening.replay import compared

    witness, pairs = result.witness, plan.pairs
    if witness is not None:
        pairs = (Pair(witness.pair, witness.data, witness.neighbor),)
    flow = compared(target, pairs, seed=result.seed, deadline=deadline)
    return replace(result, control_flow=flow)
