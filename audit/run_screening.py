"""The plan of an audit with the pairs that screening finds, and what a report says of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from audit.request.plan import Plan
from audit.rounding import number, plural
from audit.screened_pairs import Screening

if TYPE_CHECKING:
    from audit.draws.supervisor import Care
    from audit.screening.choice import Choice
    from audit.targets.target import Target
    from audit.verdict import AuditResult

__all__ = ["screened", "screened_by_time", "screening_notes", "screening_words", "with_flow"]

OF_A_KEPT_RUN = "a run that is kept has the same pairs in all sessions; --screen N screens N"


def screened(
    plan: Plan, *, seed: int, samples: int, seconds: float, care: Care | None, is_kept: bool
) -> tuple[Plan, Choice]:
    """Find pairs worth betting on, where pairs are made and not all given.

    Parameters
    ----------
    plan : Plan
        Understood, with the pairs that are made without asking the target.
    seed : int
        Of the run.
    samples, seconds
        What the run may take.
    care : Care or None
        How its target is looked after.
    is_kept : bool
        Whether the run is kept in a file: then the clock has no say in its pairs.

    Returns
    -------
    Plan
        With the pairs that were found among its own.
    Choice
        What was found, and why nothing was looked for.
    """
    from audit.screening.choice import Budget, Choice, beside, obstacle, screen

    request = plan.request
    if not any(pair.generated for pair in plan.pairs):
        return plan, Choice()
    if request.screen == 0:
        return plan, Choice(why_not="--screen 0")
    why_not = obstacle(plan.target, plan.claim, plan.domain, care)
    if is_kept and request.screen is None:
        why_not = why_not or OF_A_KEPT_RUN
    if why_not or care is None:
        return plan, Choice(why_not=why_not)
    budget = Budget(samples, seconds, request.screen)
    made = [pair for pair in plan.pairs if pair.generated]
    choice = screen(plan.target, plan.claim, plan.domain, made, budget, seed=seed, care=care)
    given = tuple(pair for pair in plan.pairs if not pair.generated)
    return replace(plan, pairs=(*given, *beside(choice, made))), choice


def screening_words(choice: Choice, pairs: int) -> tuple[str, bool]:
    """What was looked at, in words, and whether anything was."""
    told = choice.told
    if told is None:
        return (f"pairs that are not worst cases: not screened ({choice.why_not})", False)
    looked = f"{plural(told.pairs, 'pair')} screened with {plural(told.calls, 'call')}"
    return f"pairs: {looked}, {pairs:,} bet on", True


def screening_notes(told: Screening | None) -> tuple[str, ...]:
    """Which pairs were found, and what else a reader should know."""
    if told is None or not told.chosen:
        return ()
    found = "; ".join(
        f"{one.pair} (score {number(one.score)}: {one.why or 'nothing'})" for one in told.chosen
    )
    of = f"{plural(len(told.chosen), 'pair')} of {told.pairs:,}, with {plural(told.calls, 'call')}"
    notes = [f"screening chose {of}: {found}"]
    if told.sized is not None:
        notes.append(
            f"draws are slow: the time cap paid for screening {told.sized} candidates, so another "
            "machine may screen others; more --budget-seconds pay for more"
        )
    if told.cut:
        notes.append("screening was cut by time: another machine may choose other pairs")
    return tuple(notes)


def with_flow(plan: Plan, result: AuditResult, target: Target, deadline: float) -> AuditResult:
    """Put the control flow beside a result: of its witness, or else of its first pairs."""
    from audit.pairs.neighbors import Pair
    from audit.screening.replay import compared

    witness, pairs = result.witness, plan.pairs
    if witness is not None:
        pairs = (Pair(witness.pair, witness.data, witness.neighbor),)
    flow = compared(target, pairs, seed=result.seed, deadline=deadline)
    return replace(result, control_flow=flow)


def screened_by_time(told: Screening | None) -> int | None:
    """How many candidates there were, where the clock chose their number."""
    return None if told is None else told.sized
