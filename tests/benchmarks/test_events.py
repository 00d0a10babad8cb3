"""Events of the power statement have their probabilities, and nothing else tells the arms apart."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom, ks_2samp, norm

from benchmarks.detectable import broken
from benchmarks.events import FIRST_CLASS, SECOND_CLASS, event_sampler
from benchmarks.factor_fits import fit
from benchmarks.inefficiency import Cell, cells, drawn
from tests.calibrated import ALPHA

P, Q = 0.2, 0.05


def first_tenth(pieces: int) -> Callable[[np.ndarray], np.ndarray]:
    """Whether a number is in the first tenth of one of some equal parts."""
    return lambda z: (pieces * z) % 1 < 0.1


def square(first: int, second: int) -> Callable[[np.ndarray], np.ndarray]:
    """Whether two coordinates are in the square of area .2."""
    side = math.sqrt(P)
    low = 0.43 * (1 - side), 0.28 * (1 - side)
    return lambda z: (
        (z[:, first] >= low[0])
        & (z[:, first] < low[0] + side)
        & (z[:, second] >= low[1])
        & (z[:, second] < low[1] + side)
    )


EVENTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "atom": lambda z: z == 0.27 + 0.05,
    "tail": lambda z: z < 0.1,
    "interval at .3": lambda z: (z >= 0.27) & (z < 0.37),
    "interval at .7": lambda z: (z >= 0.63) & (z < 0.73),
    "interval beside an atom": lambda z: (z > 0.27) & (z < 0.37),
    "2 intervals": first_tenth(2),
    "3 intervals": first_tenth(3),
    "5 intervals": first_tenth(5),
    "box in 2 of 2": square(0, 1),
    "box in 2 of 10": square(2, 6),
    "checkerboard in 2 of 2": lambda z: (z[:, 0] < 0.5) != (z[:, 1] < 0.5),
    "checkerboard in 2 of 10": lambda z: (z[:, 2] < 0.5) != (z[:, 6] < 0.5),
    "residue mod 3": lambda z: z % 3 == 0,
    "residue mod 10": lambda z: z % 10 < 3,
    "residue mod 256": lambda z: z % 256 < 16,
}


def test_every_shape_has_an_event() -> None:
    """It must hold that no shape is left out of these tests."""
    assert set(EVENTS) == {*FIRST_CLASS, *SECOND_CLASS}


@pytest.mark.parametrize("shape", EVENTS)
def test_events_have_their_probability_and_the_rest_one_law(
    shape: str, dp_rng: np.random.Generator
) -> None:
    """It must hold that P and Q are the event's (not 10 % less), and the rest does not move."""
    size = math.ceil((2 * norm.isf(ALPHA) / 0.1) ** 2 / Q)
    sampler = event_sampler(shape, P, Q)
    parts = []
    for data, mass in ((0.0, P), (1.0, Q)):
        z = sampler(data, size, dp_rng)
        inside = EVENTS[shape](z)
        hits = int(inside.sum())
        assert binom.ppf(ALPHA / 2, size, mass) <= hits <= binom.isf(ALPHA / 2, size, mass)
        assert hits > binom.isf(ALPHA / 2, size, 0.9 * mass)
        parts.append((z[inside].reshape(hits, -1), z[~inside].reshape(size - hits, -1)))
    for one, other in zip(*parts, strict=True):
        for column in range(one.shape[1]):
            assert ks_2samp(one[:5_000, column], other[:5_000, column]).pvalue > ALPHA
    inner, outer = parts[0]
    if shape not in ("atom", *(s for s in EVENTS if "checkerboard" in s or "residue" in s)):
        moving = 2 if "of 10" in shape else 0
        assert ks_2samp(inner[:5_000, moving], outer[:5_000, moving]).pvalue < ALPHA


def test_the_factor_is_above_all_points() -> None:
    """It must hold that a + b / sqrt(N) is at least every factor, and hardly above one of them."""
    points = [(150, 9.0), (500, 4.5), (2_000, 3.9), (10_000, 3.2)]
    a, b = fit(points)
    gaps = [a + b / math.sqrt(n) - factor for n, factor in points]
    assert min(gaps) >= 0
    assert min(gaps) < 0.05


@pytest.mark.long
def test_cells_are_drawn_by_their_own_seed() -> None:
    """It must hold that some cells of both classes are drawn, the same for a seed."""
    every = cells(["first", "second"])
    some = drawn(every, 40, 7)
    assert some == drawn(every, 40, 7) != drawn(every, 40, 8)
    assert len(set(some)) == 40
    assert {cell.class_ for cell in some} == {"first", "second"}


def test_a_delta_comes_on_top_of_the_event() -> None:
    """It must hold that for an approximate claim the event has the claim's delta besides."""
    assert Cell("tail", 0.1, 500, "(1, 0.01)").probabilities(0.0) == (0.11, 0.1)
    assert Cell("tail", 0.1, 500, "GDP 1").probabilities(0.0) == (0.1, 0.1)


def test_a_cell_is_broken_by_what_chance_does_not_do() -> None:
    """It must hold that 252 of 300 break a statement of nine in ten, and 253 do not."""
    assert broken(252, 300)
    assert not broken(253, 300)
