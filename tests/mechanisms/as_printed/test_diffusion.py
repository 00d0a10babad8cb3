"""Printed survival rates: the values of PDP-CX2, which slips break the budget, and the sampler."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.exact.cells.level_laws import point_pmf
from audit.exact.exact_numbers import as_ball
from audit.exact.exact_search import search
from mechanisms.as_printed.diffusion import PrintedDiffusedAnswers
from mechanisms.as_printed.rates import check_rate_slips, printed_rates
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from proofs_check.enclosure import Balls, endpoints

F = Fraction
NUMBERS = Balls(192)


def chance_of_one(mechanism: PrintedDiffusedAnswers, record: float) -> float:
    """P(1) of the only user."""
    pmf = point_pmf(mechanism.exact_law([record]))  # type: ignore[arg-type]
    mass = dict(pmf.masses)[1,]
    return float(sum(endpoints(as_ball(mass, 192) / as_ball(pmf.total, 192))) / 2)


@pytest.mark.parametrize(
    ("slip", "ratio"),
    [("all", 901.231547508376), ("E-01", 901.231547508376), ("E-02", 451.115773754188)],
)
def test_values_are_the_reference(slip: str, ratio: float) -> None:
    """Probabilities and ratios at eps = 1, tau = 9 must be those of PDP-CX2."""
    mechanism = PrintedDiffusedAnswers(slip=slip)
    one, zero = (chance_of_one(mechanism, record) for record in (1.0, 0.0))
    assert zero == pytest.approx(0.000123394575986232, rel=1e-14)
    assert one / zero == pytest.approx(ratio, rel=1e-14)
    if slip != "E-02":
        assert one == pytest.approx(0.111207084670212, rel=1e-14)


@pytest.mark.parametrize("slip", ["all", "E-02"])
def test_the_counterexample_breaks_the_budget(slip: str) -> None:
    """The pair must be refuted at the budget, and its loss be ln(1 + p (e^tau - 1)) exactly."""
    mechanism = PrintedDiffusedAnswers(slip=slip)
    pair = mechanism.counterexample
    assert pair == ([1.0], [0.0])
    found = search(mechanism, [pair], F(1), F(0))
    assert found.broken is not None
    assert found.ratio is not None
    p = NUMBERS.rational(F(1, 9) if slip == "all" else F(1, 18))
    granted = 1 + p * (NUMBERS.exp(NUMBERS.rational(F(9))) - 1)
    lower, upper = endpoints(found.ratio - granted)
    assert lower <= 0 <= upper
    assert upper - lower < F(1, 10**10)


@pytest.mark.parametrize(
    ("arguments", "user"),
    [
        ({"budgets": ("1/2", 12), "tau": 9}, 0),
        ({"budgets": (12, "1/2"), "tau": 9}, 1),
        ({"budgets": (0, 3), "tau": "31/10"}, 1),
        ({"budgets": (9,), "tau": 9}, None),
        ({"budgets": (0,), "tau": 9}, None),
        ({"budgets": (1,), "tau": "125/100", "slip": "E-02"}, None),
        ({"budgets": ("1/1000",), "tau": "126/100", "slip": "E-02"}, 0),
        ({"budgets": (1,), "tau": "2", "slip": "E-02"}, None),
        ({"budgets": (1,), "tau": "3", "slip": "E-02"}, 0),
    ],
)
def test_counterexamples_are_known_where_there_are_any(
    arguments: dict[str, Any], user: int | None
) -> None:
    """A pair must be stated exactly if a user below tau loses more than the budget."""
    mechanism = PrintedDiffusedAnswers(**arguments)
    pair = mechanism.counterexample
    if user is None:
        assert pair is None
        for i, budget in enumerate(mechanism.budgets):
            ones = [float(j == i) for j in range(mechanism.count)]
            both = ones, [0.0] * mechanism.count
            assert search(mechanism, [both], budget, F(0)).broken is None
        return
    assert pair is not None
    assert [x != y for x, y in zip(*pair, strict=True)].index(True) == user
    assert search(mechanism, [pair], mechanism.budgets[user], F(0)).broken is not None


def test_sampler_has_the_printed_rate(dp_rng: np.random.Generator) -> None:
    """The share of ones must be near 1/9, and far from 1/18 and from the right 2e-4.

    Of 20 000 draws it is within 0.0115 of its mean but with probability 2e-7.
    """
    for slip, rate in (("E-01", 1 / 9), ("E-02", 1 / 18)):
        draws = PrintedDiffusedAnswers(slip=slip).sample([1.0], 20_000, rng=dp_rng)
        assert draws.shape == (20_000, 1)
        assert abs(float(draws.mean()) - rate) < 0.0117
    assert PrintedDiffusedAnswers().sample([math.nan], 20_000, rng=dp_rng).mean() < 0.002


def test_rates_are_the_printed_ones() -> None:
    """Algorithm 6: min(1, eps / tau); equation (7): half of it; else the right ones."""
    budgets = (F(0), F(1, 2), F(2), F(7))
    whole = printed_rates(budgets, F(2), frozenset({"E-01"}))
    assert whole == RationalRates((F(0), F(1, 4), F(1), F(1)))
    half = printed_rates(budgets, F(2), frozenset({"E-02", "E-13"}))
    assert half == RationalRates((F(0), F(1, 8), F(1, 2), F(1, 2)))
    assert printed_rates(budgets, F(2), frozenset({"E-13"})) == RightRates(budgets, F(2))


def test_slips_of_the_rates_exclude_each_other() -> None:
    """All must be Algorithm 6; both rates, or an unknown slip, must be refused."""
    assert check_rate_slips("all") == {"E-01"}
    assert check_rate_slips(" all ", ("E-13",)) == {"E-01", "E-13"}
    assert check_rate_slips("E-02, E-13", ("E-13",)) == {"E-02", "E-13"}
    with pytest.raises(InvalidArgument, match="must not name both E-01 and E-02"):
        check_rate_slips("E-02, E-01")
    for unknown in ("E-13", "", "none", None):
        with pytest.raises(InvalidArgument, match="slip must be"):
            PrintedDiffusedAnswers(slip=unknown)  # type: ignore[arg-type]
