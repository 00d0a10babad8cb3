"""What is chosen by the training draws: events, pairs, and how much of luck is kept back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.draws.settings import Settings
from audit.engine.bound.choose import best_event, divergence_lower, predicted_lower
from audit.engine.bound.posterior import posterior_shares
from audit.engine.counts.batch import Batch
from audit.engine.loop import fresh_batch
from audit.engine.pair_state import PairState
from audit.engine.run_state import Run
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from tests.audit.engine.samplers import claim, laplace, target


def trained(draw: Any, draws: int, *, seed: int = 1) -> PairState:
    """State of the pair (0, 1) after its training draws."""
    settings = Settings(seed=seed, false_alarm=0.05, ideal=True)
    pairs = [Pair("0 and 1", 0.0, 1.0)]
    run = Run.start(target(draw), claim(1), pairs, settings, grid_of(claim(1)), None, 1.0)
    (state,) = run.pairs
    batch: Batch = fresh_batch(run, state, draws)
    state.learn(batch, run.grid)
    return state


def test_the_prediction_is_about_the_limit_of_the_mean_counts() -> None:
    """It must hold that predictions agree with the normal theory where counts are large."""
    n, p, q = 1e6, np.array([0.5, 0.1, 0.01]), np.array([0.2, 0.04, 0.002])
    spread = np.sqrt((1 - p) / (n * p) + (1 - q) / (n * q))
    found = predicted_lower(p, q, n, 0.0, 0.05)
    np.testing.assert_allclose(found, np.log(p / q) - 1.645 * spread, atol=0.05 * spread.max())


def test_no_limit_is_predicted_below_delta() -> None:
    """It must hold that an event no likelier than delta promises nothing."""
    assert predicted_lower(np.array([0.01]), np.array([1e-6]), 1e4, 0.02, 0.05)[0] == -math.inf


@pytest.mark.parametrize("seed", range(3))
def test_a_mild_loss_is_tested_on_a_frequent_event(seed: int) -> None:
    """It must hold that on Laplace noise the event is no lucky one of the tail."""
    choice = best_event(trained(laplace(), 10_000, seed=seed), 40_000, delta=0, false_alarm=0.05)
    draws = np.random.default_rng(seed).laplace(size=100_000)
    encoded = choice.state.encoder.encode(draws + choice.arm)
    mass = choice.cells[choice.partition.codes(encoded)].mean()
    print(f"mass {mass:.3f}")
    assert 0.05 < mass < 0.75
    assert not choice.conditional


def test_an_unbounded_loss_is_tested_on_a_rare_event() -> None:
    """It must hold that an event of probability .002 and 0 is preferred to a loss of 1."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        rare = rng.random(size) < 0.002 * data
        return np.where(rare, 50.0, data + rng.laplace(size=size))

    choice = best_event(trained(draw, 20_000), 80_000, delta=0, false_alarm=0.05)
    assert choice.conditional
    assert choice.score > 1
    values = choice.state.encoder.encode(np.array([50.0, 0.0, 1.0, 3.0]))
    assert choice.cells[choice.partition.codes(values)].tolist() == [True, False, False, False]


def test_shares_of_equal_arms_are_shrunk_to_a_half(dp_rng: np.random.Generator) -> None:
    """It must hold that cells of equal arms look equal, and those that differ stay apart."""
    same = dp_rng.binomial(200, 0.5, (2, 60)).astype(float)
    assert (
        np.abs(posterior_shares(same) - 0.5).max() < np.abs(same[0] / same.sum(0) - 0.5).max() / 2
    )
    apart = np.stack([dp_rng.binomial(2_000, r) for r in [[0.27] * 20 + [0.73] * 20]])[0]
    counts = np.stack([apart, 2_000 - apart]).astype(float)
    found = posterior_shares(counts)
    assert np.abs(found[:20] - 0.27).max() < 0.01
    assert np.abs(found[20:] - 0.73).max() < 0.01
    assert posterior_shares(np.array([[0.0, 5.0], [0.0, 5.0]]))[0] == 0.5


@pytest.mark.long
def test_the_divergence_of_equal_arms_is_rarely_positive() -> None:
    """It must hold that pairs without a difference rank last."""
    equal = [
        divergence_lower(trained(lambda d, n, rng: rng.laplace(size=n), 2_000, seed=s))
        for s in range(30)
    ]
    assert binom.sf(sum(value > 0 for value in equal) - 1, 30, 0.4) > 1e-6
    assert divergence_lower(trained(laplace(), 2_000)) > 0.05


@pytest.mark.parametrize(
    ("p", "q", "conditional"), [(0.5, 0.2, False), (0.04, 0.02, True), (0.5, 1e-5, True)]
)
def test_the_conditional_test_is_for_rare_hits(p: float, q: float, conditional: bool) -> None:
    """It must hold that an event that is rare on either arm is tested conditionally."""
    split = np.array([1 - p, p]), np.array([1 - q, q])
    draw = lambda d, n, rng: rng.choice(2, n, p=split[0] if d else split[1])  # noqa: E731
    choice = best_event(trained(draw, 20_000), 80_000, delta=0, false_alarm=0.05)
    assert choice.conditional == conditional
    assert choice.arm == 1
