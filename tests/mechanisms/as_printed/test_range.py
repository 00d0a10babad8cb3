"""The printed range: slips one by one and together, what they do, the counterexample."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.as_printed.range import PrintedRange
from mechanisms.as_printed.range_stages import SLIPS, PrintedStages
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.personalized.users import BOT
from proofs_check.enclosure import Balls, endpoints
from tests.calibrated import ALPHA

F = Fraction
SEED = 20240711
RATES = ("E-01", "E-02")
SUBSETS = [
    ",".join(chosen)
    for size in range(len(SLIPS) + 1)
    for rest in combinations(SLIPS, size)
    for rate in ((), *((r,) for r in RATES))
    if (chosen := (*rate, *rest))
]
SURE = RationalRates((F(1),))


def draws(data: Any, size: int = 200, seed: int = SEED, **arguments: Any) -> NDArray[np.float64]:
    """All that the stages release, with users of large budgets."""
    mechanism = PrintedRange(**{"budgets": (60,) * len(data), "release": "all", **arguments})
    return mechanism.sample(data, size, rng=np.random.default_rng(seed))


def test_every_combination_of_slips_runs() -> None:
    """All must release finite stages for any data, and say which slips they hold."""
    for slip in ["all", *SUBSETS]:
        data = [3.0, -2.5, BOT, 1e308, 0.0]
        out = draws(data, 40, slip=slip, budgets=("1/10", 0, 2, "1/2", 9))
        assert out.shape == (40, 4)
        assert np.isfinite(out).all()
        held = PrintedRange(slip=slip).slips
        assert held == ({*SLIPS, "E-01"} if slip == "all" else set(slip.split(",")))


def test_repaired_slips_give_the_sound_form() -> None:
    """With a slip that does not show, all stages must be the sound ones, bit for bit.

    E-10 changes nothing of records that stay positive on every grid; E-12 halves b where the second
    scan finds it, and only those b may differ.
    """
    budgets = (60, 2, 60, 30)
    sound = PersonalizedRange(budgets, "9/10", release="all")
    far = [2.0**70, 2.0**70 + 2.0**30, BOT, 2.0**70 + 2.0**31]
    expected = sound.sample(far, 500, rng=np.random.default_rng(SEED))
    np.testing.assert_array_equal(draws(far, 500, slip="E-10", budgets=budgets), expected)
    near = [3.0, -2.5, BOT, 7.0]
    width = sound.sample(near, 500, rng=np.random.default_rng(SEED))[:, 0]
    found = draws(near, 500, slip="E-12", budgets=budgets)[:, 0]
    fine = found != width
    assert 0.1 < fine.mean() < 0.9
    np.testing.assert_array_equal(2 * found[fine], width[fine])


def test_rates_are_the_printed_ones() -> None:
    """They must be min(eps, tau) / tau, half of it, or the private ones."""
    budgets = (F(1, 2), F(1), F(2), F(4), F(8), F(16))
    tau = F(53, 14)  # 3.78571428571429, the threshold of this vector
    shares = tuple(min(e, tau) / tau for e in budgets)
    expected = {
        "E-01": RationalRates(shares),
        "E-02": RationalRates(tuple(s / 2 for s in shares)),
        "E-11": RightRates(budgets, tau),
    }
    for slip, rates in expected.items():
        mechanism = PrintedRange(budgets, slip=slip, tau="saturation")
        assert mechanism.tau == tau
        assert mechanism.stages is not None
        assert mechanism.stages.rates == rates
        assert mechanism.stages.rank == float(sum(shares) / 2)


def test_tau_follows_the_slips() -> None:
    """None must be the threshold with printed rates, else the best public tau; a number itself."""
    budgets = ("1/2", 1, 2, 4, 8, 16)
    for slip, tau in (("E-02", F(53, 14)), ("E-13", PersonalizedRange(budgets).tau)):
        assert PrintedRange(budgets, slip=slip).tau == tau
        assert PrintedRange(budgets, slip=slip, tau="1/3").tau == F(1, 3)


def test_radii_are_halved() -> None:
    """Without noise the record 3 makes the radius 4 fire; with E-11 2 is released, and misses it.

    The second radius is then the largest b 2^k below the distance of the rounded record to m.
    """
    for slip, radius in (("E-11", 2.0), ("E-10", 4.0)):
        table = draws([3.0], 500, slip=slip, beta="1e-30", budgets=(10**5,))
        b, first, center, second = table[(table[:, 0] <= 1) & (table[:, 0] > 2.0**-40)].T
        assert set(first) == {radius}
        distance = np.abs(3.0 - center)
        if slip == "E-11":
            assert np.all((second < distance) & (distance <= 2 * second))
        else:
            np.testing.assert_array_equal(center, 3.0)
            np.testing.assert_array_equal(second, b)


def test_placeholder_is_zero_with_the_filter() -> None:
    """With E-10 a missing record and 0 must give the same draws, and no part in the center.

    Nor may a negative record have one; without E-10 it must.
    """
    data = [float(x) for x in range(94, 108)]
    for slip, same in (("E-10", True), ("E-11", False)):
        missing, zeros = (draws([*data, *[x] * 16], slip=slip, beta="1e-9") for x in (BOT, 0.0))
        assert np.array_equal(missing, zeros) == same
        assert (np.median(zeros[:, 2]) > 90) == same
    dropped = draws([*data, *[-100.0] * 16], slip="E-10", beta="1e-9")[:, 2]
    kept = draws([*data, *[-100.0] * 16], slip="E-12", beta="1e-9")[:, 2]
    assert np.median(dropped) > 95
    assert np.median(kept) < -95


def test_width_is_that_of_all_pairs() -> None:
    """Nine equal records and three far ones: most pairs of all are 0 apart, so b falls to the cap.

    36 of 66 pairs are equal; of 6 pairs of a matching often 3 or fewer are.
    """
    data = [0.25] * 9 + [1e6, 2e6, 4e6]
    for slip, least in (("E-08", 1.0), ("E-12", 0.0)):
        fine = (draws(data, 300, slip=slip, budgets=(1000,) * 12)[:, 0] < 1e-9).mean()
        assert fine == 1 if least else 0.1 < fine < 0.9


def test_rank_is_public() -> None:
    """With E-13 and all of 40 users surviving the rank is 20, also where half of them are missing.

    Then it is their maximum, up to the clamp; the sound center is their median.
    """
    data = [100.0 + x for x in range(20)] + [BOT] * 20
    for slip, low, high in (("E-13", 115, 120), ("E-12", 105, 114)):
        center = draws(data, slip=slip, budgets=(1000,) * 40, beta="1e-3")[:, 2]
        assert np.all((low < center) & (center < high))


@pytest.mark.parametrize("slip", ["all", "E-02", "E-01, E-11", "E-02, E-11, E-12"])
def test_counterexample_loses_more_than_the_budget(slip: str) -> None:
    """Where a pair is stated, the exact loss of its event must exceed the budget of the user."""
    numbers = Balls(600)
    limits = {"all": "1/2", "E-02": "2/5", "E-01, E-11": "2/5", "E-02, E-11, E-12": "3/10"}
    for budget in ("1/1000", limits[slip]):
        mechanism = PrintedRange(budget, "99/100", slip=slip)
        assert mechanism.counterexample is not None
        p, q = (
            mechanism.exact_law(side).masses(numbers)[True] for side in mechanism.counterexample
        )
        assert endpoints(numbers.log(p / q))[0] > F(budget)


def test_counterexample_is_stated_only_where_it_is_known() -> None:
    """There must be none for other users, budgets, rates, taus and betas."""
    assert PrintedRange().counterexample == ([1001.3], [1.0])
    others: list[dict[str, Any]] = [
        {"budgets": ("1/10", "1/10")},
        {"budgets": "51/100"},
        {"budgets": "1/1001"},
        {"budgets": "0"},
        {"slip": "E-11, E-12, E-13"},
        {"slip": "E-02", "budgets": "1/2"},
        {"slip": "E-01, E-11", "budgets": "1/2"},
        {"tau": 80},
        {"beta": "999/1000"},
    ]
    for arguments in others:
        assert PrintedRange(**arguments).counterexample is None


def test_survivor_of_the_counterexample_shows(dp_rng: np.random.Generator) -> None:
    """A survivor 1001.3 must show in a third of the ranges, as no other record does.

    Their half width is 256, 512 or 1024 and the center is no multiple of an eighth of it. Without a
    survivor, or with 1, that must be rarer than 1 of 1,000.
    """
    printed = PrintedRange().stages
    assert printed is not None
    stages = replace(printed, rates=SURE)

    def shown(record: float) -> float:
        found = stages.draw(np.array([record]), 20_000, rng=dp_rng)
        radius, eighths = found.second_radius, 8 * found.center / found.second_radius
        return float(((radius >= 256) & (radius <= 1024) & (eighths != np.rint(eighths))).mean())

    slack = math.sqrt(math.log(2 / ALPHA) / 2 / 20_000)
    assert abs(shown(1001.3) - 0.29) < slack + 0.01
    assert max(shown(BOT), shown(1.0)) < 0.001


def test_printed_stages_read_only_their_slips() -> None:
    """Errata of the weights must not change the range."""
    rates = RationalRates((F(1), F(1, 2)))
    tables = [
        PrintedStages(rates, F(9), F(1, 2), 0.75, frozenset(slips))
        .draw(np.array([1.0, 2.0]), 50, rng=np.random.default_rng(SEED))
        .table
        for slips in (("E-11",), ("E-11", "E-03", "E-30"), ("E-13",))
    ]
    np.testing.assert_array_equal(tables[0], tables[1])
    assert not np.array_equal(tables[0], tables[2])


def test_without_any_budget_it_is_constant() -> None:
    """If all budgets are 0 the release must be 0, with every kind of rates."""
    for slip in ("all", "E-02", "E-13"):
        for tau in (None, "saturation"):
            assert not draws([5.0, BOT], budgets=(0, 0), slip=slip, tau=tau).any()
    with pytest.raises(InvalidArgument, match="one record for each of 2 users"):
        PrintedRange((1, 2)).sample([1.0], 1, rng=np.random.default_rng(SEED))
