"""Every outcome is kept: types, missing coordinates, failures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.engine.encode import Encoder, checked_length
from audit.engine.events import label_of
from mechanisms.errors import InvalidArgument


def encoded(*outputs: Any) -> tuple[Encoder, Any]:
    """Encode one batch with its own layout."""
    encoder = Encoder()
    encoder.fix_layout([list(outputs)])
    return encoder, encoder.encode(list(outputs))


@pytest.mark.parametrize(
    ("output", "label"),
    [
        (math.nan, "is NaN"),
        (math.inf, "is +inf"),
        (-math.inf, "is -inf"),
        (None, "is None"),
        ("yes", "is 'yes'"),
        (True, "is True"),
        (np.bool_(False), "is False"),
        (ValueError("secret 17"), "raises ValueError"),
        (10**400, "is an integer beyond double precision"),
        ({1: 2}, "is {1: 2}"),
        (object(), "is a object"),
        (b"x", "is b'x'"),
    ],
    ids=lambda x: str(x)[:20],
)
def test_what_is_no_number_has_a_category(output: Any, label: str) -> None:
    """Each kind of outcome has its own words; an exception is its type, not its text."""
    encoder, outcomes = encoded(output, 1.0)
    assert np.isnan(outcomes.numbers[0, 0])
    assert encoder.label(int(outcomes.categories[0, 0])) == label
    assert outcomes.categories[1, 0] == 0
    assert outcomes.numbers[1, 0] == 1.0


def test_varying_lengths_have_a_form_and_missing_coordinates() -> None:
    """The length is an outcome, and a missing coordinate its own category."""
    encoder, outcomes = encoded([1.0, 2.0], [3.0], (), ValueError(), 4.0)
    assert [name for name, _ in encoder.columns] == ["output[0]", "output[1]", "form"]
    labels = [encoder.label(int(c)) for c in outcomes.categories[:, -1]]
    assert labels == [
        "has length 2",
        "has length 1",
        "has length 0",
        "raises ValueError",
        "is a single value",
    ]
    assert encoder.label(int(outcomes.categories[1, 1])) == "is missing"
    assert outcomes.numbers[4, 0] == 4.0


def test_a_longer_output_than_ever_seen_still_counts() -> None:
    """Coordinates beyond the layout are cut, the form tells."""
    encoder, _ = encoded([1.0], [2.0])
    late = encoder.encode([[1.0, 2.0, 3.0]])
    assert late.numbers.shape == (1, 2)
    assert encoder.label(int(late.categories[0, -1])) == "has length 3"


@given(st.lists(st.floats(), min_size=1, max_size=20))
def test_arrays_and_lists_are_encoded_alike(values: list[float]) -> None:
    """The fast path for float arrays agrees with the plain one, outcome by outcome."""
    fast, slow = Encoder(), Encoder()
    array, plain = fast.encode(np.array(values)), slow.encode(list(values))
    assert np.array_equal(array.numbers, plain.numbers, equal_nan=True)
    for i, value in enumerate(values):
        code = int(array.categories[i, 0])
        assert (fast.label(code) if code else "") == label_of(value)[0]


@given(st.integers(1, 4), st.integers(1, 5))
def test_arrays_of_vectors_are_encoded_like_lists(width: int, size: int) -> None:
    """A 2-d array is a list of vectors; higher axes are flattened."""
    values = np.arange(width * size, dtype=float).reshape(size, width)
    one, other, deep = Encoder(), Encoder(), Encoder()
    one.fix_layout([values])
    other.fix_layout([values.tolist()])
    deep.fix_layout([values[:, :, None]])
    assert one.width == other.width == deep.width == width
    expected = one.encode(values).numbers
    assert np.array_equal(expected, other.encode(values.tolist()).numbers, equal_nan=True)
    assert np.array_equal(expected, deep.encode(values[:, :, None]).numbers, equal_nan=True)


def test_a_huge_alphabet_keeps_every_draw() -> None:
    """Labels beyond the largest alphabet share one; no draw is dropped."""
    encoder = Encoder()
    outcomes = encoder.encode([f"word {i}" for i in range(6000)])
    assert len(outcomes) == 6000
    assert (outcomes.categories > 0).all()
    assert len(encoder.labels) <= 4097


def test_wrong_number_of_draws_is_said() -> None:
    """A target that returns another number of draws is told what it must return."""
    with pytest.raises(InvalidArgument, match=r"must return 3 draws .* got 2"):
        checked_length([1, 2], 3, "mine")
    assert checked_length(np.float64(2.0), 1, "mine") == [2.0]
    assert list(checked_length(iter([1, 2]), 2, "mine")) == [1, 2]
