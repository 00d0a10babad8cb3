"""Wealth carried over nights: the product, its starts, and what a cut run is worth (T3, T6).

The points of the grid stand for independent chains of nights, each of which bets on the boundary
of its claim: whatever is refuted is a false alarm.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.engine.night_wealth import Carried, kept_back, night_value, weight
from tests.theorems.simulate import (
    ALPHA,
    THRESHOLD,
    Array,
    arms,
    fixed_bet,
    significantly_above,
)

CHAINS, NIGHTS, BATCHES, SIZE = 20_000, 12, 3, 200
STAKE, LARGER_STAKE = 0.1, 0.15
"""Shares of the largest admissible bet."""
SHARE = 0.9
"""Of the first run; the rest of a night's rate is money not bet."""


def night(rng: np.random.Generator, stake: float = STAKE) -> Array:
    """Logarithm of the wealth of each chain after 0, 1, 2, ... batches of a night."""
    steps = [np.zeros(CHAINS)]
    for _ in range(BATCHES):
        counts = arms(rng, SIZE, CHAINS)
        steps.append(steps[-1] + fixed_bet(*counts, SIZE, q0=0.6 / math.e, share=stake))
    return np.array(steps)


def alarms(rng: np.random.Generator, value: Callable[[Array], Array]) -> int:
    """Chains whose wealth reaches 1/alpha in some night, as a carried run would see it."""
    carried, refuted = Carried(), np.zeros(CHAINS, dtype=bool)
    for _ in range(NIGHTS):
        steps = night(rng)
        levels = carried.levels(np.full(CHAINS, ALPHA), SHARE, 1 - SHARE)
        refuted |= steps.max(axis=0) >= np.log(1 / levels)
        values = night_value(value(steps), SHARE, 1 - SHARE)
        carried = carried.after(values.tolist(), refuted.tolist())
    return int(refuted.sum())


def at_the_end(steps: Array) -> Array:
    """The wealth of the last whole batch."""
    return np.asarray(steps[-1])


def test_all_nights_together_keep_the_rate(dp_rng: np.random.Generator) -> None:
    """It must hold that 12 nights of 20,000 chains at the claim err together as often as stated."""
    seen = alarms(dp_rng, at_the_end)
    assert not significantly_above(np.arange(CHAINS) < seen)
    assert seen > CHAINS * ALPHA / 20  # the bets are no idle ones


WRONG: dict[str, Callable[[Array], Array]] = {
    "the largest look": lambda steps: np.asarray(steps.max(axis=0)),
    "batches left out for what they showed": lambda steps: np.asarray(
        np.where(steps[-1] < steps[-2], steps[-2], steps[-1])
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_values_of_a_night_are_convicted(name: str, dp_rng: np.random.Generator) -> None:
    """It must hold that the count convicts values of a night whose mean is above 1."""
    seen = alarms(dp_rng, WRONG[name])
    assert significantly_above(np.arange(CHAINS) < seen)


def test_nights_that_begin_anew_are_convicted(dp_rng: np.random.Generator) -> None:
    """It must hold that 12 nights at the rate each, without carrying, exceed it together."""
    refuted = np.zeros(CHAINS, dtype=bool)
    for _ in range(NIGHTS):
        refuted |= night(dp_rng, LARGER_STAKE).max(axis=0) >= THRESHOLD
    assert significantly_above(refuted)


def test_a_cut_run_cannot_be_chosen_by_its_length(dp_rng: np.random.Generator) -> None:
    """It must hold that a night has mean at most 1 though only batches that lose are cut.

    Worth what they were before, or half the square root of their largest wealth, the runs that are
    cut bring the mean of all above 1: those that are not cut have taken all of it.
    """

    def values(steps: Array) -> dict[str, Array]:
        """What a night is worth where the last batch is cut if it would lose."""
        cut, largest = steps[-1] < steps[-2], steps[:-1].max(axis=0)
        worth = {"nothing": -np.inf, "before": steps[-2], "largest": largest / 2 - math.log(2)}
        return {
            name: night_value(np.where(cut, value, steps[-1]), SHARE, 1 - SHARE)
            for name, value in worth.items()
        }

    nights = [values(night(dp_rng, LARGER_STAKE)) for _ in range(5)]
    mean = {name: np.mean([np.exp(one[name]).mean() for one in nights]) for name in nights[0]}
    assert mean["nothing"] < 1
    assert mean["before"] > 1.05
    assert mean["largest"] > 1.05


def test_a_night_worth_nothing_can_be_kept() -> None:
    """It must hold that its logarithm is a number, too small to be seen beside 1."""
    value = float(night_value(np.array([-np.inf]), 1 - SHARE, 0.0)[0])
    assert math.isfinite(value)
    assert 1 + math.exp(value) == 1
    left = Carried().after([value], [False])
    assert left.log_wealth(0) == pytest.approx(math.log(kept_back(1)))


def test_weights_of_all_starts_sum_to_one() -> None:
    """It must hold that what is begun and what is kept back is 1 after every night."""
    for nights in (1, 2, 10, 400):
        begun = sum(weight(night) for night in range(1, nights + 1))
        assert begun + kept_back(nights) == pytest.approx(1, abs=1e-12)
        assert all(weight(night) > 0 for night in range(1, nights + 1))


log_values = st.lists(st.floats(-5, 5), min_size=1, max_size=12)


def slow_wealth(values: list[float]) -> float:
    """The mean over all starts, written out."""
    nights = len(values)
    started = [weight(j + 1) * math.exp(sum(values[j:])) for j in range(nights)]
    return sum(started) + 1 - sum(weight(j + 1) for j in range(nights))


@given(log_values)
def test_wealth_is_the_mean_over_all_starts(values: list[float]) -> None:
    """It must hold that the recursion gives the sum of all products with their weights."""
    carried = Carried()
    for value in values:
        carried = carried.after([value], [False])
    assert carried.log_wealth(0) == pytest.approx(math.log(slow_wealth(values)), abs=1e-9)
    assert carried.nights == len(values)


@given(log_values, st.floats(1e-6, 0.5), st.sampled_from([(0.9, 0.1), (0.1, 0.0), (1.0, 0.0)]))
def test_a_run_is_refuted_where_all_nights_are(
    values: list[float], alpha: float, shares: tuple[float, float]
) -> None:
    """It must hold that wealth 1/level tonight brings all nights to 1/alpha, and less does not."""
    carried = Carried()
    for value in values:
        carried = carried.after([value], [False])
    share, idle = shares
    level = float(carried.levels(np.array([alpha]), share, idle)[0])
    assert 0 < level <= 1
    tonight = night_value(np.array([-math.log(level)]), share, idle)
    total = carried.after(tonight.tolist(), [False]).log_wealth(0)
    assert total >= -math.log(alpha) - 1e-9
    if level < 1:
        assert total == pytest.approx(-math.log(alpha), abs=1e-9)


def test_a_long_time_without_a_finding_leaves_something() -> None:
    """It must hold that a hundred null nights cost less than a plain product of them would."""
    carried = Carried()
    for _ in range(100):
        carried = carried.after([-0.38], [False])
    level = float(carried.levels(np.array([1e-3]), 0.9, 0.1)[0])
    assert -math.log(level) < 16 < 0.38 * 100
    assert -math.log(level) > THRESHOLD
