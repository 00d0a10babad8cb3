"""The median stage as printed: the values of PDP-CX3, one slip at a time, and the sampler."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.exact.exact_search import search
from mechanisms.as_printed.diffused_quantile import PrintedDiffusedQuantile
from mechanisms.laws import FLOATS
from mechanisms.personalized.quantile.diffused_quantile import DiffusedQuantile
from proofs_check.enclosure import Balls, endpoints

F = Fraction
BOT = math.nan


def loss(mechanism: PrintedDiffusedQuantile, pair: tuple[list[float], list[float]]) -> float:
    """The largest loss on a pair, either way round."""
    found = search(mechanism, [pair], F(10**3), F(0))
    assert found.ratio is not None
    return float(sum(endpoints(Balls(192).log(found.ratio))) / 2)


@pytest.mark.parametrize(
    ("slip", "high", "expected"),
    [
        ("all", 1000, 0.786096798913671),
        ("E-02, E-10, E-13", 1000, 0.468381342006574),
        ("all", 10**6, 3.34059404571576),
        ("E-02, E-10, E-13", 10**6, 2.68225005926988),
    ],
)
def test_values_are_the_reference(slip: str, high: int, expected: float) -> None:
    """At eps = 0.1 the losses must be those of PDP-CX3, and break the budget."""
    mechanism = PrintedDiffusedQuantile("1/10", high=high, slip=slip)
    assert mechanism.tau == F(801, 10)
    pair = mechanism.counterexample
    assert pair == ([float(high)], [0.0])
    assert loss(mechanism, pair) == pytest.approx(expected, rel=1e-14)
    assert search(mechanism, [pair], F(1, 10), F(0)).broken is not None


@pytest.mark.parametrize("high", [1000, 10**6])
def test_one_slip_at_a_time(high: int) -> None:
    """The rate breaks the budget alone if it is eps / tau; eps / (2 tau) needs the public rank."""
    p, far = {"E-01": 0.1 / 80.1, "E-02": 0.05 / 80.1}, high * math.exp(-80.1 / 16)
    for slip, broken in (("E-01", True), ("E-02", False), ("E-10", False), ("E-13", False)):
        mechanism = PrintedDiffusedQuantile("1/10", high=high, slip=slip)
        pair: Any = ([float(high)], [BOT])
        assert (mechanism.counterexample is not None) == broken
        assert (search(mechanism, [pair], F(1, 10), F(0)).broken is not None) == broken
        if slip in p:
            centered = math.log1p(p[slip] * ((high + 1) / (1 + far) - 1))
            assert loss(mechanism, pair) == pytest.approx(centered, rel=1e-12)
        else:
            assert 0 < loss(mechanism, pair) < 1e-30
    broken_pair = PrintedDiffusedQuantile(high=high, slip="E-02, E-13").counterexample
    assert broken_pair is not None
    assert math.isnan(broken_pair[1][0])


def test_zero_is_the_placeholder_with_its_slip() -> None:
    """With E-10 records up to 0 must be none; without it 0 is a record."""
    held = PrintedDiffusedQuantile(("1/2", 3), 3, -2, 4, slip="E-10")
    none = held.exact_law([BOT, 2.0]).masses(FLOATS)
    for x in (0.0, 0.9, -1.0, -2.0):
        assert held.exact_law([x, 2.0]).masses(FLOATS) == none
    assert held.exact_law([1.0, 2.0]).masses(FLOATS) != none
    repaired = PrintedDiffusedQuantile(("1/2", 3), 3, -2, 4, slip="E-13")
    assert repaired.exact_law([0.0, 2.0]) != repaired.exact_law([BOT, 2.0])
    above = PrintedDiffusedQuantile(3, 3, "1/2", 4, "1/2", slip="E-10")
    assert above.exact_law([0.5]) != above.exact_law([BOT])


def test_without_slips_that_matter_it_is_the_sound_form() -> None:
    """With E-10 alone and positive records the law must be that of the right rates."""
    printed = PrintedDiffusedQuantile(("1/2", 3), 3, 0, 4, slip="E-10")
    sound = DiffusedQuantile(("1/2", 3), 3, 0, 4)
    for data in ([1.0, 2.0], [4.0, BOT], [3.0, 3.0]):
        assert printed.exact_law(data) == sound.exact_law(data)


def test_rank_is_half_of_the_saturated_budgets() -> None:
    """The public rank must be A / (2 tau), and none without its slip."""
    mechanism = PrintedDiffusedQuantile((1, 2, 9), 4, beta="1/5")
    assert mechanism.rank is not None
    assert mechanism.rank.rank == 7 / 8
    assert mechanism.rank.beta == 0.05
    assert PrintedDiffusedQuantile(slip="E-01").rank is None


KNOWN_PAIRS = [
    ({"budgets": (1, 1)}, None),
    ({"budgets": 0}, None),
    ({"tau": "1/10"}, None),
    ({"high": 0}, None),
    ({"low": -9, "high": -1}, None),
    ({"low": 1, "slip": "E-01, E-13"}, ([1000.0], [BOT])),
    ({"low": 1}, ([1000.0], [BOT])),
]


def test_counterexamples_are_known_for_one_user(subtests: pytest.Subtests) -> None:
    """A pair must be stated only where the only user loses more than the budget."""
    for arguments, pair in KNOWN_PAIRS:
        with subtests.test(arguments=arguments, pair=pair):
            found = PrintedDiffusedQuantile(**arguments).counterexample
            np.testing.assert_equal(found, pair)


def test_default_tau_is_the_saturation_threshold() -> None:
    """It must be (eps^2 + 8) / eps for one user; 1 if nobody has a budget."""
    assert PrintedDiffusedQuantile("1/2").tau == F(33, 2)
    assert PrintedDiffusedQuantile((0, 0)).tau == 1
    assert PrintedDiffusedQuantile("1/2", 5).tau == 5
