"""Samplers of rows 23 to 31 follow the exact laws that their limits are computed from."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom, norm

from benchmarks.hidden_laws import HIDDEN_LAWS
from benchmarks.hidden_rows import LABELS
from benchmarks.power_rows import ROWS
from tests.calibrated import ALPHA, assert_law, assert_not_law, draws_for

Cdf = Callable[[np.ndarray], np.ndarray]
OFF = 0.1
"""Share by which the wrong twin of a cell's probability is off."""


def drawn(row: str, arm: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """Outputs on one data set of a row."""
    pair = ROWS[row].pairs[0]
    return ROWS[row].draw((pair.data, pair.neighbor)[arm], size, rng)


def in_box(z: np.ndarray) -> np.ndarray:
    """Whether a point lies in the square about (.45, .35)."""
    return (np.abs(z[:, 0] - 0.45) < 0.158) & (np.abs(z[:, 1] - 0.35) < 0.158)


CELLS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "23": lambda z: np.where(z < 0.7, 0, 1),
    "24": lambda z: z,
    "26": lambda z: np.where(z % 7 < 3, 0, 1),
    "27": lambda z: (z[:, 0] < 0.5).astype(int) ^ (z[:, 2] < 0.5),
    "28": lambda z: np.floor(z / 0.8).astype(int) % 2,
    "29": lambda z: np.where((6 * z) % 1 < 0.12, 0, 1),
    "30": lambda z: np.where(in_box(z), 0, 1),
    "31": lambda z: np.searchsorted(LABELS, z) % 4,
}
"""The cell of an output, whose law `hidden_laws` states."""


@pytest.mark.parametrize("arm", [0, 1])
@pytest.mark.parametrize("row", CELLS)
def test_cells_have_their_stated_probabilities(
    row: str, arm: int, dp_rng: np.random.Generator
) -> None:
    """It must hold that a sampler's cells have the law of the limits, told from one 10 % off."""
    law = HIDDEN_LAWS[row]()[arm]
    place = int(np.argmin(np.where(law > 0, law, 2.0)))  # the rarest that occurs
    p = float(law[place])
    size = math.ceil((2 * norm.isf(ALPHA) / OFF) ** 2 / p)
    hits = int((CELLS[row](drawn(row, arm, size, dp_rng)) == place).sum())
    low, high = binom.ppf(ALPHA / 2, size, p), binom.isf(ALPHA / 2, size, p)
    assert low <= hits <= high
    assert hits > binom.isf(ALPHA / 2, size, (1 - OFF) * p)
    if p == 1:
        assert hits == size


def uniform(low: float, high: float) -> Cdf:
    """Law of a uniform number."""
    return lambda z: np.clip((z - low) / (high - low), 0, 1)


def pieces(mass: float, width: float = 0.02) -> Cdf:
    """A number of which `mass` lies in six intervals of this width, at multiples of 1/6."""
    rest = 1 / 6 - width

    def cdf(z: np.ndarray) -> np.ndarray:
        part = np.clip(np.floor(6 * z), 0, 5)
        within = z - part / 6
        inner = mass * np.clip(within / width, 0, 1)
        outer = (1 - mass) * np.clip((within - width) / rest, 0, 1)
        return np.asarray((part + inner + outer) / 6)

    return cdf


def side_of_box(mass: float, half: float = 0.158) -> Cdf:
    """First coordinate of row 30: `mass` in the square, the rest uniform outside of it."""

    def cdf(z: np.ndarray) -> np.ndarray:
        within = np.clip((z - (0.45 - half)) / (2 * half), 0, 1)
        area = 4 * half**2
        outside = (np.clip(z, 0, 1) - area * within) / (1 - area)
        return np.asarray(mass * within + (1 - mass) * outside)

    return cdf


def labels(decay: float, arm: int) -> Cdf:
    """Index of a label."""
    weights = np.array([(i + 3) ** -decay for i in range(150)])
    for i in range(150 if arm else 0):
        weights[i] *= {0: math.exp(0.8), 2: math.exp(-0.5)}.get(i % 4, 1.0)
    sums = np.cumsum(weights / weights.sum())
    return lambda z: np.where(z < 0, 0.0, sums[np.clip(np.floor(z), 0, 149).astype(int)])


def index_law(spread: float) -> Cdf:
    """Index of the stripe."""
    return lambda z: ndtr(1.6 * (np.floor(z) + 1) / spread)


def quotient(most: int) -> Cdf:
    """A uniform integer below `most`."""
    return lambda z: np.clip((np.floor(z) + 1) / most, 0, 1)


Q_SIX, Q_BOX = 0.12 * math.exp(-1.6), 0.1 * math.exp(-1.6)
LAW_OF: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray], tuple[Cdf, Cdf], Cdf]] = {
    "leak": ("23", lambda z: z % 1, (uniform(0, 0.4), uniform(0, 0.4)), uniform(0, 0.42)),
    "quotient": ("26", lambda z: z // 7.0, (quotient(40_000),) * 2, quotient(42_000)),
    "third of three": ("27", lambda z: z[:, 2], (uniform(0, 1),) * 2, uniform(0, 1.05)),
    "second of three": ("27", lambda z: z[:, 1], (uniform(0, 1),) * 2, uniform(0, 1.05)),
    "stripe": ("28", lambda z: np.floor(z / 1.6), (index_law(4.0),) * 2, index_law(4.4)),
    "in a half": ("28", lambda z: (z / 0.8) % 1, (uniform(0, 1),) * 2, uniform(0, 1.05)),
    "six": ("29", lambda z: z, (pieces(0.12), pieces(Q_SIX)), pieces(0.07)),
    "side": ("30", lambda z: z[:, 0], (side_of_box(0.1), side_of_box(Q_BOX)), side_of_box(0.2)),
    "label": (
        "31",
        lambda z: np.searchsorted(LABELS, z).astype(float),
        (labels(0.9, 0), labels(0.9, 1)),
        labels(0.8, 0),
    ),
}
"""What of which row, its law on both data sets, and a law that is slightly off."""


@pytest.mark.parametrize("arm", [0, 1])
@pytest.mark.parametrize("name", LAW_OF)
def test_what_is_beside_the_cells_has_its_law(
    name: str, arm: int, dp_rng: np.random.Generator
) -> None:
    """It must hold that the rest of an output is as the row says, told from a law slightly off."""
    row, statistic, laws, wrong = LAW_OF[name]
    right = laws[arm]
    top = 42_000 if name == "quotient" else 150 if name == "label" else 20
    grid = np.linspace(-top if name == "stripe" else 0, top, 40 * top + 1)
    fine = np.concatenate([grid, np.linspace(0, 1, 2001)])
    distance = float(np.abs(right(fine) - wrong(fine)).max())
    values = statistic(drawn(row, arm, draws_for(distance), dp_rng)).astype(float)
    whole = name in ("quotient", "stripe", "label")
    left = (lambda law: lambda z: law(z - 0.5)) if whole else (lambda law: law)
    assert_law(values, right, distance, left_cdf=left(right))
    assert_not_law(values, wrong, distance, left_cdf=left(wrong))
