"""The test of a declared sensitivity: search, shrink, confirm, conclude.

REFUTED needs no statistics: two answers that fresh processes gave again are further apart, in
rational numbers, than is claimed. CONSISTENT says how far apart the answers were at most, and on
how many pairs; a search proves nothing.

What was found is confirmed in processes that were never asked before: what depends on the calls
before, on the time, or on chance answers otherwise there, and refutes no distance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from audit.pairs.coverage import coverage
from audit.pairs.tables.mixed_tables import TABLE_FAMILIES
from audit.pairs.vector_families import FAMILIES
from audit.pairs.worst_cases import Pair
from audit.results.number_words import plural
from audit.results.verdict import Verdict
from audit.stability.answers import Answer, Failure
from audit.stability.claim import StabilityClaim
from audit.stability.properties import Measured, Property, is_fine, is_rounding, is_same, measured
from audit.stability.query_calls import QueryCalls
from audit.stability.sensitivity_result import SensitivityResult, SensitivityWitness
from audit.stability.sensitivity_search import CLIMB, DRAWN, Findings, Progress, search
from audit.stability.sensitivity_search import PairCandidates as PairCandidates
from audit.stability.sensitivity_search import SearchSettings as SearchSettings
from audit.stability.sensitivity_sentences import (
    ROUNDING,
    consistent_words,
    random_words,
    reason_words,
)
from audit.stability.witness_shrinking import shrunk
from audit.targets.outcomes import OutOfTime
from audit.targets.tables.table_schema import Table
from mechanisms.errors import InvalidArgument

Script = Callable[[Pair], str]
"""Writes the file that asks about a pair again."""

GIVEN_UP = (
    "a call was given up on when a fresh process was asked about a pair again; --timeout gives it "
    "more"
)
"""Why what was found is neither confirmed nor known to be chance."""

FIRST = (
    Property.DISTANCE,
    Property.FAILURE,
    Property.ORDER,
    Property.RANGE,
    Property.FUNCTION,
)
"""Which broken property is told first."""


def find_sensitivity(
    calls: QueryCalls,
    claim: StabilityClaim,
    candidates: PairCandidates,
    settings: SearchSettings,
    *,
    script: Script,
    progress: Progress | None = None,
) -> SensitivityResult:
    """Search for a pair that breaks a claim.

    `calls`: the query. `claim`: what is claimed of it. `candidates`: pairs besides those made here.
    `settings`: seed and budget. `script`: writes the file that asks about a pair again. `progress`:
    told pairs so far, and the one furthest apart. Raises InvalidArgument if the query answers twice
    otherwise on the same data, and its claim is not that it does not: it has no sensitivity then.
    """
    started = time.monotonic()
    found = search(calls, claim, candidates, settings, progress=progress)
    # a query that is no function has no distances, unless it says so
    if Property.FUNCTION in found.broken and not claim.is_function:
        data = found.broken[Property.FUNCTION].pair.data
        raise InvalidArgument(random_words(calls.target.name, data))
    unconfirmed = ""
    witnesses: list[SensitivityWitness] = []
    rounded: list[SensitivityWitness] = []
    try:
        for entry in [found.broken[one] for one in FIRST if one in found.broken]:
            before = calls.given_up
            shown = _confirmed(calls, claim, entry)
            if shown is None and calls.given_up > before:  # time tells nothing of the query
                unconfirmed = GIVEN_UP
            elif shown is None and not claim.is_function:
                raise InvalidArgument(random_words(calls.target.name, entry.pair.data))
            elif shown is None:
                unconfirmed = f"{entry.broken} was broken once, and not again in a fresh process"
            else:
                of = rounded if is_fine(claim, shown) else witnesses
                of.append(_witness(calls, claim, shown, script))
    except OutOfTime:
        unconfirmed = "time was up before a pair was asked about again in a fresh process"
        found.cut_by_time = True
    result = SensitivityResult(
        calls.target.name,
        Verdict.INCONCLUSIVE,
        claim,
        unconfirmed,
        None if found.furthest is None else found.furthest.distance,
        0.0 if found.furthest is None else found.furthest.rank,
        tuple(found.pairs.items()),
        calls.made,
        time.monotonic() - started,
        settings.seed,
        reproducible=not found.cut_by_time,
        witnesses=tuple(witnesses),
        rounding=None if witnesses else next(iter(rounded), None),
        not_tried=_not_tried(found, calls, candidates),
        notes=_notes(found, claim, witnesses),
    )
    return _concluded(result, found, calls, candidates, settings)


def _confirmed(calls: QueryCalls, claim: StabilityClaim, entry: Measured) -> Measured | None:
    """The smallest pair that fresh processes confirm: a shrunk one, or else the one found."""
    smaller = shrunk(calls, claim, entry)
    if is_fine(claim, smaller) and not is_fine(claim, entry):  # fewer records round less
        smaller = entry
    return confirmed(calls, claim, smaller) or confirmed(calls, claim, entry)


def _witness(
    calls: QueryCalls, claim: StabilityClaim, shown: Measured, script: Script
) -> SensitivityWitness:
    pair, carried = shown.pair, calls.space.carried
    assert shown.broken is not None
    reordered = shown.broken is Property.ORDER
    bound = claim.bound(is_reordered=reordered)
    return SensitivityWitness(
        shown.broken,
        pair.label,
        pair.data if isinstance(pair.data, Table) else carried(pair.data),
        pair.neighbor if isinstance(pair.neighbor, Table) else carried(pair.neighbor),
        _told(shown.answers[0]),
        _told(shown.answers[1]),
        shown.distance,
        bound * (shown.broken is not Property.FUNCTION),
        script(pair),
        shown.family,
    )


def _told(answer: Answer) -> Any:
    return Failure(answer.failure) if answer.failure else answer.value


def _notes(
    found: Findings, claim: StabilityClaim, witnesses: Sequence[SensitivityWitness]
) -> tuple[str, ...]:
    notes = [
        f"{plural(count, 'pair')} of which it {how} on both data sets, which is no difference"
        for how, count in found.failed.items()
    ]
    if found.left_out:
        notes.append(f"{plural(found.left_out, 'pair')} outside of its own domain left out")
    if witnesses and all(is_rounding(claim, one) for one in found.broken.values()):
        notes.append(ROUNDING)
    return tuple(notes)


def _not_tried(found: Findings, calls: QueryCalls, candidates: PairCandidates) -> tuple[str, ...]:
    """What of the domain was not tried, and which families of pairs."""
    pairs = [*found.shown.values()] if candidates.make else [*candidates.given]
    sides = [(pair.data, pair.neighbor) for pair in pairs]
    if not sides:
        return ("anything",)
    told = coverage(calls.space.domain, sides, made=candidates.make, ideal=False)
    out = list(told.not_tried.values())
    if candidates.make and candidates.drawn is None and calls.space.domain.schema is None:
        out.append("pairs of Hypothesis, which is not installed (the extra `hypothesis`)")
    if found.is_spent:
        of_tables = calls.space.domain.schema is not None
        families = TABLE_FAMILIES if of_tables else (*FAMILIES, DRAWN)
        missing = [name for name in (*families, CLIMB) if name not in found.pairs]
        out += [f"{name} (the budget of pairs was spent)" for name in missing]
    return tuple(out)


def _concluded(
    result: SensitivityResult,
    found: Findings,
    calls: QueryCalls,
    candidates: PairCandidates,
    settings: SearchSettings,
) -> SensitivityResult:
    """The verdict, and why."""
    if result.witnesses:
        reason = "; ".join(map(reason_words, result.witnesses))
        witness = result.witnesses[0]
        strange = calls.space.domain.strange(witness.data, witness.neighbor)
        if strange:
            reason += f", on a data set with {strange}"
            reason += "; with --domain declared it is not tried" * candidates.make
        return replace(result, verdict=Verdict.REFUTED, reason=reason)
    if result.reason:
        return result
    if found.silent:
        reason = f"a call was given up on {plural(found.silent, 'pair')}; --timeout gives it more"
        return replace(result, reason=reason)
    if found.cut_by_time:
        reason = f"cut by time after {found.total:,} of {settings.budget:,} pairs; give more "
        return replace(result, reason=f"{reason}--budget-seconds, or fewer --budget-pairs")
    if not found.total:
        return replace(result, reason="no pair is of the domain of the query")
    if found.failed.total() == found.total:
        how = " or ".join(found.failed)
        return replace(result, reason=f"it {how} on every data set")
    return replace(result, verdict=Verdict.CONSISTENT, reason=consistent_words(result))


TIMES = 10
"""Calls in one process, to see a query that answers twice otherwise do so again."""


def confirmed(calls: QueryCalls, claim: StabilityClaim, found: Measured) -> Measured | None:
    """What was found, with the answers of fresh processes; None where these do not show it."""
    match found.broken:
        case Property.FUNCTION:
            return _again_otherwise(calls, claim, found)
        case Property.RANGE:
            answer = calls.alone(found.pair.data)
            return replace(found, answers=(answer, answer)) if not answer.fits else None
    data, neighbor = found.pair.data, found.pair.neighbor
    first, second = [calls.alone(data)], [calls.alone(neighbor)]
    second.append(calls.alone(neighbor))
    first.append(calls.alone(data))
    if claim.is_function and not (_agree(claim, first) and _agree(claim, second)):
        return _some_of_many(calls, claim, found)
    for seen, answers in zip(found.answers, (first, second), strict=True):
        if not all(is_same(claim.norm, seen, answer) for answer in answers):
            return None
    return _shown(claim, found, (first[0], first[1]), (second[0], second[1]))


def _agree(claim: StabilityClaim, answers: list[Answer]) -> bool:
    return is_same(claim.norm, answers[0], answers[1])


def _shown(claim: StabilityClaim, found: Measured, first: Any, second: Any) -> Measured | None:
    for entry in measured(claim, found.pair, first, second):
        if entry.broken is found.broken:
            return replace(entry, family=found.family)
    return None


def _some_of_many(calls: QueryCalls, claim: StabilityClaim, found: Measured) -> Measured | None:
    """Of a query that is no function though it claims to be one: answers that are too far apart."""
    data, neighbor = found.pair.data, found.pair.neighbor
    calls.alone(data)
    answers = calls.once([data, neighbor] * TIMES)
    for first in answers[::2]:
        for second in answers[1::2]:
            if shown := _shown(claim, found, (first, first), (second, second)):
                return shown
    return None


def _again_otherwise(calls: QueryCalls, claim: StabilityClaim, found: Measured) -> Measured | None:
    first = calls.alone(found.pair.data)
    for other in calls.once([found.pair.data] * TIMES):
        for entry in measured(claim, found.pair, (first, other), (first, other)):
            if entry.broken is Property.FUNCTION:
                return replace(entry, family=found.family)
    return None
