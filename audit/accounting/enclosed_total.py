"""An account: what a list of mechanisms loses together, and whether a claimed total holds.

PROVED where the upper end of delta at the claimed epsilon is at most the claimed delta; REFUTED
where the lower end is above it. If all parts are mechanisms whose dominating pair two data sets
have (a constant function of one record), the same pair has the product of all, so a refutation is
of this composition. Otherwise it is of what is stated: some mechanisms with these parts lose more.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from audit.accounting.account_events import GaussianEvent, Noise, Poisson
from audit.accounting.account_result import AccountResult, CurvePoint, StepAlone
from audit.accounting.account_sentences import reason_words
from audit.accounting.certification import Uncertified, certified
from audit.accounting.peers.comparison import Standing, compared
from audit.accounting.release_plan import AccountClaim, Step
from audit.results.verdict import Verdict
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from proofs_check.composition.choice import BEYOND, Tried, brackets, compositions, unknown
from proofs_check.composition.epsilon import Totals
from proofs_check.composition.parts import Direction, Part, merged
from proofs_check.ends import Enclosed

__all__ = ["find_account"]

ENOUGH = 1e-3
"""Relative width of epsilon with which an account ends where the claim is decided."""

NEAR = 1e-5
"""Where other accountants are compared: as near as what they differ by, if nodes come so near."""

TRIES = 8
"""After so many steps, each half of the last, it ends as well where the claim is decided: 2^13
nodes of a loss, a second or two."""

TINY, FEW = Fraction(1, 10**100), 3
"""Below such a delta, nodes without an upper end of theirs after so many steps find none."""

EXACT = 1e-13
"""Relative width that no more nodes improve: a claim within is left INCONCLUSIVE."""

POINTS = 24
"""Of the profile."""


def directions_of(steps: Sequence[Step], relation: Relation) -> tuple[Direction, ...]:
    """The composition in each direction; once where both are the same."""
    found = []
    dominated = [(step.event.dominated(relation), step.count) for step in steps if step.count]
    for side in (0, 1):
        parts = merged(
            Part(law, count) for one, count in dominated if (law := one.laws[side]) is not None
        )
        kept = tuple((one.kept[side], count) for one, count in dominated if one.kept[side] != 1)
        found.append(Direction(parts, kept))
    return tuple(dict.fromkeys(found))


def is_bracketed(steps: Sequence[Step], relation: Relation) -> bool:
    """Whether some step has a pair of data sets, and none is known that dominates."""
    events = [step.event for step in steps if step.count]
    return any(isinstance(e, Poisson) and not e.is_dominating(relation) for e in events)


def tries_of(steps: Sequence[Step], claim: AccountClaim) -> Iterator[Tried]:
    """Enclosures that come nearer from one to the next.

    Raises InvalidArgument if sampled steps under swap stand beside such as have no stated law
    when a record is removed.
    """
    directions = directions_of(steps, claim.relation)
    if not is_bracketed(steps, claim.relation):
        return compositions(directions, claim.delta)
    for step in steps:
        if not isinstance(step.event, GaussianEvent | Noise | Poisson):
            msg = (
                "under swap, sampled steps stand beside noise only: of "
                f"{step.words} it is not said what it loses when a record is removed"
            )
            raise InvalidArgument(msg)
    alone = directions_of(steps, Relation.ADD_REMOVE)
    return brackets(directions, alone[0], alone[-1], claim.delta)


BRACKETED = (
    "Of sampled steps under swap no dominating pair is known: the lower end is of a record that "
    "moves answers up against one that moves them down, the upper one of removing and adding."
)


def find_account(
    name: str,
    steps: Sequence[Step],
    claim: AccountClaim,
    *,
    profile: bool = False,
    compare: tuple[str, ...] = (),
) -> AccountResult:
    """Enclose what the steps lose together, and decide a claim.

    `name`: of the plan. `profile`: also ends of delta at other epsilons. `compare`: libraries whose
    accountants are asked for the same total; where the plan claims none, theirs are the claims.
    Raises Disagreement if two engines exclude each other, or a certificate is rejected.
    """
    start = time.monotonic()
    directions = directions_of(steps, claim.relation)
    if not claim.delta:
        tried, total = None, _largest(directions)
    else:
        tried, total = _narrowed(steps, claim, NEAR if compare else ENOUGH)
    verdict, at_claim = _decided(tried, total, claim)
    others = tuple(compared(compare, tuple(steps), claim, total))
    if claim.epsilon is None and any(one.standing is Standing.UNSOUND for one in others):
        verdict = Verdict.REFUTED
    attained = all(step.event.is_attained for step in steps if step.count)
    result = AccountResult(
        name,
        verdict,
        "",
        claim,
        total,
        at_claim,
        engine="largest losses" if tried is None else tried.engine,
        is_attained=attained,
        alone=_each_alone(steps, claim, total),
        profile=tuple(_profile(tried.composition, total)) if profile and tried else (),
        compared=others,
        is_last=tried is None or tried.is_last,
        notes=tuple(_notes(steps, claim, tried, total)),
    )
    if verdict is None or verdict is Verdict.PROVED:
        made = certified(steps, claim, total, result.engine)
    else:
        made = Uncertified(NOT_PROVED[verdict])
    seconds = time.monotonic() - start
    return replace(
        result,
        reason=reason_words(result),
        certificate=None if isinstance(made, Uncertified) else made,
        uncertified=made.why if isinstance(made, Uncertified) else "",
        seconds=seconds,
    )


NOT_PROVED = {
    Verdict.REFUTED: "a certificate is of a total that was proved, and this claim is refuted",
    Verdict.INCONCLUSIVE: "a certificate is of a total that was proved, and it is not decided",
}
"""Why there is no certificate."""


def _notes(
    steps: Sequence[Step], claim: AccountClaim, tried: Tried | None, total: Enclosed
) -> Iterator[str]:
    """What else there is to know of the ends."""
    if is_bracketed(steps, claim.relation):
        yield BRACKETED
    if tried is not None and tried.upper_by and total.upper is not None:
        yield f"The upper end is {tried.upper_by}; the total may be far below."


def _largest(directions: Sequence[Direction]) -> Enclosed:
    ends = [one.largest() for one in directions]
    if any(end.upper is None for end in ends):
        return Enclosed(None, None)
    return Enclosed(
        max(end.lower for end in ends if end.lower is not None),
        max(end.upper for end in ends if end.upper is not None),
    )


def _enclosures(steps: Sequence[Step], claim: AccountClaim) -> Iterator[tuple[Tried, Enclosed]]:
    """Enclosures of the total that come nearer; of numbers that no engine holds, no upper end."""
    known = False
    try:
        for tried in tries_of(steps, claim):
            yield tried, tried.composition.epsilon(claim.delta)
            known = True
    except InvalidArgument:
        raise
    except BEYOND:
        if not known:
            tried, total = (
                unknown(directions_of(steps, claim.relation)),
                Enclosed(Fraction(0), None),
            )
            with suppress(*BEYOND):
                total = tried.composition.epsilon(claim.delta)
            yield tried, total


def _narrowed(steps: Sequence[Step], claim: AccountClaim, enough: float) -> tuple[Tried, Enclosed]:
    """Ends that decide the claim and are near enough; or the nearest."""
    for number, (tried, total) in enumerate(_enclosures(steps, claim), 1):
        verdict, _ = _decided(tried, total, claim)
        if verdict is Verdict.INCONCLUSIVE:
            is_enough = total.width <= EXACT
        else:
            is_enough = total.width <= enough or (number >= TRIES and enough >= ENOUGH)
        finds_none = total.upper is None or tried.upper_by
        if is_enough or (claim.delta < TINY and finds_none and number >= FEW):
            break
    return tried, total


def _decided(
    tried: Tried | None, total: Enclosed, claim: AccountClaim
) -> tuple[Verdict | None, tuple[Fraction, Fraction] | None]:
    """What the ends say of the claim, if there is one, and those of delta at its epsilon."""
    if claim.epsilon is None:
        is_open = total.upper is None and total.lower is not None
        return (Verdict.INCONCLUSIVE if is_open else None), None
    if tried is None:
        if total.lower is None or total.lower > claim.epsilon:
            return Verdict.REFUTED, None
        is_proved = total.upper is not None and total.upper <= claim.epsilon
        return (Verdict.PROVED if is_proved else Verdict.INCONCLUSIVE), None
    if total.lower is None:  # so much is lost altogether, whatever epsilon is
        return Verdict.REFUTED, None
    try:
        ends = tried.composition.delta(min(claim.epsilon, FARTHEST))
    except BEYOND:
        return Verdict.INCONCLUSIVE, None
    if claim.epsilon > FARTHEST:  # delta falls
        ends = Fraction(0), ends[1]
    if ends[1] <= claim.delta:
        return Verdict.PROVED, ends
    return (Verdict.REFUTED if ends[0] > claim.delta else Verdict.INCONCLUSIVE), ends


FARTHEST = Fraction(10**18)
"""Beyond, exp(epsilon) is no ball: delta is what it is here, at most."""


def _each_alone(
    steps: Sequence[Step], claim: AccountClaim, total: Enclosed
) -> tuple[StepAlone, ...]:
    """What each step loses without the others; a single one loses the total."""
    if len(steps) == 1:
        return (StepAlone(steps[0], steps[0].event.convention(claim.relation), total),)
    return tuple(_alone(step, claim) for step in steps)


def _alone(step: Step, claim: AccountClaim) -> StepAlone:
    """What one step loses without the others, to two digits at least where that is quick."""
    if not claim.delta:
        largest = _largest(directions_of([step], claim.relation))
        return StepAlone(step, step.event.convention(claim.relation), largest)
    for number, (_, total) in enumerate(_enclosures([step], claim), 1):
        if total.width < ROUGH or number >= TRIES:
            break
    return StepAlone(step, step.event.convention(claim.relation), total)


ROUGH = 1e-2
"""Relative width of what a step loses alone."""


def _profile(composition: Totals, total: Enclosed) -> Iterator[CurvePoint]:
    """Ends of delta from epsilon 0 to half as much again as the total."""
    most = Fraction(3, 2) * (total.upper or Fraction(1))
    for number in range(POINTS + 1):
        epsilon = most * number / POINTS
        try:
            lower, upper = composition.delta(epsilon)
        except BEYOND:
            return
        yield CurvePoint(epsilon, lower, upper)
