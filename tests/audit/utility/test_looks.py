"""A run stops where a claim is refuted far beyond doubt, and is as it was everywhere else."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from audit.report.document_lines import document_text
from audit.results.document import Provenance
from audit.results.verdict import Verdict
from audit.targets.target import Target
from audit.utility import error_looks, stages
from audit.utility.error_document import document
from audit.utility.error_looks import far_refuted
from audit.utility.error_result import UtilityResult
from audit.utility.estimates import pilot_of
from mechanisms.utility_claims import UtilityClaim
from tests.audit.utility.estimators import (
    MEAN_SIZES,
    NOISES,
    case_of,
    mean_size,
    mean_square,
    run,
    target_of,
    unbiased,
)
from tests.clock import Clock
from tests.slow import one_in

LAPLACE = NOISES["Laplace"]
WHOLE: dict[str, Any] = {"resolution": 0.02, "samples": 400_000}
"""As `touchstone audit` has it where the resolution is fine: all that the budget allows."""

CLAIMS: dict[str, list[UtilityClaim]] = {
    "mse": [mean_square(1e-4)],
    "mae": [mean_size(1e-4)],
    "bias by symmetry": [unbiased(symmetric=True)],
    "bias by the error": [unbiased(), mean_square(1e4)],
    "small": [mean_square(1e4, exactly=True, square=6e8)],
    "exactly none": [mean_square(0.0)],
}


def without_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are looked at by their end only."""
    monkeypatch.setattr(stages, "FIRST_LOOK", math.inf)


def shown(result: UtilityResult) -> str:
    """The report."""
    return document_text(document(result, Provenance("again")))


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(3, CLAIMS))
def test_a_claim_that_is_far_off_takes_few_draws(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of each kind of test; without looks all draws lead to the same verdict."""
    told = (target_of(LAPLACE, shift=30.0 * name.startswith("bias")), case_of(*CLAIMS[name]))
    result = run(*told, **WHOLE)
    assert result.verdict is Verdict.REFUTED
    assert result.stopped_by == "refuted"
    assert result.samples < 40_000
    assert result.cases == run(*told, **WHOLE).cases
    assert result.witness is not None
    assert "by these new draws alone" not in result.witness.says
    without_looks(monkeypatch)
    whole = run(*told, **WHOLE)
    assert whole.verdict is Verdict.REFUTED
    assert whole.samples > 5 * result.samples


@pytest.mark.parametrize("factor", [0.9, 1.0, 1.02, 1.1, 1.3, 2.0, 10.0])
@pytest.mark.parametrize("shift", [0.0, 0.05])
def test_a_run_never_makes_more_draws_and_is_else_unchanged(
    factor: float, shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that without a stop every number is that of a run that nobody looks at."""
    told = (
        target_of(LAPLACE, shift=shift, factor=factor),
        case_of(unbiased(), mean_square(1.0), mean_size(MEAN_SIZES["Laplace"])),
    )
    settings: dict[str, Any] = {"resolution": 0.1, "samples": 100_000}
    looked = run(*told, **settings)
    without_looks(monkeypatch)
    whole = run(*told, **settings)
    assert looked.samples <= whole.samples
    if looked.stopped_by != "refuted":
        assert (looked.cases, looked.verdict, looked.reason) == (
            whole.cases,
            whole.verdict,
            whole.reason,
        )
    else:
        assert looked.verdict is whole.verdict is Verdict.REFUTED
    assert (looked.stopped_by == "refuted") >= (factor >= 2)


@pytest.mark.long
def test_the_looks_keep_their_rate_at_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a margin of 1 a true claim must be refuted at any of 20 looks with at most the error."""
    monkeypatch.setattr(error_looks, "MARGIN", 1.0)
    error, runs, size = 0.05, 100, 3_000
    rng = np.random.default_rng(1)
    times = np.unique(np.geomspace(100, size, 20).astype(int))
    for name, claims in {
        "Laplace": [unbiased(symmetric=True)],
        "exponential": [unbiased(), mean_square()],
        "rare": [mean_square()],
        "normal": [
            mean_square(exactly=True, square=3.0),
            mean_size(MEAN_SIZES["normal"], exactly=True, square=1.0),
        ],
    }.items():
        ends = len(claims) + sum(c.exactly or c.quantity == "bias" for c in claims)
        counts = {}
        for factor, shift in ((1.0, 0.0), (1.3, 0.3)):
            found = 0
            for _ in range(runs):
                pilot = pilot_of(factor * NOISES[name](2_000, rng) + shift, 1e-12)
                estimates = 5 + shift + factor * NOISES[name](size, rng)
                case = case_of(*claims)
                found += any(
                    far_refuted(case, estimates[:time], pilot, error / ends) for time in times
                )
            counts[factor] = found
        assert counts[1.0] <= stats.binom.isf(1e-6, runs, error), (name, counts)
        assert counts[1.3] >= 0.5 * runs, (name, counts)


def test_other_claims_are_not_decided() -> None:
    """It must hold that the report says so of each of them, and of no claim of a whole case."""
    claims = (unbiased(), mean_square(1e-3), mean_size(0.75))
    result = run(target_of(LAPLACE), case_of(*claims), **WHOLE)
    assert result.verdict is Verdict.REFUTED
    (case,) = result.cases
    assert case.undecided
    text = shown(result)
    (bias,) = (line for line in text.splitlines() if line.startswith("    bias  "))
    (size,) = (line for line in text.splitlines() if line.startswith("    MAE  "))
    (square,) = (line for line in text.splitlines() if line.startswith("    MSE  "))
    assert not bias.endswith("FALSE")  # its exact test takes the claimed mean square for granted
    assert not any(one.refuted for one in case.estimates if one.quantity != "mse")
    assert size.endswith("not decided")
    assert square.endswith("FALSE")
    held = run(target_of(LAPLACE), case_of(unbiased(), mean_square()))
    assert "not decided" not in shown(held)
    assert not held.cases[0].undecided


@pytest.mark.parametrize("stated", ["bias", "small MAE"])
def test_a_true_claim_is_not_false_because_another_is(stated: str) -> None:
    """It must hold of tests that take a claimed mean square for granted, which is refuted."""
    more = {
        "bias": unbiased(),
        "small MAE": mean_size(MEAN_SIZES["Laplace"], exactly=True),
    }[stated]
    for seed in range(8):
        result = run(target_of(LAPLACE), case_of(more, mean_square(1e-3)), seed=seed)
        assert result.verdict is Verdict.REFUTED
        (own,) = (one for one in result.cases[0].estimates if more in one.claims)
        assert not own.refuted
        assert own.interval.lower <= own.value <= own.interval.upper


def test_other_cases_stop_too() -> None:
    """It must hold that a false claim of one case ends the draws of all, and each has some."""
    wrong = case_of(mean_square(1e-4), label="wrong")
    right = replace(case_of(mean_square(1.0)), label="right")
    result = run(target_of(LAPLACE), right, wrong, **WHOLE)
    assert result.verdict is Verdict.REFUTED
    assert "false on wrong" in result.reason
    assert result.samples < 60_000
    assert all(case.undecided and case.draws >= 4_000 for case in result.cases)
    assert not any(estimate.refuted for estimate in result.cases[0].estimates)


def test_a_draw_that_is_no_number_stops_the_run() -> None:
    """It must hold that a claim of a mean is then refuted; a promised failure breaks none."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.where(rng.random(size) < 1e-3, math.nan, 5 + LAPLACE(size, rng))

    target = Target(name="estimator", draw=draw, claim=None)
    result = run(target, case_of(mean_square()), **WHOLE)
    assert result.verdict is Verdict.REFUTED
    assert result.samples < 60_000
    assert result.cases[0].failures > 0
    assert result.cases[0].undecided
    claim = replace(mean_square(), given_success=True)
    promised = run(target, case_of(claim), resolution=0.05, samples=100_000)
    assert promised.verdict is not Verdict.REFUTED
    assert promised.stopped_by == "samples"


@pytest.mark.parametrize("name", ["time", "failures"])
def test_a_refutation_is_not_lost_where_no_new_draws_come(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold where time is up, or the target fails, right after the run was stopped."""
    stops: list[Any] = []

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        if stops and name == "failures":
            return np.full(size, math.nan)
        return 5 + LAPLACE(size, rng)

    clock = Clock().install(monkeypatch)
    stop = stages.ErrorRun._stop

    def stopped(self: Any) -> Any:
        found = stop(self)
        stops.extend(found)
        clock.now += 1e6 * bool(found and name == "time")
        return found

    monkeypatch.setattr(stages.ErrorRun, "_stop", stopped)
    target = Target(name="estimator", draw=draw, claim=None)
    claim = replace(mean_square(1e-4), given_success=True)
    result = run(target, case_of(claim), **WHOLE)
    assert result.verdict is Verdict.REFUTED
    assert result.cases[0].draws >= 1_000
