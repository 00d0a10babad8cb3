"""Grids and keys: what a user may write, and what comes back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.tables.grid import MOST_POINTS, read_grid
from proofs_check.tables.keys import NumberKey, VectorKey, vector_text

MEAN = NumberKey("mean", "A mean.", at_least=0, at_most=1)
COUNT = NumberKey("n", "A count.", at_least=1, whole=True)
VECTOR = VectorKey("budgets", "Budgets.", positive=True)


def test_grids() -> None:
    """Lists, logarithmic and linear parts must be the points written, ends exact."""
    assert read_grid("0.1, 1/3,2", "x") == (Fraction(1, 10), Fraction(1, 3), Fraction(2))
    assert read_grid("0:1:lin:5", "x") == tuple(Fraction(k, 4) for k in range(5))
    found = read_grid("0.1:10:log:25", "x")
    assert list(map(str, (found[0], found[12], found[24]))) == ["1/10", "1", "10"]
    assert found[1] == Fraction("0.121153")
    assert list(map(int, read_grid("8:1:log:4,7", "x"))) == [8, 4, 2, 1, 7]


@given(st.integers(2, 40), st.integers(1, 400), st.integers(1, 400))
def test_logarithmic_points_are_within_their_digits(count: int, first: int, last: int) -> None:
    """Each must be a decimal within 1e-5 of the geometric one."""
    points = read_grid(f"{first}:{last}:log:{count}", "x")
    assert len(points) == count
    for k, point in enumerate(points):
        exact = first * (last / first) ** (k / (count - 1))
        assert abs(float(point) / exact - 1) < 1e-5


FAULTS = ["", "a", "1,", "1:2", "1:2:log", "1:2:log:1", "1:2:cube:3", "0:1:log:3", "1:2:lin:1e3"]


def test_what_is_no_grid_is_told(subtests: pytest.Subtests) -> None:
    """The message must name the parameter."""
    for text in FAULTS:
        with subtests.test(text=text), pytest.raises(InvalidArgument, match="epsilon"):
            read_grid(text, "epsilon")


def test_a_grid_has_a_largest_size() -> None:
    """It must hold of one part and of several."""
    for text in (f"0:1:lin:{MOST_POINTS + 1}", ",".join([f"0:1:lin:{MOST_POINTS}", "3"])):
        with pytest.raises(InvalidArgument):
            read_grid(text, "x")


BAD_KEYS = [
    (MEAN, "1.01", "mean must be a number at least 0 and at most 1, got mean=1.01"),
    (MEAN, "-1", "mean must be a number at least 0 and at most 1"),
    (COUNT, "1.5", "n must be an integer at least 1"),
    (COUNT, "0", "n must be an integer at least 1"),
    (NumberKey("N", "Size.", above=0), "0", "N must be a number greater than 0"),
    (VECTOR, "0.1 0", "budgets must be greater than 0, got 0"),
    (VECTOR, "", "budgets must have 1 to"),
    (VECTOR, "1*0", r"a part of budgets must be VALUE, VALUE\*TIMES or a grid"),
    (VECTOR, "1*2*3", r"a part of budgets must be VALUE, VALUE\*TIMES or a grid"),
    (VECTOR, "1*9999999", r"a part of budgets must be VALUE, VALUE\*TIMES or a grid"),
    (VECTOR, "x", "budgets must be a finite number"),
]


def test_keys_out_of_range_are_told(subtests: pytest.Subtests) -> None:
    """The message must have name, condition and value."""
    for key, text, words in BAD_KEYS:
        with subtests.test(key=key, text=text, words=words):
            with pytest.raises(InvalidArgument, match=words):
                key.read(text)
            with pytest.raises(InvalidArgument, match=r"must (be|have)"):
                key.grid(text)


VALUES = st.integers(1, 60).map(lambda k: Fraction(k, 8)) | st.fractions(min_value=Fraction(1, 9))


@given(st.lists(VALUES, min_size=1, max_size=40))
def test_vectors_read_back(values: list[Fraction]) -> None:
    """Text must stand for the same numbers, ascending, and be the same when written again."""
    text = vector_text(values)
    found = VECTOR.read(text)
    assert list(found) == sorted(values)
    assert VECTOR.text(found) == text


@given(st.integers(5, 60), st.integers(1, 9), st.integers(1, 9))
def test_equal_steps_are_short(count: int, first: int, step: int) -> None:
    """They must be written as one grid, between runs."""
    steps = [Fraction(first) + Fraction(step, 10) * k for k in range(count)]
    text = vector_text([*steps, Fraction(1, 100), Fraction(1, 100)])
    assert text.split()[0] == "0.01*2"
    assert len(text.split()) == 2
    assert list(VECTOR.read(text))[2:] == steps


def test_several_vectors() -> None:
    """A semicolon must separate them."""
    one, half = Fraction(1), Fraction(1, 2)
    assert VECTOR.grid("1*2; 0.5 1") == ((one, one), (half, one))
