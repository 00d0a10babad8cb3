"""Every outcome is kept: types, missing coordinates, failures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.draws.encode import RARE, Encoder, as_sequence, checked_length
from audit.draws.output_words import label_of, number, outcome
from audit.utility.estimate_draws import as_numbers
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
        (10**20, "is 0x56bc75e2d63100000"),
        (object(), "is an object that shows no value: object"),
        (b"x", "is b'x'"),
    ],
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
    with pytest.raises(InvalidArgument, match=r"must return 3 draws .* got 1 \(type NoneType\)"):
        checked_length(as_sequence(None), 3, "mine", type(None))
    assert as_sequence(np.float64(2.0)) == [2.0]
    assert as_sequence(iter([1, 2])) == [1, 2]
    assert as_sequence({"a": 1}) == [{"a": 1}]
    assert as_sequence(np.str_("ab")) == ["ab"]
    assert as_sequence(np.ma.array([1.0, 2.0], mask=[False, True])) == [1.0, None]


class Tensor:
    """What numpy reads as an array, or refuses to."""

    def __init__(self, values: list[float], *, gradient: bool = False) -> None:
        self.values, self.gradient = values, gradient

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.gradient:
            raise RuntimeError
        return np.array(self.values, dtype)

    def __iter__(self) -> Any:
        return iter(self.values)


def test_the_rows_of_a_table_are_draws() -> None:
    """It must hold that draws of a data frame are its rows, not the names of its columns."""
    table = as_sequence(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]}))
    assert table.tolist() == [(1.0, 4.0), (2.0, 5.0), (3.0, 6.0)]
    assert as_numbers(table).tolist() == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    twice = pd.DataFrame([[1.0, 4.0], [2.0, 5.0]], columns=["a", "a"])
    assert as_sequence(twice).tolist() == [[1.0, 4.0], [2.0, 5.0]]
    assert as_sequence(pd.Series([1.0, 2.0], index=[7, 8])).tolist() == [1.0, 2.0]


def test_a_tensor_is_its_numbers() -> None:
    """It must hold by whichever of two ways it gives them."""
    assert as_sequence(Tensor([1.0, 2.0])).tolist() == [1.0, 2.0]
    assert as_sequence(Tensor([1.0, 2.0], gradient=True)) == [1.0, 2.0]


@dataclass
class Report:
    """A container of a user's own."""

    mean: float
    count: int


RECORD = np.array([(1.0, 2)], dtype=[("x", float), ("k", int)])[0]


@pytest.mark.parametrize(
    ("output", "form", "leaves"),
    [
        ({"b": 2.0, "a": 1.0}, "has keys ['a', 'b']", [1.0, 2.0, None]),
        ([["a", 1.5], ["b", 2.5]], "has length 2 of (length 2, length 2)", [None, 1.5, None, 2.5]),
        ((np.array([1.0, 2.0]), 3), "has length 2 of (length 2, a value)", [1.0, 2.0, 3.0]),
        (1.5 + 2.5j, "has a real and an imaginary part", [1.5, 2.5]),
        (Report(0.5, 3), "has fields ['mean', 'count']", [0.5, 3.0]),
        (np.array([[1.0, 2.0]]), "has shape (1, 2)", [1.0, 2.0]),
        (
            np.array([(1.0, 2)], dtype=[("x", float), ("k", int)])[0],
            "has keys ['x', 'k']",
            [1.0, 2.0],
        ),
        (pd.DataFrame({"b": [2.0], "a": [1.0]}), "has keys ['b', 'a']", [2.0, 1.0]),
    ],
)
def test_containers_are_flattened_to_their_leaves(
    output: Any, form: str, leaves: list[Any]
) -> None:
    """Numbers inside a container are numbers, and the form says how they were held."""
    encoder, outcomes = encoded(output)
    numbers = [None if np.isnan(x) else x for x in outcomes.numbers[0, :-1]]
    assert numbers == leaves
    assert encoder.label(int(outcomes.categories[0, -1])) == form


def test_integers_that_a_double_would_merge_stay_apart() -> None:
    """2^60 and 2^60 + 1 are different outcomes, in arrays and in lists."""
    for values in (np.array([2**60, 2**60 + 1]), [2**60, 2**60 + 1]):
        encoder = Encoder()
        codes = encoder.encode(values).categories[:, 0]
        assert codes[0] != codes[1]


def test_long_texts_that_begin_alike_stay_apart() -> None:
    """A shortened label keeps a digest of the whole."""
    assert label_of("x" * 200 + "a") != label_of("x" * 200 + "b")
    assert len(label_of("x" * 10**6)[0]) < 200


def test_failures_keep_their_label_in_a_full_alphabet() -> None:
    """However many texts came before, NaN and exceptions are told apart."""
    encoder = Encoder()
    encoder.encode([f"word {i}" for i in range(6000)])
    codes = encoder.encode([ValueError(), np.nan, "another word"]).categories[:, 0]
    assert [encoder.label(int(code)) for code in codes] == ["raises ValueError", "is NaN", RARE]


@pytest.mark.parametrize("seen", [False, True], ids=["numbers", "texts"])
def test_values_that_cannot_be_compared_are_said(seen: bool) -> None:
    """Many labels that occur once each are reported, a few kinds are not."""
    encoder = Encoder()
    values = [f"id {i}" if seen else float(i) for i in range(100)]
    arms = [encoder.encode(values), encoder.encode(["yes", "no"] * 50)]
    assert (encoder.find_opaque(arms) is not None) == seen


def test_objects_that_show_no_value_are_said() -> None:
    """A share of a tenth of such objects is reported, however few kinds there are; less is not."""
    encoder = Encoder()
    numbers = [1.0, 2.0] * 50
    for share, seen in ((11, True), (9, False)):
        arms = [encoder.encode(numbers)]
        arms += [encoder.encode([*[object()] * (2 * share), *numbers[2 * share :]])]
        said = encoder.find_opaque(arms)
        assert (said is not None) == seen
        assert not seen or "an object that shows no value: object;" in str(said)


def test_an_object_that_refuses_everything_is_still_an_outcome() -> None:
    """An object whose conversion and text fail is known by its type."""

    class Stubborn:
        def __float__(self) -> float:
            raise RuntimeError

        def __repr__(self) -> str:
            raise RuntimeError

    assert label_of(Stubborn())[0] == "is an object that shows no value: Stubborn"


def named(outputs: Any) -> list[str]:
    """Words of the coordinates after some draws."""
    encoder = Encoder()
    encoder.fix_layout([as_sequence(outputs)])
    encoder.encode(as_sequence(outputs))
    return [name for name, _ in encoder.columns]


def test_coordinates_are_named_where_all_outputs_have_the_same_names() -> None:
    """It must hold that keys, fields and columns name the coordinates, and nothing else does."""
    keyed = [{"total": 1.5, "n": 2}, {"total": 2.5, "n": 3}]
    assert named([*keyed, ValueError()]) == ['output["n"]', 'output["total"]', "the keys", "form"]
    assert named([Report(1.5, 2)] * 2) == ["output.mean", "output.count", "form"]
    assert named(pd.DataFrame(keyed)) == ['output["total"]', 'output["n"]', "form"]
    mixed = named([*keyed, {"total": 1.0}])
    assert mixed == ["output[0]", "output[1]", "output[2]", "form"]
    assert named([{0: 1.5}] * 2) == ["output[0]", "form"]
    assert named([{"a": [1.5, 2.5]}] * 2) == ["output[0]", "output[1]", "form"]


def test_a_part_is_read_by_its_name() -> None:
    """It must hold that an event of a name is one of that part, and of no other kind of output."""
    assert (number({"b": 1.5, "a": 2.5}, "b"), number(Report(1.5, 2), "count")) == (1.5, 2)
    assert outcome({"b": "x"}, "b") == "is 'x'"
    for other in (3.5, ValueError(), [1.5], {"c": 1.5}):
        assert np.isnan(number(other, "b"))
        assert outcome(other, "b") == "is missing"
