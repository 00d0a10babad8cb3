"""Rank errors of thresholds: with which probability they stay below the bounds (SUB-T3.7, C3.8)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from mechanisms.laws import FLOATS
from mechanisms.subset.threshold import Threshold
from mechanisms.subset.threshold_grid import GridThreshold

F = Fraction
NORMAL = stats.norm.ppf((np.arange(300) + 0.5) / 300)
DATA = {"symmetric": NORMAL, "skewed": np.exp(NORMAL), "equal": np.zeros(300)}
SIDES = ("below", "above")


def chance_of_error(losses: Any, masses: Any, least: float) -> float:
    """Probability of a loss of at least `least`."""
    far = np.asarray(losses, dtype=np.float64) >= least
    return float(np.asarray(masses)[far].sum() / np.sum(masses))


def of_threshold(mechanism: Threshold, data: Any) -> tuple[list[float], list[float]]:
    """Losses of the pieces of the law, and masses up to a factor."""
    pieces, rate = mechanism.exact_law(data).pieces, float(mechanism.epsilon) / 2
    least = min(piece.loss for piece in pieces)
    return [float(p.loss) for p in pieces], [
        float(p.upper - p.lower) * math.exp(-rate * float(p.loss - least)) for p in pieces
    ]


def of_grid(mechanism: GridThreshold, data: Any) -> tuple[list[float], list[float]]:
    """Losses of the grid points, and their probabilities."""
    law = mechanism.exact_law(data)
    return [float(terms[0][1]) for terms in law.weights], list(law.atoms(FLOATS).values())


def cells_of_grid(points: int, rule: str) -> int:
    """What stands over zeta in the logarithm: 3 (m - 1) as rounded, m as chosen directly."""
    return 3 * (points - 1) if rule == "rounded" else points


def test_threshold_keeps_the_bound(subtests: pytest.Subtests) -> None:
    """The loss must be below (2 / eps) log((b - a) / (alpha zeta)), but for a chance of zeta."""
    for zeta in [0.5, 0.05, 1e-3, 1e-6]:
        for side in SIDES:
            for shape in DATA:
                with subtests.test(zeta=zeta, side=side, shape=shape):
                    found = of_threshold(Threshold(1, -50, 50, 60, side, "1/10"), DATA[shape])
                    assert chance_of_error(*found, 2 * math.log(100 / (0.1 * zeta))) <= zeta


def test_grid_threshold_keeps_the_bound(subtests: pytest.Subtests) -> None:
    """The rank error must be at most (2 / eps) log(3 (m - 1) / zeta), directly log(m / zeta)."""
    for zeta in [0.5, 0.05, 1e-3, 1e-6]:
        for rule in ["rounded", "direct"]:
            for shape in DATA:
                with subtests.test(zeta=zeta, rule=rule, shape=shape):
                    found = of_grid(GridThreshold(1, -50, 50, 501, 60, rule=rule), DATA[shape])
                    bound = 2 * math.log(cells_of_grid(501, rule) / zeta)
                    assert chance_of_error(*found, np.nextafter(bound, np.inf)) <= zeta


def test_bound_is_reached_on_a_stack() -> None:
    """On records at low the chance must be zeta up to 1 %, and 0.9 of the bound be too little."""
    losses, masses = of_threshold(Threshold(1, 0, 1, 1, alpha="1/1000"), [0.0] * 30)
    chance = chance_of_error(losses, masses, 29)
    assert 0.99 < chance / (1000 * math.exp(-29 / 2)) < 1
    zeta = 0.99 * chance
    bound = 2 * math.log(1000 / zeta)
    assert chance_of_error(losses, masses, bound) <= zeta
    assert chance_of_error(losses, masses, 0.9 * bound) > zeta


@pytest.mark.parametrize("rule", ["rounded", "direct"])
def test_bound_of_the_grid_is_reached_on_a_stack(rule: str) -> None:
    """The same must hold of 1001 grid points, for both rules."""
    losses, masses = of_grid(GridThreshold(1, 0, 1, 1001, 1, rule=rule), [0.0] * 30)
    cells = cells_of_grid(1001, rule)
    chance = chance_of_error(losses, masses, 29)
    assert 0.99 < chance / (cells * math.exp(-29 / 2)) < 1
    zeta = 0.99 * chance
    bound = 2 * math.log(cells / zeta)
    assert chance_of_error(losses, masses, bound) <= zeta
    assert chance_of_error(losses, masses, 0.9 * bound) > zeta
