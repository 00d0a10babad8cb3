"""Data sets of every kind: which records they have, and which of them are neighbors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import audit
from audit.pairs.literal import imports_of, literal
from audit.pairs.pair_files import as_data
from audit.targets.domain import Domain, steps
from audit.targets.record_keys import keys_of, size_of
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidData

ADD_REMOVE, SWAP = Domain(Relation.ADD_REMOVE), Domain(Relation.SWAP)

KINDS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    # large integers are new objects each time
    "array of objects": lambda rows: np.array([*(10**30 * x for x in rows), None], object)[:-1],
    "array of text": lambda rows: np.array([f"{row!r}" for row in rows], dtype=str),
    "masked array": lambda rows: np.ma.array(rows, mask=[row == 2 for row in rows], dtype=float),
    "series": lambda rows: pd.Series(rows, dtype=object),
    "frame": lambda rows: pd.DataFrame({"x": rows, "y": [str(row) for row in rows]}),
    "rows of text": lambda rows: [[row, "b"] for row in rows],
    "mappings": lambda rows: [{"x": row} for row in rows],
    "integers": lambda rows: np.array(rows, dtype=np.int64),
    "structures": lambda rows: np.array([(row, 1.5) for row in rows], dtype="i8,f8"),
    "two columns": lambda rows: np.array([(row, 1.5) for row in rows]).reshape(-1, 2),
}


@pytest.mark.parametrize("kind", KINDS)
def test_neighbors_of_every_kind_differ_by_one_record(kind: str) -> None:
    """It must hold that one more record is add-remove, one other is a swap, and no more is either.

    Before, data that were no arrays of doubles were neighbors of all others, so that the audit of
    an exactly private release of a list was refuted by a pair of ten changes.
    """
    make = KINDS[kind]
    data, more, other, far = map(make, ([1, 3, 4], [1, 3, 4, 5], [1, 5, 4], [1, 5, 6, 7]))
    assert ADD_REMOVE.neighbors(data, more)
    assert ADD_REMOVE.neighbors(more, data)
    assert SWAP.neighbors(data, other)
    assert not ADD_REMOVE.neighbors(data, other)
    assert not SWAP.neighbors(data, more)
    assert size_of(more) == 4
    for domain in (ADD_REMOVE, SWAP):
        assert domain.neighbors(data, make([4, 1, 3]))
        with pytest.raises(InvalidData, match=r"p: .* not neighbors .* to remove: 2, to add: 3"):
            domain.check("p", data, far)


SETS: list[tuple[Any, Any]] = [({1, 2}, {1, 2, 3}), (frozenset("ab"), frozenset("abc"))]


@pytest.mark.parametrize(("data", "more"), [*SETS, (range(3), range(4))])
def test_sets_and_ranges_have_records(data: Any, more: Any) -> None:
    """It must hold that their elements are records, in whatever order they come."""
    assert ADD_REMOVE.neighbors(data, more)
    assert steps(data, more, Order.FIXED) == (0, 1)


@dataclass
class Person:
    """A record that cannot be hashed."""

    age: int


NOT_COMPARED = {
    "scalars": (0.0, 1.0, "data of type float have no records that can be compared"),
    "mappings": ({"a": 1}, {"a": 2}, "data of type dict have no records"),
    "text": ("ab", "abc", "data of type str have no records"),
    "objects": (Person(1), Person(2), "data of type Person have no records"),
    "kinds": ([1, None], (1, None, 2), "one is of type list, the other of type tuple"),
    "columns": (pd.DataFrame({"x": [1]}), pd.DataFrame({"y": [1, 2]}), "their columns differ"),
}


@pytest.mark.parametrize("case", NOT_COMPARED)
def test_what_has_no_records_is_a_neighbor_only_where_it_is_listed(case: str) -> None:
    """It must hold that the reason is named, with the way out."""
    data, other, words = NOT_COMPARED[case]
    with pytest.raises(InvalidData, match=f"{words}.*use --relation listed"):
        SWAP.check("p", data, other)
    Domain(Relation.LISTED).check("p", data, other)


def test_a_list_that_holds_itself_has_no_records_to_compare() -> None:
    """It must hold that it is refused, and does not end in a traceback."""
    data: list[Any] = ["a"]
    data.append(data)
    with pytest.raises(InvalidData, match="not neighbors"):
        ADD_REMOVE.check("p", data, ["a"])


EQUAL = [(1, 1.0), (np.nan, float("nan")), (np.float32(0.5), 0.5), (Person(1), Person(1))]
DIFFERENT = [(0.0, -0.0), (1, True), (1, "1"), (Decimal("NaN"), np.nan), (None, np.nan)]
DIFFERENT += [(Person(1), Person(2)), ([1, 2], [2, 1]), ({1: 2}, {2: 1}), (2**53, 2.0**53 + 2)]


def test_records_are_equal_where_their_values_are(subtests: pytest.Subtests) -> None:
    """It must hold for records of lists, which carry their types."""
    for first, second, equal in [(*both, True) for both in EQUAL] + [
        (*both, False) for both in DIFFERENT
    ]:
        with subtests.test(first=first, second=second):
            keys = keys_of([first, "x"], [second, "x"])
            assert keys is not None
            assert (keys[0] == keys[1]) is equal


@given(st.lists(st.integers(-2, 2)), st.lists(st.integers(-2, 2)), st.sampled_from(Order))
def test_each_kind_counts_the_same_steps(first: list[int], second: list[int], order: Order) -> None:
    """It must hold that lists, objects and doubles need the same records removed and added."""
    wanted = steps(np.array(first, dtype=float), np.array(second, dtype=float), order)
    for kind in ("list", "array of objects", "integers", "two columns", "frame"):
        assert steps(KINDS[kind](first), KINDS[kind](second), order) == wanted, kind
    mixed = steps(np.array(first, dtype=np.int64), np.array(second, dtype=float), order)
    assert mixed == wanted


def test_both_sides_of_a_file_are_read_alike() -> None:
    """It must hold that a record that is no number does not make one side an array."""
    assert as_data([0.0], [0.0, None]) == ([0.0], [0.0, None])
    rows, empty = as_data([[0.0, 1.0]], [])
    assert empty.shape == (0, 2)
    assert ADD_REMOVE.neighbors(rows, empty)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "masked array"])
def test_the_source_of_every_kind_gives_it_back(kind: str) -> None:
    """It must hold that what the script of a witness writes evaluates to the same records."""
    data = KINDS[kind]([1, 3, 3])
    source, names = literal(data), {"np": np}
    for line in imports_of(source):
        exec(line, names)
    again = eval(source, names)
    assert type(again) is type(data)
    assert steps(data, again, Order.FIXED) == (0, 0)


def test_what_cannot_be_written_stops_the_script() -> None:
    """It must hold that the source is Python, and says what to write in its place."""
    source = literal([lambda: None])
    with pytest.raises(SystemExit, match=r"which has no text in Python: .*witness\.data"):
        eval(source)


@pytest.mark.long
def test_a_private_release_of_a_list_is_not_refuted_by_data_sets_far_apart() -> None:
    """It must hold that the pair is refused; the neighbors beside it are audited."""

    def share(data: list[Any], *, epsilon: float, rng: np.random.Generator) -> float:
        return data.count("yes") + rng.laplace(0, 1 / epsilon)

    target = audit.load(share, param={"epsilon": 1.0})
    words: dict[str, Any] = {"epsilon": 1, "relation": "add-remove", "budget_samples": 4_000}
    with pytest.raises(audit.TouchstoneError, match="not neighbors under add-remove"):
        audit.audit(target, pair=(["yes"] * 9, ["no", None]), **words)
    found = audit.audit(target, pair=(["yes", None], ["yes", None, "yes"]), **words)
    assert found.verdict != "refuted"
