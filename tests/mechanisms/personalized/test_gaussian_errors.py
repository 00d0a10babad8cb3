"""Ranges and means of Gaussian records: how far they reach, where claims are silent, controls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.draws.binomial_tails import binomial_limits
from audit.utility.law_words import read_law
from audit.utility.record_densities import Normal
from mechanisms.personalized.budgets import check_budgets
from mechanisms.personalized.groups.unbounded_mean import UnboundedMean
from mechanisms.personalized.range.gaussian_range import Reach, range_share, range_stage, reach
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.personalized.range.mean import PersonalizedMean

RARE = 1e-6
"""With which a test fails although the claim holds."""

BORDERS: list[tuple[dict[str, Any], float, float]] = [
    ({"budgets": "500*280"}, 3.0, 1.0),
    ({"budgets": "100*300, 150*300"}, -1e6, 1.0),
    ({"budgets": "19*900, 40*900", "tau": 20}, 5e-7, 2.0**-20),
    ({"budgets": "20*1000", "beta": "1/2"}, 0.0, 0.75 * 2.0**40),
]
"""Where the conditions hold, some of them barely: budgets, mean and deviation."""


def released(arguments: dict[str, Any], mu: float, sigma: float, draws: int) -> tuple[Any, Reach]:
    """Low and high ends in deviations from the mean, and how far they are said to reach."""
    mechanism = PersonalizedRange(**arguments)
    stage = range_stage(
        mechanism.budgets, mechanism.tau, mechanism.beta, range_share(mechanism.beta)
    )
    found = reach(stage, mu, sigma)
    assert found is not None
    rng, n = np.random.default_rng(20240713), mechanism.count
    ends = [mechanism.sample(rng.normal(mu, sigma, n), 1, rng=rng)[0] for _ in range(draws)]
    return (np.array(ends) - mu) / sigma, found


def misses(ends: Any, found: Reach) -> Any:
    """Whether a range covers too little, or is too wide."""
    low, high = ends.T
    too_wide = high - low > found.width
    return (low > -found.inside - 1) | (high < found.inside) | too_wide


@pytest.mark.slow
@pytest.mark.parametrize("border", BORDERS)
def test_ranges_reach_as_far_as_stated(border: tuple[dict[str, Any], float, float]) -> None:
    """PDP-L17u: misses must be as rare as stated, and farther by 4 deviations they are not."""
    arguments, mu, sigma = border
    ends, found = released(arguments, mu, sigma, 150)
    beta = float(PersonalizedRange(**arguments).beta)
    least, _ = binomial_limits(int(misses(ends, found).sum()), len(ends), RARE)
    assert least <= beta
    farther = Reach(found.inside + 4, found.spread)
    least, _ = binomial_limits(int(misses(ends, farther).sum()), len(ends), RARE)
    assert least > beta


@pytest.mark.parametrize(
    ("law", "count"),
    [
        ("uniform 0 1", 500),
        ("tilted 0", 500),
        ("normal 3 1", 499),
        ("normal 1e13 1", 500),
        ("normal 0 1e20", 500),
    ],
)
def test_nothing_is_stated_of_other_records(law: str, count: int) -> None:
    """Other laws and numbers, and means and scales beyond all queries, must be silent."""
    for mechanism in (PersonalizedRange("500*500"), PersonalizedMean("1000*500")):
        assert mechanism.utility_claims_under(Normal(3.0, 1.0), 500)
        assert mechanism.utility_claims_under(read_law(law), count) == ()
    unbounded = UnboundedMean("2000*500")
    assert unbounded.utility_claims_under(Normal(3.0, 1.0), 500)
    assert unbounded.utility_claims_under(read_law(law), count) == ()


def test_nothing_is_stated_where_budgets_are_too_small() -> None:
    """Too few survivors, zero budgets, and counts that are not the mean are silent."""
    normal = Normal(3.0, 1.0)
    for budgets in ("1*500", "0*500", "1*3"):
        for made in (PersonalizedRange, PersonalizedMean):
            mechanism = made(budgets)
            assert mechanism.utility_claims_under(normal, mechanism.count) == ()
    assert UnboundedMean("2000*500", release="counts").utility_claims_under(normal, 500) == ()
    assert UnboundedMean("2000*500", most=499).utility_claims_under(normal, 500) == ()
    assert UnboundedMean("1/100*500").utility_claims_under(normal, 500) == ()


def test_a_smaller_budget_never_reaches_farther() -> None:
    """It must hold that z falls as tau does, and that one failure more is no better."""
    found = []
    for tau in (500, 100, 50, 40):
        mechanism = PersonalizedRange("500*600", tau=tau)
        one = reach(
            range_stage(
                mechanism.budgets, mechanism.tau, mechanism.beta, range_share(mechanism.beta)
            ),
            3.0,
            1.0,
        )
        found.append(-1.0 if one is None else one.inside)
    assert found == sorted(found, reverse=True)
    assert found[0] > 0


@pytest.mark.parametrize(
    ("text", "budgets"),
    [
        ("1/2*2, 3", (Fraction(1, 2), Fraction(1, 2), Fraction(3))),
        ("1*1", (Fraction(1),)),
        (" 2 * 3 ", (Fraction(2),) * 3),
    ],
)
def test_runs_of_budgets(text: str, budgets: tuple[Fraction, ...]) -> None:
    """A part BUDGET*TIMES of a text is so many users of that budget."""
    assert check_budgets(text) == budgets


def test_rows_stand_beside_records() -> None:
    """The rows of a law with budgets have the records of the law, and its moments."""
    from audit.utility.record_laws import WithBudgets

    law = WithBudgets(Normal(3.0, 2.0), (1.0, 2.0, 2.0))
    rows = law.sample(3, rng=np.random.default_rng(5))
    assert rows[:, 1].tolist() == [1.0, 2.0, 2.0]
    assert rows[:, 0].tolist() == Normal(3.0, 2.0).sample(3, rng=np.random.default_rng(5)).tolist()
    assert (law.mean, law.variance, law.median) == (3.0, 4.0, 3.0)
    assert law.symmetric
    assert law.normal
    assert law.central_moment(2) == pytest.approx(4)
    assert law.expectation(lambda x: x) == pytest.approx(3)
