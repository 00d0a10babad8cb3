"""ENG-T4: the grid is fixed before the first bet, and the limit is its rejected prefix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.draws.settings import Settings
from audit.engine import sequential
from audit.engine.experts import Grid
from audit.levels import grid_of
from audit.levels.nesting import lower_limit
from audit.levels.supporting_lines import LineGrid
from audit.pairs.worst_cases import Pair
from mechanisms.claims import PrivacyClaim, PureDP, Relation
from tests.audit.engine.samplers import claim, target
from tests.grids import lines_of
from tests.theorems.simulate import (
    SLOPE,
    THRESHOLD,
    Array,
    arms,
    fixed_bet,
    significantly_above,
)

RUNS = 4_000
Q0 = 0.6 / SLOPE
TRUE = 1.0


@pytest.mark.parametrize("refinements", [1, 10], ids=["fixed beforehand", "refined ten times"])
def test_a_point_inserted_later_has_no_fresh_wealth(
    refinements: int, dp_rng: np.random.Generator
) -> None:
    """It must hold that ten refinements of the grid at the truth, each with wealth 1, err."""
    steps = [fixed_bet(*arms(dp_rng, 50, RUNS), 50, q0=Q0, share=0.3) for _ in range(100)]
    paths = np.cumsum([np.zeros(RUNS), *steps], axis=0)
    births = range(0, 100, 10)[:refinements]
    alarms = np.any([(paths[b:] - paths[b]).max(axis=0) >= THRESHOLD for b in births], axis=0)
    print(f"refinements={refinements}: {alarms.mean():.4f}")
    assert significantly_above(alarms) == (refinements > 1)


def rejections(rng: np.random.Generator, epsilons: Array) -> Any:
    """Which points each run rejects: those below the truth, and true ones by mistake."""
    wealth = np.zeros((RUNS * epsilons.size,))
    top = wealth.copy()
    for _ in range(40):
        wealth = wealth + fixed_bet(*arms(rng, 50, wealth.size), 50, q0=Q0, share=0.3)
        top = np.maximum(top, wealth)
    return (top >= THRESHOLD).reshape(RUNS, epsilons.size) | (epsilons < TRUE)


@pytest.mark.parametrize("prefix", [True, False], ids=["prefix", "largest anywhere"])
def test_the_limit_is_the_rejected_prefix(prefix: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that the limit exceeds the truth within the level, by the prefix rule only."""
    # 17 true points, each bet on by an event of its own that is nearly on the boundary
    epsilons = np.concatenate([[0.5, 0.9], TRUE + 1e-6 * np.arange(17)])
    limits = [
        lower_limit(epsilons, rejected) if prefix else epsilons[rejected].max()
        for rejected in rejections(dp_rng, epsilons)
    ]
    alarms = np.array(limits) >= TRUE
    print(f"prefix={prefix}: {alarms.mean():.4f}")
    assert significantly_above(alarms) != prefix


def test_the_grid_is_made_once_and_before_any_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that no draw can influence the grid, and that it never changes."""
    order: list[str] = []
    made: list[Grid] = []

    def watched(stated: PrivacyClaim, **options: Any) -> Grid:
        order.append("grid")
        made.append(grid_of(stated, **options))
        return made[-1]

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        order.append("draw")
        return data + rng.laplace(size=size)

    monkeypatch.setattr(sequential, "grid_of", watched)
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=5_000)
    result = sequential.audit(target(draw), claim(1), [Pair("0 and 1", 0.0, 1.0)], settings)
    assert order.count("grid") == 1
    assert order.index("grid") < order.index("draw")
    unused = lines_of(PureDP(1), Relation.LISTED)
    assert isinstance(made[0], LineGrid)
    np.testing.assert_array_equal(made[0].slopes, unused.slopes)
    np.testing.assert_array_equal(made[0].offsets, unused.offsets)
    assert result.limits["epsilon"] in {0.0, *unused.axes[0].values}


@pytest.mark.parametrize("epsilon", [50, 150, 200])
def test_large_claims_have_a_grid_that_can_be_computed_with(epsilon: int) -> None:
    """It must hold that no point's slope overflows when squared (a NaN would never reject)."""
    grid = lines_of(PureDP(epsilon), Relation.LISTED)
    assert np.isfinite(grid.slopes**2).all()
    assert grid.axes[0].values[grid.claimed] == epsilon
