"""Comparators of personalized means: losses and errors by a second way, and slips that fall."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.utility.law_words import read_law
from mechanisms.personalized.adpm import ADPM
from mechanisms.personalized.baselines.least_budget import LeastBudgetMean
from mechanisms.personalized.baselines.partitioned_mean import PartitionedMean, octave
from mechanisms.personalized.baselines.sampled_mean import SampledMean
from mechanisms.personalized.baselines.stretched_mean import StretchedMean
from mechanisms.utility_claims import Quantity
from proofs_check.enclosure import Balls, endpoints
from proofs_check.papers.pdp.mean.comparators import (
    least_budget_square,
    partitioned_square,
    sampled_square,
    stretched_square,
)

F = Fraction
ALL = (StretchedMean, LeastBudgetMean, PartitionedMean, SampledMean)
PROFILES = ("1, 1, 1", "1/10, 1/2, 1", "1/10, 1/9, 3, 7/2", "5")
DRAWS = 200_000


def errors(mechanism: Any, data: Any) -> dict[Quantity, float]:
    """What is stated on data."""
    return {claim.quantity: float(claim.bound) for claim in mechanism.utility_claims(data)}


def test_draws_have_the_stated_error(subtests: pytest.Subtests) -> None:
    """It must hold within five standard errors of 200 000 draws, and not for 5 % more."""
    for kind, profile in list(itertools.product(ALL, PROFILES)):
        with subtests.test(kind=kind, profile=profile):
            mechanism = kind(profile)
            data = np.linspace(0.1, 1, mechanism.count) ** 2
            error = mechanism.sample(data, DRAWS, rng=np.random.default_rng(7)) - data.mean()
            stated = errors(mechanism, data)
            spread = 5 * float(np.std(error**2)) / math.sqrt(DRAWS)
            assert abs(float(np.mean(error**2)) - stated[Quantity.MSE]) < spread
            assert abs(float(np.mean(error**2)) - 1.05 * stated[Quantity.MSE]) > spread
            assert abs(abs(float(error.mean())) - stated[Quantity.BIAS]) < 5 * float(
                error.std()
            ) / math.sqrt(DRAWS)


@pytest.mark.parametrize("budgets", PROFILES)
def test_saturation_is_no_worse_than_any_weights(budgets: str) -> None:
    """It must hold that the worst error of `pdp.adpm` is at most that of other weights."""
    best = ADPM(budgets).mse_upper()
    others = [StretchedMean(budgets), LeastBudgetMean(budgets)]
    assert all(best <= one.release.mse_upper() * (1 + 1e-12) for one in others)
    unequal = StretchedMean("1/10, 1/9, 3, 7/2")
    assert unequal.release.mse_upper() > ADPM("1/10, 1/9, 3, 7/2").mse_upper()


def test_weights_and_noise_of_two_groups() -> None:
    """It must hold by hand: budgets 1, 1 and 4, of which the groups have l = 1 and 4."""
    release = PartitionedMean("1, 1, 4").release
    first, second = 1 / (F(1, 8) + F(2, 4)), 1 / (F(1, 4) + F(2, 16))
    total = first + second
    assert release.weights == (first / total / 2, first / total / 2, second / total)
    assert release.scales == (first / total / 2, second / total / 4)
    assert PartitionedMean("1, 1, 4").private_steps().step.moves == (1, 1, 4)
    assert PartitionedMean("3/2, 1, 4").private_steps().step.moves == (1, 1, 4)


def test_octaves_are_exact(subtests: pytest.Subtests) -> None:
    """It must hold at and beside powers of 2."""
    for budget, expected in [
        ("1", 0),
        ("99/100", -1),
        ("2", 1),
        ("199/100", 0),
        ("1/2", -1),
        ("1/3", -2),
        ("7", 2),
    ]:
        with subtests.test(budget=budget, expected=expected):
            assert octave(F(budget)) == expected
            assert F(2) ** expected <= F(budget) < F(2) ** (expected + 1)


def test_losses_of_the_sampled_sum_by_enumeration() -> None:
    """It must hold that no user loses more than the own budget, on a grid of outcomes.

    The law of three users is a mixture over eight sets of survivors; a rate of 1.2 times as much
    lets the first user lose more.
    """
    mechanism = SampledMean("1/10, 1/2, 1", tau=1)
    places = np.linspace(-4, 5, 181)

    def density(data: np.ndarray, factor: float) -> np.ndarray:
        chances = np.minimum(mechanism.chances * np.array([factor, 1, 1]), 1)
        off, scale = data - 0.5, float(mechanism.scale)
        total = np.zeros(places.size)
        for kept in itertools.product((0, 1), repeat=3):
            weight = math.prod(p if k else 1 - p for p, k in zip(chances, kept, strict=True))
            total += weight * np.exp(-np.abs(places - np.dot(kept, off)) / scale) / (2 * scale)
        return total

    def loss(factor: float, user: int, budgetless: float = 0.0) -> float:
        worst = budgetless
        for rest in itertools.product((0.0, 1.0), repeat=2):
            sides = [np.insert(np.array(rest), user, x) for x in (0.0, 1.0)]
            one, two = (density(side, factor) for side in sides)
            worst = max(worst, float(np.max(np.abs(np.log(one / two)))))
        return worst

    for user, budget in enumerate((0.1, 0.5, 1.0)):
        assert loss(1, user) <= budget + 1e-12
    assert loss(1, 2) > 0.99
    assert loss(1.2, 0) > loss(1, 0)


@pytest.mark.parametrize("kind", ALL)
def test_budgets_of_zero_and_bounds_that_meet(kind: Any) -> None:
    """It must hold that they give the midpoint, or the point, and promise nothing."""
    rng = np.random.default_rng(1)
    none, point = kind("0, 0"), kind("1, 2", low="1/2", high="1/2")
    assert set(none.sample([0.0, 1.0], 4, rng=rng)) == {0.5}
    assert none.utility_claims([0.0, 1.0]) == ()
    assert np.allclose(point.sample([0.0, 1.0], 4, rng=rng), 0.5)
    assert point.utility_claims([0.5, 0.5]) == ()
    assert kind("1, 2").utility_claims_under(read_law("uniform 0 1"), 3) == ()
    assert kind("1, 2").utility_claims_under(read_law("uniform 0 2"), 2) == ()


@pytest.mark.parametrize("kind", ALL)
def test_the_worst_error_under_laws_is_that_of_fair_coins(kind: Any) -> None:
    """It must hold that fair coins on the bounds attain the bound, and uniform records do not."""
    mechanism = kind("1/10, 1/2, 1")
    upper = mechanism.mse_upper() if kind is SampledMean else mechanism.release.mse_upper()
    coins, flat = (
        {c.quantity: c.bound for c in mechanism.utility_claims_under(read_law(law), 3)}
        for law in ("bernoulli 1/2", "uniform 0 1")
    )
    assert float(coins[Quantity.MSE]) == pytest.approx(upper, rel=1e-12)
    assert float(flat[Quantity.MSE]) < upper


@pytest.mark.parametrize("profile", ["1, 1, 1", "1/10, 1/2, 1", "1/10, 1/9, 3, 7/2"])
def test_errors_are_the_ledgers(profile: str) -> None:
    """It must hold to 1e-13 of all four, and not for budgets that are 1 % larger."""
    budgets = [F(text) for text in profile.split(",")]
    numbers = Balls(128)
    stated = {
        StretchedMean: float(stretched_square(budgets)),
        LeastBudgetMean: float(least_budget_square(budgets)),
        PartitionedMean: float(partitioned_square(budgets)),
        SampledMean: float(endpoints(sampled_square(budgets, numbers=numbers))[0]),
    }
    for kind, expected in stated.items():
        for factor in (1, F(101, 100)):
            mechanism = kind([factor * budget for budget in budgets])
            one = mechanism if kind is SampledMean else mechanism.release
            assert (one.mse_upper() == pytest.approx(expected, rel=1e-13)) == (factor == 1)
