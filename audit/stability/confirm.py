"""Whether what was found is a matter of the data alone.

Each data set is asked about again in processes that were never asked before. What depends on the
calls before, on the time, or on chance answers otherwise there, and refutes no distance.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from audit.stability.calls import QueryCalls
from audit.stability.claim import StabilityClaim
from audit.stability.properties import Measured, Property, is_same, measured
from audit.stability.values import Answer

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
