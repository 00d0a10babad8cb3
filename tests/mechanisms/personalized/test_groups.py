"""Groups by powers of 2: their ends, who is in them, samples of them, coupled samples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.groups.exponential import (
    as_typed,
    check_ends,
    choose,
    group_ends,
    least_double,
    left_ends,
    members,
    whole_octaves,
)
from mechanisms.personalized.groups.rows import user_rows
from tests.mechanisms.subset import chi_square

F = Fraction
Sample = tuple[int | None, ...]
ENDS = st.fractions("1/1000", 20, max_denominator=1000)


def slow_group(budget: float, lowest: Fraction, highest: Fraction) -> int:
    """Group of a budget by its definition; 0 for none."""
    typed = min(as_typed(budget), highest)
    group = 0
    while lowest * 2**group <= typed:
        group += 1
    return group


GROUP_NUMBERS = [
    ("1", 1),
    ("3/2", 1),
    ("1.9999", 1),
    ("2", 2),
    ("3", 2),
    ("4", 3),
    ("15.9999", 4),
    ("16", 5),
    ("33/2", 5),
    ("1024", 11),
]


def test_number_of_groups(subtests: pytest.Subtests) -> None:
    """There must be floor(log2 T) + 1 groups: one for T = 1, and five for T = 16."""
    for span, groups in GROUP_NUMBERS:
        with subtests.test(span=span, groups=groups):
            lowest = F(1, 10)
            lefts = left_ends(lowest, lowest * F(span))
            assert len(lefts) == groups == whole_octaves(lowest, lowest * F(span)) + 1
            assert lefts == tuple(lowest * 2**i for i in range(groups))
            assert lefts[-1] <= lowest * F(span) < 2 * lefts[-1]


@given(lowest=ENDS, span=st.fractions(1, 100, max_denominator=50), data=st.data())
def test_groups_of_budgets_are_those_of_exact_comparison(
    lowest: Fraction, span: Fraction, data: Any
) -> None:
    """Groups must be by comparison of typed decimals, also next to every end of a group."""
    highest = lowest * span
    lefts = left_ends(lowest, highest)
    near = [float(end) for end in (*lefts, highest)]
    near += [math.nextafter(x, side) for x in near for side in (0.0, math.inf)]
    budgets = [*near, *data.draw(st.lists(st.floats(0.0001, 3000), max_size=5))]
    ordered = np.sort(np.array(budgets))
    ends = group_ends(ordered, lefts)
    found = np.searchsorted(ends, np.arange(ordered.size), side="right")
    assert found.tolist() == [slow_group(x, lowest, highest) for x in ordered.tolist()]


@given(left=ENDS)
def test_least_double_is_read_as_the_end_or_more(left: Fraction) -> None:
    """It must reach the end, and the next double below must not."""
    found = least_double(left)
    assert as_typed(found) >= left > as_typed(math.nextafter(found, 0.0))


def test_a_typed_decimal_is_what_was_typed() -> None:
    """0.1 must be one tenth, and a third in doubles less than a third."""
    assert as_typed(0.1) == F(1, 10)
    assert least_double(F(1, 10)) == 0.1
    assert as_typed(1 / 3) < F(1, 3) < as_typed(least_double(F(1, 3)))
    assert F(0.1) > F(1, 10)  # the double itself is no tenth


def test_ends_of_the_groups_belong_to_the_upper_group() -> None:
    """With T = 4 the budgets at left ends must open groups, and the largest close the last."""
    lefts = left_ends(F(1, 10), F(4, 10))
    budgets = np.array([0.05, 0.1, 0.1999, 0.2, 0.3, 0.3999, 0.4, 0.4, 7.0])
    assert group_ends(budgets, lefts).tolist() == [1, 3, 6, 9]


def test_who_has_no_group_is_left_out() -> None:
    """Users below the lowest budget must not be among the members."""
    rows = user_rows([[1, 0.05], [2, 0.1], [3, 0.4], [4, 0.2], [5, 0.09]])
    kept, ends = members(rows, left_ends(F(1, 10), F(4, 10)))
    assert kept.records.tolist() == [2, 4, 3]
    assert ends.tolist() == [0, 1, 2, 3]


def test_many_users_are_assigned() -> None:
    """A hundred thousand budgets must be assigned as a thousand of them are one by one."""
    budgets = np.sort(np.random.default_rng(1).uniform(0.04, 1, 100_000))
    lefts = left_ends(F("0.05"), F(1))
    found = np.searchsorted(group_ends(budgets, lefts), np.arange(budgets.size), side="right")
    for place in range(0, budgets.size, 100):
        assert found[place] == slow_group(float(budgets[place]), F("0.05"), F(1))


BUDGET_ENDS = [
    ((F(1, 2), F(2)), None, None, (F(1, 2), F(2))),
    ((F(0), F(1, 2)), None, None, (F(1, 2), F(1, 2))),
    ((F(1, 2),), "0.1", 3, (F(1, 10), F(3))),
    ((F(0),), 1, 1, (F(1), F(1))),
    ((F(1, 3), F(5, 9)), None, None, (as_typed(1 / 3), F(5, 9))),
    ((F(5, 9),), None, None, (F(5, 9), F(5, 9))),
    ((F(1, 10**12), F(1)), None, None, (F(1, 10**9), F(1))),
    ((F(1, 10**400),), None, None, (F(1, 10**9), F(1, 10**9))),
    ((F(1),), 3, None, (F(3), F(3))),
]


def test_ends_of_the_budgets(subtests: pytest.Subtests) -> None:
    """By default the ends must hold every budget from 1e-9 on, as its row shows it."""
    for budgets, lowest, highest, ends in BUDGET_ENDS:
        with subtests.test(budgets=budgets, lowest=lowest, highest=highest, ends=ends):
            assert check_ends(budgets, lowest, highest) == ends
            if lowest is None:
                for budget in budgets:
                    assert budget < F(1, 10**9) or slow_group(float(budget), *ends) >= 1


@pytest.mark.parametrize("given_ends", [{}, {"lowest": 1}, {"highest": 1}])
def test_ends_are_missing_without_a_positive_budget(given_ends: dict[str, int]) -> None:
    """If no budget is positive, both ends must be given."""
    ends = {"lowest": None, "highest": None, **given_ends}
    with pytest.raises(InvalidArgument, match="lowest and highest must be given"):
        check_ends((F(0), F(0)), ends["lowest"], ends["highest"])


@pytest.mark.parametrize("counts", [(0, 0), (1, 2), (3, 2), (7, 9)])
def test_samples_have_the_right_size(counts: tuple[int, int], dp_rng: np.random.Generator) -> None:
    """Each group must give min(count, users) of its users."""
    chosen = choose(np.array([0, 3, 5]), np.tile(counts, (50, 1)), rng=dp_rng)
    assert chosen.shape == (50, 5)
    assert set(chosen[:, :3].sum(axis=1)) == {min(counts[0], 3)}
    assert set(chosen[:, 3:].sum(axis=1)) == {min(counts[1], 2)}


def test_every_draw_has_its_own_counts(dp_rng: np.random.Generator) -> None:
    """Draws of different counts must be sampled together as they would be alone."""
    counts = dp_rng.integers(0, 6, size=(2000, 2))
    chosen = choose(np.array([0, 3, 7]), counts, rng=dp_rng)
    np.testing.assert_array_equal(chosen[:, :3].sum(axis=1), np.minimum(counts[:, 0], 3))
    np.testing.assert_array_equal(chosen[:, 3:].sum(axis=1), np.minimum(counts[:, 1], 4))
    ones = chosen[counts[:, 0] == 1, :3].sum(axis=0)
    assert np.all(np.abs(ones - ones.sum() / 3) < 6 * math.sqrt(ones.sum() / 3))


def subsets(chosen: np.ndarray) -> np.ndarray:
    """How often each subset was drawn, in the order of their binary codes."""
    codes = chosen @ (1 << np.arange(chosen.shape[1]))
    return np.bincount(codes, minlength=1 << chosen.shape[1])


@pytest.mark.parametrize("users", [2, 4, 5])
def test_every_subset_is_equally_likely(users: int, dp_rng: np.random.Generator) -> None:
    """Samples must be uniform, which a sampler that prefers one user by 5 % must not be."""
    count = users // 2
    uniform = np.array([float(k.bit_count() == count) for k in range(1 << users)])
    p = uniform / uniform.sum()
    leaning = p * np.array([1.05 if k & 1 else 1.0 for k in range(1 << users)])
    q = leaning / leaning.sum()
    size = chi_square.draws_for(p, q)
    assert size < 500_000
    chosen = choose(np.array([0, users]), np.full((size, 1), count), rng=dp_rng)
    value, limit = chi_square.statistic(subsets(chosen), p)
    assert value < limit
    value, limit = chi_square.statistic(dp_rng.multinomial(size, q), p)
    assert value > limit


def test_samples_of_two_groups_are_independent(dp_rng: np.random.Generator) -> None:
    """All pairs of subsets must be equally likely; draws that repeat a group's must not pass."""
    p = np.array([float(k in (9, 10, 12, 17, 18, 20)) / 6 for k in range(32)])
    q = p * np.array([1.05 if k == 9 else 1.0 for k in range(32)])
    size = chi_square.draws_for(p, q / q.sum())
    chosen = choose(np.array([0, 3, 5]), np.ones((size, 2), dtype=int), rng=dp_rng)
    value, limit = chi_square.statistic(subsets(chosen), p)
    assert value < limit
    chosen[:, 3] = chosen[:, 0]
    chosen[:, 4] = ~chosen[:, 0]
    value, limit = chi_square.statistic(subsets(chosen), p)
    assert value > limit


def padded(sample: tuple[int, ...], count: int) -> Sample:
    """A sample in its places, with placeholders at the end."""
    return (*sample, *(None,) * (count - len(sample)))


def uniform_samples(users: tuple[int, ...], count: int) -> dict[Sample, Fraction]:
    """Law of the padded sample of a group."""
    found = [padded(kept, count) for kept in combinations(users, min(count, len(users)))]
    return {sample: F(1, len(found)) for sample in found}


def coupled(users: int, count: int) -> Iterator[tuple[Sample, Sample, Fraction]]:
    """Samples with and without the last user, together, with their probability.

    Where the user is sampled, another takes the place: one who is not sampled, each equally likely,
    or a placeholder.
    """
    last = users - 1
    for sample, probability in uniform_samples(tuple(range(users)), count).items():
        spare: list[int | None] = [u for u in range(last) if u not in sample]
        if last not in sample:
            yield sample, sample, probability
            continue
        for other in spare or [None]:
            changed = tuple(other if u == last else u for u in sample)
            yield sample, changed, probability / max(1, len(spare))


def as_bag(sample: Sample) -> Sample:
    """A sample whatever its places."""
    return tuple(sorted(sample, key=lambda u: (u is None, u or 0)))


@pytest.mark.parametrize("users", range(1, 6))
def test_samples_with_and_without_a_user_differ_in_one_place(users: int) -> None:
    """The coupling must have both laws exactly, and distance at most 1, reached, for all counts."""
    for count in range(1, users + 3):
        first: Counter[Sample] = Counter()
        second: Counter[Sample] = Counter()
        distances = set()
        for sample, other, probability in coupled(users, count):
            first[sample] += probability  # type: ignore[assignment]
            second[as_bag(other)] += probability  # type: ignore[assignment]
            distances.add(sum(a != b for a, b in zip(sample, other, strict=True)))
        assert first == uniform_samples(tuple(range(users)), count)
        assert second == uniform_samples(tuple(range(users - 1)), count)
        assert max(distances) == 1
