"""The move by rank: which records move, how far apart images get, and what scores make of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.subset.monotone import exponent
from mechanisms.subset.moves import moved
from mechanisms.subset.scores.statistic import Statistic

F = Fraction

MEDIAN = Statistic.checked("median", "1/2", 2, "length")
SCORES = [
    Statistic.checked(*arguments)
    for arguments in (
        ("median", "1/2", 2, "crossing"),
        ("quantile", "3/4", 2, "crossing"),
        ("quantile", "3/4", 2, "length"),
        ("mean", "1/2", 2, "crossing"),
        ("mean", "1/2", 2, "length"),
    )
]


def image(data: tuple[int, ...], k: int) -> list[int]:
    """Moved records, ascending."""
    low = min((0, *data))
    counts = np.bincount(np.array(data, dtype=int) - low, minlength=1)
    places = np.arange(-1, counts.size + 1) + low
    return [int(x) for x in np.repeat(places, moved(counts, k))]


def slow_image(data: tuple[int, ...], k: int) -> list[int]:
    """The same, record by record: low ranks first, then the highest of the others."""
    down, others = sorted(data)[:k], sorted(data)[k:]
    split = max(0, len(others) - k)
    return sorted([x - 1 for x in down] + others[:split] + [x + 1 for x in others[split:]])


def apart(one: list[int], other: list[int]) -> int:
    """Records to add and to remove."""
    return sum(abs(one.count(x) - other.count(x)) for x in {*one, *other})


@given(st.lists(st.integers(0, 9), max_size=12).map(tuple), st.integers(0, 14))
def test_ranks_move_one_by_one(data: tuple[int, ...], k: int) -> None:
    """Counts by place must move as records by rank do, and none may be lost."""
    assert image(data, k) == slow_image(data, k)


def test_example_of_the_erratum() -> None:
    """{2, 5, 8} must become {1, 5, 9}, and with 0 added {-1, 2, 5, 9}: distance 3."""
    assert image((2, 5, 8), 1) == [1, 5, 9]
    assert image((0, 2, 5, 8), 1) == [-1, 2, 5, 9]
    assert apart([1, 5, 9], [-1, 2, 5, 9]) == 3


def test_images_of_neighbors_differ_by_at_most_three() -> None:
    """It must hold with fewer and with more than 2 k records; both must reach 3."""
    worst = {True: 0, False: 0}
    for size in range(6):
        for data in combinations_with_replacement((0, 1, 2, 4, 6), size):
            for k in (1, 2, 3):
                old, few = image(data, k), size < 2 * k
                for x in (0, 1, 2, 3, 5, 6):
                    found = apart(old, image(tuple(sorted((*data, x))), k))
                    worst[few] = max(worst[few], found)
    assert worst == {True: 3, False: 3}


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("statistic", SCORES, ids=lambda s: f"{s.name}, {s.score}")
def test_scores_of_images_change_by_at_most_two(statistic: Statistic, k: int) -> None:
    """Over all windows of the moved data of all neighbors; 1 without a move.

    So the last step costs at most epsilon / 2 with the exponents of the sound form, and without a
    move with epsilon / 4, but more where records move and the exponent is epsilon / 4.
    """
    cases = {
        tuple(moved(np.bincount(d, minlength=4), k).tobytes() for d in (data, (*data, x)))
        for size in (1, 2)
        for data in combinations_with_replacement(range(4), size)
        for x in range(4)
    }
    worst = 0
    for pair in cases:
        old, new = (np.frombuffer(half, dtype=np.int64) for half in pair)
        for low in range(5):
            for high in range(low + 2, 7):
                a, b = (statistic.scores(half[low:high]) for half in (old, new))
                worst = max(worst, int(np.abs(a - b).max()))
    assert worst == (2 if k else 1)
    assert 2 * exponent(F(1), statistic.score) * worst <= F(1, 2)
    assert (2 * F(1, 4) * worst > F(1, 2)) == (k > 0)


def step_loss(statistic: Statistic, images: list[list[int]], ends: tuple[int, int]) -> float:
    """Largest log-ratio of the last step with c = 1/4, over 1/2."""
    laws = []
    for data in images:
        inside = [x - ends[0] for x in data if ends[0] <= x <= ends[1]]
        counts = np.bincount(inside, minlength=ends[1] - ends[0] + 1)
        weights = np.exp(-statistic.scores(counts) / 4)
        laws.append(weights / weights.sum())
    return float(np.abs(np.log(laws[0] / laws[1])).max()) * 2


MEAN = Statistic.checked("mean", "1/2", 2, "length")


@pytest.mark.parametrize(
    ("statistic", "data", "x", "k", "ends", "images", "loss"),
    [
        (MEDIAN, (0, 0, 0, 1), 5, 2, (1, 6), ([1, 2], [2, 6]), 1.50491343826158),
        (MEAN, (5,), 2, 1, (0, 4), ([4], [1]), 1.093527053778962),
        (MEDIAN, (2, 5), 1, 2, (0, 4), ([1, 4], [0, 1]), 1.420111976985242),
    ],
    ids=["n = 2 k", "mean", "n < 2 k"],
)
def test_small_cases_of_the_erratum(
    statistic: Statistic,
    data: tuple[int, ...],
    x: int,
    k: int,
    ends: tuple[int, int],
    images: Any,
    loss: float,
) -> None:
    """Images in [l, u] and the loss over its budget with c = 1 / 4 must be those of SUB-E4."""
    found = [image(d, k) for d in (data, tuple(sorted((*data, x))))]
    assert [[y for y in d if ends[0] <= y <= ends[1]] for d in found] == list(images)
    assert step_loss(statistic, found, ends) == pytest.approx(loss, rel=1e-13)


@pytest.mark.parametrize(("cells", "text"), [(6, "1.50491343826158"), (100, "1.96624985871619")])
@pytest.mark.parametrize("g", [1, 2, 5])
def test_family_of_the_erratum(g: int, cells: int, text: str) -> None:
    """Where a new record moves another in the window, the loss must tend to twice its budget."""
    h, k, c = cells - 1, 2 * g + 2, 1 / 4
    data = (0,) * (k + g + 1) + (1,) + (h,) * g
    loss = step_loss(MEDIAN, [image(d, k) for d in (data, (*data, h))], (1, h + 1))
    top, bottom = exp(-2 * c) + 1 + (cells - 2) * exp(-c), 1 + exp(-c) + (cells - 2) * exp(-3 * c)
    assert loss == pytest.approx((2 * c + log(top / bottom)) / (2 * c), rel=1e-13)
    assert loss == pytest.approx(float(text), rel=1e-13)


R = 4
"""r of the lemma."""


def near(data: list[int], low: int, high: int, draw: Any) -> list[int]:
    """Data with at most R / 2 records of [low, high] added or removed."""
    data = list(data)
    for _ in range(R // 2):
        if draw(st.booleans()):
            data.append(draw(st.integers(low, high)))
        elif data:
            data.remove(draw(st.sampled_from(data)))
    return data


def dominates(larger: list[int], smaller: list[int]) -> bool:
    """Whether the distribution function of `larger` is nowhere above."""
    return all(
        F(sum(x <= v for x in larger), len(larger)) <= F(sum(x <= v for x in smaller), len(smaller))
        for v in {*larger, *smaller}
    )


def near_rank(records: list[int]) -> bool:
    """Whether 0 is a threshold of rank 7 r / 4 from below, up to a quarter of r."""
    below, up_to = sum(x < 0 for x in records), sum(x <= 0 for x in records)
    return max(below - 7 * R // 4, 7 * R // 4 - up_to) <= R // 4


@given(st.data())
def test_windows_of_the_sound_ranks_hold_what_the_bound_needs(data: st.DataObject) -> None:
    """Thresholds of rank 7 r / 4, up to r / 4, must give Lemma D.1 its hypothesis and its end."""
    records = data.draw(st.lists(st.integers(0, 8), min_size=9 * R // 2 + 1, max_size=7 * R))
    records = sorted(records)
    lows = [v for v in range(9) if near_rank([x - v for x in records])]
    highs = [v for v in range(9) if near_rank([v - x for x in records])]
    low, high = data.draw(st.sampled_from(lows)), data.draw(st.sampled_from(highs))
    image_ = slow_image(tuple(records), 3 * R // 2)
    for outside in (sum(x < low for x in image_), sum(x > high for x in image_)):
        assert 3 * R // 2 <= outside <= 2 * R
    inside = [x for x in image_ if low <= x <= high]
    other = near(inside, low, high, data.draw)
    assert dominates(image_[4 * R :], other)
    assert dominates(other, image_[: -4 * R])
