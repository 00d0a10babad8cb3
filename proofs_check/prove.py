"""Decide many claims at once: in parallel, with what is kept from earlier runs, and their chains.

A claim counts as CORRECTED by its errata only if these are REFUTED. A claim that rests, near or
far, on one that is cited, OPEN or UNKNOWN is conditional on it, and its evidence is no better than
that of what it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from proofs_check.claim import Claim, Status
from proofs_check.decide import CheckResult, ClaimResult, conclude, run_check
from proofs_check.evidence import Evidence, Level, combine, level_of
from proofs_check.registry import claims, find, module_of
from proofs_check.steps import ByClaim
from proofs_check.store import Store, digest

__all__ = ["conditions", "evidence", "foundations", "needed", "prove", "rests_on"]

OnResult = Callable[[ClaimResult], None]
Task = tuple[str, int]
"""Id of a claim and index of its check."""


def rests_on(claim: Claim) -> tuple[str, ...]:
    """Return the ids of the claims that a claim assumes, or argues with in a step."""
    argued = [step.claim for step in claim.steps if isinstance(step, ByClaim)]
    return tuple(dict.fromkeys([*claim.assumes, *argued]))


def needed(chosen: Iterable[Claim]) -> list[Claim]:
    """Return claims with what they rest on and their errata, near and far, in ledger's order."""
    return _reached([claim.id for claim in chosen], lambda c: (*rests_on(c), *c.errata))


def foundations(claim: Claim) -> list[Claim]:
    """Return all that a claim rests on, near and far, without itself."""
    return [other for other in _reached([claim.id], rests_on) if other.id != claim.id]


def _reached(first: Sequence[str], near: Callable[[Claim], Sequence[str]]) -> list[Claim]:
    found: set[str] = set()
    waiting = [*first]
    while waiting:
        identifier = waiting.pop()
        if identifier not in found:
            found.add(identifier)
            waiting += near(find(identifier))
    return [claim for claim in claims().values() if claim.id in found]


def prove(
    chosen: Sequence[Claim],
    *,
    jobs: int = 1,
    store: Store | None = None,
    on_result: OnResult | None = None,
) -> dict[str, ClaimResult]:
    """Run the checks of claims, and of the errata that they name.

    Parameters
    ----------
    chosen : sequence of Claim
        Which; errata that they name but that are not among them are not run.
    jobs : int
        Processes.
    store : Store or None
        Where results are looked up and kept; each as soon as it is there, so that an interrupted
        run goes on where it was.
    on_result : callable or None
        Called with each claim's result as it comes, in no particular order.

    Returns
    -------
    dict of str to ClaimResult
        By id, in the order of `chosen`.
    """
    by_id = {claim.id: claim for claim in chosen}
    done: dict[str, dict[int, CheckResult]] = {identifier: {} for identifier in by_id}
    results: dict[str, ClaimResult] = {}

    def finish(identifier: str) -> None:
        claim, found = by_id[identifier], done[identifier]
        if len(found) == len(claim.checks):
            results[identifier] = conclude(claim, [found[k] for k in range(len(found))])
            if on_result is not None:
                on_result(results[identifier])

    tasks: list[Task] = []
    for identifier, claim in by_id.items():
        for index in range(len(claim.checks)):
            kept = store and store.read(identifier, index, digest(module_of(identifier)))
            if kept:
                done[identifier][index] = kept
            else:
                tasks.append((identifier, index))
        finish(identifier)
    for (identifier, index), result in _run(tasks, jobs):
        if store is not None:
            store.write(identifier, index, digest(module_of(identifier)), result)
        done[identifier][index] = result
        finish(identifier)
    return {identifier: _with_errata(results[identifier], results) for identifier in by_id}


def conditions(identifier: str, results: Mapping[str, ClaimResult]) -> list[str]:
    """Return the ids of cited, OPEN and UNKNOWN claims that a claim rests on, near or far."""
    unsure = (Status.OPEN, Status.UNKNOWN)
    return [
        other.id
        for other in foundations(find(identifier))
        if level_of(other) is Level.CITED or _status_of(other, results) in unsure
    ]


def evidence(identifier: str, results: Mapping[str, ClaimResult]) -> Evidence | None:
    """Return how a claim is known; None of what is not decided.

    Parameters
    ----------
    identifier : str
        Of the claim.
    results : mapping of str to ClaimResult
        What a run found; a claim that is not among them counts as registered.
    """
    claim = find(identifier)
    return combine(claim, foundations(claim), _status_of(claim, results))


def _status_of(claim: Claim, results: Mapping[str, ClaimResult]) -> Status:
    return results[claim.id].status if claim.id in results else claim.status


def _run(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, CheckResult]]:
    if jobs == 1 or len(tasks) < 2:
        for task in tasks:
            yield _run_one(*task)
        return
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=min(jobs, len(tasks)), return_as="generator_unordered")
    try:
        yield from parallel(delayed(_run_one)(*task) for task in tasks)
    except BaseException:
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=False, kill_workers=True)
        raise


def _run_one(identifier: str, index: int) -> tuple[Task, CheckResult]:
    return (identifier, index), run_check(find(identifier).checks[index])


def _with_errata(result: ClaimResult, results: Mapping[str, ClaimResult]) -> ClaimResult:
    """Leave a correction open whose errata are not refuted."""
    known: list[Any] = [results[e] for e in find(result.id).errata if e in results]
    if result.status is Status.CORRECTED and any(e.status is not Status.REFUTED for e in known):
        return replace(result, status=Status.UNKNOWN)
    return result
