"""Inverse sensitivity without epsilon, as Algorithm 5 of SUB prints it."""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from audit.exact.cells.cell_divergences import LargestRatio, largest_ratio
from audit.exact.cells.level_laws import point_cells
from audit.exact.exact_audit import audit
from audit.exact.exact_numbers import log_ball, sign
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.results.verdict import Verdict
from mechanisms.as_printed.inverse_sensitivity import PrintedInverseSensitivity
from mechanisms.laws import FLOATS
from mechanisms.subset.inverse_sensitivity import InverseSensitivity
from proofs_check.enclosure import agrees_with_print

F = Fraction
FIVE: dict[str, Any] = {"low": 0, "high": 4}


def worst(mechanism: PrintedInverseSensitivity, data: Any, neighbor: Any) -> LargestRatio:
    """The largest ratio of a pair, either way round, exactly."""
    pair = point_cells(mechanism.exact_law(data), mechanism.exact_law(neighbor))
    found = [largest_ratio(side) for side in pair.both_ways()]
    return max(found, key=cmp_to_key(lambda x, y: sign(x.ratio - y.ratio)))


@pytest.mark.parametrize("epsilon", ["1/10", 1, "1.995"])
def test_counterexample_loses_almost_two(epsilon: Any) -> None:
    """The pair of SUB-E2 must lose 1.99517414449132 exactly as printed, whatever epsilon is."""
    mechanism = PrintedInverseSensitivity(epsilon, **FIVE)
    pair = mechanism.counterexample
    assert pair == ([1.0] * 4 + [4.0] * 2, [1.0] * 4 + [4.0] * 2 + [0.0])
    found = worst(mechanism, *pair)
    assert agrees_with_print(log_ball(found.ratio), "1.99517414449132")
    assert not found.at_most(mechanism.epsilon)
    assert found.at_most(F(2))


def test_counterexample_is_that_of_the_grid() -> None:
    """On five other points the pair must be moved along; where none is known there is none."""
    mechanism = PrintedInverseSensitivity(1, -1, 1)
    data, neighbor = mechanism.counterexample or ([], [])
    assert (data, neighbor[-1]) == ([-0.5] * 4 + [1.0] * 2, -1.0)
    assert agrees_with_print(log_ball(worst(mechanism, data, neighbor).ratio), "1.99517414449132")
    unknown: list[dict[str, Any]] = [
        {"step": "1/5"},
        {"statistic": "median"},
        {"score": "crossing"},
        {"epsilon": 2},
        {"high": 0},
    ]
    for arguments in unknown:
        assert PrintedInverseSensitivity(**arguments).counterexample is None


def losses(mechanism: PrintedInverseSensitivity, most: int) -> dict[tuple[int, ...], float]:
    """Largest log-ratio of each data set of up to `most` records and one more on five points."""

    def logs(data: tuple[int, ...]) -> Any:
        atoms = mechanism.exact_law([float(x) for x in data]).atoms(FLOATS)
        return np.log(list(atoms.values()))

    return {
        (*data, x): float(np.abs(logs(data) - logs((*data, x))).max())
        for size in range(most + 1)
        for data in combinations_with_replacement(range(5), size)
        for x in range(5)
    }


def test_median_loses_less() -> None:
    """Over all data of up to 5 records and one more the median must lose 1.40, and never 2."""
    found = losses(PrintedInverseSensitivity(1, statistic="median", **FIVE), 5)
    assert 1.4 < max(found.values()) < 1.402849238635842


@pytest.mark.slow
def test_median_loses_what_the_erratum_says() -> None:
    """Over all data of up to 8 records the loss must be that of SUB-E2, 1.402849238635842."""
    mechanism = PrintedInverseSensitivity(1, statistic="median", **FIVE)
    found = losses(mechanism, 8)
    largest = max(found, key=found.__getitem__)
    data = [float(x) for x in largest]
    ratio = worst(mechanism, data[:-1], data).ratio
    assert agrees_with_print(log_ball(ratio), "1.402849238635842")


def test_median_example_of_the_erratum() -> None:
    """The pair that reaches the largest loss of the median must have it, exactly."""
    data = [0.0] * 3 + [3.0] * 5
    median = PrintedInverseSensitivity(1, statistic="median", **FIVE)
    ratio = worst(median, data, [*data, 0.0]).ratio
    assert agrees_with_print(log_ball(ratio), "1.402849238635842")


@pytest.mark.parametrize("statistic", ["median", "mean"])
def test_loss_stays_below_two(statistic: str) -> None:
    """The search of all multisets of up to 2 of 5 points must prove 2, and refute 1."""
    for epsilon, verdict in ((2, Verdict.PROVED), (1, Verdict.REFUTED)):
        printed = PrintedInverseSensitivity(epsilon, statistic=statistic, **FIVE)
        multisets = Multisets(2, 5, F(0), F(4))
        asked = Question("as printed", printed, printed.claim, printed.order, False, (), multisets)
        assert audit(asked).verdict is verdict


def test_law_is_the_sound_one_at_epsilon_two() -> None:
    """For epsilon = 2 law and draws must be those of the sound form; epsilon changes nothing."""
    data = [0.0, 0.4, 3.3]
    sound = InverseSensitivity(2, 0, 4, 1, "mean", score="length")
    for epsilon in (1, "1/3"):
        printed = PrintedInverseSensitivity(epsilon, **FIVE)
        assert printed.exact_law(data) == sound.exact_law(data)
        np.testing.assert_array_equal(
            printed.sample(data, 500, rng=np.random.default_rng(1)),
            sound.sample(data, 500, rng=np.random.default_rng(1)),
        )
