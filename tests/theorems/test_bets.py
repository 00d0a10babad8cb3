"""ENG-T1 and ENG-T3: each condition of the theorems, and what happens to who leaves it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.theorems.simulate import (
    SLOPE,
    THRESHOLD,
    Array,
    arms,
    fixed_bet,
    learned_bets,
    mean_wealth,
    significantly_above,
)

RUNS = 10_000
BATCHES = 20
Q0 = 0.6 / SLOPE


def highest(log_values: list[Array]) -> Array:
    """Highest wealth of each run over the batches."""
    return np.asarray(np.cumsum(log_values, axis=0).max(axis=0))


@pytest.mark.parametrize("dependent", [False, True], ids=["separate streams", "one seed"])
def test_arms_must_be_independent(dependent: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that randomized response drawn with one seed in both arms breaks the level."""
    truth = SLOPE / (1 + SLOPE)
    values = []
    for _ in range(BATCHES):
        hits = dp_rng.binomial(50, truth, RUNS).astype(float)
        other = 50 - hits if dependent else dp_rng.binomial(50, 1 - truth, RUNS).astype(float)
        values.append(fixed_bet(hits, other, 50, q0=1 - truth, share=0.3))
    alarms = highest(values) >= THRESHOLD
    print(f"dependent={dependent}: {alarms.mean():.4f}")
    assert significantly_above(alarms) == dependent


@pytest.mark.parametrize("multiplied", [False, True], ids=["compared", "multiplied in"])
def test_looks_are_compared_and_not_multiplied(
    multiplied: bool, dp_rng: np.random.Generator
) -> None:
    """It must hold that a half look that changes the wealth breaks the level."""
    wealth, top = np.zeros(RUNS), np.zeros(RUNS)
    for _ in range(BATCHES):
        first, second = arms(dp_rng, 25, RUNS), arms(dp_rng, 25, RUNS)
        look = wealth + fixed_bet(*first, 25, q0=Q0, share=0.1)
        whole = fixed_bet(first[0] + second[0], first[1] + second[1], 50, q0=Q0, share=0.1)
        wealth = (look if multiplied else wealth) + whole
        top = np.maximum(top, np.maximum(look, wealth))
    alarms = top >= THRESHOLD
    print(f"multiplied={multiplied}: {alarms.mean():.4f}")
    assert significantly_above(alarms) == multiplied


@pytest.mark.parametrize("looks", [(10, 1000), (10, 10)], ids=["whole arms", "10 of each"])
def test_looks_keep_the_ratio_of_the_arms(
    looks: tuple[int, int], dp_rng: np.random.Generator
) -> None:
    """It must hold that equal looks into arms of 10 and 1000, bet mu/10 and mu/1000, do not do."""
    p, q = 0.9, 0.9 / SLOPE
    q0, p0 = 0.2 * q, 0.2 * p
    mu = 5.0
    hits, other = (dp_rng.binomial(m, x, RUNS) for m, x in zip(looks, (p, q), strict=True))
    a, b = mu / 10, SLOPE * mu / 1000
    value = hits * math.log1p(a * (1 - p0)) + (looks[0] - hits) * math.log1p(-a * p0)
    value = value + other * math.log1p(-b * (1 - q0)) + (looks[1] - other) * math.log1p(b * q0)
    alarms = value >= math.log(20)
    print(f"looks={looks}: {alarms.mean():.4f}")
    assert significantly_above(alarms) == (looks == (10, 10))


@pytest.mark.parametrize("equal", [True, False], ids=["equal", "one arm short"])
def test_counts_of_the_arms_are_equal(equal: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that draws lost in one arm (a histogram without NaN) break the level."""
    hits, other = arms(dp_rng, 200, RUNS)
    q0, share = 0.5 * Q0, 0.3
    value = fixed_bet(hits, other, 200, q0=q0, share=share)
    if not equal:
        lost, lost_rest = (dp_rng.binomial(n.astype(int), 0.5) for n in (other, 200 - other))
        mu = share / (SLOPE * (1 - q0))
        value -= lost * math.log1p(-SLOPE * mu * (1 - q0)) + lost_rest * math.log1p(SLOPE * mu * q0)
    alarms = value >= THRESHOLD
    print(f"equal={equal}: {alarms.mean():.4f}")
    assert significantly_above(alarms) != equal


@pytest.mark.parametrize("past", [True, False], ids=["by the past", "by the batch"])
def test_events_are_chosen_by_the_past(past: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that the event that the batch itself favors breaks the level."""
    values = []
    record = np.zeros((8, RUNS))
    for _ in range(BATCHES):
        new = np.stack([fixed_bet(*arms(dp_rng, 50, RUNS), 50, q0=Q0, share=0.1) for _ in range(8)])
        chosen = (record if past else new).argmax(axis=0)
        values.append(new[chosen, np.arange(RUNS)])
        record += new
    alarms = highest(values) >= THRESHOLD
    print(f"past={past}: {alarms.mean():.4f}")
    assert significantly_above(alarms) != past


@pytest.mark.parametrize("past", [True, False], ids=["by the past", "by the batch"])
def test_batch_sizes_are_chosen_by_the_past(past: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that a batch cut where its draws look best breaks the level."""
    values = []
    for _ in range(BATCHES):
        parts = [arms(dp_rng, 10, RUNS) for _ in range(5)]
        sums = np.cumsum([fixed_bet(*part, 10, q0=Q0, share=0.1) for part in parts], axis=0)
        values.append(sums[-1] if past else sums.max(axis=0))
    alarms = highest(values) >= THRESHOLD
    print(f"past={past}: {alarms.mean():.4f}")
    assert significantly_above(alarms) != past


@pytest.mark.parametrize("share", [0.9, 3.0], ids=["positive", "negative"])
def test_factors_are_positive(share: float, dp_rng: np.random.Generator) -> None:
    """It must hold that a bet beyond the largest mu runs into debt and breaks the level."""
    p, q = 0.6, 0.6 / SLOPE
    mu = share * min(1 / p, 1 / (SLOPE * (1 - q)))
    wealth, top = np.ones(RUNS), np.ones(RUNS)
    for _ in range(60):
        wealth = wealth * (1 + mu * ((dp_rng.random(RUNS) < p) - p))
        wealth = wealth * (1 - SLOPE * mu * ((dp_rng.random(RUNS) < q) - q))
        top = np.maximum(top, wealth)
    alarms = top >= 1 / 0.05
    print(f"share={share}: {alarms.mean():.4f}")
    assert significantly_above(alarms) == (share > 1)


@pytest.mark.parametrize("place", [0.2, 0.5, 1.0])
def test_bets_made_from_the_past_keep_the_level(place: float, dp_rng: np.random.Generator) -> None:
    """It must hold that the product's bets refute rarely on the boundary, often beyond it."""
    runs = 1_500
    alarms = []
    for p in (0.6 * place, min(0.95, 0.6 * place * 1.3)):
        q = 0.6 * place / SLOPE
        laws = [[p, 0.5 * (1 - p), 0.5 * (1 - p)], [q, 0.5 * (1 - q), 0.5 * (1 - q)]]
        past = np.stack([dp_rng.multinomial(200, law, runs) for law in laws]).astype(float)
        wealth, top = np.zeros(1), np.zeros(runs)
        for _ in range(BATCHES):
            now = np.stack([dp_rng.multinomial(300, law, runs) for law in laws]).astype(float)
            wealth = wealth + learned_bets(past, now)
            top = np.maximum(top, mean_wealth(wealth))
            past = past + now
        alarms.append(top >= THRESHOLD)
    print(f"place={place}: {alarms[0].mean():.4f}, {alarms[1].mean():.4f}")
    assert not significantly_above(alarms[0])
    assert significantly_above(alarms[1])
