"""The user's files: columns of numbers and pairs, and the row of the first fault."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cli import main
from audit.pairs.arrays import records_of
from audit.pairs.pair_files import read_column, read_pair
from audit.pairs.worst_cases import pairs_from_records, worst_case_pairs
from audit.targets.domain import Domain
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidData
from tests.user_files import imports_restored


def write(folder: Path, text: str, name: str = "d.csv") -> str:
    """Write a file of the user."""
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_reads_a_column_by_name(tmp_path: Path) -> None:
    """It must hold that the named column comes back, in order, as floats."""
    file = write(tmp_path, 'id,"x, y"\n1,0.5\n\n2, 1e-3\n3,-7\n')
    assert read_column(file, "x, y").tolist() == [0.5, 1e-3, -7.0]


def test_a_byte_order_mark_is_no_part_of_the_name(tmp_path: Path) -> None:
    """It must hold that a file saved by a spreadsheet program is read."""
    assert read_column(write(tmp_path, "\ufeffx\n1\n"), "x").tolist() == [1.0]


def test_one_column_needs_no_name(tmp_path: Path) -> None:
    """It must hold that the only column is the column."""
    assert read_column(write(tmp_path, "x\n1\n2\n"), None).tolist() == [1.0, 2.0]


def test_the_only_column_must_have_a_name(tmp_path: Path) -> None:
    """It must hold that a file without a header line does not lose its first number in silence."""
    with pytest.raises(InvalidData, match=r"no header line: its first line is the number 1$"):
        read_column(write(tmp_path, "1\n2\n3\n"), None)


FAULTS = {
    "text": ("id,x\n1,2\n2,abc\n", r"column 'x', row 2 \(line 3\): .* got 'abc'"),
    "empty cell": ("id,x\n1,\n", r"column 'x', row 1 \(line 2\): .* an empty cell"),
    "short row": ("id,x\n1,2\n2\n", r"row 2 \(line 3\): .* an empty cell"),
    "blank cell": ("id,x\n1, \n", "an empty cell"),
    "NaN": ("id,x\n1,nan\n", "row 1 .* got 'nan'"),
    "infinite": ("id,x\n1,inf\n", "row 1 .* got 'inf'"),
    "long row": ("id,x\n1,2\n1,2,3\n", r"row 2 \(line 3\) has 3 cells for 2 columns"),
    "quoted line break": ('id,x\n"a\nb",1\nc,z\n', r"row 2 \(line 4\)"),
    "no such column": ("id,y\n1,2\n", "no column 'x'; it has: id, y"),
    "twice": ("x,x\n1,2\n", "more than one column 'x'"),
    "no rows": ("id,x\n", "a header and no rows"),
    "nothing": ("", "no header line"),
    "open quote": ('id,x\n1,"2\n', "cannot be read"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_file_is_told_with_its_row(tmp_path: Path, fault: str) -> None:
    """It must hold that the first fault of a file is named with its place."""
    text, message = FAULTS[fault]
    with pytest.raises(InvalidData, match=message):
        read_column(write(tmp_path, text), "x")


def test_a_blank_cell_of_a_single_column_counts(tmp_path: Path) -> None:
    """It must hold that an empty line is an empty cell where there is one column."""
    with pytest.raises(InvalidData, match=r"row 2 \(line 3\): .* an empty cell"):
        read_column(write(tmp_path, "x\n1\n\n2\n"), "x")


def test_a_missing_column_name_lists_the_columns(tmp_path: Path) -> None:
    """It must hold that the user is told what to choose from."""
    with pytest.raises(InvalidData, match="name one with --column: id, x"):
        read_column(write(tmp_path, "id,x\n1,2\n"), None)


def test_unreadable_files_are_told(tmp_path: Path) -> None:
    """It must hold that a missing file, a folder and a binary file are user errors."""
    with pytest.raises(InvalidData, match=r"there is no file 'missing.csv'"):
        read_column("missing.csv", "x")
    with pytest.raises(InvalidData, match="cannot be read: it is not a regular file"):
        read_column(str(tmp_path), "x")
    (tmp_path / "b.csv").write_bytes(b"x\n\xff\xfe\n")
    with pytest.raises(InvalidData, match="cannot be read"):
        read_column(str(tmp_path / "b.csv"), "x")


def test_the_real_data_set_of_the_reference_suite() -> None:
    """It must hold that the ages are those of 944 people from 19 to 91."""
    ages = read_column("statsmodels:anes96", "age")
    assert (len(ages), ages.min(), ages.max()) == (944, 19, 91)
    assert ages.sum() == 44409


@pytest.mark.parametrize("name", ["no_such_set", "utils", "a.b", ""])
def test_an_unknown_data_set_is_named(name: str) -> None:
    """It must hold that a name that statsmodels does not have is a user error."""
    with pytest.raises(InvalidData, match=f"no data set '{name}'"):
        read_column(f"statsmodels:{name}", "x")


VALUES = {
    "numbers": ("[0, 1.5, NaN, -Infinity]", np.array([0, 1.5, np.nan, -np.inf])),
    "no records": ("[]", np.empty(0)),
    "rows": ("[[1, 2], [3, 4]]", np.array([[1.0, 2.0], [3.0, 4.0]])),
}


@pytest.mark.parametrize("kind", VALUES)
def test_lists_of_numbers_become_arrays(tmp_path: Path, kind: str) -> None:
    """It must hold that lists of numbers are float64 arrays of one or two dimensions."""
    text, array = VALUES[kind]
    pair = read_pair(write(tmp_path, f'{{"data": {text}, "neighbor": {text}}}', "p.json"))
    for side in (pair.data, pair.neighbor):
        assert side.dtype == np.float64
        np.testing.assert_array_equal(side, array, strict=True)


@pytest.mark.parametrize(
    "value", [3, 0.5, "text", None, True, [True, False], [[1], [1, 2]], [1, "a"], {"a": [1]}]
)
def test_other_values_are_passed_as_they_are(tmp_path: Path, value: object) -> None:
    """It must hold that nothing but lists of numbers is changed."""
    text = json.dumps({"data": value, "neighbor": value})
    pair = read_pair(write(tmp_path, text, "p.json"))
    assert pair.data == value
    assert type(pair.data) is type(value)


BAD_PAIRS = {
    "not JSON": ("{data: 1}", "p.json is not JSON: .*line 1"),
    "a list": ("[1, 2]", "must hold .*, got a list"),
    "no neighbor": ('{"data": 1}', "lacks 'neighbor'"),
    "unknown key": ('{"data": 1, "neighbor": 2, "users": 0}', "unknown key 'users'"),
    "too large": ('{"data": [1' + "0" * 400 + '], "neighbor": []}', "beyond double precision"),
    "too deep": ("[" * 100_000, "is nested deeper than 100 levels"),
}


@pytest.mark.parametrize("fault", BAD_PAIRS)
def test_a_bad_pair_file_is_told(tmp_path: Path, fault: str) -> None:
    """It must hold that a pair file that is none says why."""
    text, message = BAD_PAIRS[fault]
    with pytest.raises(InvalidData, match=message):
        read_pair(write(tmp_path, text, "p.json"))


RELATIONS = [Relation.ADD_REMOVE, Relation.SWAP]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("order", Order)
def test_generated_pairs_are_neighbors(relation: Relation, order: Order) -> None:
    """It must hold that what `neighbors` makes passes the check of the user's pairs."""
    records = np.array([0.2, 0.9, 0.4])
    domain = Domain(relation, order, (Fraction(0), Fraction(1)))
    pairs = worst_case_pairs(domain)
    worst = len(pairs)
    pairs += pairs_from_records(records, domain)
    assert 0 < worst < len(pairs)
    for pair in pairs:
        domain.check(pair.label, pair.data, pair.neighbor)


def neighbors(data: list[float], neighbor: list[float], relation: Relation, order: Order) -> bool:
    """Whether the check accepts a pair."""
    try:
        Domain(relation, order).check("p", np.array(data), np.array(neighbor))
    except InvalidData:
        return False
    return True


@pytest.mark.parametrize(
    ("data", "neighbor", "relations"),
    [
        ([0.0], [1.0], {Relation.SWAP}),
        ([0.0], [0.0, 1.0], {Relation.ADD_REMOVE}),
        ([0.0, 1.0], [0.0, 1.0], set(RELATIONS)),
        ([0.0, 1.0], [2.0, 3.0], set()),
        ([0.0], [1.0, 2.0], set()),
        ([np.nan], [np.nan, 1.0], {Relation.ADD_REMOVE}),
    ],
)
def test_neighbors_under_each_relation(
    data: list[float], neighbor: list[float], relations: set[Relation]
) -> None:
    """It must hold that a pair is accepted exactly under the relations that it is a pair of."""
    for relation in RELATIONS:
        for order in Order:
            assert neighbors(data, neighbor, relation, order) == (relation in relations)
    assert neighbors(data, neighbor, Relation.LISTED, Order.FREE)


def test_two_orders_are_neighbors_of_a_multiset_only() -> None:
    """It must hold that a reordering is at distance 0 exactly where order is free."""
    assert neighbors([0.0, 1.0, 2.0], [2.0, 0.0, 1.0], Relation.SWAP, Order.FREE)
    assert not neighbors([0.0, 1.0, 2.0], [2.0, 0.0, 1.0], Relation.SWAP, Order.FIXED)


records = st.lists(st.sampled_from([0.0, 1.0]), max_size=6)


@given(records, records)
def test_fixed_order_agrees_with_trying_every_place(data: list[float], other: list[float]) -> None:
    """It must hold that the check equals a search over all places of one change."""
    swaps = [[*data[:i], v, *data[i + 1 :]] for i in range(len(data)) for v in (0.0, 1.0)]
    removals = [data[:i] + data[i + 1 :] for i in range(len(data))]
    additions = [[*data[:i], v, *data[i:]] for i in range(len(data) + 1) for v in (0.0, 1.0)]
    expected_swap = other == data or other in swaps
    expected_add = other == data or other in removals or other in additions
    assert neighbors(data, other, Relation.SWAP, Order.FIXED) == expected_swap
    assert neighbors(data, other, Relation.ADD_REMOVE, Order.FIXED) == expected_add


TEXTS = {"red": True, "12 km": True, "NA": False, "": False, "nan": False, "inf": False}


@pytest.mark.parametrize("cell", TEXTS)
@pytest.mark.parametrize(
    ("command", "takes_schema"),
    [
        ("audit m.py:f --epsilon 1 --relation swap", True),
        ("sensitivity m.py:f --norm l1 --at-most 1 --relation swap", True),
        ("audit m.py:f --utility --unbiased", False),
    ],
)
def test_a_column_of_texts_names_the_schema(
    cell: str,
    command: str,
    takes_schema: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold where a schema can be given, of texts only, and the proposal is one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text("def f(data):\n    return 1.0\n")
    (tmp_path / "labels.csv").write_text(f"id,label\n1,{cell}\n")
    with imports_restored(tmp_path):
        assert main([*command.split(), "--data", "labels.csv", "--column", "label"]) == 2
    said = capsys.readouterr().err
    assert (said.count("\n"), len(said) <= 300) == (1, True)
    assert "expected a finite number" in said
    hint = "; a column of text needs --schema (touchstone schema labels.csv proposes one)"
    assert (hint in said) == (TEXTS[cell] and takes_schema)
    assert main(["schema", "labels.csv"]) == 0


def test_texts_at_hand_name_the_schema() -> None:
    """It must hold of Python's own records, and not of a number that is none."""
    with pytest.raises(InvalidData, match="got 'red'; texts need schema"):
        records_of(["red", "blue"])
    with pytest.raises(InvalidData, match=r"got nan$"):
        records_of([1.0, float("nan")])
