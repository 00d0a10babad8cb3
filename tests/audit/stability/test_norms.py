"""Distances are those of rational numbers, whatever the answers are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.stability.answers import Keyed, read_value, shape_of
from audit.stability.norms import MEASURES, Distance, Norm, common_length, distance
from mechanisms.errors import InvalidArgument

NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.lists(st.integers(0, 3), max_size=8).map(tuple)


def exactly(norm: Norm, first: Any, second: Any) -> Fraction | None:
    """A distance as its square or as it is; None where it is infinite."""
    return distance(norm, read_value(first), read_value(second)).exact


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=6))
def test_norms_are_sums_of_fractions(pairs: list[tuple[Any, Any]]) -> None:
    """It must hold of l1, the square of l2, and linf, for doubles and integers of any size."""
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    gaps = [abs(Fraction(x) - Fraction(y)) for x, y in pairs]
    assert exactly(Norm.L1, first, second) == sum(gaps, Fraction(0))
    assert exactly(Norm.L2, first, second) == sum((g * g for g in gaps), Fraction(0))
    assert exactly(Norm.LINF, first, second) == max(gaps, default=0)


UNSEEN_IN_FLOATS = {
    "a difference that is rounded": (Norm.L1, 2.0**53, -1.0, 2**53),
    "integers beyond 2^53": (Norm.L1, 2**53 + 1, 0, 2**53),
    "a sum that is rounded": (Norm.L1, [1.0, 2.0**-53], [0.0, 0.0], 1),
    "a root that is rounded": (Norm.L2, [1.0, 2.0**-30], [0.0, 0.0], 1),
    "a square that overflows": (Norm.L2, 1e200, 0.0, 10**200 // 2),
    "a difference of long doubles": (Norm.L1, np.longdouble(1) + np.longdouble(2.0) ** -60, 0, 1),
}


@pytest.mark.parametrize("case", UNSEEN_IN_FLOATS)
def test_a_comparison_in_floats_differs(case: str) -> None:
    """It must hold that an excess is seen which doubles round away, or cannot hold."""
    norm, first, second, bound = UNSEEN_IN_FLOATS[case]
    found = distance(norm, read_value(first), read_value(second))
    assert found.exceeds(Fraction(bound))
    values = (np.atleast_1d(np.asarray(side, dtype=np.float64)) for side in (first, second))
    gaps = np.abs(np.subtract(*values))
    with np.errstate(over="ignore"):
        in_floats = gaps.sum() if norm is Norm.L1 else math.sqrt((gaps**2).sum())
    assert not in_floats > bound or math.isinf(in_floats)


def test_an_excess_is_strict() -> None:
    """It must hold that a distance of just the claim is none, also of a root that is no double."""
    root_of_two = distance(Norm.L2, (1, 1), (0, 0))
    assert not distance(Norm.L1, 0.1, 0.0).exceeds(Fraction(0.1))
    assert distance(Norm.L1, 0.1, 0.0).exceeds(Fraction(1, 10))  # the double is above it
    assert not distance(Norm.L2, (3, 4), (0, 0)).exceeds(Fraction(5))
    assert root_of_two.exceeds(Fraction(math.nextafter(math.sqrt(2), 0)))
    assert not root_of_two.exceeds(Fraction(math.nextafter(math.sqrt(2), 2)))
    assert str(root_of_two) == "sqrt(2)"
    assert str(distance(Norm.L2, (3, 4), (0, 0))) == "5"


def slow_common(first: Sequence[Any], second: Sequence[Any]) -> int:
    """A longest common subsequence by the recursion that defines it."""

    @cache
    def longest(i: int, j: int) -> int:
        if not i or not j:
            return 0
        if first[i - 1] == second[j - 1]:
            return longest(i - 1, j - 1) + 1
        return max(longest(i - 1, j), longest(i, j - 1))

    return longest(len(first), len(second))


@given(ROWS, ROWS)
def test_common_subsequences_agree_with_the_recursion(first: Any, second: Any) -> None:
    """It must hold of the bits; one that counts common records in any order differs somewhere."""
    assert common_length(first, second) == slow_common(first, second)
    assert distance(Norm.INSERT_DELETE, (9,), (4, 9)).exact == 1
    assert distance(Norm.INSERT_DELETE, (1, 2), (2, 1)).exact == 2
    assert distance(Norm.SYMMETRIC, (1, 2), (2, 1)).exact == 0


METRICS = [Norm.HAMMING, Norm.CHANGE_ONE, Norm.SYMMETRIC, Norm.INSERT_DELETE, Norm.DISCRETE]


@given(ROWS, ROWS, ROWS)
@pytest.mark.parametrize("norm", METRICS)
def test_distances_of_data_sets_are_metrics(norm: Norm, x: Any, y: Any, z: Any) -> None:
    """It must hold: symmetry, the triangle, and 0 for equal ones; infinite where lengths differ."""
    parts = [float(distance(norm, *pair)) for pair in ((x, y), (y, z), (x, z))]
    assert parts[2] <= parts[0] + parts[1]
    assert distance(norm, x, y) == distance(norm, y, x)
    assert distance(norm, x, x).is_zero
    if norm in (Norm.HAMMING, Norm.CHANGE_ONE):
        assert math.isinf(parts[0]) == (len(x) != len(y))


NAN, INF = math.nan, math.inf
SAME: dict[str, tuple[Any, Any]] = {
    "0 and -0.0": (0.0, -0.0),
    "NaN twice": ([1.0, NAN], [1.0, NAN]),
    "an infinity twice": (INF, INF),
    "an integer and a double": (1, 1.0),
    "a truth and a number": (True, np.int64(1)),
    "a list and an array": ([0.5, 1], np.array([0.5, 1])),
    "a tuple and a series": ((0.5, 1), pd.Series([0.5, 1])),
    "rows and a frame": ([[1, 2.5]], pd.DataFrame({"a": [1], "b": [2.5]})),
    "single and double precision": (np.float32(0.1), float(np.float32(0.1))),
    "half and long": (np.float16(0.5), np.longdouble(0.5)),
    "a decimal and a fraction": (Decimal("0.1"), Fraction(1, 10)),
    "an array without dimensions": (np.array(2.5), 2.5),
    "keys in another order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "sets": ({"b", "a"}, {"a", "b"}),
    "integers of two widths": (np.uint64(2**64 - 1), 2**64 - 1),
    "nothing": (None, None),
    "texts": ("x", np.str_("x")),
}


@pytest.mark.parametrize("norm", Norm)
@pytest.mark.parametrize("case", SAME)
def test_equal_answers_are_at_distance_0(norm: Norm, case: str) -> None:
    """It must hold whatever they are made of, wherever the norm is of such answers."""
    first, second = map(read_value, SAME[case])
    of_rows = norm in METRICS and norm is not Norm.DISCRETE
    if of_rows and not isinstance(first, tuple):
        with pytest.raises(InvalidArgument, match="no sequence of rows"):
            distance(norm, first, second)
        return
    assert distance(norm, first, second).is_zero


INFINITE: dict[str, tuple[Any, Any]] = {
    "NaN on one side": (NAN, 0.0),
    "an infinity on one side": (INF, 1e308),
    "two infinities": (INF, -INF),
    "another length": ([1.0], [1.0, 0.0]),
    "another dimension": ([[1.0]], [1.0]),
    "a number and a list of one": (1.0, [1.0]),
    "other keys": ({"a": 1}, {"b": 1}),
    "nothing and a number": (None, 0.0),
    "within a list": ([0.0, None], [0.0, 1.0]),
}


@pytest.mark.parametrize("norm", [Norm.L1, Norm.L2, Norm.LINF])
@pytest.mark.parametrize("case", INFINITE)
def test_answers_of_another_shape_are_infinitely_far_apart(norm: Norm, case: str) -> None:
    """It must hold for each norm of numbers; under the discrete one they are at distance 1."""
    sides = list(map(read_value, INFINITE[case]))
    assert distance(norm, *sides).exact is None
    assert distance(norm, *sides).exceeds(Fraction(10**400))
    assert distance(Norm.DISCRETE, *sides).exact == 1


class Model:
    """An answer that only equals itself."""


REFUSED: dict[str, Callable[[], Any]] = {
    "an object": Model,
    "within a list": lambda: [1.0, Model()],
    "complex": lambda: 1j,
    "a date": lambda: np.datetime64("2020-01-01"),
    "a class": lambda: float,
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_answer_without_a_value_is_refused(case: str) -> None:
    """It must hold, as it would differ from its own copy."""
    with pytest.raises(InvalidArgument, match="an object of type"):
        read_value(REFUSED[case]())


def test_a_list_that_holds_itself_is_refused() -> None:
    """It must hold that nesting has an end."""
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InvalidArgument, match="deeper than 50"):
        read_value(endless)


def test_texts_have_no_norm() -> None:
    """It must hold of two that differ, and that the message names the norm that they have."""
    with pytest.raises(InvalidArgument, match="--norm discrete"):
        distance(Norm.L1, "a", "b")


def test_ranks_order_as_distances_do() -> None:
    """It must hold also where doubles are too small or too large for what is ordered."""
    tiny, huge = Distance(Fraction(1, 10**400)), Distance(Fraction(10**400), is_square=True)
    assert tiny.rank(Fraction(1)) == 0.0
    assert huge.rank(Fraction(10**200)) == pytest.approx(1.0, rel=1e-12)
    assert Distance(Fraction(10**400)).rank(Fraction(1)) == math.inf
    assert Distance(Fraction(0)).rank(Fraction(0)) == 0.0
    assert Distance(Fraction(1)).rank(Fraction(0)) == math.inf
    assert Distance(None).rank(Fraction(5)) == math.inf


def test_every_norm_has_a_measure() -> None:
    """It must hold."""
    assert set(MEASURES) == set(Norm)
    assert shape_of(Keyed(("a",), (1,))) != shape_of((1,))
