"""The run of a utility audit: failures, time, dependence, repetition, witness."""

from __future__ import annotations

import math
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.request.error_plan import plan_utility
from audit.request.request import Request, UtilityAsked
from audit.results.verdict import Verdict
from audit.runs.accuracy_run import run_utility
from audit.targets.target import Target
from audit.utility.error_audit import UtilitySettings
from audit.utility.law_words import read_law
from mechanisms.errors import InvalidArgument
from mechanisms.utility_claims import Truth
from tests.audit.utility.estimators import (
    NOISES,
    case_of,
    mean_square,
    run,
    target_of,
    unbiased,
)
from tests.clock import Clock

LAPLACE = NOISES["Laplace"]


def target(draw: Any, **more: Any) -> Target:
    """A target that draws so."""
    return Target(name="estimator", draw=draw, claim=None, **more)


def test_a_failure_refutes_a_claim_of_the_mean() -> None:
    """It must hold that one draw in 1 000 that is NaN refutes, as the error has no mean."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.where(rng.random(size) < 1e-3, math.nan, 5 + LAPLACE(size, rng))

    result = run(target(draw), case_of(unbiased(), mean_square()))
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert "are no finite number, so the error has no mean" in result.witness.says
    assert 0 < result.cases[0].failures < 100


def test_failures_may_be_promised() -> None:
    """It must hold that a claim given success leaves failures out, and counts them."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.where(rng.random(size) < 0.4, math.nan, 5 + LAPLACE(size, rng))

    claim = replace(unbiased(symmetric=True), given_success=True)
    result = run(target(draw), case_of(claim))
    assert result.verdict is Verdict.CONSISTENT
    assert 0.3 < result.cases[0].failures / result.cases[0].draws < 0.5


@pytest.mark.parametrize("value", [None, "text", ValueError("no"), [], math.inf])
def test_what_is_no_number_is_a_failure(value: Any) -> None:
    """It must hold that any output but a finite number counts as a failure, also of all draws."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return [value] * size

    result = run(target(draw), case_of(mean_square()))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "2000 of the first 2000 draws are no finite number" in result.reason
    assert result.stopped_by == "failure"


def test_an_exception_is_the_outcome_of_one_draw() -> None:
    """It must hold that a target that raises is asked for one draw a call, and not given up."""
    calls = []

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        calls.append(size)
        if size > 1:
            msg = "one at a time"
            raise RuntimeError(msg)
        return 5 + LAPLACE(size, rng)

    result = run(target(draw), case_of(mean_square()), samples=6_000)
    assert result.cases[0].failures == 0
    assert calls.count(1) >= result.cases[0].draws


def test_several_numbers_need_a_name() -> None:
    """It must hold that a release of two numbers is refused, and read where a column is named."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.stack([np.full(size, 7.0), 5 + LAPLACE(size, rng)], axis=1)

    with pytest.raises(InvalidArgument, match="one number a draw, estimator releases 2"):
        run(target(draw), case_of(mean_square()))
    read = case_of(mean_square(), read=lambda z: z[:, 1], column=1)
    assert run(target(draw), read).verdict is Verdict.CONSISTENT


@pytest.mark.parametrize("kind", ["same call", "period"])
def test_draws_that_repeat_say_nothing(kind: str) -> None:
    """It must hold that draws which are not independent are INCONCLUSIVE."""

    def same(data: Any, size: int, rng: np.random.Generator) -> Any:
        return 5 + LAPLACE(size, np.random.default_rng(1))

    def period(data: Any, size: int, rng: np.random.Generator) -> Any:
        return 5 + np.repeat(LAPLACE(size // 2 + 1, rng), 2)[:size]

    result = run(target({"same call": same, "period": period}[kind]), case_of(mean_square(9.0)))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "not independent" in result.reason


def test_an_exact_estimator_keeps_every_claim() -> None:
    """It must hold that a constant that differs from the truth by rounding is not refuted."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.full(size, 5 * (1 + 2e-16))

    exact = mean_square(0.0, exactly=True)
    result = run(target(draw), case_of(unbiased(), exact))
    assert result.verdict is Verdict.CONSISTENT
    off = replace(case_of(unbiased(), exact), truth=Truth(5 + 1e-6, "mean"))
    assert run(target(draw), off).verdict is Verdict.REFUTED


@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_an_error_that_is_always_0_is_consistent(scale: float) -> None:
    """It must hold that draws that are all the truth 0 divide nothing by 0."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.zeros(size)

    for claim in (mean_square(0.0, exactly=True, square=0.0), mean_square(1.0)):
        case = replace(case_of(unbiased(), claim), truth=Truth(0, "mean"), scale=scale)
        assert run(target(draw), case).verdict is Verdict.CONSISTENT


def test_too_few_samples_are_inconclusive() -> None:
    """It must hold that a coarse run says what would have been seen, and asks for more."""
    result = run(target_of(LAPLACE), case_of(unbiased(), mean_square()), samples=900)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "the resolution asks for 0.2: give more samples, or a coarser --resolution" in (
        result.reason
    )
    assert result.samples <= 900


def test_a_run_is_repeated_by_its_seed() -> None:
    """It must hold that the same seed gives the same estimates, and another seed others."""
    told = (target_of(LAPLACE), case_of(unbiased()))
    first, again, other = (run(*told, seed=seed) for seed in (3, 3, 4))
    assert first.cases == again.cases
    assert first.cases != other.cases


@pytest.mark.parametrize("cases", [1, 2])
def test_a_run_that_time_stops_is_repeated_by_its_samples(
    cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that the stated budget of samples gives the same draws, in any time."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return 5 + LAPLACE(size, rng)

    slow = Clock().install(monkeypatch).ticking(draw, a_draw=1e-3)
    several = [case_of(unbiased(), mean_square(), label=f"case {i}") for i in range(cases)]
    told: dict[str, Any] = {"resolution": 0.05, "samples": 10_000_000}
    stopped = run(target(slow), *several, seconds=30.0 * cases, **told)
    assert stopped.stopped_by == "seconds"
    assert stopped.repeat_samples is not None
    told["samples"] = stopped.repeat_samples
    again = run(target(draw), *several, **told)
    assert again.stopped_by == "samples"
    assert again.cases == stopped.cases
    assert again.samples <= stopped.repeat_samples


def test_a_target_that_is_too_slow_is_inconclusive(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a run without draws says so, and that no samples repeat it."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return 5 + LAPLACE(size, rng)

    slow = Clock().install(monkeypatch).ticking(draw, a_call=100.0)
    result = run(target(slow), case_of(unbiased()), seconds=50.0)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.stopped_by in ("seconds", "failure")
    assert not result.reproducible


def test_records_of_a_law_are_drawn_anew() -> None:
    """It must hold that under a law the error is that of records and noise together."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return [data.mean() + LAPLACE(1, rng)[0] for _ in range(size)]

    law = read_law("uniform 0 12")  # variance 12, of the mean of 4 records 3
    case = replace(
        case_of(unbiased(), mean_square(4.0)),
        data=None,
        law=law,
        count=4,
        truth=Truth(6, "mean"),
        words="uniform 0 12",
    )
    right = run(target(draw), case, resolution=0.3)
    assert right.verdict is Verdict.CONSISTENT
    wrong = run(target(draw), replace(case, claims=(mean_square(3.0),)), resolution=0.3)
    assert wrong.verdict is Verdict.REFUTED
    assert wrong.witness is not None
    assert wrong.witness.data is None


@pytest.mark.parametrize(
    ("name", "value"),
    [("false_alarm", 0.0), ("false_alarm", 1.0), ("budget_samples", 0), ("resolution", -1.0)],
)
def test_settings_are_checked(name: str, value: float) -> None:
    """It must hold that a rate, budget or resolution out of its domain is named."""
    right: dict[str, Any] = {
        "seed": 1,
        "false_alarm": 0.05,
        "budget_samples": 10,
        "budget_seconds": 1.0,
    }
    with pytest.raises(InvalidArgument, match=f"{name}={value!r}"):
        UtilitySettings(**{**right, name: value})


WRONG = {
    "data": Request("ksw.swap-laplace", utility=UtilityAsked(bias=0, n=2, mse="1/2")),
    "law": Request(
        "tri.combined", resolution=0.5, utility=UtilityAsked(law=("normal 0 1",), n=5, mse="1/100")
    ),
    "column": Request(
        "tri.symmetric-mean",
        resolution=0.5,
        utility=UtilityAsked(law=("normal 3 1",), bias=0, truth=0, mse=100),
    ),
    "noise": Request("hourglass", utility=UtilityAsked()),
}


@pytest.mark.parametrize(
    "name",
    [n if n in ("data", "noise") else pytest.param(n, marks=pytest.mark.slow) for n in WRONG],
)
def test_the_script_of_a_witness_finds_it_again(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the script runs as it is, and estimates what the report says."""
    plan = plan_utility(WRONG[name], stated_in="test")
    if name == "noise":  # claims half of the variance
        first, *others = plan.cases
        claims = (mean_square(float(first.claims[1].bound) / 2),)
        plan = replace(plan, cases=(replace(first, claims=claims), *others))
    result = run_utility(plan, seed=5)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    script = tmp_path / "witness.py"
    script.write_text(result.witness.rerun)
    runpy.run_path(str(script))
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == result.witness.says
    case = next(case for case in result.cases if case.label == result.witness.case)
    square = next(one for one in case.estimates if one.quantity == "mse")
    seen, off = (float(word) for word in lines[1].removeprefix("MSE ").split(" +- "))
    assert abs(seen - square.value) < 8 * off
