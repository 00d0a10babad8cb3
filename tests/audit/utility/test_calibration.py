"""False alarms counted on estimators that keep their claims, and what slightly wrong ones show."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from audit.results.verdict import Verdict
from audit.utility.error_result import UtilityResult
from mechanisms.utility_claims import UtilityClaim
from tests.audit.utility.estimators import (
    FOURTH,
    MEAN_SIZES,
    NOISES,
    SYMMETRIC,
    case_of,
    mean_size,
    mean_square,
    run,
    target_of,
    unbiased,
)
from tests.slow import by_default

CHANCE = 1e-9
"""Of a count that a right auditor exceeds."""
RATE = 0.3
RUNS = 24


def true_claims(name: str) -> list[UtilityClaim]:
    """All that is true of an error law of variance 1."""
    claims = [unbiased(symmetric=name in SYMMETRIC), mean_square()]
    if name in FOURTH:
        claims.append(mean_square(exactly=True, square=FOURTH[name]))
    if name in MEAN_SIZES:
        claims.append(mean_size(MEAN_SIZES[name], exactly=True, square=1.0))
    return claims


def refuted(runs: list[UtilityResult]) -> int:
    """How many are."""
    return sum(result.verdict is Verdict.REFUTED for result in runs)


def spoken_against(runs: list[UtilityResult]) -> int:
    """In how many a claim is refuted, or doubted by a test that refutes nothing."""
    estimates = ([e for case in result.cases for e in case.estimates] for result in runs)
    return sum(any(e.refuted or e.excluded_approximately for e in of) for of in estimates)


def repeated(name: str, claims: list[UtilityClaim], runs: int, **more: Any) -> list[UtilityResult]:
    """Runs with seeds of their own."""
    told = {key: more.pop(key) for key in ("shift", "factor") if key in more}
    target, case = target_of(NOISES[name], **told), case_of(*claims)
    return [run(target, case, seed=seed, **more) for seed in range(runs)]


@pytest.mark.parametrize("name", by_default(["Laplace", "exponential"], NOISES))
def test_true_claims_are_refuted_as_rarely_as_stated(name: str) -> None:
    """The count of REFUTED among true claims must be one that a rate of 0.3 explains."""
    found = repeated(name, true_claims(name), RUNS, false_alarm=RATE, resolution=0.5)
    assert refuted(found) <= stats.binom.isf(CHANCE, RUNS, RATE)


@pytest.mark.parametrize("name", ["exponential", "rare"])
def test_the_approximate_test_keeps_its_rate_here(name: str) -> None:
    """A bias tested by Student's t alone must keep the rate on these skewed laws, and say so."""
    found = repeated(name, [unbiased()], RUNS, false_alarm=RATE, resolution=0.5)
    assert refuted(found) == 0
    assert spoken_against(found) <= stats.binom.isf(CHANCE, RUNS, RATE)
    assert "approximate (Student's t)" in found[0].notes[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("rate", [0.5, 0.05])
def test_true_claims_are_refuted_as_rarely_as_stated_in_many_runs(name: str, rate: float) -> None:
    """The same of 300 runs, for two rates."""
    found = repeated(name, true_claims(name), 300, false_alarm=rate, resolution=0.5)
    assert refuted(found) <= stats.binom.isf(CHANCE, 300, rate)


KINDS = {
    "claimed error": ("exponential", [unbiased(), mean_square()]),
    "symmetry": ("Laplace", [unbiased(symmetric=True)]),
    "Student's t": ("normal", [unbiased()]),
}
FIXED: dict[str, Any] = {"samples": 8_000, "resolution": 0.05, "false_alarm": 0.01}
"""As many draws after the pilots as there are left, whatever they show."""


def quick(values: Any, first: str) -> list[Any]:
    """Parameters of which only one is tried in a quick run."""
    return [v if v == first else pytest.param(v, marks=pytest.mark.slow) for v in values]


@pytest.mark.long
@pytest.mark.parametrize("kind", quick(KINDS, "claimed error"))
def test_a_bias_as_large_as_stated_is_seen(kind: str) -> None:
    """The stated bias must be seen in 9 of 10 runs, up to chance, and 0.4 of it must be missed."""
    name, claims = KINDS[kind]
    (case,) = run(target_of(NOISES[name]), case_of(*claims), **FIXED).cases
    assert case.seen is not None
    assert case.seen.bias is not None
    assert case.estimates[0].interval.lower_method == kind
    assert case.draws > 3_500
    for part, seen in ((1.0, True), (0.4, False)):
        found = spoken_against(repeated(name, claims, RUNS, shift=part * case.seen.bias, **FIXED))
        assert (found >= stats.binom.ppf(CHANCE, RUNS, 0.9)) == seen


@pytest.mark.long
@pytest.mark.parametrize("name", quick(["Laplace", "normal", "exponential"], "Laplace"))
@pytest.mark.parametrize("quantity", quick(["mse", "mae"], "mse"))
def test_an_error_as_large_as_stated_is_seen(name: str, quantity: str) -> None:
    """The stated factor must be seen in 9 of 10 runs, and a quarter of its excess be missed."""
    size, square = MEAN_SIZES[name], quantity == "mse"
    claims = [mean_square() if square else mean_size(size)]
    (case,) = run(target_of(NOISES[name]), case_of(*claims), **FIXED).cases
    assert case.seen is not None
    ((_, factor),) = case.seen.factors
    assert 1.02 < factor < 1.25
    for part, seen in ((1.0, True), (0.25, False)):
        times = 1 + part * (factor - 1)
        scale = math.sqrt(times) if square else times
        found = refuted(repeated(name, claims, RUNS, factor=scale, **FIXED))
        assert (found >= stats.binom.ppf(CHANCE, RUNS, 0.9)) == seen


@pytest.mark.parametrize("name", quick(["Laplace", "normal"], "Laplace"))
def test_an_error_that_is_too_small_is_seen_where_a_moment_is_stated(name: str) -> None:
    """A variance of 1 that is less must be seen with `square`, and cannot be without."""
    claims = [mean_square(exactly=True, square=FOURTH[name])]
    (case,) = run(target_of(NOISES[name]), case_of(*claims), **FIXED).cases
    assert case.seen is not None
    ((_, factor),) = case.seen.small_factors
    assert 0.7 < factor < 0.97
    scale = math.sqrt(factor)
    found = refuted(repeated(name, claims, RUNS, factor=scale, **FIXED))
    assert found >= stats.binom.ppf(CHANCE, RUNS, 0.9)
    plain = run(target_of(NOISES[name], factor=0.5), case_of(mean_square(exactly=True)), **FIXED)
    assert plain.verdict is not Verdict.REFUTED


def test_a_miss_is_tested_exactly() -> None:
    """A chance of 1/20 outside an interval must stand, and 1/15 must be seen."""
    from mechanisms.utility_claims import Quantity
    from tests.audit.utility.estimators import SOURCE

    reach = float(stats.norm.isf(1 / 40))
    claim = UtilityClaim(Quantity.MISS, 1 / 20, SOURCE, interval=(5 - reach, 5 + reach))
    right = run(target_of(NOISES["normal"]), case_of(claim), resolution=0.2)
    assert right.verdict is Verdict.CONSISTENT
    (miss,) = [one for one in right.cases[0].estimates if one.quantity == "miss"]
    assert abs(miss.value - 1 / 20) < 0.005
    wider = float(stats.norm.isf(1 / 30))
    wrong = UtilityClaim(Quantity.MISS, 1 / 20, SOURCE, interval=(5 - wider, 5 + wider))
    assert run(target_of(NOISES["normal"]), case_of(wrong)).verdict is Verdict.REFUTED


def test_the_rate_is_shared_over_all_ends() -> None:
    """K ends must share the rate: two of a bias, one of a bound, two of an equality."""
    claims = [unbiased(), mean_square(exactly=True, square=6.0), mean_size(1.0)]
    cases = [case_of(*claims, label=f"case {i}") for i in range(2)]
    result = run(target_of(NOISES["Laplace"]), *cases, false_alarm=0.04)
    assert result.ends == 2 * (2 + 2 + 1)
    errors = {one.interval.error for case in result.cases for one in case.estimates}
    assert min(errors) == pytest.approx(0.004)
    assert max(errors) == pytest.approx(0.012)  # of the variance, made of three
    assert np.isclose(result.false_alarm, 0.04)
