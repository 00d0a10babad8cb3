"""Estimates that are hard to judge: far from 0, huge, skewed, missing; nothing passes unseen."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.draws.blocks import OutOfTime
from audit.results.verdict import Verdict
from audit.targets.target import Target
from audit.utility.error_cases import ErrorCase
from audit.utility.estimates import draws_for_student, estimate_case, pilot_of
from audit.utility.law_words import read_law
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim
from tests.audit.utility.estimators import (
    NOISES,
    SOURCE,
    case_of,
    mean_size,
    mean_square,
    run,
    target_of,
    unbiased,
)

LAPLACE = NOISES["Laplace"]
FAR = 1e12


def target(draw: Any) -> Target:
    """A target that draws so."""
    return Target(name="estimator", draw=draw, claim=None)


def far_case(*claims: UtilityClaim) -> ErrorCase:
    """Records that are all 1e12."""
    return replace(case_of(*claims), data=np.full(3, FAR), truth=Truth(FAR, "mean"), scale=FAR)


def off_by(bias: float, factor: float = 1.0) -> Target:
    """The mean with a bias, and noise of that standard deviation."""
    return target_of(LAPLACE, shift=bias, factor=factor)


def test_a_bias_far_from_0_is_seen() -> None:
    """It must hold that data of the size 1e12 hide no bias of 30 standard deviations."""
    wrong = run(off_by(30.0), far_case(unbiased(), mean_square(2500.0)))
    assert wrong.verdict is Verdict.REFUTED
    assert run(off_by(30.0), far_case(unbiased())).verdict is Verdict.INCONCLUSIVE
    right = run(off_by(0.0, 50.0), far_case(unbiased(), mean_square(2500.0)))
    assert right.verdict is Verdict.CONSISTENT


def test_what_may_be_rounding_counts_as_unseen() -> None:
    """It must hold that errors near the size of rounding are not said to be seen."""
    result = run(off_by(0.5, 2.0), far_case(unbiased()), samples=20_000)
    assert result.verdict is Verdict.INCONCLUSIVE
    (case,) = result.cases
    assert case.seen is not None
    assert case.seen.bias_scaled is not None
    assert case.seen.bias_scaled > 0.5  # rounding is said to be up to 1, by a spread of 2
    result = run(off_by(0.0), far_case(mean_square()), samples=20_000)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.cases[0].seen is not None
    assert dict(result.cases[0].seen.factors)["mse"] > 4  # (1 + 1)^2, and what draws cannot tell


@pytest.mark.parametrize("chance", [1.0, 1e-3])
@pytest.mark.parametrize("claims", [(unbiased(),), (unbiased(), mean_square()), (mean_size(1.0),)])
def test_what_cannot_be_squared_is_told(chance: float, claims: tuple[UtilityClaim, ...]) -> None:
    """It must hold that errors of the size 1e200 are no crash, no NaN and nothing CONSISTENT."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        sizes = np.where(rng.random(size) < chance, 1e200, 1.0)
        return np.asarray(5 + sizes * LAPLACE(size, rng))

    result = run(target(draw), case_of(*claims))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "draws are more than 1e+70 off, too far to be squared" in result.reason


def seldom(chance: float) -> Target:
    """An unbiased estimate of 5 that is almost always 4, and else far above."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.where(rng.random(size) < chance, 4 + 1 / chance, 4.0)

    return target(draw)


def test_a_few_large_errors_leave_a_bias_undecided() -> None:
    """It must hold that nothing is said by Student's t where a few draws carry the spread."""
    found = [
        run(seldom(1 / 2_000), case_of(unbiased()), seed=seed, samples=6_500, resolution=0.5)
        for seed in range(8)
    ]
    seen = [result for result in found if result.cases[0].estimates[2].value > 1]
    assert len(seen) >= 4
    assert {result.verdict for result in seen} == {Verdict.INCONCLUSIVE}
    assert any("a few large errors make up the spread" in note for note in seen[0].notes)
    assert any("no error too rare for these draws" in note for note in seen[0].notes)


@pytest.mark.parametrize("jump", [True, False])
def test_a_large_error_of_the_pilot_is_remembered(jump: bool) -> None:
    """It must hold that draws of -1 put no bias of 0 in doubt, if a pilot had one of 2 000."""
    first = np.full(2_000, -1.0)
    first[-1] = 2_000.0 if jump else -1.0
    case = case_of(unbiased())
    bias, *_ = estimate_case(case, np.full(4_000, 4.0), pilot_of(first, 0.0), 0.05)
    assert bias.refuted == ()
    assert bool(bias.excluded_approximately) is not jump
    assert math.isinf(bias.interval.upper) is jump


def test_draws_for_student_are_those_of_the_expansion() -> None:
    """It must hold that skewness g needs (g z^3 / 1.5)^2 draws, and rounding none."""
    jumps = np.array([0.0] * 99 + [1.0])  # skewness 98 / sqrt(99)
    z = 1.6448536269514722
    assert draws_for_student(jumps, 0.05, 1e-12) == pytest.approx(98**2 / 99 * z**6 / 1.5**2)
    assert draws_for_student(jumps, 0.05, 1.0) == 0
    assert draws_for_student(np.full(9, 0.1), 0.05, 0.0) == 0
    assert draws_for_student(np.array([-1.0, 0.0, 1.0]), 1e-9, 0.0) == 0
    assert draws_for_student(1e70 * jumps, 0.05, 1e-12) == pytest.approx(
        draws_for_student(1e-150 * jumps, 0.05, 0.0)
    )


def test_skewed_errors_get_the_draws_that_student_needs() -> None:
    """It must hold that an estimate that jumps once in 100 draws is judged, at a small rate too."""
    told = {"false_alarm": 1e-4, "resolution": 0.2}
    right = run(seldom(1 / 100), case_of(unbiased()), **told)
    assert right.verdict is Verdict.CONSISTENT
    assert right.cases[0].draws > 20_000
    biased = target(lambda data, size, rng: seldom(1 / 100).draw(data, size, rng) - 3)
    wrong = run(biased, case_of(unbiased()), **told)
    assert wrong.verdict is Verdict.INCONCLUSIVE
    assert wrong.cases[0].estimates[0].excluded_approximately


def test_what_student_excludes_is_not_refuted() -> None:
    """It must hold that an approximate test says so, and what would make it exact."""
    result = run(off_by(0.5), case_of(unbiased()))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "--mse" in result.reason
    exact = run(off_by(0.5), case_of(unbiased(), mean_square(2.0)))
    assert exact.verdict is Verdict.REFUTED


MISSED = UtilityClaim(Quantity.MISS, 1 / 20, SOURCE, interval=(3.0, 7.0))


@pytest.mark.parametrize(("chance", "verdict"), [(0.02, "CONSISTENT"), (0.08, "REFUTED")])
@pytest.mark.parametrize("symbol", [math.nan, math.inf])
def test_a_failure_is_a_miss_and_no_more(chance: float, verdict: str, symbol: float) -> None:
    """It must hold that draws that are no number count as misses where only these are bounded."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return np.where(rng.random(size) < chance, symbol, 5.0)

    result = run(target(draw), case_of(MISSED))
    assert result.verdict == verdict
    (miss,) = (one for one in result.cases[0].estimates if one.quantity == "miss")
    assert miss.value == pytest.approx(chance, abs=0.01)
    left_out = run(target(draw), case_of(replace(MISSED, given_success=True)))
    assert left_out.verdict is Verdict.CONSISTENT
    with_mean = run(target(draw), case_of(MISSED, mean_square()))
    assert with_mean.verdict is Verdict.REFUTED
    assert with_mean.witness is not None


def test_an_end_that_is_missed_by_rounding_is_hit() -> None:
    """It must hold that an estimate that should be 7, and is 7 + 1e-15, lies in [3, 7]."""
    result = run(target(lambda data, size, rng: np.full(size, 7 + 1e-15)), case_of(MISSED))
    assert result.verdict is Verdict.CONSISTENT
    wrong = run(target(lambda data, size, rng: np.full(size, 7 + 1e-9)), case_of(MISSED))
    assert wrong.verdict is Verdict.REFUTED


def under_law(draw: Any) -> tuple[Target, ErrorCase]:
    """A target on records that are drawn anew."""
    law = read_law("uniform 4 6")
    case = replace(case_of(mean_square(2.0)), data=None, law=law, words="uniform 4 6")
    return target(draw), case


def test_a_target_that_stops_at_the_deadline_has_not_failed() -> None:
    """It must hold that time which is up within a call is no outcome, also under a law."""
    calls = []

    def draw(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        calls.append(size)
        if len(calls) > 4_000:
            raise OutOfTime
        return np.asarray(data.mean() + LAPLACE(size, rng))

    estimator, case = under_law(draw)
    result = run(estimator, case)
    assert result.stopped_by == "seconds"
    assert result.cases[0].failures == 0
    assert result.verdict is not Verdict.REFUTED


def test_several_draws_for_one_are_told_under_a_law() -> None:
    """It must hold that a target which ignores the size is an error, not its first draw."""
    estimator, case = under_law(lambda data, size, rng: LAPLACE(3, rng))
    with pytest.raises(ValueError, match="must return 1 draw along the first axis"):
        run(estimator, case)
