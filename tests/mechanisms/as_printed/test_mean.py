"""The printed mean: its range, its weights, what each slip costs, the counterexample."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.as_printed.mean import SLIPS, PrintedMean
from mechanisms.as_printed.range import PrintedRange
from mechanisms.as_printed.range_stages import SLIPS as OF_RANGE
from mechanisms.personalized.range.mean import PersonalizedMean
from mechanisms.personalized.users import BOT
from proofs_check.enclosure import Balls, endpoints

F = Fraction
SEED = 20240711


def draws(data: Any, size: int = 200, seed: int = SEED, **arguments: Any) -> NDArray[np.float64]:
    """All that the stages release, and the mean."""
    mechanism = PrintedMean(**{"release": "all", **arguments})
    return mechanism.sample(data, size, rng=np.random.default_rng(seed))


def test_slips_run(subtests: pytest.Subtests) -> None:
    """All must release finite means for any data, and say which slips they hold."""
    for slip in ["all", *SLIPS, "E-01", "E-02", "E-02, E-03, E-08, E-30"]:
        with subtests.test(slip=slip):
            budgets = ("1/10", 0, 2, "1/2", 9)
            out = draws([3.0, -2.5, BOT, 1e308, 0.0], 40, slip=slip, budgets=budgets)
            assert out.shape == (40, 5)
            assert np.isfinite(out).all()
            held = PrintedMean(slip=slip).slips
            assert held == ({*SLIPS, "E-01"} if slip == "all" else set(slip.split(", ")))


@pytest.mark.parametrize("slip", ["all", "E-02", "E-08, E-11", "E-13"])
def test_range_is_the_printed_one(slip: str) -> None:
    """The stages must be those of the printed range with half budgets and a sixth of beta."""
    budgets, data = (40, 3, 20), [1.0, BOT, -2.0]
    found = draws(data, slip=slip, budgets=budgets, beta="3/5")[:, :4]
    mechanism = PrintedRange([F(e) / 2 for e in budgets], "1/10", slip, release="all")
    np.testing.assert_array_equal(
        found, mechanism.sample(data, 200, rng=np.random.default_rng(SEED))
    )


@pytest.mark.parametrize(
    ("slip", "spent"),
    [
        ("E-11", (6, 6, 2)),
        ("E-30", (7.6, 6, 2)),
        ("E-03", (2, 6, 6)),
        ("E-03, E-30", (2, 6, 7.6)),
    ],
)
def test_weights_are_those_of_the_slips(slip: str, spent: Any) -> None:
    """Of the halves 9, 8 and 2: 6 is the smallest k's, 7.6 the printed recursion's."""
    np.testing.assert_allclose(PrintedMean((18, 16, 4), slip=slip).spent, spent, rtol=1e-15)


def test_without_slips_of_its_own_it_is_the_sound_mean() -> None:
    """Where a slip of the width does not show, all must be the sound release, bit for bit."""
    data, budgets = [3.0, -2.5, BOT, 7.0], (60, 2, 60, 30)
    sound = PersonalizedMean(budgets, "9/10", release="all")
    expected = sound.sample(data, 500, rng=np.random.default_rng(SEED))
    found = draws(data, 500, slip="E-30", budgets=budgets)
    np.testing.assert_array_equal(found[:, :4], expected[:, :4])
    assert not np.array_equal(found[:, 4], expected[:, 4])


def test_placeholder_is_zero_with_the_filter() -> None:
    """With E-10 a missing record must count as the record 0, else as the center of the range."""
    for slip, same in (("E-10", True), ("E-11", False)):
        missing, zeros = (
            draws([100.0, 103.0, x], slip=slip, budgets=(1000,) * 3) for x in (BOT, 0.0)
        )
        assert np.array_equal(missing, zeros) == same


ABLATION: dict[str, tuple[str, float, float, float]] = {
    "negatives dropped": ("E-10", -50.0, 25.0, 100.0),
    "half radii": ("E-11", 50.0, 4.8, 19.2),
    "finer grid": ("E-12", 50.0, 0.006, 0.024),
    "public rank": ("E-13", 50.0, 0.0075, 0.042),
    "as printed": ("E-01, E-08, E-10, E-11, E-12, E-13", -50.0, 25.0, 100.0),
}
"""Slips, mean of the data, and half and twice the median error that simulations gave."""


@pytest.mark.parametrize(
    "case",
    [
        "negatives dropped",
        "half radii",
        *(pytest.param(c, marks=pytest.mark.slow) for c in [*ABLATION][2:]),
    ],
)
def test_slips_cost_what_the_simulations_say(case: str, dp_rng: np.random.Generator) -> None:
    """With 5,000 records and budgets 1 the median error must be within a factor 2."""
    slip, mu, low, high = ABLATION[case]
    mechanism = PrintedMean((1,) * 5000, "1/10", slip, tau="saturation")
    errors = [
        abs(mechanism.sample(dp_rng.normal(mu, 1, size=5000), 1, rng=dp_rng)[0] - mu)
        for _ in range(100)
    ]
    assert low < np.median(errors) < high


@pytest.mark.parametrize(("slip", "budget"), [("all", "1/2"), ("E-02", "2/5"), ("all", "1/1000")])
def test_range_of_the_counterexample_loses_more_than_both_stages_may(
    slip: str, budget: str
) -> None:
    """The exact loss of the center alone must exceed the whole budget."""
    mechanism = PrintedMean(budget, slip=slip, release="all")
    assert mechanism.counterexample == ([1001.3], [1.0])
    of_range = "E-01, " + ", ".join(OF_RANGE) if slip == "all" else slip
    center = PrintedRange(F(budget) / 2, F(9, 10) / 6, of_range)
    numbers = Balls(600)
    p, q = (center.exact_law(side).masses(numbers)[True] for side in mechanism.counterexample)
    assert endpoints(numbers.log(p / q))[0] > F(budget)


def test_counterexample_is_stated_only_where_it_is_known() -> None:
    """The mean alone need not show it; nor is it known for other budgets and rates."""
    others: list[dict[str, Any]] = [
        {"release": "mean"},
        {"budgets": "51/100"},
        {"budgets": ("1/10", "1/10")},
        {"slip": "E-03"},
        {"tau": 80},
    ]
    for arguments in others:
        assert PrintedMean(**{"release": "all", **arguments}).counterexample is None


def test_without_any_budget_it_is_constant() -> None:
    """If all budgets are 0 the release must be 0."""
    assert not draws([5.0, BOT], budgets=(0, 0)).any()
