"""Draws that depend on each other where a run refutes early: its fresh draws tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from audit.draws.encode import Encoder, Outcomes
from audit.draws.independence import in_turn
from audit.engine.sequential import Settings, audit
from audit.engine.witness.dependence import Fresh
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.target import Calls, Target
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

CLAIM = PrivacyClaim(PureDP(1), Relation.LISTED, Source("test", "stated"))
TRUTH = np.e / (1 + np.e)


def run(draw: Callable[..., Any], seed: int, budget: int) -> AuditResult:
    """Audit one pair of numbers, at a rate of 0.001, with a budget that compares no calls."""
    target = Target("t", draw, None, Order.FREE, seedable=True, calls=Calls.MANY)
    settings = Settings(seed=seed, false_alarm=0.001, budget_samples=budget)
    return audit(target, CLAIM, [Pair("0 and 1", 0, 1)], settings)


def fixed_seed(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Every call draws the same."""
    return float(data) + np.random.default_rng(int(data) + 7).laplace(size=size)


def alike(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Randomized response at its claim; in three calls of ten all draws are equal."""
    kept = rng.random(size) < TRUTH
    if rng.random() < 0.3:
        kept[:] = kept[0]
    return np.where(kept, int(data), 1 - int(data))


def broken(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Laplace noise of less than half of its scale, independent."""
    return float(data) + 0.4 * rng.laplace(size=size)


@pytest.mark.parametrize("seed", range(2))
def test_a_fixed_seed_in_each_call_is_told(seed: int) -> None:
    """It must hold however soon the run refutes: it was REFUTED after tens of draws."""
    result = run(fixed_seed, seed, 8_000)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "not independent" in result.reason


@pytest.mark.parametrize("seed", [104, 115, 133, 137])
def test_calls_whose_draws_are_alike_are_told(seed: int) -> None:
    """It must hold of runs that were REFUTED, by what their fresh draws show from call to call."""
    result = run(alike, seed, 11_000)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "depend on each other" in result.reason or "not independent" in result.reason


@pytest.mark.long
def test_independent_draws_are_not_doubted() -> None:
    """It must hold that what is broken and independent stays REFUTED."""
    assert {run(broken, seed, 11_000).verdict for seed in range(8)} == {Verdict.REFUTED}


def test_calls_are_compared_at_equal_places() -> None:
    """It must hold that the parts are the draws of every other call, and those of the next one."""
    fresh, encoder = Fresh(), Encoder()
    encoder.fix_layout([[0.0]])
    target = Target("t", fixed_seed, None, Order.FREE, seedable=True, calls=Calls.MANY)
    fresh.begin(target, 32, single=True)
    for calls in fresh.calls:
        size = sum(calls[0])
        values = np.arange(size, dtype=float)
        fresh.add([encoder.encode(values), encoder.encode(values + 0.5)])
    arms = Outcomes.concatenate(fresh.arms[0]), Outcomes.concatenate(fresh.arms[1])
    parts = in_turn(arms, (fresh.lengths(0), fresh.lengths(1)))
    assert parts is not None
    (data, neighbor), (after, neighbor_after) = parts
    assert (after.numbers[:, 0] - data.numbers[:, 0] == 1).all()
    assert (neighbor_after.numbers[:, 0] - neighbor.numbers[:, 0] == 1).all()
    assert len(data) == 16
