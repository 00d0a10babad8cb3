"""A utility audit: a pilot, sample sizes by it, draws, tests, and a verdict.

The pilot's draws choose rates of bets and the number of draws; they are not tested. Each test is
exact for any number of draws, or says that it is approximate. Blocks of all cases are drawn in
turn, so that a run that time stops has tested all of them. A run stops where a claim is refuted far
beyond doubt (`audit.utility.error_looks`); other claims are then not decided.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.results.verdict import Verdict
from audit.targets.target import Target
from audit.utility.error_cases import ErrorCase
from audit.utility.error_power import coarse, draws_needed, seen_of
from audit.utility.error_result import CaseResult, Estimate, Fit, UtilityResult, loses_the_mean
from audit.utility.estimate_draws import Blocks, dependence, estimates_of
from audit.utility.estimates import STUDENT, beyond_squares, ends_of, estimate_case, square_bound
from audit.utility.fit import (
    CdfLaw,
    CellLaw,
    band,
    cdf_distance,
    divergence,
    divergence_limit,
    pooled,
)
from audit.utility.stages import FEWEST, ErrorRun, State
from audit.utility.witness import find_witness
from mechanisms.errors import InvalidArgument

DEFAULT_RESOLUTION = 0.1
"""Of mean squares and mean sizes of errors, and of a bias in root mean squared errors."""

APPROXIMATE = (
    "the test of the bias is approximate (Student's t): it takes for granted that no error too "
    "rare for these draws carries a part of the mean, and so it refutes nothing; together with a "
    "claimed bound of the mean squared error (--mse) it is exact"
)

SKEWED = (
    "a few large errors make up the spread, so that Student's t tells no bias: state a bound of "
    "the mean squared error too (--mse), or give more samples"
)

ONE_SIDED = (
    "an exact error is tested from above only where no moment of its square is stated: a smaller "
    "one would not have been refuted"
)


@final
@dataclass(frozen=True, slots=True)
class UtilitySettings:
    """How to run a utility audit."""

    seed: int
    """At least 0."""
    false_alarm: float
    """Probability of REFUTED although all claims hold, in (0, 1)."""
    budget_samples: int
    """Most draws of all cases together."""
    budget_seconds: float
    resolution: float = DEFAULT_RESOLUTION
    """Excess that must have been seen for CONSISTENT, greater than 0."""

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not 0 < self.false_alarm < 1:
            msg = f"false_alarm must lie in (0, 1), got false_alarm={self.false_alarm!r}"
            raise InvalidArgument(msg)
        for name in ("budget_samples", "budget_seconds", "resolution"):
            value = getattr(self, name)
            if not value > 0:
                msg = f"{name} must be positive, got {name}={value!r}"
                raise InvalidArgument(msg)


def audit_utility(
    target: Target,
    cases: Sequence[ErrorCase],
    settings: UtilitySettings,
    *,
    made: str,
    notes: tuple[str, ...] = (),
    progress: Callable[[int, float], None] | None = None,
) -> UtilityResult:
    """Test what is promised of a target's errors.

    `target`: what to draw from. `cases`: on which records, and the claims. `settings`: error rate,
    budgets, resolution, seed. `made`: lines of Python that make `target` in a script. `notes`: to
    be told with the result. `progress`: called with draws and seconds so far.
    """
    started = time.monotonic()
    ends = sum(map(ends_of, cases))
    error = settings.false_alarm / max(ends, 1)
    run = ErrorRun(target, cases, settings.seed, progress)
    run.pilots(
        settings.budget_samples,
        settings.budget_seconds,
        lambda case, pilot: draws_needed(case, pilot, error, settings.resolution),
    )
    run.main(settings.budget_samples, settings.budget_seconds, error)
    results = [_concluded(state, target.name, error) for state in run.states]
    verdict, reason = _verdict(run.states, results, settings.resolution)
    witness = None
    if verdict is Verdict.REFUTED:
        witness = find_witness(cases, results, made=made, seed=settings.seed)
    stopped = "seconds" if run.late else "refuted" if run.stopped else "samples"
    if verdict is Verdict.INCONCLUSIVE and any(state.failed for state in run.states):
        stopped = "failure"
    return UtilityResult(
        target=target.name,
        verdict=verdict,
        reason=reason,
        cases=tuple(results),
        false_alarm=settings.false_alarm,
        ends=ends,
        resolution=settings.resolution,
        samples=run.samples,
        seconds=time.monotonic() - started,
        seed=settings.seed,
        reproducible=target.seedable and (run.repeat_samples is not None or not run.late),
        stopped_by=stopped,
        repeat_samples=run.repeat_samples,
        witness=witness,
        not_tried=NOT_TRIED,
        notes=(*notes, *_notes(cases, results)),
    )


NOT_TRIED = (
    "other data sets, and other laws of records",
    "state that is kept between runs, and time",
)


def _notes(cases: Sequence[ErrorCase], results: Sequence[CaseResult]) -> tuple[str, ...]:
    """Say so where a test is not exact, or has one side only."""
    by_student = [
        estimate.interval
        for result in results
        for estimate in result.estimates
        if estimate.claims and estimate.interval.lower_method == STUDENT
    ]
    skewed = any(math.isinf(interval.upper) for interval in by_student)
    one_sided = any(
        square_bound(case, claim.quantity) is None
        for case in cases
        for claim in case.claims
        if claim.exactly
    )
    return (APPROXIMATE,) * bool(by_student) + (SKEWED,) * skewed + (ONE_SIDED,) * one_sided


def _concluded(state: State, name: str, error: float) -> CaseResult:
    """Estimate, test and compare one case."""
    case = state.case
    if state.pilot is None:
        return CaseResult(case.label, case.count, 0, 0, case.truth)
    blocks, known = state.blocks, False
    every = estimates_of(blocks, case.read, name)
    if (
        state.refuted and np.isfinite(every).sum() < FEWEST
    ):  # no new ones: time was up, or they fail
        blocks, known = state.forgotten, True
        every = estimates_of(blocks, case.read, name)
    finite = np.isfinite(every)
    estimates = every[finite]
    failures = int(every.size - estimates.size)
    result = CaseResult(case.label, case.count, int(every.size), failures, case.truth)
    found = dependence(blocks)
    if found is not None:
        state.failed = found
        return result
    if estimates.size < FEWEST:
        state.failed = f"only {estimates.size} draws are finite numbers"
        return result
    errors = estimates - float(case.truth.value)
    state.failed = beyond_squares(errors)
    if state.failed is not None:
        return result
    tested: tuple[Estimate, ...] = estimate_case(case, estimates, state.pilot, error, failures)
    seen = seen_of(case, tested, errors, state.pilot, error)
    tested = tuple(_with_known(estimate, state, alone=known) for estimate in tested)
    return replace(
        result,
        estimates=tested,
        fits=() if known else tuple(_fit(law, blocks, every, error) for law in case.fits),
        seen=seen,
        undecided=state.undecided,
    )


def _with_known(estimate: Estimate, state: State, *, alone: bool) -> Estimate:
    """The same with the claims that stopped the run; `alone`: no other test of it counts."""
    refuted = () if alone else estimate.refuted
    doubted = () if alone else estimate.excluded_approximately
    more = (c for c in estimate.claims if c in state.refuted and c not in refuted)
    return replace(estimate, refuted=(*refuted, *more), excluded_approximately=doubted)


def _fit(
    law: CdfLaw | CellLaw, blocks: Blocks, estimates: NDArray[np.float64], error: float
) -> Fit:
    """Compare the releases with a stated law; what is no number lies beyond all others."""
    if isinstance(law, CdfLaw):
        values = estimates
        if law.column is not None:
            values = np.concatenate([law.column(block) for block in blocks])
        values = np.where(np.isnan(values), np.inf, values)
        return Fit(law.words, "cdf band", cdf_distance(values, law), band(values.size, error))
    draws = sum(map(len, blocks))
    places = pooled(law.chances, draws)
    chances = np.bincount(places, weights=law.chances).astype(np.float64)
    cells = np.concatenate([places[law.cell(block)] for block in blocks])
    counts = np.bincount(cells, minlength=chances.size).astype(np.int64)
    seen, limit = divergence(counts, chances), divergence_limit(chances.size, error)
    return Fit(law.words, "relative entropy", seen / draws, limit / draws)


def _verdict(
    states: Sequence[State], results: Sequence[CaseResult], resolution: float
) -> tuple[Verdict, str]:
    """The verdict and its reason."""
    broken = [
        result for state, result in zip(states, results, strict=True) if _breaks(state, result)
    ]
    if broken:
        where = broken[0].label if len(broken) == 1 else f"{len(broken)} of {len(results)} cases"
        return Verdict.REFUTED, f"a claim is false on {where}"
    for result in results:
        if any(estimate.excluded_approximately for estimate in result.estimates):
            reason = (
                f"the bias on {result.label} looks larger than claimed, by a test that is "
                "approximate (Student's t); state a bound of the mean squared error too (--mse), "
                "which makes the test exact"
            )
            return Verdict.INCONCLUSIVE, reason
    for state in states:
        if state.failed is not None:
            return Verdict.INCONCLUSIVE, f"{state.case.label}: {state.failed}"
    for result in results:
        assert result.seen is not None
        unseen = coarse(result.seen, resolution)
        if unseen is not None:
            reason = (
                f"{result.draws:,} draws on {result.label} would have shown {unseen}, and nothing "
                f"smaller; the resolution asks for {resolution:.3g}: give more samples, or a "
                "coarser --resolution"
            )
            return Verdict.INCONCLUSIVE, reason
    return Verdict.CONSISTENT, "the report says what would have been seen"


def _breaks(state: State, result: CaseResult) -> bool:
    """Whether a claim of a case is refuted, a failed draw where there must be none included."""
    if state.failed is not None:
        return False
    return (
        any(estimate.refuted for estimate in result.estimates)
        or any(fit.refuted for fit in result.fits)
        or loses_the_mean(result, given_success=state.case.given_success)
    )
