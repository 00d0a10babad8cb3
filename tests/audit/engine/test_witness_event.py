"""The event that is told: readable where that is as strong, judged by draws that did not choose."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.draws.encode import Encoder, Outcomes
from audit.engine.sequential import Settings, audit
from audit.engine.witness.kinds.conditions import Condition
from audit.engine.witness.kinds.segments import _between
from audit.engine.witness.kinds.unions import Union
from audit.engine.witness.rounded_event import rounded, rounder
from audit.engine.witness.strength import Halves, strength_of
from audit.pairs.worst_cases import Pair
from tests.audit.engine.samplers import claim, target

LINE = (math.e, 0.0)


def encoded(*arms: Any) -> tuple[Outcomes, Outcomes]:
    """Two arms of numbers."""
    encoder = Encoder()
    first, second = (encoder.encode(np.asarray(arm, dtype=float)) for arm in arms)
    return first, second


def tail(end: float) -> Union:
    """That an output is at most a number."""
    return Union(Condition(0, "output", None, ((-math.inf, False, end, True),)))


def crash(data: Any, size: int, rng: np.random.Generator) -> list[Any]:
    """A number, or where the data is 1 the name of an error."""
    return ["RuntimeError"] * size if data else [float(x) for x in rng.random(size)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_name_is_told_where_learned_cells_hold_the_same_draws(seed: int) -> None:
    """It must hold that a lattice's cell of what is no number is not what a reader is told."""
    settings = Settings(seed=seed)
    result = audit(target(crash), claim(1), [Pair("0 and 1", 0, 1)], settings)
    assert result.witness is not None
    assert result.witness.event == "output is 'RuntimeError'"


def explode(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Noise, whose scale is 1e150 where the data is 1."""
    noise = rng.laplace(scale=3, size=size)
    return noise * (1e150 if data else 1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_scale_is_told_and_no_bit(seed: int) -> None:
    """It must hold of few draws that what one side never reaches is told, and not a lattice."""
    settings = Settings(seed=seed, first_draws=16)
    result = audit(target(explode), claim(1), [Pair("0 and 1", 0, 1)], settings)
    assert result.witness is not None
    assert re.fullmatch(r"(-\S+ < )?output <= \S+( or output > \S+)?", result.witness.event)


def heavy(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Noise over a denominator that nearly vanishes where the data is 1."""
    noise = rng.laplace(size=size) / np.where(rng.random(size) < 0.5, 0.25, 1.0)
    return noise * (1e153 if data else 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_end_between_two_scales_is_of_the_ordinary_one(seed: int) -> None:
    """It must hold that what a few draws around 1 never reach is told by a number of hundreds."""
    settings = Settings(seed=seed, first_draws=16)
    result = audit(target(heavy), claim(1), [Pair("0 and 1", 0, 1)], settings)
    assert result.witness is not None
    assert result.witness.confirmed
    ends = [abs(float(x)) for x in re.findall(r"[-\d.e+]*\d[-\d.e+]*", result.witness.event)]
    assert ends
    assert all(10 <= end <= 2_000 for end in ends)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e6, 1e6))
def test_a_cut_parts_what_it_lies_between(one: float, other: float) -> None:
    """It must hold at all scales, away from both where these differ, and as near to 1 as can be."""
    below, above = sorted((one, other))
    if below == above:
        return
    cut = _between(below, above)
    assert below <= cut < above
    smaller, larger = sorted((abs(below), abs(above)))
    if 0 < smaller < larger / 1_000 and larger / smaller < math.inf:
        assert smaller * 30 < abs(cut) < larger / 30
        assert min(1.0, larger / 32) <= max(abs(cut), smaller) or cut == below
        assert abs(cut) <= max(1.0, smaller * 32)


@pytest.mark.parametrize("size", [8, 300, 120_000])
def test_no_draw_proposes_and_judges(size: int) -> None:
    """It must hold of runs of any length, within the draws that are read."""
    numbers = np.arange(size, dtype=float)
    halves = Halves.of(encoded(numbers, -numbers))
    for proposing, judging in zip(halves.proposing, halves.judging, strict=True):
        one, other = (set(arm.numbers[:, 0].tolist()) for arm in (proposing, judging))
        assert one
        assert other
        assert not one & other
        assert len(one) <= 20_000
        assert len(other) <= 50_000


def test_rare_luck_is_weaker_than_a_common_gap() -> None:
    """It must hold that eight draws of a thousand to none are not taken for clear."""
    rare = np.arange(1_254) < 8, np.zeros(1_254, bool)
    common = np.arange(1_254) < 620, np.arange(1_254) < 190
    assert strength_of(rare, LINE).z < 1.5 < 2.5 < strength_of(common, LINE).z
    assert strength_of(rare, LINE).width > 1


def test_an_end_has_the_fewest_digits_that_lose_nothing(dp_rng: np.random.Generator) -> None:
    """It must hold that noise about a round end is dropped, and that an end which tells is kept."""
    drawn = dp_rng.laplace(size=20_000)
    smooth = encoded(drawn / 2, dp_rng.laplace(size=20_000) / 2 + 1)
    assert rounded(tail(0.1987), smooth, LINE, -math.inf).ends == (0.2,)
    # all draws up to .137 are of the one arm, and all beyond it of the other
    sharp = encoded(dp_rng.random(20_000) * 0.137, 0.137 + dp_rng.random(20_000) * 0.863)
    (end,) = rounded(tail(0.137), sharp, LINE, -math.inf).ends
    assert end == pytest.approx(0.137, abs=1e-3)
    assert end != 0.1


BELOW, ABOVE = (-math.inf, False, -2.7, True), (2.6, True, 2.9, True)


@pytest.mark.parametrize(
    "intervals",
    [
        ((0.0, True, 0.2, True),),
        ((-0.2, True, 0.0, True),),
        (BELOW, (-0.3, True, 0.0, True), ABOVE),
        (BELOW, (0.0, True, 0.3, True), ABOVE),
    ],
)
def test_an_interval_may_become_a_single_value(intervals: Any) -> None:
    """It must hold of integers, and that the event goes on with the ends that are left."""
    values = np.arange(-3.0, 4.0)
    counts = [300, 10, 10, 900, 10, 10, 60], [30, 10, 10, 90, 600, 6, 554]
    arms = encoded(*(np.repeat(values, of) for of in counts))
    event = Union(Condition(0, "output", None, intervals))
    found = rounded(event, arms, LINE, -math.inf)
    assert isinstance(found, Union)
    assert (0.0, True, 0.0, True) in found.condition.intervals
    assert len(found.condition.intervals) == len(intervals)
    for arm in arms:
        np.testing.assert_array_equal(found.holds(arm), event.holds(arm))
    assert found.ends == tuple(end for end in found.ends if end == round(end, 1))


@pytest.mark.parametrize("x", [0.1987, -3.25e-7, 12345.678, 1e300, -0.0])
def test_rounder_numbers_come_first_and_end_with_the_number(x: float) -> None:
    """It must hold that digits only grow, and that no number is out of reach."""
    tried = list(rounder(x))
    assert tried[0] == 0.0
    assert tried[-1] == x
    assert len(tried) <= 18
    assert math.copysign(1, tried[0]) == 1
    errors = [abs(value - x) for value in tried]
    assert errors == sorted(errors, reverse=True)
