"""The numbers that refute a claim, and a script that finds them again on fresh draws."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from audit.pairs.literal import literal
from audit.results.number_words import number_above, number_below
from audit.utility.error_cases import ErrorCase
from audit.utility.error_result import (
    CaseResult,
    Estimate,
    UtilityWitness,
    claim_words,
    loses_the_mean,
)
from audit.utility.record_laws import WithBudgets
from mechanisms.utility_claims import Quantity, UtilityClaim

SCRIPT = """\
# estimates the errors again on fresh draws; run it in the folder of the audit
import numpy as np
{imported}
{made}
{drawn}
errors = estimates - {truth!r}
middle = np.sqrt(errors.size)
print(f"bias {{errors.mean():.6g}} +- {{errors.std() / middle:.2g}}")
print(f"MSE  {{(errors**2).mean():.6g}} +- {{(errors**2).std() / middle:.2g}}")
print(f"MAE  {{abs(errors).mean():.6g}} +- {{abs(errors).std() / middle:.2g}}")
print({says!r})
"""

ON_DATA = """\
data = {data}
estimates = np.asarray(audit.draw(target, data, {draws}, seed={seed}), dtype=float){column}"""

UNDER_LAW = """\
law, rng = {law}, generator({seed})
estimates = np.array(
    [target.draw(law.sample({count}, rng=rng), 1, rng)[0] for _ in range({draws})], dtype=float
){column}"""

NOISE = """\
rng = generator({seed})
estimates = coordinates(noise, noise.sample({draws}, rng=rng))[{column}]"""


def find_witness(
    cases: Sequence[ErrorCase], results: Sequence[CaseResult], *, made: str, seed: int
) -> UtilityWitness:
    """Choose the claim that is broken most clearly, and write it up.

    `cases`: in the order of the results. `results`: at least one of which breaks a claim. `made`:
    lines of Python that make `target`, or `noise`. `seed`: of the run; the script draws from
    another stream.
    """
    found = [
        (size, case, result, says)
        for case, result in zip(cases, results, strict=True)
        for size, says in _broken(case, result)
    ]
    _, case, result, says = max(found, key=lambda one: one[0])
    return UtilityWitness(
        result.label, case.data, says, result.draws, _script(case, result, says, made, seed)
    )


def _broken(case: ErrorCase, result: CaseResult) -> list[tuple[float, str]]:
    """How many times a limit exceeds its bound, and what to say; for each broken claim."""
    found = [
        (_size(claim, estimate), refutation(claim, estimate))
        for estimate in result.estimates
        for claim in estimate.refuted
    ]
    for fit in (fit for fit in result.fits if fit.refuted):
        says = (
            f"claimed: the stated law of the {fit.words}; the distance of the draws is "
            f"{fit.distance:.4g}, and the law's own at most {fit.limit:.4g}"
        )
        found.append((fit.distance / fit.limit, says))
    if loses_the_mean(result, given_success=case.given_success):
        says = (
            f"{result.failures:,} of {result.draws:,} draws are no finite number, so the error has "
            "no mean"
        )
        found.append((1.0, says))
    return found


def _size(claim: UtilityClaim, estimate: Estimate) -> float:
    bound, ends = float(claim.bound), estimate.interval
    if claim.quantity is Quantity.BIAS:
        half = (ends.upper - ends.lower) / 2 or 1.0
        return 1 + (max(ends.lower, -ends.upper) - bound) / half
    if ends.upper < bound:
        return bound / max(ends.upper, bound * 1e-9)
    return ends.lower / bound if bound else float("inf")


def refutation(claim: UtilityClaim, estimate: Estimate) -> str:
    """What was claimed, and what the draws show instead."""
    words = claim_words(claim, f"{float(claim.bound):.4g}")
    ends, bound = estimate.interval, float(claim.bound)
    name = {"bias": "the bias", "mse": "the MSE", "mae": "the MAE", "miss": "the chance of a miss"}
    what = name[claim.quantity.value]
    if ends.upper < (0 if claim.quantity is Quantity.BIAS else bound):
        limit = f"< {number_above(ends.upper, 4)}"
    else:
        limit = f"> {number_below(ends.lower, 4)}"
    says = f"claimed: {words}; {what} is {limit} ({estimate.value:.4g} in the draws)"
    if excludes(claim, estimate):
        return says
    return (
        f"{says} by these new draws alone; the verdict rests on the whole run, whose evidence is a "
        "million times what REFUTED needs"
    )


def excludes(claim: UtilityClaim, estimate: Estimate) -> bool:
    """Whether the limits exclude a bound; those of a run that was stopped may not."""
    ends, bound = estimate.interval, float(claim.bound)
    if claim.quantity is Quantity.BIAS:
        return max(ends.lower, -ends.upper) > bound
    return ends.lower > bound or (claim.exactly and ends.upper < bound)


def _law_words(case: ErrorCase) -> str:
    """Expression of the law in a script, with budgets beside the records as runs."""
    read = f"read_law({case.words!r})"
    if not isinstance(case.law, WithBudgets):
        return read
    runs = [(budget, len(list(run))) for budget, run in groupby(case.law.budgets)]
    values, times = ([run[k] for run in runs] for k in (0, 1))
    return f"WithBudgets({read}, np.repeat({values}, {times}))"


def _script(case: ErrorCase, result: CaseResult, says: str, made: str, seed: int) -> str:
    told = {"draws": result.draws, "count": case.count, "law": _law_words(case)}
    if case.law is None and case.data is None:
        imported = "from audit.scripts import generator\n"
        drawn = NOISE.format(column=case.column, seed=seed, **told)
    else:
        imported = "\nimport audit\n"
        budgets = "WithBudgets, " if isinstance(case.law, WithBudgets) else ""
        names = f"{budgets}generator, read_law"
        imported += "" if case.law is None else f"from audit.scripts import {names}\n"
        column = "" if case.column is None else f"[:, {case.column}]"
        if case.failure is not None:
            kept = f"~np.isnan(estimates[:, {case.failure}])"
            column = f"\nestimates = estimates[{kept}, {case.column}]"
        form = ON_DATA if case.law is None else UNDER_LAW
        drawn = form.format(column=column, data=literal(case.data), seed=seed, **told)
    return SCRIPT.format(
        imported=imported, made=made, drawn=drawn, truth=float(case.truth.value), says=says
    )
