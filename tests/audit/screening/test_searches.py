"""The searches: coupled, by halving where no seed counts, by records; how much they take."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from audit.screening.calibration import calibrated
from audit.screening.caller import Caller
from audit.screening.candidate_pairs import candidates_of
from audit.screening.choice import ScreenBudget, obstacle
from audit.screening.event_counts import event_score, rough_score
from audit.screening.halving import Halving
from audit.screening.reading import failed, read
from audit.screening.size import SHARE_OF_DRAWS, SIZES, size_for
from audit.screening.yardstick import yardstick_of
from mechanisms.claims import PureDP
from tests.audit.screening.defects import (
    clean_sum,
    narrow,
    no_clip,
    private_size,
)
from tests.audit.screening.releases import CARE, Calls, claimed, screened, target_of, unit
from tests.speed import calls_of

UNIT = yardstick_of(PureDP(1))


@pytest.mark.long
def test_a_screening_takes_a_fifth_of_the_draws_of_its_run() -> None:
    """It must hold of every size, as planned and as drawn."""
    assert sorted((size.draws for size in SIZES), reverse=True) == [size.draws for size in SIZES]
    for samples in (100_000, 20_000, 6_000, 1_000):
        size, by_time = size_for(samples)
        assert not by_time
        assert size is not None
        assert size.draws <= SHARE_OF_DRAWS * samples
        told = screened(target_of(clean_sum), budget=ScreenBudget(samples, 6_000.0)).told
        assert told is not None
        assert told.draws <= 1.2 * size.draws
    assert size_for(100) == (None, False)
    assert "few" in screened(target_of(clean_sum), budget=ScreenBudget(100, 6_000.0)).why_not


MOST_CALLS = 2_000_000
"""Of functions in the process of an audit, for a whole screening: 1.3 to 1.5 million were counted,
which took .7 to .9 s of CPU with the calls of the target (benchmarks/README.md, inputs)."""


@pytest.mark.long
def test_a_screening_costs_a_second_or_so() -> None:
    """It must hold of the whole, whose pairs are made for it; two of them would be too much."""
    counts = []
    for release in (no_clip, clean_sum):
        candidates_of.cache_clear()
        count, choice = calls_of(partial(screened, target_of(release)))
        assert choice.told is not None
        assert choice.told.calls <= SIZES[0].calls
        counts.append(count)
    assert max(counts) <= MOST_CALLS < sum(counts)


def test_slow_draws_are_screened_as_far_as_the_time_goes() -> None:
    """It must hold that the clock chooses a size, and says so; one that is asked for stands."""
    assert size_for(5_000_000, most_draws=100) == (SIZES[-1], True)
    assert size_for(5_000_000, most_calls=1_000) == (SIZES[2], True)
    assert size_for(5_000_000, pairs=512, most_draws=1) == (SIZES[1], False)
    assert size_for(5_000_000, pairs=1) == (SIZES[-1], False)
    assert size_for(5_000_000, most_draws=10**6, most_calls=10**6) == (SIZES[0], False)


@pytest.mark.long
def test_no_size_calls_a_sound_release_suspicious() -> None:
    """It must hold of a sum, and of a clipped mean whose noise falls with the number of records."""

    def clipped_mean(data: Any, size: int, *, rng: Any) -> Any:
        n = max(1, len(data))
        mean = np.clip(np.nan_to_num(data), 0, 1).sum() / n
        return np.clip(mean + rng.laplace(scale=1 / n, size=size), 0, 1)

    for samples in (5_000_000, 20_000, 6_000, 1_000):
        budget = ScreenBudget(samples, 6_000.0)
        assert not screened(target_of(clean_sum), budget=budget, seed=0).suspicious
        choice = screened(target_of(clipped_mean), "swap", budget=budget, seed=0)
        assert not choice.suspicious
    assert choice.told is not None


def unseeded(release: Any) -> Any:
    """The same release with random numbers of its own."""
    own = np.random.default_rng(1)

    def draw(data: Any, size: int, *, rng: Any) -> Any:
        return release(data, size, rng=own)

    return draw


@pytest.mark.long
@pytest.mark.parametrize("release", [no_clip, narrow])
def test_a_release_with_random_numbers_of_its_own_is_found_by_halving(release: Any) -> None:
    """It must hold that equal seeds which give other outputs are noticed, and pairs are found."""
    choice = screened(target_of(unseeded(release)))
    assert choice.told is not None
    assert choice.told.how == "independent"
    assert choice.suspicious
    assert choice.told.chosen[0].score > 4


@pytest.mark.long
def test_a_sound_release_with_random_numbers_of_its_own_is_not_suspicious() -> None:
    """It must hold of halving, too."""
    sound = screened(target_of(unseeded(clean_sum)))
    assert sound.told is not None
    assert sound.told.how == "independent"
    assert not sound.suspicious


@pytest.mark.slow
def test_halving_keeps_noise_twice_as_wide() -> None:
    """It must hold of a scale that the first draws do not show, for most seeds."""
    found = 0
    for seed in range(4):
        choice = screened(target_of(private_size, seedable=False), seed=seed)
        assert choice.told is not None
        found += any(one.score > 1.3 for one in choice.told.chosen)
    assert found >= 2


def test_halving_draws_both_sides_apart() -> None:
    """It must hold that no data set shares its stream with a neighbor: a sound sum scores low."""
    target = target_of(clean_sum, seedable=False)
    caller = Caller(target, 1)
    known = calibrated(caller, [np.zeros(1)], 64, again=3)
    assert not known.goes_by_seed
    search = Halving(caller, known, UNIT, unit(), 8_000)
    search.search(candidates_of(unit(), 1))
    one = caller.independent([np.zeros(1), np.ones(1)], 90, 4)
    assert not np.allclose(one[1].values - one[0].values, 1.0)
    same = caller.coupled([np.zeros(1), np.ones(1)], 91, 4)
    assert np.allclose(same[1].values - same[0].values, 1.0)


def test_event_scores_are_careful() -> None:
    """It must hold that a loss of 1 scores about 1 with many draws, less with few, 0 with none."""
    rng = np.random.default_rng(1)
    x, y = (
        read((rng.random(100_000) < p).astype(float))
        for p in (math.e / (1 + math.e), 1 / (1 + math.e))
    )
    assert event_score(x, y, UNIT).event == pytest.approx(1, abs=0.03)
    few = event_score(read(x.values[:64, 0]), read(y.values[:64, 0]), UNIT).event
    assert few < 1.0
    assert event_score(x, x, UNIT).event == 0
    assert event_score(x, failed("raises ValueError", 100_000), UNIT).event > 5
    normal = [read(side + rng.laplace(size=50_000)) for side in (0.0, 1.0)]
    assert event_score(*normal, UNIT).event == pytest.approx(1, abs=0.1)


def test_rough_scores_see_kinds_shifts_and_spreads() -> None:
    """It must hold of sixteen independent draws; of the same law they show little."""
    rng = np.random.default_rng(1)
    x = read(rng.laplace(size=16))
    assert rough_score(x, read(30 + rng.laplace(size=16)), frozenset(), UNIT).shift > 10
    assert rough_score(x, read(30 * rng.laplace(size=16)), frozenset(), UNIT).factor > 1.5
    assert rough_score(x, failed("raises ValueError", 16), frozenset(), UNIT).kind == 1
    assert rough_score(x, read(rng.laplace(size=16)), frozenset(), UNIT).value < 1.5


def sticky_bits(data: Any, size: int, *, rng: Any) -> Any:
    """Basic RAPPOR on 1 to 8 whose set bits are never cleared (pure-ldp 1.2.0 has it so)."""
    value = int(np.clip(np.round(np.nan_to_num(data[0], nan=1.0)), 1, 8))
    bits = rng.random((size, 8)) < 0.25
    bits[:, value - 1] = True
    return bits.astype(int)


def cleared_bits(data: Any, size: int, *, rng: Any) -> Any:
    """The same as it was meant: a set bit is kept with probability 3/4."""
    value = int(np.clip(np.round(np.nan_to_num(data[0], nan=1.0)), 1, 8))
    bits = rng.random((size, 8)) < 0.25
    bits[:, value - 1] = rng.random(size) < 0.75
    return bits.astype(int)


def fake_data(data: Any, size: int, *, rng: Any) -> Any:
    """Two bits, one of them answered at the amplified level and one made up.

    The claim of random sampling plus fake data (multi-freq-ldpy 0.2.5): it holds for two users who
    differ in one bit, and their loss is about 1.49 where they differ in both.
    """
    value = int(np.clip(np.round(np.nan_to_num(data[0])), 0, 3))
    mine = np.array([value // 2, value % 2])
    asked = rng.integers(2, size=size)[:, None] == np.arange(2)
    answers = np.where(asked, mine, rng.integers(2, size=(size, 2)))
    weight = 2 * (math.e - 1) + 1
    kept = rng.random((size, 2)) < weight / (weight + 1)
    return np.where(kept, answers, 1 - answers)


@pytest.mark.long
def test_records_of_a_local_mechanism_are_compared_with_each_other() -> None:
    """It must hold that the bit which is never cleared is found, and that one which is is not."""
    level = PureDP("2.197224578")  # 2 ln 3
    bad = screened(target_of(sticky_bits, 1, 8, count=1), "swap", level=level)
    good = screened(target_of(cleared_bits, 1, 8, count=1), "swap", level=level)
    assert bad.told is not None
    assert good.told is not None
    assert bad.told.how == good.told.how == "records"
    assert bad.told.chosen[0].score > 1.5 > 1.1 > good.told.chosen[0].score
    assert "is 0" in bad.told.chosen[0].why


def test_users_who_differ_in_everything_come_first() -> None:
    """It must hold of fake data beside one answer: 0 is (0, 0) and 3 is (1, 1)."""
    choice = screened(target_of(fake_data, 0, 3, count=1), "swap")
    values = [{int(np.clip(side[0], 0, 3)) for side in (p.data, p.neighbor)} for p in choice.pairs]
    assert values[0] in ({0, 3}, {1, 2})
    assert choice.told is not None
    assert "and output[1]" in choice.told.chosen[0].why


def test_a_release_in_this_process_is_not_screened() -> None:
    """It must hold that it says why not; a program has a process of its own for each start."""
    assert "--in-process" in obstacle(target_of(clean_sum), claimed(), unit(), None)
    for calls in (Calls.MANY, Calls.START):
        assert obstacle(target_of(clean_sum, calls=calls), claimed(), unit(), CARE) == ""


def dying(data: Any, size: int, *, rng: Any) -> Any:
    """It ends its process on a record that is infinite."""
    import os

    if np.isinf(data).any():
        os._exit(0)
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(size=size)


@pytest.mark.long
def test_a_call_that_ends_its_process_is_another_kind() -> None:
    """It must hold that screening goes on behind it, and finds it."""
    choice = screened(target_of(dying), budget=ScreenBudget(10_000, 6_000.0))
    assert choice.told is not None
    assert choice.told.chosen[0].score >= 1e6
    assert "process ended" in choice.told.chosen[0].why
